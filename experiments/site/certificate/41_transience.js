/** Certificates of the kind `transience`. */
"use strict";
(function (parts) {
const {
    At, TOP, demand, ONE, Rational, ZERO, largest, least, members, numberOf, positive, mostArrivals, checkLoad,
    loadOf, loadWords, linearFunctionOf, linearIn, statusConstant, ALL, aboutWords, functionWords, sameSentence,
    everyShape, inAnEvent, stepOf, obligations, sameConstraint, statusQuestions, unsettledNotChecked,
    withoutWords, withStatuses,
} = parts;

function readTransience(document, value, at) {
    members(value, at, ["w", "delta", "threshold", "jump", "statuses", "load"], ["empty"]);
    return {
        w: linearFunctionOf(value.get("w"), new At(at, "w"), document.sizes),
        delta: positive(value.get("delta"), new At(at, "delta")),
        threshold: numberOf(value.get("threshold"), new At(at, "threshold")),
        jump: numberOf(value.get("jump"), new At(at, "jump")),
        load: loadOf(value.get("load"), new At(at, "load"), document.model),
    };
}

function largestJump(document, w, at) {
    const {model, statuses} = document;
    const always = linearIn({pieces: w.pieces.filter((piece) => piece.when === null)}, []);
    const slope = always.k.reduce((a, k) => largest([a, k.sign() < 0 ? k.negated() : k]), ZERO);
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
    const jump = largestJump(document, s.w, at);
    demand(jump.equals(s.jump), new At(at, "jump"), "the largest change of W in a " + stepOf(document) + " is " + jump);
    const empty = linearIn(s.w, document.model.servers.map(() => "idle"));
    demand(empty.c.compare(s.threshold) < 0, new At(at, "threshold"), "the empty state is not below the threshold");
    document.checked.push("No " + stepOf(document) + " changes W by more than " + jump +
        ", and the empty state is below the threshold.");
    yield* statusQuestions(document, counts, everyShape("growth"), (leaf, shape, place) => {
        if (!obligations(document, leaf, 1, place)) return;
        const above = linearIn(s.w, shape).plusConstant(s.threshold.negated());
        sameConstraint(leaf[0][0], above, place, "W - threshold");
        demand(leaf[0][1].strict, place, "the second constraint is not strict");
    });
    document.checked.push("Each of the " + counts.obligations + " obligations speaks of the states with W >= " +
        s.threshold + ".");
    transienceSentence(document, s);
    unsettledNotChecked(document);
    document.notChecked.push("That the second constraint of every obligation is delta less the drift of W.");
    document.notChecked.push("That the cluster, started empty, reaches a state with W above the threshold.");
}

function transienceSentence(document, {w, delta, threshold, jump, load}) {
    const inside = load.upper.compare(ONE) < 0
        ? "although " + loadWords(load) + " < 1"
        : "at load " + loadWords(load);
    sameSentence(document, "On " + aboutWords(document) + ", " + inside + ", the cluster is transient: the drift of " +
        "W = " + functionWords(w, document.queues, document.model) + inAnEvent(document) + " is at least " + delta +
        " at every state with W >= " + threshold + withoutWords(document) + ALL + ", and no " + stepOf(document) +
        " changes W by more than " +
        jump + "; so with positive probability the cluster, started empty, never empties again and some queue grows " +
        "without bound at a linear rate.");
}

Object.assign(parts, {checkTransience});
})(globalThis.SchedproofCertificateParts ??= {});
