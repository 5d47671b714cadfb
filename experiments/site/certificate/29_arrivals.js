/** Laws of arrivals, their moments, and families of laws. */
"use strict";
(function (parts) {
const {
    At, TOP, demand, ONE, Rational, ZERO, sum, distinct, indexOf, listOf, members, numberOf, positive, wordOf,
} = parts;

function arrivalsOf(value, at, types, time = null) {
    demand(value instanceof Map, at, "expected an object");
    const kind = wordOf(value.get("kind"), new At(at, "kind"),
        time === null ? ["bernoulli", "single", "rates", "joint", "product"] : ["poisson"]);
    const names = new Map(types.map((type, i) => [type.name, i]));
    if (kind === "joint") {
        members(value, at, ["kind", "types", "outcomes"]);
        return {kind, factors: [factorOf(value, at, names)]};
    }
    if (kind === "product") {
        members(value, at, ["kind", "factors"]);
        const factors = listOf(value.get("factors"), new At(at, "factors"), (item, place) => {
            members(item, place, ["types", "outcomes"]);
            return factorOf(item, place, names);
        });
        distinct(factors.flatMap((factor) => factor.types), at);
        return {kind, factors};
    }
    members(value, at, ["kind", "values"], time === null ? [] : ["batches"]);
    const rates = listOf(value.get("values"), new At(at, "values"), numberOf);
    demand(rates.length === types.length, at, "not a rate for each type");
    demand(rates.every((rate) => rate.sign() >= 0), at, "a rate is negative");
    demand(time === null || rates.every((rate) => rate.sign() > 0), at, "a rate is 0");
    if (kind === "bernoulli") demand(rates.every((rate) => rate.compare(ONE) <= 0), at, "a probability is above 1");
    if (kind === "single") demand(sum(rates).compare(ONE) <= 0, at, "the probabilities add up to more than 1");
    if (!value.has("batches")) return {kind, rates};
    const batches = batchesOf(value.get("batches"), new At(at, "batches"), names, types);
    return {kind, rates: rates.map((rate, i) => rate.times(meanSize(batches[i]))), batches};
}

const MOST_IN_BATCH = 1000;

/** Per type how many tasks one arrival brings: sizes with probabilities of sum 1, a single task with what is left. */
function batchesOf(value, at, names, types) {
    demand(value instanceof Map && value.size > 0, at, "expected a list of sizes for some type");
    for (const name of value.keys()) demand(names.has(name), at, "no such type: " + name);
    return types.map(({name}) => {
        if (!value.has(name)) return [{tasks: 1, probability: ONE}];
        const place = new At(at, name);
        const sizes = listOf(value.get(name), place, (item, here) => {
            members(item, here, ["size", "probability"]);
            const tasks = indexOf(item.get("size"), here, MOST_IN_BATCH + 1);
            demand(tasks >= 2, here, "a batch of fewer than two tasks");
            return {tasks, probability: positive(item.get("probability"), here)};
        });
        demand(sizes.length > 0, place, "there is no size");
        distinct(sizes.map(({tasks}) => tasks), place);
        const single = ONE.minus(sum(sizes.map(({probability}) => probability)));
        demand(single.sign() >= 0, place, "the probabilities add up to more than 1");
        return single.sign() > 0 ? [{tasks: 1, probability: single}].concat(sizes) : sizes;
    });
}

function meanSize(sizes) {
    return sum(sizes.map(({tasks, probability}) => probability.times(Rational.of(tasks))));
}

/** In continuous time: what one arrival may bring, {type, tasks, rate} with the rate at which it does. */
function streams({arrivals: {rates, batches}}) {
    return rates.flatMap((rate, type) => {
        if (batches === undefined) return [{type, tasks: 1, rate}];
        const events = rate.over(meanSize(batches[type]));
        return batches[type].map(({tasks, probability}) => ({type, tasks, rate: events.times(probability)}));
    });
}

function factorOf(value, at, names) {
    const types = listOf(value.get("types"), new At(at, "types"), (item, place) => {
        demand(names.has(item), place, "no such type");
        return names.get(item);
    });
    distinct(types, at);
    const outcomes = listOf(value.get("outcomes"), new At(at, "outcomes"), (item, place) => {
        members(item, place, ["probability", "tasks"]);
        const tasks = listOf(item.get("tasks"), place, indexOf);
        demand(tasks.length === types.length, place, "not a number of tasks for each type");
        const probability = numberOf(item.get("probability"), place);
        demand(probability.sign() > 0, place, "a probability is not above 0");
        return {probability, tasks};
    });
    demand(sum(outcomes.map((outcome) => outcome.probability)).equals(ONE), at, "the probabilities do not add up to 1");
    return {types, outcomes};
}

/** Independent parts of the law of the arrivals of a slot: a list of outcomes {probability, tasks by type} each. */
function independentParts(model) {
    const {kind, rates, factors} = model.arrivals;
    const none = () => new Array(model.types.length).fill(0);
    const one = (type) => none().map((_, i) => (i === type ? 1 : 0));
    const proper = (outcomes) => outcomes.filter((outcome) => outcome.probability.sign() > 0);
    if (kind === "bernoulli") {
        return rates.map((rate, i) => proper([
            {probability: ONE.minus(rate), tasks: none()}, {probability: rate, tasks: one(i)}]));
    }
    if (kind === "single") {
        const outcomes = rates.map((rate, i) => ({probability: rate, tasks: one(i)}));
        return [proper([{probability: ONE.minus(sum(rates)), tasks: none()}].concat(outcomes))];
    }
    if (kind === "rates") return null;
    return factors.map(({types, outcomes}) => outcomes.map(({probability, tasks}) => {
        const all = none();
        types.forEach((type, i) => (all[type] = tasks[i]));
        return {probability, tasks: all};
    }));
}

/** Mean number of tasks of each type that arrive in a slot, or per unit of time. */
function meanRates(model) {
    if (model.arrivals.rates) return model.arrivals.rates;
    const means = model.types.map(() => ZERO);
    for (const part of independentParts(model)) {
        for (const {probability, tasks} of part) {
            tasks.forEach((n, i) => (means[i] = means[i].plus(probability.times(Rational.of(n)))));
        }
    }
    return means;
}

/** The largest number of tasks that arrive in a slot, or in an event. */
function mostArrivals(model, at) {
    return model.time === null ? arrivalMoments(model, at).most :
        Math.max(...streams(model).map(({tasks}) => tasks));
}

/** Mean and mean square of the number of tasks of a slot, and the largest number. */
function arrivalMoments(model, at) {
    const parts = independentParts(model);
    demand(parts !== null, at, "mean rates alone are no law of arrivals");
    let mean = ZERO;
    let variance = ZERO;
    let most = 0;
    for (const part of parts) {
        const totals = part.map(({probability, tasks}) => ({probability, total: tasks.reduce((a, b) => a + b, 0)}));
        const moment = (power) => sum(totals.map((x) => x.probability.times(Rational.of(x.total ** power))));
        const first = moment(1);
        mean = mean.plus(first);
        variance = variance.plus(moment(2).minus(first.times(first)));
        most += Math.max(...totals.map((x) => x.total));
    }
    return {mean, square: variance.plus(mean.times(mean)), most};
}

/** The joint law of the arrivals of a slot. */
function jointLaw(model) {
    const parts = independentParts(model);
    demand(parts !== null, new At(new At(TOP, "instance"), "arrivals"), "mean rates alone are no law of arrivals");
    let joint = [{probability: ONE, tasks: model.types.map(() => 0)}];
    for (const part of parts) {
        demand(joint.length * part.length <= 100000, new At(TOP, "instance"), "not decided: too many arrivals");
        joint = joint.flatMap((a) => part.map((b) => ({
            probability: a.probability.times(b.probability),
            tasks: a.tasks.map((n, i) => n + b.tasks[i]),
        })));
    }
    return joint;
}

/** The types of each independent part. */
function partTypes({kind, factors}, types) {
    if (kind === "bernoulli") return types.map((_, i) => [i]);
    if (kind === "single") return [types.map((_, i) => i)];
    return factors.map((factor) => factor.types);
}

/** Whether two parts have one law, in whatever order their outcomes stand. */
function sameLaw(one, other) {
    const difference = new Map();
    const add = (part, sign) => part.forEach(({probability, tasks}) => {
        const key = tasks.join();
        difference.set(key, (difference.get(key) || ZERO).plus(probability.times(sign)));
    });
    add(one, ONE);
    add(other, ONE.negated());
    return [...difference.values()].every((x) => x.sign() === 0);
}

/**
 * A family of loads: the largest slack, and the model there. Between the ends the law of one factor is mixed, so that
 * every probability of a slot is affine in the slack; if two factors changed, their products would be quadratic.
 */
function slackOf(value, at, model) {
    members(value, at, ["up-to", "arrivals"]);
    const upTo = positive(value.get("up-to"), new At(at, "up-to"));
    const place = new At(at, "arrivals");
    const end = {...model, arrivals: arrivalsOf(value.get("arrivals"), place, model.types)};
    const [from, to] = [model, end].map(independentParts);
    demand(from !== null && to !== null, at, "mean rates alone are no law of arrivals");
    const [before, after] = [model, end].map(({arrivals, types}) => JSON.stringify(partTypes(arrivals, types)));
    demand(before === after, place, "other factors than those of the arrivals, or over other types");
    const changed = from.filter((part, i) => !sameLaw(part, to[i])).length;
    demand(changed === 1, place, changed + " factors differ from those of the arrivals, not 1");
    return {upTo, end};
}

Object.assign(parts, {arrivalsOf, jointLaw, meanRates, mostArrivals, arrivalMoments, slackOf, streams});
})(globalThis.SchedproofCertificateParts ??= {});
