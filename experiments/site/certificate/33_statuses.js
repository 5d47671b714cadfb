/** Statuses of servers, shapes, and the questions of a policy that certificates ask in each. */
"use strict";
(function (parts) {
const {
    At, TOP, demand, ONE, Rational, ZERO, distinct, indexOf, listOf, members, wordOf, Form, emptyLeaf, nothingMore,
    isPreemptive, proofOf, spaceOf,
} = parts;

function statusesOf(value, at, sizes) {
    const found = listOf(value, at, (list, place) => {
        const entries = listOf(list, place, (entry, here) => statusOf(entry, here, sizes));
        demand(entries.length > 0 && entries[0] === "idle", place, "the first entry is not \"idle\"");
        distinct(entries.map(statusKey), place);
        return entries;
    });
    demand(found.length === sizes.servers, at, "not a list for each server");
    return found;
}

function statusOf(value, at, sizes) {
    if (value === "idle") return value;
    members(value, at, ["status", "level", "queue"]);
    return {
        phantom: wordOf(value.get("status"), at, ["busy", "phantom"]) === "phantom",
        level: indexOf(value.get("level"), at, sizes.levels),
        queue: indexOf(value.get("queue"), at, sizes.queues),
    };
}

function statusKey(status) {
    return status === "idle" ? status : status.phantom + " " + status.level + " " + status.queue;
}

/** All shapes, the last server's entry varying fastest. */
function* shapes(statuses) {
    const at = statuses.map(() => 0);
    for (;;) {
        yield at.map((entry, server) => statuses[server][entry]);
        let server = statuses.length - 1;
        while (server >= 0 && ++at[server] === statuses[server].length) at[server--] = 0;
        if (server < 0) return;
    }
}

function shapeWords(shape, queues, model) {
    const words = shape.map((status) => {
        if (status === "idle") return "idle";
        return (status.phantom ? "phantom:" : "") + queues[status.queue] + "@" + model.levels[status.level].name;
    });
    return "f=" + words.join(",");
}

function isBusy(status) {
    return status !== "idle" && !status.phantom;
}

/** Names of the queues, from the space of the first question. */
function queueNames(document, at) {
    demand(document.proofs.length > 0, at, "there is no question");
    const first = new At(at, 0);
    members(document.proofs[0], first, ["question", "space", "root", "nodes"]);
    const space = spaceOf(document.proofs[0].get("space"), new At(first, "space"));
    const names = [];
    for (const symbol of space.symbols) {
        const found = /^Q\[(.+)\]$/.exec(symbol.name);
        if (found !== null) names.push(found[1]);
    }
    demand(names.length > 0, first, "there is no queue");
    distinct(names, first);
    return names;
}

/** The premises of a space say that the queues that the statement calls empty hold no task, and nothing else. */
function samePremises({empty = []}, {premises}, at) {
    const forms = empty.map((queue) => new Form(ZERO, [queue], [ONE.negated()]));
    const right = premises.length === forms.length &&
        premises.every(({form, strict}, i) => !strict && form.equals(forms[i]));
    demand(right, at, "other premises than that " + empty.length + " queues are empty");
}

/**
 * The symbols of a space are the queues with these lower bounds; in every space of a policy that follows a plan, a
 * counter without any for each activity of the plan, or none at all; then their products.
 */
function sameSymbols(document, space, lower, at) {
    const {queues} = document;
    samePremises(document, space, at);
    const counters = space.plain - queues.length;
    demand(counters >= 0, at, "a queue is missing");
    document.counters ??= counters;
    demand(counters === document.counters, at, "other counters than those of the first question");
    demand(counters === 0 || counters === document.planned, at, "counters that are not those of the plan");
    space.symbols.slice(0, space.plain).forEach((symbol, i) => {
        const place = new At(new At(at, "symbols"), i);
        demand(symbol.integer, place, "the symbol is no integer");
        if (i >= queues.length) {
            const counter = symbol.lower === null && symbol.name === "counter" + (i - queues.length);
            demand(counter, place, "neither a queue nor a counter without bounds");
            return;
        }
        demand(symbol.name === "Q[" + queues[i] + "]", place, "expected Q[" + queues[i] + "]");
        const right = symbol.lower !== null && symbol.lower.equals(Rational.of(lower[i]));
        demand(right, place, "the lower bound is not " + lower[i]);
    });
}

/**
 * The questions of the kinds with statuses: first whether the statuses are closed, then those that `asked(shape)`
 * names for each shape, whose leaves go to `judge(leaf, shape, at, path)`, or to the judge that the question brings; the
 * path holds what is known at the leaf. With `products` the spaces of shapes have them.
 */
function* statusQuestions(document, counts, asked, judge, products = false) {
    const {model, queues, statuses, proofs} = document;
    const at = new At(TOP, "proofs");
    const expected = questionList(document, asked);
    let position = 0;
    for (const {name, shape, judge: own = judge} of expected) {
        demand(position < proofs.length, at, "the question \"" + name + "\" is missing");
        yield* proofOf(proofs[position], new At(at, position), counts, (question, space, place) => {
            demand(question === name, new At(place, "question"), "expected \"" + name + "\"");
            sameSymbols(document, space, lowerBounds(shape, queues), new At(place, "space"));
            const multiplied = shape !== null && products;
            demand((space.plain < space.symbols.length) === multiplied, place, "products where they do not belong");
            if (shape === null) return emptyLeaf;
            return (leaf, here, path) => own(leaf, shape, here, path);
        });
        position++;
        document.progress(position / proofs.length);
    }
    demand(position === proofs.length, new At(at, position), "no such question");
}

function* questionList({model, statuses, queues}, asked) {
    for (const server of isPreemptive(model) ? [] : model.servers) {
        yield {name: "statuses of " + server.name, shape: null};
    }
    yield* asked(statuses, (shape) => shapeWords(shape, queues, model));
}

function lowerBounds(shape, queues) {
    const lower = queues.map(() => 0);
    if (shape !== null) shape.filter(isBusy).forEach((status) => lower[status.queue]++);
    return lower;
}

/** One question per shape; its leaves go to `judge` where one is given. */
function everyShape(what, judge) {
    return function* (statuses, words) {
        for (const shape of shapes(statuses)) yield {name: what + " " + words(shape), shape, judge};
    };
}

function oneObligation(leaf, count, at, constraints = 2) {
    demand(leaf.length === count, at, "expected " + count + (count === 1 ? " obligation" : " obligations"));
    for (const against of leaf) demand(against.length === constraints, at, "expected constraints: " + constraints);
}

/**
 * The same, but that in continuous time a leaf may have none: then no event leads to its states. Whether it has some.
 */
function obligations(document, leaf, count, at, constraints = 2) {
    if (document.model.time !== null && leaf.length === 0) {
        document.unsettled = true;
        return false;
    }
    oneObligation(leaf, count, at, constraints);
    return true;
}

/** What is left unchecked of leaves without an obligation. */
function unsettledNotChecked(document) {
    if (document.unsettled === true) {
        document.notChecked.push("That no event leads to the states of leaves without an obligation.");
    }
}

function sameConstraint(constraint, form, at, words) {
    const right = !constraint.strict && constraint.form.equals(form);
    demand(right, at, "the first constraint is not " + words + " >= 0");
}

/** Queues that hold no task at a state of the statement. */
function emptyOf(value, at, queues) {
    const found = listOf(value, at, (item, place) => indexOf(item, place, queues));
    demand(found.every((queue, i) => i === 0 || found[i - 1] < queue), at, "the queues do not ascend");
    return found;
}

/** ` and no task in Q[s1], which none joins`; nothing where there is no such queue. */
function withoutWords({empty, queues}) {
    if (empty.length === 0) return "";
    return " and no task in " + empty.map((queue) => "Q[" + queues[queue] + "]").join(", ") + ", which none joins";
}

/** Reads the statement of a kind with statuses. */
function withStatuses(document, read) {
    const at = new At(TOP, "statement");
    document.queues = queueNames(document, new At(TOP, "proofs"));
    document.sizes = {
        queues: document.queues.length, servers: document.model.servers.length, levels: document.model.levels.length};
    const {statement: file, sizes} = document;
    document.empty = file.has("empty") ? emptyOf(file.get("empty"), new At(at, "empty"), sizes.queues) : [];
    const statement = read(document, file, at);
    document.statuses = statusesOf(file.get("statuses"), new At(at, "statuses"), sizes);
    const served = document.statuses.flat().filter((status) => status !== "idle").map((status) => status.queue);
    const apart = !document.empty.some((queue) => served.includes(queue));
    demand(apart, new At(at, "empty"), "a server serves a queue that is said to be empty");
    return statement;
}

/** How many points of the box have at least these lengths. */
function pointsWithin(weights, lower, radius) {
    const left = radius - weights.reduce((a, w, i) => a + w * (lower[i] || 0), 0);
    if (left < 0) return 0;
    let ways = new Array(left + 1).fill(1);
    for (const weight of weights) {
        ways = ways.slice();
        for (let i = weight; i <= left; i++) ways[i] += ways[i - weight];
    }
    return ways[left];
}

/** Proofs of which only the logic can be checked. */
function* logicAlone(document, counts) {
    const names = [];
    for (let i = 0; i < document.proofs.length; i++) {
        yield* proofOf(document.proofs[i], new At(new At(TOP, "proofs"), i), counts, (question) => {
            names.push(question);
            return nothingMore;
        });
        document.progress((i + 1) / document.proofs.length);
    }
    distinct(names, new At(TOP, "proofs"));
}

Object.assign(parts, {
    shapes, isBusy, statusKey, statusQuestions, lowerBounds, everyShape, oneObligation, obligations,
    unsettledNotChecked, sameConstraint, withStatuses, withoutWords,
    pointsWithin, logicAlone,
});
})(globalThis.SchedproofCertificateParts ??= {});
