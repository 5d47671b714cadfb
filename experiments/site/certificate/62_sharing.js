/** Certificates of the kind `sharing`. */
"use strict";
(function (parts) {
const {At, TOP, demand, indexOf, matching, members, sentenceNotChecked, logicAlone} = parts;

function* checkSharing(document, counts) {
    const at = new At(TOP, "statement");
    const value = members(document.statement, at, ["statement", "most"]);
    const name = matching(value.get("statement"), new At(at, "statement"), /^[a-z0-9-]+$/);
    const most = indexOf(value.get("most"), new At(at, "most"));
    // One question for each number from 1, or from 2 where one job is compared with the others.
    // Of whole states there is one for each shape: of offers without queues or with them, of kills.
    const ofStates = {"one-launch": [[12, 120], [10, 85]], "kills-latest": [[3, 75]]};
    const numbers = name in ofStates ? ofStates[name].map((byMost) => byMost[most - 1])
        : [name === "slots-stick" || name === "slots-settle" ? most - 1 : most];
    demand(most > 0 && numbers[0] > 0, new At(at, "most"), "there is no question");
    demand(numbers.includes(document.proofs.length), new At(TOP, "proofs"),
        "expected " + numbers.join(" or ") + " questions");
    yield* logicAlone(document, counts);
    document.notChecked.push("That the questions and obligations are what the statement '" + name + "' says of the " +
        "policy.");
    return sentenceNotChecked(document);
}

Object.assign(parts, {checkSharing});
})(globalThis.SchedproofCertificateParts ??= {});
