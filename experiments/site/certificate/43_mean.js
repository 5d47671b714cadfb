/** Certificates of the kind `mean`. */
"use strict";
(function (parts) {
const {
    At, TOP, demand, ONE, Rational, ZERO, largest, sum, digestText, indexOf, listOf, members, numberOf, positive,
    wordOf, Form, formOf, productOf, meanRates, boundedBelow, nowhereNegative, functionOf, formWords, aboutWords,
    functionWords, sameSentence, written, everyShape, isBusy, lowerBounds, inAnEvent, isPreemptive, obligations,
    pointsWithin, sameConstraint, unsettledNotChecked,
    shapes, statusKey, statusQuestions, withoutWords, withStatuses, readTable,
} = parts;

function readMean(document, value, at) {
    members(value, at, ["of", "v", "kappa", "offset", "scale", "weights", "radius", "lower", "upper", "statuses",
        "table"], ["factor", "uniform", "renamings", "empty"]);
    const {queues} = document.sizes;
    const weights = listOf(value.get("weights"), new At(at, "weights"), indexOf);
    demand(weights.length === queues && weights.every((w) => w > 0), new At(at, "weights"),
        "expected an integer above 0 for each queue");
    const scale = positive(value.get("scale"), new At(at, "scale"));
    demand(scale.isInteger(), new At(at, "scale"), "the scale is no integer");
    return {
        of: quantityOf(value.get("of"), new At(at, "of"), queues),
        v: functionOf(value.get("v"), new At(at, "v"), document.sizes),
        factor: value.has("factor") ? formOf(value.get("factor"), new At(at, "factor"), queues) : null,
        uniform: value.has("uniform") ? uniformOf(value.get("uniform"), new At(at, "uniform")) : null,
        kappa: positive(value.get("kappa"), new At(at, "kappa")),
        offset: numberOf(value.get("offset"), new At(at, "offset")),
        scale,
        weights,
        renamings: value.has("renamings") ?
            listOf(value.get("renamings"), new At(at, "renamings"), renamingOf(document.sizes)) : [],
        radius: indexOf(value.get("radius"), new At(at, "radius")),
        lower: numberOf(value.get("lower"), new At(at, "lower")),
        upper: numberOf(value.get("upper"), new At(at, "upper")),
        table: digestText(value.get("table"), new At(at, "table")),
    };
}

function renamingOf({servers, queues}) {
    const permutation = (value, at, size) => {
        const image = listOf(value, at, indexOf);
        demand(image.length === size && image.every((_, i) => image.includes(i)), at, "not each index once");
        return image;
    };
    return (value, at) => {
        members(value, at, ["servers", "queues"]);
        return {
            servers: permutation(value.get("servers"), new At(at, "servers"), servers),
            queues: permutation(value.get("queues"), new At(at, "queues"), queues),
        };
    };
}

/** Renamings map the box onto itself: weights and statuses stay what they are. */
function boxIsKept({statuses, empty}, {weights, renamings}, at) {
    const renamed = (status, by) => statusKey(status === "idle" ? status : {...status, queue: by.queues[status.queue]});
    for (const by of renamings) {
        demand(weights.every((w, i) => weights[by.queues[i]] === w), at, "a queue gets another weight");
        demand(empty.every((queue) => empty.includes(by.queues[queue])), at, "a queue without tasks gets some");
        for (const [m, own] of statuses.entries()) {
            const images = own.map((status) => renamed(status, by)).sort();
            const there = statuses[by.servers[m]].map(statusKey).sort();
            demand(images.join() === there.join(), at, "a server gets statuses of another");
        }
    }
}

function uniformOf(value, at) {
    members(value, at, ["eta", "bound"]);
    const bound = numberOf(value.get("bound"), new At(at, "bound"));
    return {eta: positive(value.get("eta"), new At(at, "eta")), bound};
}

function quantityOf(value, at, queues) {
    demand(value instanceof Map && value.has("kind"), at, "expected an object with \"kind\"");
    const kind = wordOf(value.get("kind"), at,
        ["tasks", "waiting", "delay", "busy", "queue", "tail", "tasks-squared", "squares"]);
    const extra = {queue: ["queue"], tail: ["above"], squares: ["weights", "unit"]}[kind] || [];
    members(value, at, ["kind", ...extra]);
    return {
        kind,
        queue: kind === "queue" ? indexOf(value.get("queue"), at, queues) : null,
        above: kind === "tail" ? indexOf(value.get("above"), at) : null,
        squares: kind === "squares" ? squaresOf(value, at, queues) : null,
    };
}

/** The coefficient of each queue's square. */
function squaresOf(value, at, queues) {
    const unit = positive(value.get("unit"), new At(at, "unit"));
    const squares = listOf(value.get("weights"), new At(at, "weights"), (weight, place) => {
        demand(indexOf(weight, place) > 0, place, "expected a weight above 0");
        return unit.times(Rational.of(weight));
    });
    demand(squares.length === queues, at, "expected a weight for each queue");
    return squares;
}

function isQuadratic(of) {
    return of.kind === "tasks-squared" || of.kind === "squares";
}

/** The forms f- and f+ of the quantity in a shape. */
function quantityForms(document, of, shape) {
    const all = Form.from(ZERO, new Map(document.queues.map((_, i) => [i, ONE])));
    const busy = Rational.of(shape.filter(isBusy).length);
    if (of.kind === "tail") return [new Form(ZERO, [], []), new Form(ONE, [], [])];
    const product = (i, j) => productOf(document.queues.length, i, j);
    const form = {
        "tasks-squared": () => all.times(all, product),
        squares: () => of.squares.reduce((total, factor, i) => total.plus(new Form(ZERO, [product(i, i)], [factor])),
            new Form(ZERO, [], [])),
        tasks: () => all,
        waiting: () => all.plusConstant(busy.negated()),
        delay: () => all.scaled(ONE.over(sum(meanRates(document.model)))),
        busy: () => new Form(busy, [], []),
        queue: () => new Form(ZERO, [of.queue], [ONE]),
    }[of.kind]();
    return [form, form];
}

/** Number of valid states in the box. */
function* statesWithin(document, {weights, radius}) {
    const within = weights.map((w, i) => (document.empty.includes(i) ? radius + 1 : w));  // so none has a task
    let count = 0;
    for (const shape of shapes(document.statuses)) {
        count += pointsWithin(within, lowerBounds(shape, document.queues), radius);
        yield;
    }
    return count;
}

function* checkMean(document, counts) {
    const at = new At(TOP, "statement");
    const s = withStatuses(document, readMean);
    demand(!(isPreemptive(document.model) && ["waiting", "busy"].includes(s.of.kind)), new At(at, "of"),
        "no state tells which tasks are in execution");
    farFunction(document, s, at);
    const counted = new Map(s.weights.map((w, i) => [i, Rational.of(w)]).filter(([i]) => !document.empty.includes(i)));
    const beyond = Form.from(Rational.of(-1 - s.radius), counted);
    yield* statusQuestions(document, counts, everyShape("far"), (leaf, shape, place) => {
        if (!obligations(document, leaf, s.uniform === null ? 2 : 1, place, s.uniform === null ? 2 : 1)) return;
        if (s.uniform !== null) return demand(leaf[0][0].strict, place, "the constraint is not strict");
        farObligations(document, s, leaf, shape, beyond, place);
    }, s.factor !== null || isQuadratic(s.of));
    if (s.uniform !== null) {
        uniformFollows(document, s, new At(at, "uniform"));
    } else {
        document.checked.push("Each of the " + counts.obligations + " obligations speaks of the states outside the " +
            "box; the bounds and the quantity stand in them as the statement says.");
    }
    boxIsKept(document, s, new At(at, "renamings"));
    const rows = yield* statesWithin(document, s);
    yield* meanTable(document, s, rows);
    meanSentence(document, s, rows);
    unsettledNotChecked(document);
    document.notChecked.push("That the forms d in the obligations are " +
        (s.uniform === null ? "kappa times " : "") + "the drift of " + farName(s) + ".");
    document.notChecked.push("That V = '" + s.v.name + "' is the function of that name, where it is a registered one.");
    document.notChecked.push("The inequalities of the table at each of the " + rows + " states of the box, which " +
        "need the policy's code.");
}

function farName(s) {
    return s.factor === null ? "V" : "W";
}

/** What continues the tables is bounded below. */
function farFunction(document, s, at) {
    if (s.factor === null) {
        demand(boundedBelow(s.v, document.queues.length), new At(at, "v"), "V is not shown to be bounded below");
        document.checked.push("V is bounded below.");
        return;
    }
    const right = s.factor.c.sign() >= 0 && s.factor.k.every((x) => x.sign() >= 0);
    demand(right, new At(at, "factor"), "the factor may be negative");
    demand(nowhereNegative(s.v, document.queues.length), new At(at, "v"), "V is not shown to be at least 0");
    document.checked.push("V and its factor are at least 0.");
}

/** Both inequalities outside the box follow from a drift of at most bound - eta * measure. */
function uniformFollows(document, {of, kappa, uniform, radius, lower, upper}, at) {
    demand(!isQuadratic(of), at, "a uniform drift is not enough for a mean of squares");
    const slope = {busy: ZERO, tail: ZERO, delay: ONE.over(sum(meanRates(document.model)))}[of.kind] || ONE;
    const most = {busy: Rational.of(document.model.servers.length), tail: ONE}[of.kind] || ZERO;
    const nearest = Rational.of(radius + 1);
    const fall = kappa.times(uniform.eta);
    const drift = kappa.times(uniform.bound);
    demand(fall.compare(slope) >= 0, at, "kappa eta is too small");
    demand(drift.plus(most).minus(fall.minus(slope).times(nearest)).compare(upper) <= 0, at,
        "the upper bound does not follow outside the box");
    demand(drift.minus(fall.times(nearest)).compare(lower.negated()) <= 0, at,
        "the lower bound does not follow outside the box");
    document.checked.push("Outside the box both inequalities follow from the uniform drift.");
}

function farObligations(document, s, leaf, shape, beyond, at) {
    const [low, high] = quantityForms(document, s.of, shape);
    for (const against of leaf) {
        sameConstraint(against[0], beyond, at, "sum of weight * Q - (radius + 1)");
        demand(against[1].strict, at, "the second constraint is not strict");
    }
    const total = leaf[0][1].form.minus(leaf[1][1].form);
    const expected = high.plus(low).plusConstant(s.upper.plus(s.lower).negated());
    demand(total.equals(expected), at, "the two obligations do not differ by f+ + f- - upper - lower");
}

function* meanTable(document, s, rows) {
    if (document.table === undefined) {
        document.notChecked.push("The table " + s.table + ".table: its bytes were not given.");
        return;
    }
    const shared = s.renamings.length > 0;
    const [column] = yield* readTable(document, s.table, rows, 2, shared);
    document.checked.push("The table has the digest that the statement gives, and two columns of " + column.length +
        " rows.");
    if (shared) document.notChecked.push("Which states of the box share a row of the table, hence their number.");
}

const QUANTITIES = {
    tasks: (document, of, when) => "the mean number of tasks in the system" + when,
    waiting: (document, of, when) => "the mean number of waiting tasks" + when,
    delay: (document, of, when) => "the mean delay, the mean number of tasks in the system" + when + " over the " +
        "arrival rate " + sum(meanRates(document.model)) + " (Little's law),",
    busy: (document, of, when) => "the mean number of servers that execute a task" + when,
    queue: (document, of, when) => "the mean number of tasks of queue " + document.queues[of.queue] +
        ", those in execution included" + (when === "" ? "" : "," + when),
    "tasks-squared": (document, of, when) => "the mean square of the number of tasks in the system" + when,
    squares: (document, of, when) => "the mean of " +
        of.squares.map((factor, i) => factor + " Q[" + document.queues[i] + "]^2").join(" + ") + when,
    tail: (document, of, when) => "the probability of more than " + of.above + " tasks in the system" + when,
};

function meanSentence(document, s, rows) {
    const {queues, model} = document;
    const weights = written(s.weights.map((w, i) => (
        {number: document.empty.includes(i) ? ZERO : Rational.of(w), what: "Q[" + queues[i] + "]"})));
    const among = withoutWords(document).replace(" and", " with");
    const far = farName(s);
    const drift = s.uniform === null ? "the drift of " + s.kappa + " " + far + inAnEvent(document) :
        "the drift of " + far + inAnEvent(document) + ", at every state at most " + s.uniform.bound + " less " +
        s.uniform.eta +
        " times that sum";
    const factor = s.factor === null ? "" : "W = (" + formWords(s.factor, queues) + ") V and ";
    const continued = s.offset.sign() < 0 ? " - " + s.offset.negated() : " + " + s.offset;
    const when = model.time === null ? " at the start of a slot" : "";
    sameSentence(document, "On " + aboutWords(document) + ", " + QUANTITIES[s.of.kind](document, s.of, when) +
        " is at least " + largest([s.lower, ZERO]).toDecimal() + " and at most " + s.upper.toDecimal() +
        ": under every stationary law" + among + ", and, started in any state" + among + ", for the lower and upper " +
        "limits of its averages over time. Shown by tables in units of 1/" + s.scale + " on the " +
        (model.time === null ? "" : "settled ones of the ") + rows + " valid states with " + weights +
        " <= " + s.radius + ", continued by " + s.kappa + " " + far + continued + " and its negative, and at all " +
        "others by " + drift + ", where " + factor + "V = '" + s.v.name + "' is " +
        functionWords(s.v, queues, model) + ".");
}

Object.assign(parts, {checkMean});
})(globalThis.SchedproofCertificateParts ??= {});
