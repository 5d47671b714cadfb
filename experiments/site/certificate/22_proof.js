/** Proofs: trees whose inner nodes split a space, and whose leaves are judged by the kind of certificate. */
"use strict";
(function (parts) {
const {
    At, demand, ONE, Rational, gcd, magnitude, flagOf, indexOf, listOf, members, numberOf, textOf, Form, constraintOf,
    formOf, multipliersOf, refute,
} = parts;

const MOST_PATH = 2000;

function spaceOf(value, at) {
    members(value, at, ["symbols", "premises"]);
    const symbols = listOf(value.get("symbols"), new At(at, "symbols"), symbolOf);
    const premises = listOf(value.get("premises"), new At(at, "premises"),
        (item, place) => constraintOf(item, place, symbols.length));
    const plain = symbols.filter((symbol) => symbol.product === null).length;
    if (plain < symbols.length) soundProducts(symbols, plain, new At(at, "symbols"));
    return {symbols, premises, plain};
}

function symbolOf(value, at) {
    members(value, at, ["name", "integer"], ["lower", "product"]);
    const lower = value.has("lower") ? numberOf(value.get("lower"), at) : null;
    const product = value.has("product") ? listOf(value.get("product"), new At(at, "product"), indexOf) : null;
    return {name: textOf(value.get("name"), at), integer: flagOf(value.get("integer"), at), lower, product};
}

/** The position of the product of two of the first symbols. */
function productOf(plain, i, j) {
    const [first, second] = i <= j ? [i, j] : [j, i];
    return plain + first * plain - first * (first - 1) / 2 + second - first;
}

/** After the others stand the products of every two of them. */
function soundProducts(symbols, plain, at) {
    demand(symbols.length === plain + plain * (plain + 1) / 2, at, "not a symbol for every product");
    for (let i = 0; i < plain; i++) {
        for (let j = i; j < plain; j++) {
            const found = symbols[productOf(plain, i, j)];
            const right = found.product !== null && found.product.length === 2 && found.product[0] === i &&
                found.product[1] === j && found.lower === null;
            const [a, b] = [symbols[i], symbols[j]];
            const name = i === j ? a.name + "^2" : a.name + " " + b.name;
            demand(right && found.name === name, at, "expected the product " + name);
            demand(found.integer === (a.integer && b.integer), at, "a product of integers is an integer");
        }
    }
}

const MOST_MULTIPLIED = 500;

/** The constraints and, in a space with products, those of every two that mention none. */
function withProducts({symbols, plain}, constraints, at) {
    if (plain === symbols.length) return constraints;
    demand(constraints.length <= MOST_MULTIPLIED, at, "more than " + MOST_MULTIPLIED + " constraints are multiplied");
    const factors = constraints.filter(({form}) => form.isConstant() || form.v[form.v.length - 1] < plain);
    const all = constraints.slice();
    factors.forEach((second, j) => factors.slice(0, j + 1).forEach((first) => {
        const form = first.form.times(second.form, (x, y) => productOf(plain, x, y));
        all.push({form, strict: first.strict && second.strict});
    }));
    return all;
}

/** The constraints with which every path begins. */
function beginning(space) {
    const found = [];
    space.symbols.forEach((symbol, i) => {
        if (symbol.lower === null) return;
        found.push({form: new Form(symbol.lower.negated(), [i], [ONE]), strict: false});
    });
    return found.concat(space.premises);
}

function nodeOf(value, at, symbols) {
    members(value, at, ["form", "bound", "strict", "integer", "yes", "no"]);
    const node = {
        form: formOf(value.get("form"), at, symbols.length),
        bound: numberOf(value.get("bound"), at),
        strict: flagOf(value.get("strict"), at),
        integer: flagOf(value.get("integer"), at),
        yes: value.get("yes"),
        no: value.get("no"),
    };
    wellFormed(node, at, symbols);
    return node;
}

function wellFormed({form, bound, strict, integer}, at, symbols) {
    demand(form.c.sign() === 0, at, "the form of a node has a constant");
    demand(!form.isConstant(), at, "the form of a node has no variable");
    demand(form.k.every((x) => x.isInteger()), at, "the form of a node has a fraction");
    demand(form.k.reduce((a, x) => gcd(a, magnitude(x.n)), 0n) === 1n, at, "the form of a node has a common divisor");
    demand(form.k[0].sign() > 0, at, "the first coefficient of a node is negative");
    const integers = form.v.every((x) => symbols[x].integer);
    demand(integers === integer, at, "\"integer\" does not say whether all variables of the node are integers");
    demand(!integer || (!strict && bound.isInteger()), at, "a node of integers is strict or has a bound between them");
}

function belowYes({form, bound, strict}) {
    return {form: form.plusConstant(bound.negated()), strict};
}

function belowNo({form, bound, strict, integer}) {
    const against = form.scaled(Rational.of(-1));
    if (integer) return {form: against.plusConstant(bound.minus(ONE)), strict: false};
    return {form: against.plusConstant(bound), strict: !strict};
}

/** Walks one proof, multiplies every refutation out and gives every leaf to `atLeaf`. */
function* walk(proof, at, space, counts, atLeaf) {
    const nodes = proof.get("nodes");
    demand(Array.isArray(nodes), new At(at, "nodes"), "expected a list");
    const path = beginning(space);
    const start = path.length;
    const open = [{side: proof.get("root"), at: new At(at, "root"), length: start, constraint: null}];
    let used = 0;
    while (open.length > 0) {
        const {side, at: here, length, constraint} = open.pop();
        path.length = length;
        if (constraint !== null) path.push(constraint);
        if (side !== "node") {
            yield* endOfPath(side, here, space, path, counts, atLeaf);
            continue;
        }
        demand(used < nodes.length, here, "there is no node left for this side");
        demand(path.length - start < MOST_PATH, here, "a path of more than " + MOST_PATH + " nodes");
        const place = new At(new At(at, "nodes"), used);
        const node = nodeOf(nodes[used++], place, space.symbols);
        open.push({side: node.no, at: new At(place, "no"), length: path.length, constraint: belowNo(node)});
        open.push({side: node.yes, at: new At(place, "yes"), length: path.length, constraint: belowYes(node)});
    }
    demand(used === nodes.length, new At(at, "nodes"), "node " + used + " is used by no side");
    counts.nodes += used;
}

function* endOfPath(side, at, space, path, counts, atLeaf) {
    demand(side instanceof Map && side.size === 1, at, "expected \"node\", a leaf or a closed side");
    if (side.has("closed")) {
        const multipliers = multipliersOf(side.get("closed"), new At(at, "closed"));
        refute(multipliers, path, new At(at, "closed"));
        counts.closed++;
        counts.multipliers += multipliers.length;
        yield;
        return;
    }
    members(side, at, ["leaf"]);
    const place = new At(at, "leaf");
    const obligations = side.get("leaf");
    demand(Array.isArray(obligations), place, "expected a list");
    const leaf = [];
    for (let i = 0; i < obligations.length; i++) {
        leaf.push(obligation(obligations[i], new At(place, i), space, path, counts));
        yield;
    }
    counts.leaves++;
    atLeaf(leaf, place, path);
}

/** Checks one obligation and returns the constraints that it refutes. */
function obligation(value, at, space, path, counts) {
    members(value, at, ["against", "multipliers"]);
    const against = listOf(value.get("against"), new At(at, "against"),
        (item, place) => constraintOf(item, place, space.symbols.length));
    const multipliers = multipliersOf(value.get("multipliers"), new At(at, "multipliers"));
    const length = path.length;
    path.push(...against);
    refute(multipliers, withProducts(space, path, at), new At(at, "multipliers"));
    path.length = length;
    counts.obligations++;
    counts.multipliers += multipliers.length;
    return against;
}

/** Reads one proof; `judge(question, space, at)` looks at its head and returns what to do with each leaf. */
function* proofOf(value, at, counts, judge) {
    members(value, at, ["question", "space", "root", "nodes"]);
    const question = textOf(value.get("question"), new At(at, "question"));
    const space = spaceOf(value.get("space"), new At(at, "space"));
    const atLeaf = judge(question, space, at);
    yield* walk(value, at, space, counts, atLeaf);
    counts.proofs++;
}

function nothingMore() {}

function emptyLeaf(leaf, at) {
    for (const against of leaf) demand(against.length === 0, at, "an obligation here must be empty");
}

Object.assign(parts, {spaceOf, productOf, beginning, proofOf, nothingMore, emptyLeaf});
})(globalThis.SchedproofCertificateParts ??= {});
