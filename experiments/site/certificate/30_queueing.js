/** Instances of the queueing family, and loads with their decompositions and prices. */
"use strict";
(function (parts) {
const {
    At, demand, ONE, Rational, ZERO, largest, sum, distinct, indexOf, listOf, members, nameOf, numberOf, positive,
    textOf, wordOf, arrivalsOf, meanRates, slackOf, streams,
} = parts;

// ---------------------------------------------------------------- instances of the queueing family

const OPTIONS = {
    "routing": ["batch", "sequential"],
    "counting": ["in-system", "waiting"],
    "unmatched": ["idle", "phantom"],
    "empty-target": ["wasted", "conserved"],
    "common-rate": ["remote", "by-type"],
    "scarcity": ["lowest-index", "uniform-subset"],
    "reveal": ["on-arrival", "on-start"],
};

/** Those of continuous time. */
const EVENT_OPTIONS = {
    "counting": OPTIONS.counting,
    "common-rate": OPTIONS["common-rate"],
    "reveal": OPTIONS.reveal,
    "preemption": ["none", "resume"],
};

function anyText(value, at) {
    demand(typeof value === "string", at, "expected a text");
    return value;
}

/** An instance in the form in which all generators are written out and all options are there. */
function queueingOf(value, at) {
    members(value, at, ["family", "name", "source", "servers", "types", "arrivals", "options"],
        ["time", "unit", "levels", "slack", "lyapunov"]);
    wordOf(value.get("family"), new At(at, "family"), ["queueing"]);
    anyText(value.get("source"), new At(at, "source"));
    const model = {name: nameOf(value.get("name"), new At(at, "name")), time: timeOf(value, at)};
    model.levels = value.has("levels") ? levelsOf(value.get("levels"), new At(at, "levels"), model.time) : null;
    model.servers = serversOf(value.get("servers"), new At(at, "servers"));
    model.types = listOf(value.get("types"), new At(at, "types"), (item, place) => typeOf(item, place, model));
    demand(model.types.length > 0, new At(at, "types"), "there is no type");
    distinct(model.types.map((type) => type.name), new At(at, "types"));
    if (model.levels === null) rankRates(model);
    model.arrivals = arrivalsOf(value.get("arrivals"), new At(at, "arrivals"), model.types, model.time);
    model.options = optionsOf(value.get("options"), new At(at, "options"), model.time);
    demand(model.time === null || !value.has("slack"), at, "a slack in continuous time");
    if (value.has("slack")) model.slack = slackOf(value.get("slack"), new At(at, "slack"), model);
    if (value.has("lyapunov")) namedFunctions(value.get("lyapunov"), new At(at, "lyapunov"));
    return model;
}

/** Null in slots; otherwise the unit of time. */
function timeOf(value, at) {
    if (!value.has("time")) {
        demand(!value.has("unit"), at, "a unit of time in slots");
        return null;
    }
    wordOf(value.get("time"), new At(at, "time"), ["continuous"]);
    return {unit: value.has("unit") ? textOf(value.get("unit"), new At(at, "unit")) : "unit of time"};
}

/** A rate is above 0, and in slots, where it is a probability, at most 1. */
function demandRate(rate, at, time) {
    demand(rate.sign() > 0 && (time !== null || rate.compare(ONE) <= 0), at,
        "a rate is not above 0" + (time === null ? " and at most 1" : ""));
}

/** Mean number of events per unit of time: arrivals, and completions as if each server ran its fastest task. */
function eventRate(model) {
    const own = (type, m) => (type.atServers === null ? type.rates[0] : rateOf(model, model.types.indexOf(type), m));
    const fastest = model.servers.map((_, m) => largest(model.types.map((type) => own(type, m))));
    return sum(streams(model).map(({rate}) => rate).concat(fastest));
}

/** Whether tasks are interrupted, so that no state has one in execution. */
function isPreemptive(model) {
    return model.options.some(({key, value}) => key === "preemption" && value === "resume");
}

function namedFunctions(value, at) {
    const names = listOf(value, at, namedFunction);
    demand(names.length > 0, at, "there is no function");
    distinct(names, at);
}

/** A function of the instance, whose queues stand by name. Only its shape is looked at. */
function namedFunction(value, at) {
    members(value, at, ["name"], ["products", "pieces"]);
    nameOf(value.get("name"), new At(at, "name"));
    demand(value.has("products") || value.has("pieces"), at, "neither a product nor a piece");
    const parts = (key, read) => {
        if (!value.has(key)) return;
        demand(listOf(value.get(key), new At(at, key), read).length > 0, new At(at, key), "the list is empty");
    };
    parts("products", (item, place) => {
        members(item, place, ["coefficient", "first", "second"]);
        numberOf(item.get("coefficient"), new At(place, "coefficient"));
        for (const key of ["first", "second"]) namedForm(item.get(key), new At(place, key));
    });
    parts("pieces", (item, place) => {
        members(item, place, ["coefficient", "largest-of"], ["when"]);
        numberOf(item.get("coefficient"), new At(place, "coefficient"));
        const forms = listOf(item.get("largest-of"), new At(place, "largest-of"), namedForm);
        demand(forms.length > 0, place, "the largest of nothing");
        if (!item.has("when")) return;
        const when = members(item.get("when"), new At(place, "when"), ["server"], ["queue", "level", "phantom"]);
        for (const word of when.values()) textOf(word, new At(place, "when"));
    });
    return value.get("name");
}

function namedForm(value, at) {
    demand(value instanceof Map, at, "expected an object");
    for (const number of value.values()) demand(numberOf(number, at).sign() !== 0, at, "a coefficient is 0");
}

function falling(rates, at, time) {
    rates.forEach((rate, i) => {
        demandRate(rate, at, time);
        demand(i === 0 || rate.compare(rates[i - 1]) < 0, at, "the rates do not fall");
    });
    return rates;
}

function levelsOf(value, at, time) {
    const found = listOf(value, at, (item, place) => {
        members(item, place, ["name", "rate"]);
        return {name: nameOf(item.get("name"), place), rate: numberOf(item.get("rate"), place)};
    });
    demand(found.length >= 2, at, "fewer than two levels");
    distinct(found.map((level) => level.name), at);
    falling(found.map((level) => level.rate), at, time);
    return found;
}

function serversOf(value, at) {
    if (typeof value === "number") {
        demand(value > 0 && value <= 2000000, at, "expected from 1 to 2,000,000 servers");
        return Array.from({length: value}, (_, i) => ({name: "s" + i, groups: []}));
    }
    const found = listOf(value, at, (item, place) => {
        members(item, place, ["name"], ["rack", "groups"]);
        const groups = item.has("groups") ? listOf(item.get("groups"), place, textOf) : [];
        if (item.has("rack")) groups.unshift(textOf(item.get("rack"), place));
        return {name: nameOf(item.get("name"), place), groups};
    });
    demand(found.length > 0, at, "there is no server");
    distinct(found.map((server) => server.name), at);
    return found;
}

function typeOf(value, at, model) {
    members(value, at, ["name", "replicas"], ["cost", "exponent", "rates", "preference", "class"]);
    const names = new Map(model.servers.map((server, i) => [server.name, i]));
    const serversAt = (key) => listOf(value.get(key), new At(at, key), (item, place) => {
        demand(names.has(item), place, "no such server");
        return names.get(item);
    });
    const replicas = serversAt("replicas");
    if (value.has("preference")) distinct(serversAt("preference"), new At(at, "preference"));
    if (value.has("class")) indexOf(value.get("class"), new At(at, "class"), 2 ** 32);
    demand(replicas.length > 0, at, "a type without replicas");
    demand(replicas.every((m, i) => i === 0 || replicas[i - 1] < m), new At(at, "replicas"), "they do not ascend");
    const atServers = model.levels === null ? ratesAtServers(value.get("rates"), new At(at, "rates"), model) : null;
    const byLevel = value.has("rates") && atServers === null;
    const rates = byLevel ? listOf(value.get("rates"), new At(at, "rates"), numberOf) : null;
    demand(rates === null || rates.length === model.levels.length, at, "not a rate for each level");
    return {
        name: nameOf(value.get("name"), at),
        replicas: new Set(replicas),
        cost: value.has("cost") ? positive(value.get("cost"), new At(at, "cost")) : Rational.of(1, 2),
        exponent: value.has("exponent") ? exponentOf(value.get("exponent"), new At(at, "exponent")) : 1,
        own: rates !== null || atServers !== null,
        atServers,
        rates: rates !== null ? falling(rates, at, model.time) : (model.levels || []).map((level) => level.rate),
    };
}

/** Rates at servers, where levels are left out: a rate for each server that can serve the type, otherwise null. */
function ratesAtServers(value, at, model) {
    demand(value instanceof Map, at, "expected a rate for each server that can serve the type");
    const found = model.servers.map((server) => {
        if (!value.has(server.name)) return null;
        const rate = numberOf(value.get(server.name), new At(at, server.name));
        demandRate(rate, at, model.time);
        return rate;
    });
    demand(found.filter((rate) => rate !== null).length === value.size, at, "no such server");
    demand(value.size > 0, at, "no server can serve the type");
    return found;
}

/** The levels of a type are its different rates, greatest first; a type with fewer repeats its least one. */
function rankRates(model) {
    for (const type of model.types) {
        const stated = type.atServers.filter((rate) => rate !== null);
        type.rates = stated.filter((rate, i) => stated.findIndex((other) => other.equals(rate)) === i)
            .sort((a, b) => b.compare(a));
        type.places = type.atServers.map(
            (rate) => rate === null ? null : type.rates.findIndex((other) => other.equals(rate)));
    }
    const most = Math.max(...model.types.map((type) => type.rates.length));
    for (const type of model.types) {
        while (type.rates.length < most) type.rates.push(type.rates[type.rates.length - 1]);
    }
    model.levels = model.types[0].rates.map((rate, i) => ({name: "rate" + (i + 1), rate}));
}

function exponentOf(value, at) {
    const found = indexOf(value, at);
    demand(found >= 1 && found <= 16, at, "expected from 1 to 16");
    return found;
}

/** In the order of their keys, with the default of each. */
function optionsOf(value, at, time) {
    const known = time === null ? OPTIONS : EVENT_OPTIONS;
    const keys = Object.keys(known);
    members(value, at, keys, time === null ? ["discipline"] : []);
    return keys.map((key) => (
        {key, value: wordOf(value.get(key), new At(at, key), known[key]), usual: known[key][0]}));
}

/**
 * The level of a server to a type: 0 with a replica, otherwise the least height of a shared group, or the last. With
 * rates at servers: the place of the rate, or null where the server cannot serve the type.
 */
function levelOf(model, type, server) {
    if (model.types[type].atServers !== null) return model.types[type].places[server];
    const last = model.levels.length - 1;
    if (model.types[type].replicas.has(server)) return 0;
    const own = model.servers[server].groups;
    for (let height = 1; height < last; height++) {
        const path = JSON.stringify(own.slice(height - 1));
        for (const other of model.types[type].replicas) {
            const theirs = model.servers[other].groups;
            if (theirs.length >= height && JSON.stringify(theirs.slice(height - 1)) === path) return height;
        }
    }
    return last;
}

/** 0 where the server cannot serve the type. */
function rateOf(model, type, server) {
    const level = levelOf(model, type, server);
    return level === null ? ZERO : model.types[type].rates[level];
}

// ---------------------------------------------------------------- loads

function loadOf(value, at, model) {
    members(value, at, ["lower", "upper", "decomposition", "type-price", "server-price"]);
    const load = {
        lower: numberOf(value.get("lower"), new At(at, "lower")),
        upper: numberOf(value.get("upper"), new At(at, "upper")),
        typePrice: listOf(value.get("type-price"), new At(at, "type-price"), numberOf),
        serverPrice: listOf(value.get("server-price"), new At(at, "server-price"), numberOf),
    };
    const place = new At(at, "decomposition");
    load.decomposition = listOf(value.get("decomposition"), place, (item, here) => {
        members(item, here, ["type", "server", "amount"]);
        return {
            type: indexOf(item.get("type"), here, model.types.length),
            server: indexOf(item.get("server"), here, model.servers.length),
            amount: numberOf(item.get("amount"), here),
        };
    });
    ascending(load.decomposition, place);
    return load;
}

function ascending(decomposition, at) {
    decomposition.forEach((entry, i, all) => {
        const before = i > 0 ? all[i - 1] : {type: -1, server: -1};
        const ascends = before.type < entry.type || (before.type === entry.type && before.server < entry.server);
        demand(ascends, new At(at, i), "the entries do not ascend by type and server");
    });
}

/** Decomposition and prices prove lower <= rho* <= upper. */
function checkLoad(load, at, model) {
    const rates = meanRates(model);
    checkDecomposition(load, new At(at, "decomposition"), model, rates);
    checkPrices(load, at, model, rates);
    const value = sum(rates.map((rate, i) => rate.times(load.typePrice[i])));
    demand(value.equals(load.lower), new At(at, "lower"), "the prices are worth " + value + ", not " + load.lower);
}

function checkDecomposition(load, at, model, rates) {
    const amounts = rates.map(() => ZERO);
    const loads = model.servers.map(() => ZERO);
    load.decomposition.forEach(({type, server, amount}, i) => {
        demand(amount.sign() > 0, new At(at, i), "the amount is not above 0");
        demand(levelOf(model, type, server) !== null, new At(at, i), "the server cannot serve the type");
        amounts[type] = amounts[type].plus(amount);
        loads[server] = loads[server].plus(amount.over(rateOf(model, type, server)));
    });
    rates.forEach((rate, i) => {
        demand(rate.equals(amounts[i]), at, "the amounts of type " + model.types[i].name + " do not add up to " + rate);
    });
    const most = largest(loads);
    demand(most.equals(load.upper), at, "the largest load of a server is " + most + ", not " + load.upper);
}

function checkPrices(load, at, model, rates) {
    demand(load.typePrice.length === rates.length, new At(at, "type-price"), "not a price for each type");
    const place = new At(at, "server-price");
    demand(load.serverPrice.length === model.servers.length, place, "not a price for each server");
    demand(load.serverPrice.every((w) => w.sign() >= 0), place, "a price is negative");
    demand(sum(load.serverPrice).equals(ONE), place, "the prices do not add up to 1");
    load.typePrice.forEach((price, type) => {
        const here = new At(new At(at, "type-price"), type);
        let tight = rates[type].sign() === 0 && price.sign() === 0;
        model.servers.forEach((_, server) => {
            const worth = price.times(rateOf(model, type, server)).compare(load.serverPrice[server]);
            demand(worth <= 0, here, "price times rate is above the price of server " + model.servers[server].name);
            tight = tight || worth === 0;
        });
        demand(tight, here, "price times rate attains the price of no server");
    });
}

function loadWords(load) {
    return load.lower.equals(load.upper) ? "rho* = " + load.upper : "rho* <= " + load.upper;
}

Object.assign(parts, {
    eventRate, isPreemptive, queueingOf, levelOf, rateOf, loadOf, ascending, checkLoad, loadWords,
});
})(globalThis.SchedproofCertificateParts ??= {});
