/** Certificates of the kind `invariants`. */
"use strict";
(function (parts) {
const {
    At, demand, listOf, members, wordOf, nothingMore, distinct, ALL, aboutWords, sameSentence, sentenceNotChecked,
    shapes, statusQuestions, withStatuses,
} = parts;

const INVARIANTS = {
    "route-minimises": "a task may join exactly the admissible queues of smallest key, every tied one among them",
    "serve-maximises": "an idle server may turn to exactly the queues that the policy's rule names",
    "serve-takes-waiting": "an idle server turns to a waiting task whenever one waits where it may serve",
    "tasks-balance": "the number of tasks changes by arrivals minus completions",
    "execution-within-queue": "no queue is shorter than the number of its tasks in execution",
    "departures-by-servers": "a queue loses at most as many tasks as servers stand at it",
    "non-preemptive": "a busy server goes on with its task or becomes idle",
    "arrivals-mean": "the outcomes of a slot have total probability one and bring lambda tasks on average",
};

function invariantQuestions(names, model) {
    return function* (statuses, words) {
        for (const name of names) {
            for (const shape of shapes(statuses)) {
                for (const about of invariantSubjects(name, shape, model)) {
                    yield {name: name + about + " " + words(shape), shape};
                }
            }
        }
    };
}

function invariantSubjects(name, shape, model) {
    if (name === "route-minimises") return model.types.map((type) => " of " + type.name);
    if (!name.startsWith("serve-")) return [""];
    return model.servers.filter((_, i) => shape[i] === "idle").map((server) => " of " + server.name);
}

function* checkInvariants(document, counts) {
    const names = withStatuses(document, (_, value, at) => {
        members(value, at, ["names", "statuses"]);
        const place = new At(at, "names");
        const found = listOf(value.get("names"), place, (item, here) => wordOf(item, here, Object.keys(INVARIANTS)));
        demand(found.length > 0, place, "nothing is stated");
        distinct(found, place);
        return found;
    });
    yield* statusQuestions(document, counts, invariantQuestions(names, document.model), nothingMore);
    document.checked.push("There is a question for every shape, and for every type or idle server where that is due.");
    document.notChecked.push("That the obligations say what the invariants mean: " + names.join(", ") + ".");
    if (names.length > 1) return sentenceNotChecked(document);
    return sameSentence(document, "On " + aboutWords(document) + ", " + INVARIANTS[names[0]] + ALL + ".");
}

Object.assign(parts, {checkInvariants});
})(globalThis.SchedproofCertificateParts ??= {});
