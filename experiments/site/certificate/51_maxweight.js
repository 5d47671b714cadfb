/** Certificates of the kinds `maxweight-drift` and `uniform-drift`. */
"use strict";
(function (parts) {
const {
    At, TOP, demand, ONE, Rational, TWO, largest, least, sum, indexOf, members, numberOf, positive, wordOf,
    arrivalMoments, checkLoad, loadOf, loadWords, rateOf, ALL, aboutWords, sentenceNotChecked, withoutOwnPolicy,
    logicAlone, lemmasOf, checkIdentities, identitiesOf, eventRate, isPreemptive, inAnEvent, meanRates,
} = parts;

function slackOf(value, at) {
    members(value, at, ["routing", "serving"]);
    return {
        routing: indexOf(value.get("routing"), new At(at, "routing")),
        serving: indexOf(value.get("serving"), new At(at, "serving")),
    };
}

const ARRANGEMENTS = ["per_server", "per_server_and_common", "per_type", "per_server_and_level"];

function arrangementOf(document) {
    const at = new At(TOP, "definition");
    const found = /^keep\(Arrangement::([a-z_]+)\)/.exec(document.definition);
    demand(found !== null, at, "it does not begin with keep(Arrangement::...)");
    return wordOf(found[1], at, ARRANGEMENTS);
}

function checkSlack(slack, arrangement, at) {
    const routing = arrangement !== "per_type";
    const serving = arrangement === "per_server" || arrangement === "per_server_and_common";
    demand(slack.routing === 0 || routing, at, "no slack of routing is allowed where queues are per type");
    demand(slack.serving === 0 || serving, at, "no slack of serving is allowed with these queues");
}

function checkLemmas(document, value, arrangement, timing) {
    const at = new At(new At(TOP, "statement"), "lemmas");
    const lemmas = lemmasOf(arrangement === "per_server_and_level", timing);
    checkIdentities(identitiesOf(value, at), at, lemmas);
    document.checked.push("The " + lemmas.length + " polynomial identities multiply out.");
}

/** The constant C of the argument of MaxWeight. */
function maxweightConstant(model, slack, at) {
    const servers = Rational.of(model.servers.length);
    const others = servers.minus(ONE);
    const alpha = model.levels[0].rate;
    const gamma = model.levels[model.levels.length - 1].rate;
    const {mean, square} = arrivalMoments(model, at);
    const worst = largest(model.levels.map(({rate: mu}) => TWO.times(ONE.minus(mu)).over(mu).times(alpha)
        .times(mean.plus(mu.times(others)))));
    const reach = servers.times(alpha);
    return sum([
        square,
        servers.over(Rational.of(4)),
        reach.times(reach),
        servers.times(worst.plus(TWO.times(alpha).times(others))),
        TWO.times(mean).times(Rational.of(slack.routing)),
        TWO.times(servers).times(Rational.of(slack.serving)).times(alpha).times(ONE.plus(ONE.over(gamma))),
    ]);
}

/** The constant in continuous time, where an event brings one task at most. */
function constantOfEvents(model, slack) {
    const servers = Rational.of(model.servers.length);
    const others = servers.minus(ONE);
    const alpha = model.levels[0].rate;
    const gamma = model.levels[model.levels.length - 1].rate;
    const arriving = sum(meanRates(model));
    const completing = servers.times(alpha);
    const late = Rational.of(slack.serving).times(alpha);
    const found = [arriving, completing, TWO.times(completing).times(others),
        TWO.times(arriving).times(Rational.of(slack.routing)), TWO.times(servers).times(late)];
    if (isPreemptive(model)) return sum(found);
    const missed = alpha.times(others).plus(late);
    return sum([...found, TWO.times(arriving).times(completing).over(gamma),
        TWO.times(arriving.plus(completing)).times(missed).over(gamma)]);
}

/** Lambda and E(sum A)^2, of a slot or of an event; in an event one task arrives. */
function arriving(model, at) {
    if (model.time === null) return arrivalMoments(model, at);
    const mean = sum(meanRates(model));
    return {mean, square: mean};
}

function constantAndCoverage(model, arrangement, slack, at) {
    const servers = Rational.of(model.servers.length);
    const alpha = model.levels[0].rate;
    const gamma = model.levels[model.levels.length - 1].rate;
    if (arrangement === "per_server_and_level") {
        const {mean, square} = arriving(model, at);
        const work = square.plus(TWO.times(mean).times(Rational.of(slack.routing))).over(gamma.times(gamma));
        return [servers.over(gamma).plus(work), ONE.over(alpha)];
    }
    const constant = model.time === null ? maxweightConstant(model, slack, at) : constantOfEvents(model, slack);
    if (arrangement === "per_server") return [constant, alpha];
    if (arrangement === "per_server_and_common") {
        const reach = gamma.times(servers);
        return [constant, alpha.times(reach).over(alpha.plus(reach))];
    }
    const costs = model.types.map((type) => TWO.times(type.cost));
    const coverage = least(model.types.map((_, i) => costs[i].times(
        sum(model.servers.map((_server, m) => rateOf(model, i, m))))));
    return [largest(costs).times(constant), coverage.over(Rational.of(model.types.length))];
}

function* checkMaxweight(document, counts) {
    const at = new At(TOP, "statement");
    const value = members(document.statement, at,
        ["load", "delta", "slack", "slope", "constant", "coverage", "lemmas"]);
    const {model} = document;
    demand(model.arrivals.batches === undefined, new At(TOP, "instance"), "the argument is about single arrivals");
    const arrangement = arrangementOf(document);
    const load = loadOf(value.get("load"), new At(at, "load"), model);
    checkLoad(load, new At(at, "load"), model);
    demand(load.upper.compare(ONE) < 0, new At(at, "load"), "the load is not below 1");
    document.checked.push("The load: decomposition and prices prove " + loadWords(load) + ".");
    suits(model, arrangement);
    const slack = slackOf(value.get("slack"), new At(at, "slack"));
    checkSlack(slack, arrangement, new At(at, "slack"));
    const numbers = {delta: positive(value.get("delta"), new At(at, "delta"))};
    const [constant, coverage] = constantAndCoverage(model, arrangement, slack, at);
    const events = model.time === null ? ONE : eventRate(model);  // a drift is that in an event
    const right = {
        slope: TWO.times(ONE.minus(load.upper)).over(events), constant: constant.over(events), coverage};
    for (const key of Object.keys(right)) {
        numbers[key] = numberOf(value.get(key), new At(at, key));
        demand(numbers[key].equals(right[key]), new At(at, key), "it is " + right[key]);
    }
    document.checked.push("Slope, constant and coverage follow from instance, load and slack.");
    const ofEvents = isPreemptive(model) ? "interruptions" : "events";
    checkLemmas(document, value.get("lemmas"), arrangement, model.time === null ? "slots" : ofEvents);
    yield* logicAlone(document, counts);
    maxweightSentence(document, arrangement, numbers);
    fragmentNotChecked(document);
}

/** The argument speaks of the default options, but for three, and of rates that belong to levels. */
function suits(model, arrangement) {
    const place = new At(TOP, "instance");
    for (const {key, value, usual} of model.options) {
        const free = ["scarcity", "reveal", "preemption"].includes(key);
        demand(free || value === usual, new At(place, "options"), "not for " + key + " " + value);
    }
    demand(model.types.every((type) => !type.own), new At(place, "types"), "a type has rates of its own");
    const exponents = arrangement !== "per_type" || model.types.every((type) => type.exponent === 1);
    demand(exponents, new At(place, "types"), "the argument is for costs with exponent 1");
}

function fragmentNotChecked(document) {
    document.notChecked.push("That the proofs ask what the policy's code decides on small clusters.");
    document.notChecked.push("That the small clusters speak for every cluster, a theorem in prose about rules.");
}

const SMALL = /^(a small cluster, which shows every pair of distances,|all clusters of at most [1-9][0-9]* servers)$/;

function maxweightSentence(document, arrangement, {delta, slope, constant, coverage}) {
    const v = arrangement === "per_server_and_level" ? "workload-squares" : "regret";
    const threshold = constant.plus(delta).over(slope.times(coverage)).negated();
    const states = document.model.time === null ? "state" : "settled state";
    const head = "On " + aboutWords(document) + ", the drift of " + v + inAnEvent(document) + " is at most -" + slope +
        " sum of w + " + constant + " at every " + states + ", hence at most -" + delta + " wherever sum of Q >= " +
        -threshold.floor() + ALL +
        ". (Its rules, " + document.definition + ", belong to the fragment of the policy language whose decisions on ";
    const tail = " are those on every cluster.)";
    const given = withoutOwnPolicy(document);
    const right = given.startsWith(head) && given.endsWith(tail) && SMALL.test(given.slice(head.length, -tail.length));
    demand(right, new At(TOP, "sentence"), "it is not the one that the data give: " + head + "..." + tail);
    document.checked.push("The sentence is the one that the data give, but for the size of the small clusters.");
}

const TIMES = {"slots": "slots", "continuous": "events", "continuous-interrupted": "interruptions"};

function* checkUniform(document, counts) {
    const at = new At(TOP, "statement");
    const value = members(document.statement, at, ["levels", "slack", "lemmas"], ["time"]);
    const time = value.has("time") ? wordOf(value.get("time"), new At(at, "time"), Object.keys(TIMES).slice(1)) : "slots";
    const levels = indexOf(value.get("levels"), new At(at, "levels"));
    demand(levels === 2 || levels === 3, new At(at, "levels"), "expected 2 or 3 levels");
    const arrangement = arrangementOf(document);
    checkSlack(slackOf(value.get("slack"), new At(at, "slack")), arrangement, new At(at, "slack"));
    checkLemmas(document, value.get("lemmas"), arrangement, TIMES[time]);
    yield* logicAlone(document, counts);
    fragmentNotChecked(document);
    document.notChecked.push("That a symbol may stand for a product of a rate and a length.");
    sentenceNotChecked(document);
}

Object.assign(parts, {checkMaxweight, checkUniform});
})(globalThis.SchedproofCertificateParts ??= {});
