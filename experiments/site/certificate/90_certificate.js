/*
 * A second checker of schedproof's certificates, written from the description of the format alone, without the code of
 * the first checker: docs/certificates.md, experiments/instances/SCHEMA.md and the JSON schema of certificates.
 *
 *   SchedproofCertificate.check(text, {table, instance})
 *   SchedproofCertificate.checkAsync(text, {table, instance, progress, slice})   a promise; yields every `slice` ms
 *
 * `table` is a Uint8Array with the bytes of the file of tables, `instance` the JSON of `show --as json` (for the
 * certificate of a load alone). The answer is {accepted, kind, theorem, checked, notChecked, reason}: accepted means
 * that everything in `checked` is right; what `notChecked` lists rests on the policy's code or on prose.
 *
 * The files of this folder are the checker: each takes what it needs from those of lower numbers and adds what it has.
 * One after the other they are one script, which a page opened from a disk can load, as it could no modules.
 */
"use strict";
(function (parts) {
const {
    At, Fault, MOST_CHARACTERS, Reader, TOP, demand, bytesOf, digestOf, digestText, listOf, members, textOf, wordOf,
    queueingOf, checkDrift, checkTransience, checkInvariants, checkMean, checkHeavyLower, checkHeavyCollapse,
    checkHeavyUpper, checkHeavyRay, checkMaxweight, checkUniform, checkAnyPolicy, checkAssignment, checkWorst,
    checkDual, checkRedundancy, dualInstance, checkSharing, checkCapacity, checkBoundedRegret,
} = parts;

const KINDS = {
    "drift": {instance: queueingOf, policy: true, anyTime: true, check: checkDrift},
    "transience": {instance: queueingOf, policy: true, anyTime: true, check: checkTransience},
    "invariants": {instance: queueingOf, policy: true, anyTime: true, check: checkInvariants},
    "mean": {instance: queueingOf, policy: true, anyTime: true, check: checkMean},
    "maxweight-drift": {instance: queueingOf, policy: true, anyTime: true, check: checkMaxweight},
    "uniform-drift": {instance: null, policy: true, check: checkUniform},
    "bounded-regret": {instance: null, policy: true, check: checkBoundedRegret},
    "any-policy": {instance: queueingOf, policy: false, anyTime: true, check: checkAnyPolicy},
    "heavy-traffic-lower": {instance: queueingOf, policy: false, check: checkHeavyLower},
    "heavy-traffic-collapse": {instance: queueingOf, policy: true, check: checkHeavyCollapse},
    "heavy-traffic-upper": {instance: queueingOf, policy: true, check: checkHeavyUpper},
    "heavy-traffic-ray": {instance: queueingOf, policy: true, check: checkHeavyRay},
    "assignment": {instance: null, policy: true, check: checkAssignment},
    "worst-ratio": {instance: null, policy: true, check: checkWorst},
    "redundancy": {instance: null, policy: true, check: checkRedundancy},
    "dual": {instance: dualInstance, policy: true, check: checkDual},
    "sharing": {instance: null, policy: true, check: checkSharing},
};

/** The members that every certificate has. */
function* readEnvelope(document, top, ranges) {
    document.kind = wordOf(top.get("theorem"), new At(TOP, "theorem"), Object.keys(KINDS));
    const kind = KINDS[document.kind];
    const keys = ["schema", "format", "theorem", "sentence", "statement", "proofs"];
    if (kind.policy) keys.push("policy", "definition");
    if (kind.instance !== null) keys.push("instance-digest", "instance");
    members(top, TOP, keys);
    demand(top.get("format") === 1, new At(TOP, "format"), "no such format");
    document.sentence = textOf(top.get("sentence"), new At(TOP, "sentence"));
    document.statement = top.get("statement");
    demand(document.statement instanceof Map, new At(TOP, "statement"), "expected an object");
    document.proofs = listOf(top.get("proofs"), new At(TOP, "proofs"), (item, place) => {
        demand(item instanceof Map, place, "expected an object");
        return item;
    });
    if (kind.policy) {
        document.policy = textOf(top.get("policy"), new At(TOP, "policy"));
        document.definition = textOf(top.get("definition"), new At(TOP, "definition"));
    }
    if (kind.instance !== null) yield* readInstance(document, top, ranges, kind);
    return kind;
}

function* readInstance(document, top, ranges, kind) {
    const text = ranges.get("instance");
    const bytes = document.kind === "dual" ? text + ranges.get("statement") : text.replace(/\n {2}/g, "\n") + "\n";
    const at = new At(TOP, "instance-digest");
    const stated = digestText(top.get("instance-digest"), at);
    const found = yield* digestOf(bytesOf(bytes));
    demand(found === stated, at, "the digest of the instance, as it stands in the file, is " + found +
        " (it was altered, or laid out in another way)");
    document.checked.push("The digest of the instance is " + found + ".");
    document.model = kind.instance(top.get("instance"), new At(TOP, "instance"));
    const inSlots = (document.model.time ?? null) === null;
    demand(inSlots || kind.anyTime === true, at, "the theorem is about slots, and time is continuous");
}

function countWords(counts) {
    return counts.proofs + " proofs with " + counts.nodes + " nodes: the trees cover their spaces; " + counts.leaves +
        " leaves, " + counts.obligations + " obligations and " + counts.closed + " empty sides are refuted by " +
        counts.multipliers + " multipliers, all re-multiplied.";
}

function bindingNotChecked(document) {
    document.notChecked.unshift("That the policy's code makes the comparisons of the trees, and that \"definition\" " +
        "is what the policy " + document.policy + " does.");
    if (document.statuses) document.notChecked.push("That the statuses are closed under what the code decides.");
}

function* judge(document, text) {
    demand(typeof text === "string" && text.length <= MOST_CHARACTERS, TOP, "expected a text of at most 256 MiB");
    const reader = new Reader(text);
    const top = yield* reader.document();
    demand(top instanceof Map, TOP, "expected an object");
    const schema = wordOf(top.get("schema"), new At(TOP, "schema"), ["certificate", "capacity-certificate"]);
    if (schema === "capacity-certificate") return yield* checkCapacity(document, top);
    const kind = yield* readEnvelope(document, top, reader.ranges);
    const {counts} = document;
    yield* kind.check(document, counts);
    if (counts.proofs > 0) document.checked.unshift(countWords(counts));
    if (kind.policy && document.binding) bindingNotChecked(document);
    return undefined;
}

function newDocument(options) {
    return {
        kind: null, sentence: null, checked: [], notChecked: [], binding: true, fraction: 0,
        table: options.table, instanceText: options.instance,
        counts: {proofs: 0, nodes: 0, leaves: 0, obligations: 0, closed: 0, multipliers: 0},
        progress(fraction) {
            this.fraction = fraction;
        },
    };
}

function answer(document, accepted, reason) {
    return {
        accepted, kind: document.kind, theorem: document.sentence, checked: document.checked,
        notChecked: document.notChecked, counts: document.counts, reason,
    };
}

function refusal(document, fault) {
    if (fault instanceof Fault) {
        return answer(document, false, (fault.place === "" ? "" : fault.place + ": ") + fault.message);
    }
    return answer(document, false, "not decided: " + fault.message);
}

/** Checks a certificate at once. */
function check(text, options = {}) {
    const document = newDocument(options);
    try {
        const steps = judge(document, text);
        while (!steps.next().done);
        return answer(document, true, null);
    } catch (fault) {
        return refusal(document, fault);
    }
}

function pause() {
    return new Promise((resolve) => setTimeout(resolve, 0));
}

/** Checks a certificate in slices of some milliseconds; tells `progress` the fraction of the questions done. */
async function checkAsync(text, options = {}) {
    const document = newDocument(options);
    const slice = options.slice === undefined ? 30 : options.slice;
    try {
        const steps = judge(document, text);
        let until = Date.now() + slice;
        while (!steps.next().done) {
            if (Date.now() < until) continue;
            if (options.progress) options.progress(document.fraction);
            await pause();
            until = Date.now() + slice;
        }
        return answer(document, true, null);
    } catch (fault) {
        return refusal(document, fault);
    }
}

/** SHA-256 of a Uint8Array in lower-case hexadecimal. */
function sha256(bytes) {
    const steps = digestOf(bytes);
    for (;;) {
        const {value, done} = steps.next();
        if (done) return value;
    }
}

const api = {check, checkAsync, sha256};
globalThis.SchedproofCertificate = api;
if (typeof module !== "undefined" && module.exports) module.exports = api;
})(globalThis.SchedproofCertificateParts ??= {});
