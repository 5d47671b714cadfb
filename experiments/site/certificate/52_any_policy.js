/** Certificates of the kind `any-policy`: a bound that every policy keeps. */
"use strict";
(function (parts) {
const {
    At, TOP, demand, Rational, ZERO, gcd, largest, digestText, indexOf, members, numberOf, sumOf, wordOf,
    isPreemptive, jointLaw, levelOf, sameSentence, streams, pointsWithin, readTable,
} = parts;

const MOST_STEPS = 200000000;

/**
 * The states of the central model: statuses of the servers, and how many tasks of each type wait; with preemption how
 * many there are, and all servers are idle.
 */
class Central {
    constructor(model, mode) {
        this.model = model;
        this.inTime = model.time !== null;
        this.preemptive = isPreemptive(model);
        this.servers = model.servers.length;
        this.types = model.types.length;
        this.usable = model.types.map(
            (_, type) => model.servers.map((_server, m) => usableRates(model, type, m, mode)));
        this.rates = model.servers.map((_, m) => this.ratesOf(m));
        this.starts = this.usable.map((row) => row.map((rates, m) => rates.map(
            (rate) => 1 + this.rates[m].findIndex((other) => other.equals(rate)))));
        this.shapes = this.allShapes();
        this.scale();
    }

    /** All rates of a server, once each, descending. */
    ratesOf(server) {
        const all = this.usable.flatMap((row) => row[server]);
        const once = all.filter((rate, i) => all.findIndex((other) => other.equals(rate)) === i);
        return once.sort((a, b) => b.compare(a));
    }

    allShapes() {
        if (this.preemptive) return [this.rates.map(() => 0)];
        let found = [[]];
        for (const rates of this.rates) {
            found = found.flatMap((shape) => [0, ...rates.map((_, k) => k + 1)].map((status) => shape.concat(status)));
        }
        return found;
    }

    /** A common denominator of completions, of arrivals, and the laws as integers over them. */
    scale() {
        const common = (numbers) => numbers.reduce((a, x) => a * (x.d / gcd(a, x.d)), 1n);
        if (this.inTime) return this.scaleRates(common);
        this.pace = common(this.rates.flat());
        this.outcomes = jointLaw(this.model);
        this.arrivalScale = common(this.outcomes.map(({probability}) => probability));
        for (const outcome of this.outcomes) {
            outcome.weight = outcome.probability.n * (this.arrivalScale / outcome.probability.d);
        }
        return this;
    }

    /** In continuous time: a common denominator of all rates, and an outcome for each arrival of a type. */
    scaleRates(common) {
        const arrivals = streams(this.model);
        this.pace = common(this.rates.flat().concat(arrivals.map(({rate}) => rate)));
        this.outcomes = arrivals.map(({type, tasks, rate}) => ({
            weight: this.weightOf(rate),
            tasks: this.model.types.map((_, other) => (other === type ? tasks : 0)),
        }));
        return this;
    }

    weightOf(rate) {
        return rate.n * (this.pace / rate.d);
    }

    /** By how many tasks at most a step lowers the number in the system. */
    get layer() {
        return this.inTime ? 1 : this.servers;
    }
}

/** Those of the level and of all farther ones; with names, and with preemption, that of the level. */
function usableRates(model, type, server, mode) {
    const level = levelOf(model, type, server);
    const {rates} = model.types[type];
    if (level === null) return [];
    // A type with fewer different rates than another repeats its least one.
    return mode === "names-types" || isPreemptive(model) ? [rates[level]]
        : rates.slice(level).filter((rate, i, all) => i === 0 || !rate.equals(all[i - 1]));
}

/** All lists of `length` numbers from 0 whose sum is at most `most`, lexicographically. */
function* vectors(length, most) {
    const at = new Array(length).fill(0);
    let total = 0;
    for (;;) {
        yield at.slice();
        let i = length - 1;
        while (i >= 0 && total === most) {
            total -= at[i];
            at[i--] = 0;
        }
        if (i < 0) return;
        at[i]++;
        total++;
    }
}

/** The table of a lower bound, with the value beyond it. */
class Bound {
    constructor(central, radius, outside) {
        this.central = central;
        this.radius = radius;
        this.outside = outside;
        this.within = new Map();
        this.after = new Map();
        // Events of continuous time, those in which nothing happens among them.
        if (central.inTime) {
            this.total = central.rates.reduce((a, [fastest]) => a + (fastest ? central.weightOf(fastest) : 0n),
                central.outcomes.reduce((a, {weight}) => a + weight, 0n));
        }
    }

    /** Number of states with up to `radius` tasks. */
    rows() {
        return this.central.shapes.reduce((count, shape) => {
            const left = this.radius - shape.filter((status) => status > 0).length;
            return left < 0 ? count : count + pointsWithin(new Array(this.central.types).fill(1), [], left);
        }, 0);
    }

    fill(entries) {
        let row = 0;
        for (const shape of this.central.shapes) {
            const left = this.radius - shape.filter((status) => status > 0).length;
            if (left < 0) continue;
            for (const waiting of vectors(this.central.types, left)) {
                this.within.set(shape.join() + ";" + waiting.join(), entries[row++]);
            }
        }
    }

    at(shape, waiting) {
        const found = this.within.get(shape.join() + ";" + waiting.join());
        return found === undefined ? this.outside : found;
    }

    /** In slots the mean over the completions, times pace^servers; in continuous time the change by events. */
    completed(shape, waiting) {
        const key = shape.join() + ";" + waiting.join();
        let found = this.after.get(key);
        if (found === undefined) {
            found = this.central.inTime ? this.event(shape.slice(), waiting) : this.complete(shape.slice(), waiting, 0);
            this.after.set(key, found);
        }
        return found;
    }

    complete(shape, waiting, server) {
        const {rates, pace, servers} = this.central;
        if (server === servers) return this.at(shape, waiting);
        const status = shape[server];
        if (status === 0) return pace * this.complete(shape, waiting, server + 1);
        const rate = rates[server][status - 1];
        const weight = rate.n * (pace / rate.d);
        const stays = weight === pace ? 0n : this.complete(shape, waiting, server + 1);
        shape[server] = 0;
        const leaves = this.complete(shape, waiting, server + 1);
        shape[server] = status;
        return (pace - weight) * stays + weight * leaves;
    }

    /** The sum over arrivals of rate times change of h, times pace. */
    arrival(shape, waiting) {
        const here = this.at(shape, waiting);
        return this.central.outcomes.reduce((a, {weight, tasks}) =>
            a + weight * (this.at(shape, waiting.map((n, i) => n + tasks[i])) - here), 0n);
    }

    /** The same over all events, where no server is interrupted, and `total` times h besides. */
    event(shape, waiting) {
        const {rates} = this.central;
        const here = this.at(shape, waiting);
        let total = this.total * here + this.arrival(shape, waiting);
        shape.forEach((status, server) => {
            if (status === 0) return;
            shape[server] = 0;
            total += this.central.weightOf(rates[server][status - 1]) * (this.at(shape, waiting) - here);
            shape[server] = status;
        });
        return total;
    }

    /** The least over what servers from `server` on execute of the tasks that are `left`, the completions alone. */
    leastAllocation(tasks, left, server) {
        const {servers, types, usable, rates} = this.central;
        if (server === servers) return 0n;
        let best = this.leastAllocation(tasks, left, server + 1);
        for (let type = 0; type < types; type++) {
            if (left[type] === 0 || usable[type][server].length === 0) continue;
            const done = tasks.map((n, i) => (i === type ? n - 1 : n));
            const shape = rates.map(() => 0);
            const change = this.at(shape, done) - this.at(shape, tasks);
            left[type]--;
            const value = this.central.weightOf(usable[type][server][0]) * change +
                this.leastAllocation(tasks, left, server + 1);
            left[type]++;
            if (value < best) best = value;
        }
        return best;
    }

    /**
     * The least change of h per unit of time, times pace. A choice without preemption lasts for one event of a clock of
     * `total` events, and leads from h at the state before it.
     */
    leastDrift(shape, waiting) {
        if (this.central.preemptive) {
            return this.arrival(shape, waiting) + this.leastAllocation(waiting, waiting.slice(), 0);
        }
        return this.leastStart(shape.slice(), waiting.slice(), 0) - this.total * this.at(shape, waiting);
    }

    /** The least over what the idle servers from `server` on may start, the arrivals being known. */
    leastStart(shape, waiting, server) {
        const {servers, types, starts} = this.central;
        if (server === servers) return this.completed(shape, waiting);
        let best = this.leastStart(shape, waiting, server + 1);
        if (shape[server] !== 0) return best;
        for (let type = 0; type < types; type++) {
            if (waiting[type] === 0) continue;
            waiting[type]--;
            for (const status of starts[type][server]) {
                shape[server] = status;
                const value = this.leastStart(shape, waiting, server + 1);
                if (value < best) best = value;
            }
            shape[server] = 0;
            waiting[type]++;
        }
        return best;
    }

    /** Servers in their order start a task of the type they named, if one still waits. */
    named(shape, waiting, names) {
        const next = shape.slice();
        const left = waiting.slice();
        names.forEach((type, server) => {
            if (type < 0 || left[type] === 0 || this.central.starts[type][server].length === 0) return;
            left[type]--;
            next[server] = this.central.starts[type][server][0];
        });
        return this.completed(next, left);
    }

    /** E h(next), least over the choices, times arrivalScale * pace^servers. */
    expected(shape, waiting, mode) {
        const {outcomes} = this.central;
        const arrived = outcomes.map(({tasks}) => waiting.map((n, i) => n + tasks[i]));
        const mean = (value) => outcomes.reduce((a, {weight}, i) => a + weight * value(arrived[i]), 0n);
        if (mode === "knows-arrivals") return mean((after) => this.leastStart(shape.slice(), after.slice(), 0));
        let best = null;
        for (const names of this.namings(shape)) {
            const value = mean((after) => this.named(shape, after, names));
            if (best === null || value < best) best = value;
        }
        return best;
    }

    namings(shape) {
        let found = [[]];
        for (const status of shape) {
            const choices = [-1];
            if (status === 0) for (let type = 0; type < this.central.types; type++) choices.push(type);
            found = found.flatMap((names) => choices.map((type) => names.concat(type)));
        }
        return found;
    }
}

function readAnyPolicy(document) {
    const at = new At(TOP, "statement");
    const value = members(document.statement, at, ["mode", "radius", "outside", "bits", "lower", "table"]);
    const found = {
        mode: wordOf(value.get("mode"), new At(at, "mode"), ["knows-arrivals", "names-types"]),
        radius: indexOf(value.get("radius"), new At(at, "radius")),
        outside: numberOf(value.get("outside"), new At(at, "outside")),
        bits: indexOf(value.get("bits"), new At(at, "bits"), 101),
        lower: numberOf(value.get("lower"), new At(at, "lower")),
        table: digestText(value.get("table"), new At(at, "table")),
    };
    found.unit = 1n << BigInt(found.bits);
    found.beyond = found.outside.times(Rational.of(found.unit));
    demand(found.beyond.isInteger(), new At(at, "outside"), "it is no multiple of the unit");
    return found;
}

/** How many combinations of state, arrivals and choices there are, roughly. */
function effort(central, radius) {
    const choices = Math.max(...central.rates.map((_, m) => 1 + sumOf(central.starts.map((row) => row[m].length))));
    const states = central.shapes.length * pointsWithin(new Array(central.types).fill(1), [], radius + central.layer);
    return states * central.outcomes.length * choices ** central.servers;
}

function* checkAnyPolicy(document) {
    const at = new At(TOP, "statement");
    const s = readAnyPolicy(document);
    demand(document.proofs.length === 0, new At(TOP, "proofs"), "there are proofs");
    demand(document.table !== undefined, at, "not decided: the bytes of " + s.table + ".table are needed");
    demand(document.model.time === null || s.mode === "knows-arrivals", new At(at, "mode"),
        "in continuous time choices come after events");
    const central = new Central(document.model, s.mode);
    demand(effort(central, s.radius) <= MOST_STEPS, at, "not decided: too large to be checked here");
    const bound = new Bound(central, s.radius, s.beyond.n);
    const rows = bound.rows();
    const [entries] = yield* readTable(document, s.table, rows, 1);
    bound.fill(entries);
    const states = yield* everyState(document, s, central, bound);
    const far = Rational.of(s.radius + central.layer + 1);
    demand(s.lower.compare(far) <= 0, new At(at, "lower"), "the bound is above the number of tasks beyond the states");
    document.checked.push("The table has the digest that the statement gives, and a row for each of the " + rows +
        " states with at most " + s.radius + " tasks.");
    document.checked.push("The inequality f + least " + (central.inTime ? "change of h per unit of time" :
        "E h(next) - h") + " >= " + s.lower + " at each of the " + states + " states with at most " +
        (s.radius + central.layer) + " tasks; beyond them it is plain.");
    anyPolicySentence(document, s, rows, central);
    document.notChecked.push("That the central scheduler does as well as every policy that the sentence names, and " +
        "the argument from the inequality to the mean (both prose).");
}

/** The inequality at every state, each left side rounded down to a unit first. */
function* everyState(document, s, central, bound) {
    const scale = central.inTime ? central.pace : central.arrivalScale * central.pace ** BigInt(central.servers);
    let count = 0;
    for (let i = 0; i < central.shapes.length; i++) {
        const shape = central.shapes[i];
        const busy = shape.filter((status) => status > 0).length;
        for (const waiting of vectors(central.types, s.radius + central.layer - busy)) {
            const tasks = BigInt(busy + sumOf(waiting));
            const change = central.inTime ? bound.leastDrift(shape, waiting) :
                bound.expected(shape, waiting, s.mode) - bound.at(shape, waiting) * scale;
            const left = tasks * s.unit + Rational.of(change, scale).floor();
            const enough = left * s.lower.d >= s.lower.n * s.unit;
            demand(enough, new At(TOP, "table"), "the inequality does not hold with statuses " + shape.join(", ") +
                " and " + waiting.join(", ") + " tasks waiting");
            count++;
            yield;
        }
        document.progress((i + 1) / central.shapes.length);
    }
    return count;
}

const FARTHER = "serve a task at the rate of any farther level; how it queues and routes tasks does not matter";

/** Who is meant, and what they may do besides remembering the past and deciding at random. */
const ANY_POLICY = {
    "knows-arrivals": ["every policy of non-preemptive service",
        ", know the arrivals of the slot, and " + FARTHER + ", nor how the slot is interpreted"],
    "names-types": ["every policy under which each idle server names a type or none before the tasks of a slot " +
        "arrive, and starts a task of that type, the servers of lowest index where there are too few", ""],
    "in-time": ["every policy of non-preemptive service",
        ", act at any time, leave servers idle although tasks wait, and " + FARTHER],
    "preemptive": ["every policy, with or without preemption",
        ", act at any time, interrupt a task and resume it at another server, leave servers idle, and " + FARTHER],
};

function anyPolicySentence(document, s, rows, {inTime, preemptive}) {
    const [who, more] = ANY_POLICY[preemptive ? "preemptive" : inTime ? "in-time" : s.mode];
    sameSentence(document, [
        "On '" + document.model.name + "'" + (inTime ? " in continuous time" : "") + ", the mean number of tasks in " +
            "the system" + (inTime ? "" : " at the start of a slot") + " is at least " +
            largest([s.lower, ZERO]).toDecimal() + " under " + who + ": under every stationary law, and, started in " +
            "any state, for the lower limit of its averages over time.",
        "The policy may remember the whole past and decide at random" + more + ".",
        "Not covered: policies that " + (preemptive ? "" : "interrupt tasks, ") + "run one on several servers or " +
            "several on one, serve a task faster than the server's level for it, or foresee arrivals or service " +
            "times; and truncated arrivals.",
        "Shown by a table on the " + rows + " states with at most " + s.radius + " tasks, and by " +
            s.outside.toDecimal() + " elsewhere.",
    ].join(" "));
}

Object.assign(parts, {checkAnyPolicy});
})(globalThis.SchedproofCertificateParts ??= {});
