/** Certificates of the kind `invariants`. */
"use strict";
(function (parts) {
const {
    At, demand, indexOf, listOf, members, numberOf, positive, wordOf, nothingMore, distinct, ALL, aboutWords,
    sameSentence, sentenceNotChecked, shapes, statusQuestions, withStatuses,
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

/** Those of decisions; the others are about a slot. */
const DECISIONS = ["route-minimises", "serve-maximises", "serve-takes-waiting"];

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

/** The load of a plan: 0 where nothing arrives. */
function loadOf(value, activities, at) {
    const load = activities > 0 ? positive(value, at) : numberOf(value, at);
    demand(load.sign() >= 0, at, "the load of a plan is not positive");
    return load;
}

/** The plan that a policy follows, in words; none of a policy that follows none. */
function planWords(document, value, at) {
    if (value === undefined) return "";
    const {model} = document;
    members(value, at, ["load", "activities"]);
    const parts = listOf(value.get("activities"), new At(at, "activities"), (item, here) => {
        members(item, here, ["type", "server", "amount"]);
        const type = indexOf(item.get("type"), new At(here, "type"), model.types.length);
        const server = indexOf(item.get("server"), new At(here, "server"), model.servers.length);
        const amount = positive(item.get("amount"), new At(here, "amount"));
        return amount + " of " + model.types[type].name + " on " + model.servers[server].name;
    });
    document.planned = parts.length;
    return "where the plan is " + (parts.join(", ") || "nothing") + " a slot, of load " +
        loadOf(value.get("load"), parts.length, new At(at, "load")) + ", ";
}

function* checkInvariants(document, counts) {
    const {names, plan} = withStatuses(document, (_, value, at) => {
        members(value, at, ["names", "statuses"], ["plan"]);
        const place = new At(at, "names");
        const found = listOf(value.get("names"), place, (item, here) => wordOf(item, here, Object.keys(INVARIANTS)));
        demand(found.length > 0, place, "nothing is stated");
        distinct(found, place);
        const inSlots = document.model.time === null;
        demand(inSlots || found.every((name) => DECISIONS.includes(name)), place, "slots have the invariant");
        return {names: found, plan: planWords(document, value.get("plan"), new At(at, "plan"))};
    });
    yield* statusQuestions(document, counts, invariantQuestions(names, document.model), nothingMore);
    document.checked.push("There is a question for every shape, and for every type or idle server where that is due.");
    document.notChecked.push("That the obligations say what the invariants mean: " + names.join(", ") + ".");
    if (plan !== "") document.notChecked.push("That the plan is that of the capacity's linear program.");
    if (names.length > 1) return sentenceNotChecked(document);
    const split = plan !== "" && names[0] === "route-minimises" ? ", those of the plan with its probabilities" : "";
    return sameSentence(document, "On " + aboutWords(document) + ", " + plan + INVARIANTS[names[0]] + split + ALL + ".");
}

Object.assign(parts, {checkInvariants});
})(globalThis.SchedproofCertificateParts ??= {});
