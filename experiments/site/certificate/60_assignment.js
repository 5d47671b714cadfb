/** Certificates of the kinds `assignment` and `worst-ratio`. */
"use strict";
(function (parts) {
const {
    At, TOP, demand, ONE, Rational, ZERO, flagOf, indexOf, listOf, matching, members, notNegative, numberOf,
    positive, sumOf, textOf, wordOf, Form, beginning, nothingMore, proofOf, distinct, sentenceNotChecked,
} = parts;

function* checkAssignment(document, counts) {
    const at = new At(TOP, "statement");
    const value = members(document.statement, at, ["statement", "problems", "bound"]);
    const name = textOf(value.get("statement"), new At(at, "statement"));
    matching(value.get("problems"), new At(at, "problems"), /^[0-9,]+:[0-9/]*(@[0-9/,.]+([+][0-9/.]+)?)?$/);
    numberOf(value.get("bound"), new At(at, "bound"));
    demand(document.proofs.length === 1, new At(TOP, "proofs"), "expected one question");
    yield* proofOf(document.proofs[0], new At(new At(TOP, "proofs"), 0), counts, (question, space, place) => {
        demand(question === name, new At(place, "question"), "expected \"" + name + "\"");
        return nothingMore;
    });
    document.notChecked.push("That the obligations of the leaves are what the statement '" + name + "' says of the " +
        "policy, with its problems and bound.");
    sentenceNotChecked(document);
}

const SHAPE = /^[0-9]+(,[0-9]+)*:([0-9]+(\/[0-9]+)*)?$/;

/** Servers' cores and number of tasks of a shape such as `1,1:0/01`. */
function shapeOf(text, at) {
    matching(text, at, SHAPE);
    const [left, right] = text.split(":");
    return {cores: left.split(",").map(Number), tasks: right === "" ? 0 : right.split("/").length};
}

function costsOf(value, at) {
    if (value === "any" || value === "common") return value;
    const found = listOf(value, at, (item, place) => {
        members(item, place, ["values", "slope"]);
        const values = listOf(item.get("values"), new At(place, "values"), numberOf);
        demand(values.length > 0 && values[0].compare(ONE) > 0, place, "a remote task costs more than a local one");
        const slope = numberOf(item.get("slope"), new At(place, "slope"));
        const rises = slope.sign() >= 0 && values.every((x, i) => i === 0 || values[i - 1].compare(x) <= 0);
        demand(rises, place, "the costs fall");
        return {values, slope};
    });
    demand(found.length > 0, at, "no costs");
    return found;
}

/** The space of all problems of a shape: loads, u, and where they are open the costs of remote tasks. */
function problemSpace({cores, tasks}, costs) {
    const symbols = [];
    cores.forEach((count, m) => {
        for (let c = 0; c < count; c++) symbols.push({name: "L[" + m + "." + c + "]", integer: false, lower: ZERO});
    });
    const unit = symbols.length;
    symbols.push({name: "u", integer: false, lower: ZERO});
    const premises = [{form: new Form(ZERO, [unit], [ONE]), strict: true}];
    const functions = costs === "any" ? cores.map((_, m) => "g[" + m + "]") : costs === "common" ? ["g"] : [];
    for (const g of functions) {
        for (let n = 1; n <= tasks; n++) {
            const before = n === 1 ? unit : symbols.length - 1;
            premises.push({form: Form.from(ZERO, new Map([[before, Rational.of(-1)], [symbols.length, ONE]])),
                strict: n === 1});
            symbols.push({name: g + "(" + n + ")", integer: false, lower: null});
        }
    }
    return {symbols, premises, unit};
}

function sameSpace(space, expected, at) {
    const words = (s) => JSON.stringify([
        s.symbols.map(({name, integer, lower}) => [name, integer, String(lower)]),
        s.premises.map(({form, strict}) => [form.key(), strict])]);
    demand(words(space) === words(expected), at, "it is not the space of all problems of the shape");
}

function readWorst(document) {
    const at = new At(TOP, "statement");
    const value = members(document.statement, at, ["shapes", "costs", "makespan"], ["wait", "ratio", "approach"]);
    const optional = (key, read) => (value.has(key) ? read(value.get(key), new At(at, key)) : null);
    const found = {
        shapes: matching(value.get("shapes"), new At(at, "shapes"), /^([0-9,]+:[0-9/]*|servers=[a-z0-9=. ]+)$/),
        costs: costsOf(value.get("costs"), new At(at, "costs")),
        makespan: wordOf(value.get("makespan"), new At(at, "makespan"), ["events", "map"]),
        wait: optional("wait", notNegative),
        ratio: optional("ratio", positive),
    };
    found.approach = optional("approach", (item, place) => approachOf(item, place, found.costs));
    demand(found.ratio !== null || found.approach !== null, at, "neither a ratio nor an approach: nothing is stated");
    return found;
}

function approachOf(value, at, costs) {
    members(value, at, ["shape", "far", "from", "direction", "competitor"]);
    const found = {
        shape: value.get("shape"),
        far: flagOf(value.get("far"), new At(at, "far")),
        from: listOf(value.get("from"), new At(at, "from"), numberOf),
        direction: listOf(value.get("direction"), new At(at, "direction"), numberOf),
    };
    const shape = shapeOf(found.shape, new At(at, "shape"));
    found.still = found.direction.every((number) => number.sign() === 0);
    demand(!found.still || !found.far, new At(at, "far"), "an approach that stays at one problem does not go far");
    const competitor = listOf(value.get("competitor"), new At(at, "competitor"), indexOf);
    const fits = competitor.length === shape.tasks && competitor.every((core) => core < sumOf(shape.cores));
    demand(fits, new At(at, "competitor"), "not a core for each task");
    staysAmong(found, problemSpace(shape, costs), at);
    return found;
}

/** from + t direction satisfies the bounds and premises for all t near the end, with u = 1. */
function staysAmong({from, direction, far}, space, at) {
    const count = space.symbols.length;
    demand(from.length === count && direction.length === count, at, "expected " + count + " numbers");
    const unit = from[space.unit].equals(ONE) && direction[space.unit].sign() === 0;
    demand(unit, at, "the cost of a local task is not 1");
    for (const {form, strict} of beginning(space)) {
        const value = form.v.reduce((a, x, i) => a.plus(form.k[i].times(from[x])), form.c).sign();
        const slope = form.v.reduce((a, x, i) => a.plus(form.k[i].times(direction[x])), ZERO).sign();
        const sign = far ? slope || value : value || slope;
        demand(sign > 0 || (sign === 0 && !strict), at, "the problems near the end leave the space");
    }
}

function* checkWorst(document, counts) {
    const s = readWorst(document);
    const at = new At(TOP, "proofs");
    const {proofs} = document;
    if (s.approach !== null) {
        document.checked.push("The approach stays among the problems of " + s.approach.shape + " near its end.");
        document.notChecked.push("That the policy's makespan over the competitor's tends to the ratio along it.");
    }
    const single = SHAPE.test(s.shapes);
    if (single && Array.isArray(s.costs)) {
        const servers = shapeOf(s.shapes, at).cores.length;
        const fits = s.costs.length === 1 || s.costs.length === servers;
        demand(fits, new At(TOP, "statement"), "the costs are neither one function nor one for each server");
    }
    if (s.ratio === null) demand(proofs.length === 0, at, "there are proofs, and no ratio");
    else demand(single ? proofs.length === 1 : proofs.length > 0, at, "expected one question per shape");
    const open = s.approach === null || s.approach.still;
    const names = [];
    for (let i = 0; i < proofs.length; i++) {
        yield* proofOf(proofs[i], new At(at, i), counts, (question, space, place) => {
            names.push(question);
            const shape = shapeOf(question, new At(place, "question"));
            sameSpace(space, problemSpace(shape, s.costs), new At(place, "space"));
            return (leaf, here) => worstLeaf(leaf, open, here);
        });
        document.progress((i + 1) / proofs.length);
    }
    distinct(names, at);
    if (single) demand(s.ratio === null || names[0] === s.shapes, at, "the question is not the shape of the statement");
    else document.notChecked.push("That the " + names.length + " questions are all shapes of " + s.shapes + ".");
    const among = s.approach === null || (single ? s.approach.shape === s.shapes : s.ratio === null ||
        names.includes(s.approach.shape));
    demand(among, new At(TOP, "statement"), "the shape of the approach is none of those stated");
    document.notChecked.push("That the obligations hold the finish times of the policy and the ratio.");
    sentenceNotChecked(document);
}

function worstLeaf(leaf, open, at) {
    for (const against of leaf) {
        const right = against.every(({strict}) => strict === open);
        demand(right, at, "the constraints are " + (open ? "not " : "") + "strict");
    }
}

Object.assign(parts, {checkAssignment, checkWorst});
})(globalThis.SchedproofCertificateParts ??= {});
