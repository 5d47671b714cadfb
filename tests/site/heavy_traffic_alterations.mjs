/*
 * Alterations of certificates of the kinds `heavy-traffic-...`, each of which one check of the second checker must
 * catch, and for its own reason. An alteration takes the parsed certificate; where it changes the instance, the digest
 * is made anew, so that the digest is not what catches it.
 */
import {createHash} from "node:crypto";

const ONE_TYPE = "slack-one-type";
const TWO_LEVELS = "slack-two-levels";

function slackOf(certificate) {
    return certificate.instance.slack;
}

function proof(certificate, start) {
    const found = certificate.proofs.find(({question}) => question.startsWith(start));
    if (found === undefined) throw new Error("no question begins with " + start);
    return found;
}

/** How many constraints there are where a proof begins. */
function beginning({space}) {
    return space.symbols.filter(({lower}) => lower !== undefined).length + space.premises.length;
}

/** Makes the whole proof one leaf, whose obligation is this constraint without variables. */
function constant(found, strict, count = 1) {
    const against = Array.from({length: count}, () => ({form: ["-1"], strict}));
    found.root = {leaf: [{against, multipliers: [[beginning(found), "1"]]}]};
    found.nodes = [];
}

/** Makes the whole proof one leaf that claims nothing. */
function nothingAsked(found) {
    found.root = {leaf: []};
    found.nodes = [];
}

/** Makes the proof two leaves; the second, where the first queue is shorter than it can be, has empty obligations. */
function emptyObligations(found, count) {
    const {lower} = found.space.symbols[0];
    const multipliers = [[0, "1"], [beginning(found), "1"]];
    found.nodes = [{
        form: ["0", [0, "1"]], bound: lower, strict: false, integer: true, yes: {leaf: []},
        no: {leaf: Array.from({length: count}, () => ({against: [], multipliers}))},
    }];
    found.root = "node";
}

/** Makes the whole proof one leaf, whose obligation is that -Q - 1 > 0 of the first queue. */
function negativeQueue(found) {
    const weight = "1/" + (1 + Number(found.space.symbols[0].lower));
    const multipliers = [0, beginning(found)].map((position) => [position, weight.replace(/^1\/1$/, "1")]);
    found.root = {leaf: [{against: [{form: ["-1", [0, "-1"]], strict: true}], multipliers}]};
    found.nodes = [];
}

/** Adds a type that nobody brings, without a price. */
function addType(certificate, correction) {
    const {instance, statement} = certificate;
    instance.types.push({name: "C", replicas: ["s0"]});
    for (const law of [instance.arrivals, slackOf(certificate).arrivals]) law.values.push("0");
    statement.prices.type.push("0");
    statement.correction.push(correction);
}

function swapEnds({instance}) {
    [instance.arrivals, instance.slack.arrivals] = [instance.slack.arrivals, instance.arrivals];
}

/** Exchanges what is asked at the two ends. */
function swapQuestions(certificate) {
    const ends = ["0", slackOf(certificate)["up-to"]];
    for (const found of certificate.proofs) {
        found.question = found.question.replace(/ at slack ([^,]+),/,
            (_, slack) => " at slack " + ends[1 - ends.indexOf(slack)] + ",");
    }
}

function firstMultiplier(value) {
    if (value === null || typeof value !== "object") return null;
    if (Array.isArray(value.multipliers) && value.multipliers.length > 0) return value.multipliers;
    if (Array.isArray(value.closed)) return value.closed;
    for (const item of Object.values(value)) {
        const found = firstMultiplier(item);
        if (found !== null) return found;
    }
    return null;
}

const families = {
    "no family": [(c) => delete c.instance.slack, /one load, and no family/],
    "no slack": [(c) => (slackOf(c)["up-to"] = "0"), /up-to: the number is not above 0/],
    "a type that arrives less": [(c) => (c.instance.slack = {type: "A", "up-to": "1/20"}), /"arrivals" is missing/],
    "another member": [(c) => (slackOf(c).type = "A"), /unknown member "type"/],
    "rates alone": [(c) => (slackOf(c).arrivals.kind = "rates"), /slack: mean rates alone/],
    "one law": [(c) => (slackOf(c).arrivals = c.instance.arrivals), /0 factors differ/],
    "two laws change": [(c) => (slackOf(c).arrivals.values = ["33/40", "1/4"]), /2 factors differ/],
    "other factors": [(c) => (slackOf(c).arrivals = {kind: "single", values: ["1/2", "1/2"]}), /other factors/],
    "ends swapped": [swapEnds, /not on the boundary/],
    "more arrives": [(c) => (slackOf(c).arrivals.values[0] = "15/16"), /sigma is not above 0/],
};

/** Of statements whose prices and bound of every policy stand where `part` says. */
const prices = (part) => ({
    "a negative price": [(c) => (part(c).prices.type[1] = "-1/4"), /the number is negative/],
    "no type worth 1": [(c) => (part(c).prices.type = ["1/2", "1/4"]), /dearest type/],
    "a price of a type too few": [(c) => part(c).prices.type.pop(), /a price for each type/],
    "a price of a server too many": [(c) => part(c).prices.server.push("0"), /a price for each server/],
    "a server that earns more": [(c) => part(c).prices.server.reverse(), /earns 4\/5 with type A/],
    "a dearer server": [(c) => (part(c).prices.server[1] = "2/5"), /not on the boundary/],
});

const lower = (part) => ({
    "c at slack 0": [(c) => (part(c).constant[0] = "1"), /constant\[0\]: at slack 0 /],
    "c at the other end": [(c) => (part(c).constant[1] = "1"), /constant\[1\]: at slack 1\/20 /],
    "c swapped": [(c) => part(c).constant.reverse(), /constant\[0\]: at slack 0 /],
    "one c": [(c) => part(c).constant.pop(), /expected two numbers/],
    "a correction too few": [(c) => part(c).correction.pop(), /a correction for each type/],
    "another correction": [(c) => (part(c).correction[1] = "1"), /the inequality \(L\)/],
    "no deficit": [(c) => (part(c).deficit = "0"), /the inequality \(L\)/],
});

const lowerAlone = {
    "a correction without a price": [(c) => addType(c, "1"), /without a price has a correction/],
    "a type without a price": [(c) => addType(c, "0"), null],
    "a proof": [(c) => c.proofs.push({}), /there are proofs/],
    "a smaller c": [(c) => (c.statement.constant[0] = "0"), /the data give/],
    "a larger deficit": [(c) => (c.statement.deficit = "100"), /the data give/],
};

const form = (c) => c.statement.forms[0];
const conditional = {coefficient: "1", "largest-of": [["0", [0, "1"]]], when: {server: 0}};
const pieces = (...all) => all.map((linear) => ({coefficient: "1", "largest-of": [linear]}));

const collapse = {
    "q": [(c) => (c.statement.base = "1"), /q is not above 1/],
    "q of many digits": [(c) => (c.statement.base = "1000001/1000000"), /the numerator of q/],
    "no rate": [(c) => (c.statement.rate = "0"), /rate: the number is not above 0/],
    "a rate above 1": [(c) => (c.statement.rate = "2"), /rho is above 1/],
    "no bound": [(c) => (c.statement.bound = "0"), /bound: the number is not above 0/],
    "another q": [(c) => (c.statement.base = "2"), /the data give/],
    "another rate": [(c) => (c.statement.rate = "1/2"), /the data give/],
    "another bound": [(c) => (c.statement.bound = "1"), /the data give/],
    "another name": [(c) => (form(c).form.name = "l2"), /not called l1/],
    "a fraction": [(c) => (form(c).form.pieces[0].coefficient = "1/2"), /no integer of at most 1000/],
    "a large number": [(c) => (form(c).form.pieces[0].coefficient = "1001"), /no integer of at most 1000/],
    "a constant": [(c) => (form(c).form.pieces = pieces(["1", [0, "1"]])), /a constant outside the statuses/],
    "a product": [(c) => form(c).form.products.push({coefficient: "1", first: ["1"], second: ["1"]}), /has products/],
    "a maximum": [(c) => form(c).form.pieces[0]["largest-of"].push(["0"]), /the largest of several/],
    "a queue under a condition": [(c) => form(c).form.pieces.push(conditional), /a condition is not constant/],
    "an empty window": [(c) => (form(c).low = form(c).high), /window/],
    "a wide window": [(c) => (form(c).low = "-10001"), /window/],
    "a broken window": [(c) => (form(c).high = "25/2"), /window/],
    "a repeated empty queue": [(c) => (c.statement.empty = [0, 0]), /do not ascend/],
    "a served queue said to be empty": [(c) => (c.statement.empty = [0]), /said to be empty/],
    "questions of the other end": [swapQuestions, /expected "collapse at slack 0, /],
    "a question less": [(c) => c.proofs.pop(), /is missing/],
    "a question more": [(c) => c.proofs.push({...c.proofs[0], question: "more"}), /no such question/],
    "a constraint of the collapse": [(c) => constant(proof(c, "collapse"), true), /must be empty/],
    "two obligations": [(c) => emptyObligations(proof(c, "collapse"), 2), /at most one obligation/],
    "one obligation": [(c) => emptyObligations(proof(c, "collapse"), 1), null],
    "a multiplier": [(c) => (firstMultiplier(c.proofs)[0][1] = "7/3"), /combination/],
};

const collapseAlone = {
    "no form": [(c) => (c.statement.forms = []), /there is no form/],
    "no family": [(c) => delete c.instance.slack, /one load, and no family/],
};

const premises = {
    "no premise": [(c) => (proof(c, "collapse").space.premises = []), /other premises/],
    "a strict premise": [(c) => (proof(c, "statuses").space.premises[0].strict = true), /other premises/],
};

const noneEmpty = {"no empty queue": [(c) => (c.statement.empty = []), /other premises/]};

const statement = (c) => c.statement;
const rest = (c) => c.statement.tasks.rest;

const upper = {
    "H of another name": [(c) => (statement(c).h.name = "G"), /not called H/],
    "H0 of another name": [(c) => (statement(c).h0.name = "H"), /not called H0/],
    "k of another name": [(c) => (statement(c).k.name = "H"), /not called k/],
    "a negative charge": [(c) => (statement(c).h.pieces[1].coefficient = "-1"), /constant of H is negative/],
    "a queue without weight": [(c) => (statement(c).h.pieces = pieces(["0", [0, "1"]])), /grow with queue s1/],
    "no loss": [(c) => (statement(c)["largest-loss"] = "0"), /the number is not above 0/],
    "a small loss": [(c) => (statement(c)["largest-loss"] = "1/100000"), /u is .* not from 0 to u_max/],
    "a larger loss": [(c) => (statement(c)["largest-loss"] = "100"), /the data give/],
    "a negative spread": [(c) => (statement(c).spread = "-1"), /the number is negative/],
    "no spread": [(c) => (statement(c).spread = "0"), /not v H - kappa u l - R/],
    "another spread": [(c) => (statement(c).spread = "1"), /v - u is/],
    "H charges no more than H0": [(c) => (statement(c).h0.pieces = statement(c).h.pieces), /v - u is/],
    "c": [(c) => (statement(c).constant[0] = "1"), /the data give/],
    "c swapped": [(c) => statement(c).constant.reverse(), /the data give/],
    "K": [(c) => (statement(c)["with-loss"] = "0"), /the data give/],
    "K'": [(c) => (statement(c)["with-slack"] = "0"), /the data give/],
    "no obligation of a balance": [(c) => nothingAsked(proof(c, "balance")), /expected one obligation/],
    "a balance that is not strict": [(c) => constant(proof(c, "balance"), false), /not strict/],
    "a loss below 0": [(c) => negativeQueue(proof(c, "balance")), /u is -.*, not from 0/],
    "balances of the other end": [swapQuestions, /expected "collapse at slack 0, /],
    "no obligation of tasks": [(c) => nothingAsked(proof(c, "tasks")), /expected 1 obligation/],
    "another constant of tasks": [(c) => (statement(c).tasks.constant = "1"), /constraint 0 is not sum Q/],
    "another spread of tasks": [(c) => (statement(c).tasks.spread = "1"), /constraint 0 is not sum Q/],
    "a negative spread of tasks": [(c) => (statement(c).tasks.spread = "-1"), /the number is negative/],
    "no tasks": [(c) => delete statement(c).tasks, /no such question/],
    "no form": [(c) => (statement(c).forms = []), /and q, rho or b is not 1/],
    "no form, but a spread": [(c) => Object.assign(statement(c), {forms: [], base: "1", rate: "1", bound: "1"}),
        /a multiple of forms/],
};

const rests = {
    "another rest": [(c) => (rest(c).tasks[1][1] = "1/2"), /constraint 0 is not sum Q/],
    "a negative rest": [(c) => (rest(c).tasks[1][1] = "-1"), /a negative coefficient/],
    "a rest with a constant": [(c) => (rest(c).tasks[0] = "1"), /there is a constant/],
    "another bound": [(c) => (rest(c).bound = "1"), /the data give/],
    "G of another name": [(c) => (rest(c).g.name = "H"), /not called G/],
    "G without a bound": [(c) => (rest(c).g.products[0].coefficient = "-1"), /bounded below/],
    "a rest that is not strict": [(c) => constant(proof(c, "rest"), false), /not strict/],
    "two constraints of a rest": [(c) => constant(proof(c, "rest"), true, 2), /expected constraints: 1/],
    "no obligation of a rest": [(c) => nothingAsked(proof(c, "rest")), /expected 1 obligation/],
    "no rest": [(c) => delete statement(c).tasks.rest, /constraint 0 is not sum Q/],
};

const manyForms = {
    "a balance that is no multiple of H": [(c) => negativeQueue(proof(c, "balance")), /with any v, u and R/],
    "three constraints of a balance": [(c) => constant(proof(c, "balance"), true, 3), /for each form, or one/],
};

const ray = {
    "factor": [(c) => (statement(c).factor = "2"), /constraint 0 is not \(zeta z - 1\)/],
    "spread": [(c) => (statement(c).spread = "1"), /constraint 0 is not \(zeta z - 1\)/],
    "constant": [(c) => (statement(c).constant = "1"), /constraint 0 is not \(zeta z - 1\)/],
    "price": [(c) => (statement(c).price[1] = "1/2"), /constraint 0 is not \(zeta z - 1\)/],
    "a negative factor": [(c) => (statement(c).factor = "-1"), /the number is negative/],
    "a negative spread": [(c) => (statement(c).spread = "-1"), /the number is negative/],
    "a negative price": [(c) => (statement(c).price[1] = "-1"), /the number is negative/],
    "a price too few": [(c) => statement(c).price.pop(), /a price for each queue/],
    "no obligation of a ray": [(c) => nothingAsked(proof(c, "ray")), /expected 1 obligation/],
    "a ray that is not strict": [(c) => constant(proof(c, "ray"), false), /constraint 0 is not \(zeta z - 1\)/],
    "many answers of route": [(c) => emptyObligations(proof(c, "routes"), 2), /more obligations than types/],
    "an answer of route": [(c) => emptyObligations(proof(c, "routes"), 1), null],
    "a constraint of route": [(c) => constant(proof(c, "routes"), true), /must be empty/],
    "no form": [(c) => (statement(c).forms = []), /there is no form/],
};

/** What is altered, by kind, instance and policy of the certificate. */
const ALTERED = [
    ["heavy-traffic-lower", TWO_LEVELS, undefined,
        {...families, ...prices(statement), ...lower(statement), ...lowerAlone}],
    ["heavy-traffic-collapse", TWO_LEVELS, "jsq-maxweight", {...collapse, ...collapseAlone}],
    ["heavy-traffic-collapse", ONE_TYPE, "wang-jsq-maxweight", {...premises, ...noneEmpty}],
    ["heavy-traffic-upper", TWO_LEVELS, "pandas:plain", {...collapse, ...prices(statement), ...upper, ...rests}],
    ["heavy-traffic-upper", ONE_TYPE, "wang-jsq-maxweight", {...premises, ...manyForms}],
    ["heavy-traffic-ray", TWO_LEVELS, "jsq-maxweight",
        {...collapse, ...prices((c) => c.statement.lower), ...lower((c) => c.statement.lower), ...ray}],
];

/** The text of an altered certificate. An instance that stays keeps its layout, on which its digest rests. */
function written(certificate, text) {
    const {instance} = certificate;
    if (JSON.stringify(instance) !== JSON.stringify(JSON.parse(text).instance)) {
        const bytes = JSON.stringify(instance) + "\n";
        certificate["instance-digest"] = createHash("sha256").update(bytes).digest("hex");
        return JSON.stringify(certificate);
    }
    const own = text.slice(text.indexOf("\"instance\": {") + "\"instance\": ".length, text.indexOf("\"statement\":"));
    const others = JSON.stringify({...certificate, instance: undefined});
    return others.slice(0, -1) + ", \"instance\": " + own.trim().replace(/,$/, "") + "}";
}

/** Tells `expect` of every alteration whether it is refused for its reason; a reason of null is no refusal. */
export function testHeavyTraffic(checker, texts, expect) {
    let count = 0;
    for (const [kind, instance, policy, all] of ALTERED) {
        const text = texts.find((one) => {
            const found = JSON.parse(one);
            return found.theorem === kind && found.instance.name === instance && found.policy === policy;
        });
        expect(text !== undefined, "there is no certificate of " + kind + " on " + instance);
        if (text === undefined) continue;
        for (const what of Object.keys(all)) {
            const [alter, reason] = all[what];
            const certificate = JSON.parse(text);
            alter(certificate);
            const found = checker.check(written(certificate, text));
            const right = reason === null ? found.accepted : !found.accepted && reason.test(found.reason);
            expect(right, kind + " on " + instance + ", " + what + ": " + (found.reason || "accepted"));
            count++;
        }
    }
    console.log("altered   heavy traffic: " + count + " ways, each for its reason");
}
