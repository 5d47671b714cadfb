/** Certificates of the kind `drift`. */
"use strict";
(function (parts) {
const {
    At, TOP, demand, fail, ONE, members, numberOf, positive, wordOf, formOf, boundedBelow, functionOf, ALL,
    aboutWords, formWords, functionWords, sameSentence, withoutOwnPolicy, everyShape, inAnEvent,
    obligations, sameConstraint, statusQuestions, unsettledNotChecked, withoutWords, withStatuses,
} = parts;

function measureOf(document, measure, threshold) {
    const {queues} = document;
    const isSum = measure.c.sign() === 0 && measure.v.length === queues.length && measure.k.every((k) => k.equals(ONE));
    return {words: isSum ? "sum of Q" : formWords(measure, queues), form: measure.plusConstant(threshold.negated())};
}

function readDrift(document, value, at) {
    members(value, at, ["v", "sense", "delta", "threshold", "measure", "statuses"],
        ["empty", "summands", "links", "renamings"]);
    demand(!value.has("summands"), new At(at, "summands"),
        "not decided: the alternatives of a proof by summands are derived by schedproof certify alone");
    return {
        v: functionOf(value.get("v"), new At(at, "v"), document.sizes),
        sense: wordOf(value.get("sense"), new At(at, "sense"), ["below", "above"]),
        delta: positive(value.get("delta"), new At(at, "delta")),
        threshold: numberOf(value.get("threshold"), new At(at, "threshold")),
        measure: formOf(value.get("measure"), new At(at, "measure"), document.sizes.queues),
    };
}

function* checkDrift(document, counts) {
    const s = withStatuses(document, readDrift);
    const meant = s.measure.k.some((k) => k.sign() > 0) || s.measure.c.compare(s.threshold) >= 0;
    demand(!s.measure.isConstant() && meant, new At(TOP, "statement"), "no state has the measure: nothing is stated");
    const measure = measureOf(document, s.measure, s.threshold);
    yield* statusQuestions(document, counts, everyShape("drift"), (leaf, shape, at) => {
        if (!obligations(document, leaf, 1, at)) return;
        sameConstraint(leaf[0][0], measure.form, at, "measure - threshold");
        demand(leaf[0][1].strict, at, "the second constraint is not strict");
    });
    document.checked.push("Each of the " + counts.obligations + " obligations speaks of the states with " +
        measure.words + " >= " + s.threshold + ".");
    driftSentence(document, s, measure);
    unsettledNotChecked(document);
    document.notChecked.push("That the second constraint of every obligation is the drift of V, bounded by delta.");
    document.notChecked.push("That V = '" + s.v.name + "' is the function of that name, where it is a registered one.");
}

function driftSentence(document, s, measure) {
    const {queues, model} = document;
    const bound = s.sense === "below" ? "at most -" + s.delta : "at least " + s.delta;
    const head = "On " + aboutWords(document) + ", the drift of V = '" + s.v.name + "'" + inAnEvent(document) + " is " +
        bound + " at every state with " + measure.words + " >= " + s.threshold + withoutWords(document) + ALL + ".";
    const tail = " Here V = " + functionWords(s.v, queues, model) + ".";
    if (s.sense === "above") return sameSentence(document, head + tail);
    const silent = head + " Stability does not follow: ";
    if (document.sentence.startsWith(silent)) return withReason(document, silent, tail);
    if (stable(document, s)) {
        document.checked.push("V is bounded below and every queue counts in the measure: Foster's criterion applies.");
        return sameSentence(document, head + " V is bounded below, so from every " +
            (document.empty.length === 0 ? "state" : "such state") + " the finite set " +
            measure.words + " < " + s.threshold + " is reached in finite mean time (Foster)." + tail);
    }
    return fail(new At(TOP, "sentence"), "it is not the one that the data give: " + silent + "..." + tail);
}

function stable(document, {v, measure}) {
    const counters = document.proofs.some((proof) => proof.get("space").get("symbols").length > document.queues.length);
    const grows = document.queues.every((_, i) => measure.coefficient(i).sign() > 0 || document.empty.includes(i));
    return !counters && grows && boundedBelow(v, document.queues.length);
}

/** A sentence in whose middle stands a reason that the format does not give. */
function withReason(document, head, tail) {
    const given = withoutOwnPolicy(document);
    const right = given.startsWith(head) && given.endsWith(tail) && !given.slice(head.length).includes("(Foster)");
    demand(right, new At(TOP, "sentence"), "it is not the one that the data give: " + head + "..." + tail);
    document.checked.push("The sentence is the one that the data give, but for why stability does not follow.");
    document.notChecked.push("The reason that the sentence gives why stability does not follow, and that it does not.");
}

Object.assign(parts, {checkDrift});
})(globalThis.SchedproofCertificateParts ??= {});
