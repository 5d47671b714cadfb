/** Certificates of the kind `heavy-traffic-upper`: a bound of a policy's mean, for every slack of a family. */
"use strict";
(function (parts) {
const {
    At, demand, ONE, ZERO, largest, least, sum, members, notNegative, numberOf, positive, Form, formOf, boundedBelow,
    functionOf, linearFunctionOf, linearIn, statusConstant, functionWords, sameSentence, everyShape, oneObligation,
    added, everyLawWords, pairOf, pricesOf, slackWords, atBothEnds, collapseQuestions, collapseWords, exactObligation,
    meanOfF, withCollapse,
} = parts;

// Members that may be absent.
const ALSO = ["starving", "tasks"];
const UPPER = ["prices", "h", "h0", "k", "largest-loss", "constant", "with-loss", "with-slack", "spread"];

function readUpper(document) {
    return withCollapse(document, UPPER, (value, at, collapse) => upperOf(document, value, at, collapse), ALSO);
}

/** The members of an upper bound but for those of its collapse. */
function upperOf(document, value, at, collapse) {
    const called = (key, name) => {
        const found = linearFunctionOf(value.get(key), new At(at, key), document.sizes);
        demand(found.name === name, new At(at, key), "the function is not called " + name);
        return found;
    };
    const found = {
        prices: pricesOf(document, value.get("prices"), new At(at, "prices")),
        h: called("h", "H"),
        h0: called("h0", "H0"),
        k: called("k", "k"),
        loss: positive(value.get("largest-loss"), new At(at, "largest-loss")),
        constant: pairOf(value.get("constant"), new At(at, "constant")),
        withLoss: numberOf(value.get("with-loss"), new At(at, "with-loss")),
        withSlack: numberOf(value.get("with-slack"), new At(at, "with-slack")),
        spread: notNegative(value.get("spread"), new At(at, "spread")),
        starving: value.has("starving") ?
            sumOfQueues(value.get("starving"), new At(at, "starving"), document.sizes) : new Form(ZERO, [], []),
        tasks: value.has("tasks") ? tasksOf(value.get("tasks"), new At(at, "tasks"), document.sizes) : null,
    };
    weighsEveryQueue(document, found.h, new At(at, "h"));
    if (collapse.forms.length === 0) withoutForms(collapse, found, at);
    return found;
}

/** A form without a constant, of which no coefficient is negative. */
function sumOfQueues(value, at, sizes) {
    const found = formOf(value, at, sizes.queues);
    const right = found.c.sign() === 0 && found.k.every((x) => x.sign() > 0);
    demand(right, at, "there is a constant, or a negative coefficient");
    return found;
}

function tasksOf(value, at, sizes) {
    members(value, at, ["spread", "constant"], ["factor", "rest"]);
    return {
        factor: value.has("factor") ? notNegative(value.get("factor"), new At(at, "factor")) : ONE,
        spread: notNegative(value.get("spread"), new At(at, "spread")),
        constant: numberOf(value.get("constant"), new At(at, "constant")),
        rest: value.has("rest") ? restOf(value.get("rest"), new At(at, "rest"), sizes) : null,
    };
}

function restOf(value, at, sizes) {
    members(value, at, ["tasks", "g", "bound"]);
    const tasks = sumOfQueues(value.get("tasks"), new At(at, "tasks"), sizes);
    const g = functionOf(value.get("g"), new At(at, "g"), sizes);
    demand(g.name === "G", new At(at, "g"), "the function is not called G");
    demand(boundedBelow(g, sizes.queues), new At(at, "g"), "G is not shown to be bounded below");
    return {tasks, bound: numberOf(value.get("bound"), new At(at, "bound"))};
}

/** H grows with every queue that can hold a task, and no constant of it is negative. */
function weighsEveryQueue(document, h, at) {
    const lengths = linearIn({pieces: h.pieces.filter(({when}) => when === null)}, []);
    const charges = h.pieces.filter(({when}) => when !== null)
        .map(({coefficient, forms}) => coefficient.times(forms[0].c));
    demand([lengths.c, ...charges].every((x) => x.sign() >= 0), at, "a constant of H is negative");
    document.queues.forEach((name, queue) => {
        const sign = lengths.coefficient(queue).sign();
        demand(sign > 0 || (sign === 0 && document.empty.includes(queue)), at, "H does not grow with queue " + name);
    });
}

/** Without forms there is no F, so nothing may rest on it. */
function withoutForms({base, rate, bound}, {spread, tasks}, at) {
    demand([base, rate, bound].every((x) => x.equals(ONE)), at, "there is no form, and q, rho or b is not 1");
    const right = spread.sign() === 0 && (tasks === null || tasks.spread.sign() === 0);
    demand(right, at, "there is a multiple of forms, and no form");
}

// ---------------------------------------------------------------- balance

/** The reduced row echelon form of an augmented matrix, by row; null where the equations contradict each other. */
function reduced(matrix, unknowns) {
    const rows = matrix.map((row) => row.slice());
    let rank = 0;
    for (let column = 0; column < unknowns; column++) {
        const found = rows.findIndex((row, i) => i >= rank && row[column].sign() !== 0);
        if (found < 0) continue;
        [rows[rank], rows[found]] = [rows[found], rows[rank]];
        const pivot = rows[rank][column];
        rows[rank] = rows[rank].map((x) => x.over(pivot));
        rows.forEach((row, i) => {
            const factor = row[column];
            if (i === rank || factor.sign() === 0) return;
            rows[i] = row.map((x, j) => x.minus(factor.times(rows[rank][j])));
        });
        rank++;
    }
    return rows.slice(rank).some((row) => row[unknowns].sign() !== 0) ? null : rows.slice(0, rank);
}

/** The value of an unknown where the equations leave one only, or null. */
function solved(rows, unknowns, unknown) {
    const row = rows.find((one) => one.slice(0, unknowns).every((x, i) => (x.sign() !== 0) === (i === unknown)));
    return row === undefined ? null : row[unknowns];
}

/** The equations that a, kappa u, R and v satisfy when a form is a H + v s - kappa u l - R. */
function balanceEquations(form, h, s, l) {
    const variables = [...new Set([...form.v, ...h.v, ...s.v, ...l.v])];
    const slopes = variables.map((i) =>
        [h.coefficient(i), l.coefficient(i).negated(), ZERO, s.coefficient(i), form.coefficient(i)]);
    return [...slopes, [h.c, l.c.negated(), ONE.negated(), s.c, form.c]];
}

/** The least and the largest mean change in a slot of a function of the statuses alone. */
function changesOf(document, w, shape) {
    const range = (choose) => sum(document.statuses.map((own, server) =>
        choose(own.map((status) => statusConstant(w, server, status)))
            .minus(statusConstant(w, server, shape[server]))));
    return [range(least), range(largest)];
}

function negated(pieces) {
    return pieces.map((piece) => ({...piece, coefficient: piece.coefficient.negated()}));
}

/**
 * The constraints of a leaf are a H + v s - kappa u l_j - R > 0 with numbers a, v, u and R that the policy's code
 * gives, which must be there; a is v where no queues starve. Where the constraints tell u, it is from 0 to u_max; and v - u is the mean change of H - H0, which is
 * known to lie in a range where that is a function of the statuses alone.
 */
function balanceLeaf(document, s) {
    const apart = {pieces: [...s.h.pieces, ...negated(s.h0.pieces)]};
    return (leaf, shape, at) => {
        demand(leaf.length === 1, at, "expected one obligation");
        const [against] = leaf;
        if (against.length === 0) return;
        const {forms} = s.collapse;
        demand(against.length === 1 || against.length === forms.length, at, "a constraint for each form, or one");
        const lost = against.length === forms.length;
        const zero = new Form(ZERO, [], []);
        const equations = against.flatMap(({form}, j) =>
            balanceEquations(form, linearIn(s.h, shape), s.starving,
                lost ? linearIn(forms[j].form, shape) : zero));
        if (!lost || s.spread.sign() === 0) equations.push([ZERO, ONE, ZERO, ZERO, ZERO]);
        demand(against.every(({strict}) => strict), at, "a constraint is not strict");
        const rows = reduced(equations, 4);
        demand(rows !== null, at, "the constraints are not " + (s.starving.v.length > 0 ?
            "a H + v s - kappa u l - R with any a, v, u and R" : "v H - kappa u l - R with any v, u and R"));
        const [v, multiple] = [s.starving.v.length > 0 ? 3 : 0, 1].map((unknown) => solved(rows, 4, unknown));
        if (s.spread.sign() === 0 || multiple === null) return;
        const u = multiple.over(s.spread);
        demand(u.sign() >= 0 && u.compare(s.loss) <= 0, at, "u is " + u + ", not from 0 to u_max");
        if (v !== null && linearIn(apart, shape).isConstant()) inRange(v, u, changesOf(document, apart, shape), at);
    };
}

function inRange(v, u, [low, high], at) {
    const change = v.minus(u);
    demand(change.compare(low) >= 0 && change.compare(high) <= 0, at,
        "v - u is " + change + ", and H - H0 changes by " + low + " to " + high);
}

// ---------------------------------------------------------------- tasks, rest, and the sentence

/** The forms of a shape that (T) says are at most 0. */
function tasksForms(document, {h, tasks, collapse}, shape) {
    const all = Form.from(tasks.constant.negated(), new Map(document.queues.map((_, i) => [i, ONE])));
    const rest = tasks.rest === null ? new Form(ZERO, [], []) : tasks.rest.tasks;
    const left = all.minus(linearIn(h, shape).scaled(tasks.factor)).minus(rest);
    if (collapse.forms.length === 0) return [left];
    return collapse.forms.map(({form}) => left.minus(linearIn(form, shape).scaled(tasks.spread)));
}

function upperQuestions(document, s) {
    const questions = atBothEnds(document, "balance", balanceLeaf(document, s));
    if (s.tasks === null) return questions;
    questions.push(everyShape("tasks", (leaf, shape, at) => exactObligation(leaf, tasksForms(document, s, shape), at,
        "sum Q - H - C - r - lambda l")));
    if (s.tasks.rest === null) return questions;
    return questions.concat(atBothEnds(document, "rest", (leaf, _, at) => {
        oneObligation(leaf, 1, at, 1);
        demand(leaf[0][0].strict, at, "the constraint is not strict");
    }));
}

function balanceChecked({starving}) {
    const left = starving.v.length > 0 ? "a H + v s" : "v H";
    return "The obligations of every balance are " + left + " - kappa u l above some number; where they tell u, it " +
        "is from 0 to u_max, and v - u is a change of H - H0 that can be.";
}

function balanceNotChecked({starving}) {
    const some = starving.v.length > 0;
    return "That " + (some ? "a, " : "") + "v, u and the numbers beside them in a balance are those of the slot: " +
        (some ? "a = v + E ds, " : "") + "v = sigma + E dH, u = sigma + E dH0 and c + K u + K' sigma - E (dH)^2/2" +
        (some ? " - E dH ds" : "") + " - E dk.";
}

function* checkHeavyUpper(document, counts) {
    const s = readUpper(document);
    yield* collapseQuestions(document, counts, s.collapse, upperQuestions(document, s));
    document.checked.push(balanceChecked(s));
    if (s.tasks !== null) document.checked.push("The obligations of the tasks are as the statement has its numbers.");
    if (s.tasks !== null && s.tasks.rest !== null) document.checked.push("G is bounded below, and r is not negative.");
    upperSentence(document, s);
    document.notChecked.push(balanceNotChecked(s));
    if (s.tasks !== null && s.tasks.rest !== null) {
        document.notChecked.push("That the constraint of every rest is r + E dG - B.");
    }
}

function upperSentence(document, s) {
    const {collapse, prices, constant, tasks} = s;
    const some = collapse.forms.length > 0;
    const mean = meanOfF(collapse);
    const spread = some ? " + " + s.spread + " log_q(" + s.loss.times(mean) + " / sigma)" : "";
    const words = (v) => functionWords(v, document.queues, document.model);
    const starving = s.starving.v.length === 0 ? "" : ", plus that of s = " +
        words({products: [], pieces: [{coefficient: ONE, forms: [s.starving], when: null}]}) + ",";
    sameSentence(document, everyLawWords(document) + "the mean of H = " + words(s.h) + starving +
        " is at most c/sigma" +
        added(s.withLoss.plus(s.withSlack)) + spread + (tasks === null ? "" : tasksWords(tasks, mean)) + ". Here " +
        slackWords(document, prices, constant) + "." +
        (some ? " The function " + collapseWords(document, collapse) + "." : ""));
}

function tasksWords({factor, spread, constant, rest}, mean) {
    const that = factor.equals(ONE) ? "that" : factor + " times that";
    return "; the mean number of tasks is at most " + that + added(rest === null ? constant : constant.plus(rest.bound)) +
        (spread.sign() > 0 ? " + " + spread + " log_q(" + mean + ")" : "");
}

Object.assign(parts, {
    upperOf, upperMembers: [UPPER, ALSO], balanceLeaf, balanceChecked, balanceNotChecked, checkHeavyUpper,
});
})(globalThis.SchedproofCertificateParts ??= {});
