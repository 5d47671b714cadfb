/** Functions of the state: pieces of quadratic and linear forms, and where they are bounded below. */
"use strict";
(function (parts) {
const {At, demand, Rational, ZERO, least, sum, indexOf, listOf, members, nameOf, numberOf, Form, formOf} = parts;

function functionOf(value, at, sizes) {
    members(value, at, ["name", "products", "pieces"]);
    return {
        name: nameOf(value.get("name"), new At(at, "name")),
        products: listOf(value.get("products"), new At(at, "products"), (item, place) => {
            members(item, place, ["coefficient", "first", "second"]);
            return {
                coefficient: numberOf(item.get("coefficient"), place),
                first: formOf(item.get("first"), new At(place, "first"), sizes.queues),
                second: formOf(item.get("second"), new At(place, "second"), sizes.queues),
            };
        }),
        pieces: listOf(value.get("pieces"), new At(at, "pieces"), (item, place) => pieceOf(item, place, sizes)),
    };
}

function pieceOf(value, at, sizes) {
    members(value, at, ["coefficient", "largest-of"], ["when"]);
    const forms = listOf(value.get("largest-of"), new At(at, "largest-of"),
        (item, place) => formOf(item, place, sizes.queues));
    demand(forms.length > 0, at, "the largest of nothing");
    const when = value.has("when") ? conditionOf(value.get("when"), new At(at, "when"), sizes) : null;
    return {coefficient: numberOf(value.get("coefficient"), at), forms, when};
}

function conditionOf(value, at, sizes) {
    members(value, at, ["server"], ["queue", "level", "phantom"]);
    if (value.has("phantom")) demand(value.get("phantom") === true, at, "\"phantom\" is true or absent");
    const optional = (key, below) => (value.has(key) ? indexOf(value.get(key), new At(at, key), below) : null);
    return {
        server: indexOf(value.get("server"), at, sizes.servers),
        queue: optional("queue", sizes.queues),
        level: optional("level", sizes.levels),
        phantom: value.has("phantom"),
    };
}

/** Whether a condition holds while its server has a status. */
function holds(when, status) {
    if (status === "idle" || status.phantom !== when.phantom) return false;
    return (when.queue === null || when.queue === status.queue) && (when.level === null || when.level === status.level);
}

/** A function of one linear form after the other, and constants of statuses. */
function linearFunctionOf(value, at, sizes) {
    const found = functionOf(value, at, sizes);
    demand(found.products.length === 0, at, "the function has products");
    found.pieces.forEach(({forms, when}, i) => {
        const place = new At(new At(at, "pieces"), i);
        demand(forms.length === 1, place, "a piece is the largest of several forms");
        demand(when === null || forms[0].isConstant(), place, "a piece with a condition is not constant");
    });
    return found;
}

/** A linear function in a shape, as a form. */
function linearIn(w, shape) {
    let form = new Form(ZERO, [], []);
    for (const {coefficient, forms, when} of w.pieces) {
        if (when === null || holds(when, shape[when.server])) form = form.plus(forms[0].scaled(coefficient));
    }
    return form;
}

/** What the constants of a server add to a linear function in a status of it. */
function statusConstant(w, server, status) {
    return sum(w.pieces
        .filter(({when}) => when !== null && when.server === server && holds(when, status))
        .map(({coefficient, forms}) => coefficient.times(forms[0].c)));
}

/** A quadratic function that is nowhere above V: matrix, linear part. `choice` says which form stands for a maximum. */
function below(v, queues, choice) {
    const matrix = Array.from({length: queues}, () => new Array(queues).fill(ZERO));
    const linear = new Array(queues).fill(ZERO);
    const half = Rational.of(1, 2);
    for (const {coefficient, first, second} of v.products) {
        first.v.forEach((i, a) => second.v.forEach((j, b) => {
            const part = coefficient.times(first.k[a]).times(second.k[b]).times(half);
            matrix[i][j] = matrix[i][j].plus(part);
            matrix[j][i] = matrix[j][i].plus(part);
        }));
        for (let i = 0; i < queues; i++) {
            const cross = first.c.times(second.coefficient(i)).plus(second.c.times(first.coefficient(i)));
            linear[i] = linear[i].plus(coefficient.times(cross));
        }
    }
    v.pieces.forEach((piece, p) => {
        for (let i = 0; i < queues; i++) linear[i] = linear[i].plus(leastSlope(piece, choice[p], i));
    });
    return {matrix, linear};
}

/** What a piece adds at least for a task more in a queue. */
function leastSlope({coefficient, forms, when}, chosen, queue) {
    const slopes = forms.map((form) => coefficient.times(form.coefficient(queue)));
    const slope = coefficient.sign() > 0 ? slopes[chosen] : least(slopes);
    return when !== null && slope.sign() > 0 ? ZERO : slope;
}

const MOST_CHOICES = 4096;

/** Every way to choose a form for each maximum with a positive coefficient, as long as they are few. */
function* choices(pieces) {
    const sizes = pieces.map(({coefficient, forms}) => (coefficient.sign() > 0 ? forms.length : 1));
    const at = sizes.map(() => 0);
    for (let count = 0; count < MOST_CHOICES; count++) {
        yield at;
        let i = at.length - 1;
        while (i >= 0 && ++at[i] === sizes[i]) at[i--] = 0;
        if (i < 0) return;
    }
}

/** The sufficient test that V is bounded below. */
function boundedBelow(v, queues) {
    for (const choice of choices(v.pieces)) if (boundedWith(v, queues, choice)) return true;
    return false;
}

function boundedWith(v, queues, choice) {
    const {matrix, linear} = below(v, queues, choice);
    for (let i = 0; i < queues; i++) {
        for (let j = 0; j < queues; j++) if (i !== j && matrix[i][j].sign() > 0) matrix[i][j] = ZERO;
    }
    return blocks(matrix).every((block) => {
        const kind = definiteness(block.map((i) => block.map((j) => matrix[i][j])));
        return kind === 1 || (kind === 0 && block.every((i) => linear[i].sign() >= 0));
    });
}

/** The sufficient test that V is at least 0 everywhere: no constants, no square and no slope below 0. */
function nowhereNegative(v, queues) {
    const forms = v.products.flatMap(({first, second}) => [first, second]).concat(v.pieces.flatMap((p) => p.forms));
    if (forms.some((form) => form.c.sign() !== 0)) return false;
    const {matrix} = below({products: v.products, pieces: []}, queues, []);
    const lowered = matrix.map((row, i) => row.map((x, j) => (i !== j && x.sign() > 0 ? ZERO : x)));
    const squares = [matrix, lowered].some((a) => blocks(a).every(
        (block) => definiteness(block.map((i) => block.map((j) => a[i][j]))) >= 0));
    return squares && slopes(v.pieces, queues).every((x) => x.sign() >= 0);
}

/** What the pieces add at least for a task more, per queue; those of a condition together, if that is below 0. */
function slopes(pieces, queues) {
    const groups = new Map();
    for (const piece of pieces) {
        const key = JSON.stringify(piece.when);
        groups.set(key, (groups.get(key) || []).concat({...piece, when: null}));
    }
    const total = new Array(queues).fill(ZERO);
    for (const [key, group] of groups) {
        bestSlopes(group, queues).forEach((x, i) => {
            if (key === "null" || x.sign() < 0) total[i] = total[i].plus(x);
        });
    }
    return total;
}

/** The choice of forms for the maxima whose slopes are least below 0. */
function bestSlopes(pieces, queues) {
    let best = null;
    let least = null;
    for (const choice of choices(pieces)) {
        const found = Array.from({length: queues}, (_, i) => sum(pieces.map((p, k) => leastSlope(p, choice[k], i))));
        const short = sum(found.filter((x) => x.sign() < 0));
        if (best === null || short.compare(least) > 0) [best, least] = [found, short];
        if (short.sign() === 0) break;
    }
    return best;
}

function blocks(matrix) {
    const seen = new Set();
    const found = [];
    matrix.forEach((_, start) => {
        if (seen.has(start)) return;
        const block = [start];
        seen.add(start);
        for (const i of block) {
            matrix[i].forEach((x, j) => {
                if (x.sign() === 0 || seen.has(j)) return;
                seen.add(j);
                block.push(j);
            });
        }
        found.push(block);
    });
    return found;
}

/** 1: positive definite, 0: positive semidefinite, -1: neither. */
function definiteness(matrix) {
    const a = matrix.map((row) => row.slice());
    let kind = 1;
    for (let p = 0; p < a.length; p++) {
        if (a[p][p].sign() < 0) return -1;
        if (a[p][p].sign() === 0) {
            for (let j = p + 1; j < a.length; j++) if (a[p][j].sign() !== 0) return -1;
            kind = 0;
            continue;
        }
        for (let i = p + 1; i < a.length; i++) {
            const factor = a[i][p].over(a[p][p]);
            for (let j = p + 1; j < a.length; j++) a[i][j] = a[i][j].minus(factor.times(a[p][j]));
        }
    }
    return kind;
}

Object.assign(parts, {functionOf, linearFunctionOf, linearIn, statusConstant, boundedBelow, nowhereNegative});
})(globalThis.SchedproofCertificateParts ??= {});
