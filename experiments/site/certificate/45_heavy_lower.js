/** Certificates of the kind `heavy-traffic-lower`: what every policy keeps, for every slack of a family. */
"use strict";
(function (parts) {
const {
    At, TOP, demand, ONE, Rational, ZERO, TWO, least, sum, listOf, members, numberOf, jointLaw, rateOf, sameSentence,
    endsOf, everySlack, pairOf, pricesOf, slackWords,
} = parts;

const MOST_ACTIONS = 100000;
const MOST_BRACKETS = 20000000;

/** The members of the statement, which is a part of that of `heavy-traffic-ray` too. */
function lowerOf(document, value, at) {
    members(value, at, ["prices", "constant", "correction", "deficit"]);
    const found = {
        prices: pricesOf(document, value.get("prices"), new At(at, "prices")),
        constant: pairOf(value.get("constant"), new At(at, "constant")),
        correction: listOf(value.get("correction"), new At(at, "correction"), numberOf),
        deficit: numberOf(value.get("deficit"), new At(at, "deficit")),
    };
    const place = new At(at, "correction");
    demand(found.correction.length === document.model.types.length, place, "not a correction for each type");
    const priced = found.correction.every((k, type) => k.sign() === 0 || found.prices.type[type].sign() > 0);
    demand(priced, place, "a type without a price has a correction");
    return found;
}

/**
 * What each server can do in a slot, by server: nothing, or to serve a type. `value` and `variance` are those of the
 * value that leaves the server, `rest` its part of K u less k times the mean numbers of tasks that leave.
 */
function choicesOf(model, {prices, correction, deficit}) {
    return model.servers.map((_, server) => {
        const price = prices.server[server];
        const serving = model.types.map((_type, type) => {
            const rate = rateOf(model, type, server);
            const value = prices.type[type].times(rate);
            const variance = prices.type[type].times(value).times(ONE.minus(rate));
            return {value, variance, rest: deficit.times(price.minus(value)).minus(correction[type].times(rate))};
        });
        return [{value: ZERO, variance: ZERO, rest: deficit.times(price)}, ...serving];
    });
}

/** All actions: the servers choose each for itself, and complete tasks independently. */
function actionsOf(model, lower, at) {
    let found = [{value: ZERO, variance: ZERO, rest: ZERO}];
    for (const choices of choicesOf(model, lower)) {
        const count = found.length * choices.length;
        demand(count <= MOST_ACTIONS, at, "not decided: more than " + MOST_ACTIONS + " actions of the servers");
        found = found.flatMap((a) => choices.map((b) => ({
            value: a.value.plus(b.value), variance: a.variance.plus(b.variance), rest: a.rest.plus(b.rest),
        })));
    }
    return found;
}

/** E[(dZ)^2 | a]/2 + k . E[dn | a] + K u for the arrivals a of a slot and an action. */
function bracket({prices, correction}, tasks, action) {
    const numbers = tasks.map((n) => Rational.of(n));
    const change = sum(numbers.map((n, type) => n.times(prices.type[type]))).minus(action.value);
    const growth = sum(numbers.map((n, type) => n.times(correction[type])));
    return change.times(change).plus(action.variance).over(TWO).plus(growth).plus(action.rest);
}

/** The inequality (L) at both ends: the mean over the arrivals of the least bracket is at least c. */
function* checkBrackets(document, lower, at) {
    const actions = actionsOf(document.model, lower, at);
    let count = 0;
    for (const [end, {slack, model}] of endsOf(document).entries()) {
        const outcomes = jointLaw(model);
        count += outcomes.length * actions.length;
        demand(count <= MOST_BRACKETS, at, "not decided: too large to be checked here");
        let mean = ZERO;
        for (const {probability, tasks} of outcomes) {
            mean = mean.plus(probability.times(least(actions.map((action) => bracket(lower, tasks, action)))));
            yield;
        }
        demand(mean.compare(lower.constant[end]) >= 0, new At(new At(at, "constant"), end),
            "at slack " + slack + " the inequality (L) gives " + mean + " and no more");
    }
    document.checked.push("The inequality (L) at both ends, for " + actions.length + " actions of the servers and " +
        "every outcome of the arrivals.");
}

function proseNotChecked(document) {
    document.notChecked.push("The argument from the inequality (L) to the mean under every policy (prose).");
}

function* checkHeavyLower(document) {
    const at = new At(TOP, "statement");
    const lower = lowerOf(document, document.statement, at);
    demand(document.proofs.length === 0, new At(TOP, "proofs"), "there are proofs");
    yield* checkBrackets(document, lower, at);
    const {model} = document;
    const priced = model.types.map(({name}, type) => ({name, price: lower.prices.type[type]}))
        .filter(({price}) => price.sign() > 0);
    const workload = priced.map(({name, price}) => (price.equals(ONE) ? "" : price + " times ") +
        "the tasks of type '" + name + "'").join(" plus ");
    const {deficit} = lower;
    sameSentence(document, "On '" + model.name + "', " + everySlack(document) + "under every policy that runs a task " +
        "on one server at a time, at no more than the server's rate for it, the mean of Z is at least c/sigma " +
        (deficit.sign() < 0 ? "+ " + deficit.negated() : "- " + deficit) + " under every stationary law. Here Z is " +
        workload + ", " + slackWords(document, lower.prices, lower.constant) + ". The policy may interrupt tasks, " +
        "remember the past, decide at random and know the arrivals of the slot.");
    proseNotChecked(document);
}

Object.assign(parts, {lowerOf, checkBrackets, proseNotChecked, checkHeavyLower});
})(globalThis.SchedproofCertificateParts ??= {});
