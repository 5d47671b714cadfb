/** Certificates of the kind `transience`. */
"use strict";
(function (parts) {
const {
    At, TOP, demand, ONE, Rational, ZERO, largest, least, members, numberOf, positive, mostArrivals, checkLoad,
    loadOf, loadWords, linearFunctionOf, linearIn, statusConstant, ALL, aboutWords, functionWords, sameSentence,
    everyShape, inAnEvent, stepOf, obligations, sameConstraint, statusQuestions, unsettledNotChecked,
    withoutWords, withStatuses, Form, indexOf, listOf, sum,
} = parts;

function readTransience(document, value, at) {
    members(value, at, ["w", "delta", "threshold", "jump", "statuses", "load"],
        ["empty", "table", "modes", "cone"]);
    for (const derived of ["modes", "cone"])
        demand(!value.has(derived), new At(at, derived),
            "not decided: the terms of the drift are derived by schedproof certify alone");
    return {
        w: linearFunctionOf(value.get("w"), new At(at, "w"), document.sizes),
        table: value.has("table") ? tableOf(document, value.get("table"), new At(at, "table")) : null,
        delta: positive(value.get("delta"), new At(at, "delta")),
        threshold: numberOf(value.get("threshold"), new At(at, "threshold")),
        jump: numberOf(value.get("jump"), new At(at, "jump")),
        load: loadOf(value.get("load"), new At(at, "load"), document.model),
    };
}

/** phi of one queue: phi(0) = 0, by its increments, the last of which is repeated. */
function tableOf(document, value, at) {
    members(value, at, ["queue", "increments"]);
    const queue = indexOf(value.get("queue"), new At(at, "queue"), document.sizes.queues);
    const steps = listOf(value.get("increments"), new At(at, "increments"), numberOf);
    demand(steps.length > 0, new At(at, "increments"), "the table has no increment");
    demand(!document.empty.includes(queue), new At(at, "queue"), "the table is of a queue that is said to be empty");
    return {queue, steps, beyond: steps.length - 1 + document.model.servers.length};
}

/** W by its queues, without the constants of statuses and without phi. */
function slopesOf(w) {
    return linearIn({pieces: w.pieces.filter((piece) => piece.when === null)}, []);
}

/** phi as a form where a path says enough about the length of its queue: a number, or that it is beyond the table. */
function tableIn({queue, steps, beyond}, path, at) {
    let [low, high] = [0n, null];
    for (const {form, strict} of path) {
        if (strict || form.v.length !== 1 || form.v[0] !== queue || !form.c.isInteger()) continue;
        if (form.k[0].equals(ONE) && -form.c.n > low) low = -form.c.n;
        if (form.k[0].equals(ONE.negated()) && (high === null || form.c.n < high)) high = form.c.n;
    }
    const last = steps[steps.length - 1];
    if (low >= BigInt(beyond)) {
        const offset = sum(steps).minus(last.times(Rational.of(steps.length)));
        return new Form(offset, last.sign() === 0 ? [] : [queue], last.sign() === 0 ? [] : [last]);
    }
    demand(low === high, at, "the length of the table's queue is open here");
    const listed = steps.slice(0, Number(low));
    const repeated = last.times(Rational.of(Number(low) - listed.length));
    return new Form(sum(listed).plus(repeated), [], []);
}

function largestJump(document, {w, table}, at) {
    const {model, statuses} = document;
    const slopes = slopesOf(w).k.concat(table === null ? [] : table.steps);
    const slope = slopes.reduce((a, k) => largest([a, k.sign() < 0 ? k.negated() : k]), ZERO);
    let jump = slope.times(Rational.of(mostArrivals(model, at) + model.servers.length));
    model.servers.forEach((_, server) => {
        const values = statuses[server].map((status) => statusConstant(w, server, status));
        jump = jump.plus(largest([ZERO, ...values])).minus(least([ZERO, ...values]));
    });
    return jump;
}

function* checkTransience(document, counts) {
    const at = new At(TOP, "statement");
    const s = withStatuses(document, readTransience);
    checkLoad(s.load, new At(at, "load"), document.model);
    document.checked.push("The load: decomposition and prices prove " + loadWords(s.load) + ".");
    if (s.table !== null) {
        const besides = slopesOf(s.w).v.includes(s.table.queue);
        demand(!besides, new At(at, "table"), "the queue of the table has a weight besides");
    }
    const jump = largestJump(document, s, at);
    demand(jump.equals(s.jump), new At(at, "jump"), "the largest change of W in a " + stepOf(document) + " is " + jump);
    const empty = linearIn(s.w, document.model.servers.map(() => "idle"));
    demand(empty.c.compare(s.threshold) < 0, new At(at, "threshold"), "the empty state is not below the threshold");
    document.checked.push("No " + stepOf(document) + " changes W by more than " + jump +
        ", and the empty state is below the threshold.");
    yield* statusQuestions(document, counts, everyShape("growth"), (leaf, shape, place, path) => {
        if (!obligations(document, leaf, 1, place)) return;
        const above = linearIn(s.w, shape).plusConstant(s.threshold.negated());
        const whole = s.table === null ? above : above.plus(tableIn(s.table, path, place));
        sameConstraint(leaf[0][0], whole, place, "W - threshold");
        demand(leaf[0][1].strict, place, "the second constraint is not strict");
    });
    document.checked.push("Each of the " + counts.obligations + " obligations speaks of the states with W >= " +
        s.threshold + ".");
    transienceSentence(document, s);
    unsettledNotChecked(document);
    document.notChecked.push("That the second constraint of every obligation is delta less the drift of W.");
    document.notChecked.push("That the cluster, started empty, reaches a state with W above the threshold.");
}

function tableWords({steps}) {
    const last = steps.length - 1;
    const words = steps.map((step, n) => step + (n === last ? " for n >= " + n : n === 0 ? " for n = 0" : ""));
    return " Here phi(0) = 0, and phi(n + 1) - phi(n) is " + words.join(", ") + ".";
}

function transienceSentence(document, {w, table, delta, threshold, jump, load}) {
    const inside = load.upper.compare(ONE) < 0
        ? "although " + loadWords(load) + " < 1"
        : "at load " + loadWords(load);
    sameSentence(document, "On " + aboutWords(document) + ", " + inside + ", the cluster is transient: the drift of " +
        "W = " + functionWords(w, document.queues, document.model) +
        (table === null ? "" : " + phi(Q[" + document.queues[table.queue] + "])") + inAnEvent(document) + " is at least " + delta +
        " at every state with W >= " + threshold + withoutWords(document) + ALL + ", and no " + stepOf(document) +
        " changes W by more than " +
        jump + "; so with positive probability the cluster, started empty, never empties again and some queue grows " +
        "without bound at a linear rate." + (table === null ? "" : tableWords(table)));
}

Object.assign(parts, {checkTransience});
})(globalThis.SchedproofCertificateParts ??= {});
