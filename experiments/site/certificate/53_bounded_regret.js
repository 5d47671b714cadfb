/**
 * Certificates of the kind `bounded-regret`: both properties are read off the definition, so nothing rests on code but
 * that the definition is what the policy does.
 *
 * A rule is parsed into calls: {name, parts}, of which numbers are {ratio} and signs are names too.
 */
"use strict";
(function (parts) {
const {At, TOP, demand, ZERO, ONE, Rational, members, nameOf, numberOf, sameSentence} = parts;

const SIGNS = [["||"], ["&&"], ["|"], ["&"], ["=="], ["<=", ">=", "<", ">"], ["+", "-"], ["*", "/"]];
const TOKEN = /\s*([A-Za-z_][A-Za-z_0-9]*|[0-9]+|"[^"]*"|\|\||&&|<=|>=|==|[|&<>+\-*/!(),])/y;

function tokensOf(text, at) {
    const list = [];
    TOKEN.lastIndex = 0;
    while (TOKEN.lastIndex < text.trimEnd().length) {
        const found = TOKEN.exec(text);
        demand(found !== null, at, "it holds what is no word of the language");
        list.push(found[1]);
    }
    return list;
}

class Parser {
    constructor(tokens, at) {
        this.tokens = tokens;
        this.at = at;
        this.next = 0;
    }

    takes(token) {
        if (this.tokens[this.next] !== token) return false;
        ++this.next;
        return true;
    }

    expect(token) {
        demand(this.takes(token), this.at, "expected " + token);
    }

    /** Signs bind as in C++, the loosest first. */
    expression(depth = 0) {
        if (depth === SIGNS.length) return this.prefixed();
        let left = this.expression(depth + 1);
        for (;;) {
            const name = SIGNS[depth].find((sign) => this.tokens[this.next] === sign);
            if (name === undefined) return left;
            ++this.next;
            left = {name, parts: [left, this.expression(depth + 1)]};
        }
    }

    prefixed() {
        if (this.takes("!")) return {name: "!", parts: [this.prefixed()]};
        if (this.takes("-")) {
            const {ratio} = this.prefixed();
            demand(ratio !== undefined, this.at, "expected a number after -");
            return {ratio: ratio.negated()};
        }
        if (this.takes("(")) {
            const inner = this.expression();
            this.expect(")");
            return inner;
        }
        const token = this.tokens[this.next++];
        demand(token !== undefined && /^[A-Za-z_0-9"]/.test(token), this.at, "expected a word");
        if (/^[0-9]/.test(token)) return {ratio: Rational.of(token)};
        const call = {name: token, parts: []};
        if (!this.takes("(")) return call;
        do call.parts.push(this.expression());
        while (this.takes(","));
        this.expect(")");
        if (token !== "Ratio") return call;
        const [p, q] = call.parts.map((part) => part.ratio);
        demand(call.parts.length === 2 && p !== undefined && q !== undefined && q.sign() > 0, this.at,
            "expected two numbers, the second above 0");
        return {ratio: p.over(q)};
    }
}

/**
 * What a name makes, and of which parts: sets, keys, tests; counts from 1, naturals from 0, a probability, a number. Words
 * of other queues, and the rates of levels, which types and servers may have otherwise, are none.
 */
const FORMS = new Map(Object.entries({
    local: ["set"], servers: ["set"], own: ["set"], own_levels: ["set"], it: ["set"],
    where: ["set", "set", "test"], nonempty: ["set", "set"], argmin: ["set", "set", "key"], argmax: ["set", "set", "key"],
    most_local: ["set", "set"], lowest: ["set", "count", "set"], sample: ["set", "count", "set"],
    best: ["set", "count", "set", "key"], mix: ["set", "probability", "set", "set"], when: ["set", "test", "set", "set"],
    among: ["set", "set", "set"], first_of: ["set", "set", "set"], "|": ["set", "set", "set"], "&": ["set", "set", "set"],
    length: ["key"], servable: ["key"], server_length: ["key"], server_workload: ["key"], distance: ["key"],
    remote_level: ["key"], level: ["key", "natural"], tasks: ["key", "natural"], minimum: ["key", "key", "key"],
    maximum: ["key", "key", "key"], "+": ["key", "key", "key"], "-": ["key", "key", "key"],
    least: ["key", "set", "key"], greatest: ["key", "set", "key"], total: ["key", "set", "key"], mean: ["key", "set", "key"],
    has_work: ["test"], "<": ["test", "key", "key"], "<=": ["test", "key", "key"], ">": ["test", "key", "key"],
    ">=": ["test", "key", "key"], "==": ["test", "key", "key"], "&&": ["test", "test", "test"],
    "||": ["test", "test", "test"], "!": ["test", "test"],
}));
const RANGES = {
    count: (n) => n.d === 1n && n.n >= 1n && n.n < 1n << 63n,
    natural: (n) => n.d === 1n && n.n >= 0n && n.n < 1n << 63n,
    probability: (n) => n.sign() > 0 && n.compare(ONE) < 0,
};

/** Refuses what is no expression of this sort in a rule with these words; `within`: whether `among` is around it. */
function requireSort(of, sort, words, at, within = false) {
    if (sort in RANGES) return demand(of.ratio !== undefined && RANGES[sort](of.ratio), at, "expected a " + sort);
    demand(of.name !== undefined, at, "expected no number");
    const isRate = (part) => isWord(part, "rate");
    if (sort === "key" && of.name === "/") {
        demand(isRate(of.parts[1]), at, "expected rate after /");
        return requireSort(of.parts[0], "key", words, at, within);
    }
    if (sort === "key" && of.name === "*") {
        demand(isRate(of.parts[0]) || of.parts[0].ratio !== undefined, at, "expected rate or a number before *");
        return requireSort(of.parts[1], "key", words, at, within);
    }
    const form = FORMS.get(of.name);
    demand(form !== undefined && form[0] === sort, at, of.name + " is no " + sort + " of this language");
    demand(form.length === of.parts.length + 1, at, of.name + " has other parts");
    demand(form.length > 1 || sort !== "set" || (of.name === "it" ? within : words.includes(of.name)), at,
        of.name + " does not belong in this rule");
    return of.parts.forEach((part, k) =>
        requireSort(part, form[k + 1], words, at, within || (of.name === "among" && k === 1)));
}

/** The two rules of the definition. */
function rulesOf(document) {
    const at = new At(TOP, "definition");
    const head = "keep(Arrangement::per_server_and_level), ";
    demand(document.definition.startsWith(head), at, "the queues are not per server and level");
    const parser = new Parser(tokensOf(document.definition.slice(head.length), at), at);
    const rule = (name, words) => {
        const call = parser.expression();
        demand(call.name === name && call.parts.length === 1, at, "expected " + name + "(...)");
        requireSort(call.parts[0], "set", words, at);
        return call.parts[0];
    };
    const route = rule("route", ["local", "servers"]);
    parser.expect(",");
    const serve = rule("serve", ["own", "own_levels"]);
    demand(parser.next === parser.tokens.length, at, "something follows the rules");
    return {route, serve};
}

function isWord(of, name) {
    return of.name === name && of.parts.length === 0;
}

/** server_workload / rate */
function isWeightedWork(key) {
    return key.name === "/" && isWord(key.parts[0], "server_workload") && isWord(key.parts[1], "rate");
}

/** The part that a set is a part of, by name of the call. */
const NARROWS = new Map([["argmin", 0], ["argmax", 0], ["most_local", 0], ["lowest", 1], ["sample", 1], ["best", 1]]);

function larger(a, b) {
    if (a === null || b === null) return null;
    return a.compare(b) > 0 ? a : b;
}

function smaller(a, b) {
    if (a === null || b === null) return a ?? b;
    return a.compare(b) < 0 ? a : b;
}

const UNKNOWN = {regret: null, named: false};

function oneOf(a, b) {
    return {regret: larger(a.regret, b.regret), named: a.named && b.named};
}

/** Of a set of an arriving task: by how many tasks over mu^2 its members exceed the least, and whether it has some. */
function reachOf(set, it = UNKNOWN) {
    const of = (k) => reachOf(set.parts[k], it);
    if (isWord(set, "servers")) return {regret: null, named: true};
    if (isWord(set, "it")) return it;
    if (set.name === "argmin" && isWord(set.parts[0], "servers") && isWeightedWork(set.parts[1]))
        return {regret: ZERO, named: true};
    if (NARROWS.has(set.name)) return of(NARROWS.get(set.name));
    switch (set.name) {
        case "where":
            return {regret: smaller(of(0).regret, passed(set.parts[1], true)), named: false};
        case "nonempty":
            return {regret: of(0).regret, named: false};
        case "first_of":
        case "|": {
            const all = set.parts.map((_part, k) => of(k));
            return {regret: all.map((one) => one.regret).reduce(larger), named: all.some((one) => one.named)};
        }
        case "&":
            return {regret: smaller(of(0).regret, of(1).regret), named: false};
        case "when":
        case "mix":
            return oneOf(of(1), of(2));
        case "among":
            return reachOf(set.parts[1], of(0));
        default:
            return UNKNOWN;
    }
}

/** By how much a candidate exceeds the least for which the test comes out so. */
function passed(test, holds) {
    const of = (k, how) => passed(test.parts[k], how);
    const [a, b] = test.parts;
    switch (test.name) {
        case "<":
        case "<=":
            return holds ? atMost(a, b) : atMost(b, a);
        case ">":
        case ">=":
            return holds ? atMost(b, a) : atMost(a, b);
        case "==":
            return holds ? smaller(atMost(a, b), atMost(b, a)) : null;
        case "&&":
            return holds ? smaller(of(0, true), of(1, true)) : larger(of(0, false), of(1, false));
        case "||":
            return holds ? larger(of(0, true), of(1, true)) : smaller(of(0, false), of(1, false));
        case "!":
            return of(0, !holds);
        default:
            return null;
    }
}

/** x <= y, of which x - y is own w + least L + tasks / mu^2. */
function atMost(x, y) {
    const [a, b] = [sumOf(x, 2), sumOf(y, 2)];
    if (a === null || b === null) return null;
    const [own, least, tasks] = a.map((value, k) => value.minus(b[k]));
    if (own.sign() <= 0 || own.plus(least).sign() < 0) return null;
    const bound = tasks.negated().over(own);
    return bound.sign() > 0 ? bound : ZERO;
}

/** A key as [own, least, tasks], tasks over `rates` rates: of weighted work 2, of work 1, of tasks 0. */
function sumOf(key, rates) {
    if (key.name === "+" || key.name === "-") {
        const [a, b] = key.parts.map((part) => sumOf(part, rates));
        if (a === null || b === null) return null;
        return a.map((value, k) => key.name === "+" ? value.plus(b[k]) : value.minus(b[k]));
    }
    if (key.name === "*" && key.parts[0].ratio !== undefined) {
        const of = sumOf(key.parts[1], rates);
        return of === null ? null : of.map((value) => value.times(key.parts[0].ratio));
    }
    if (rates > 0 && key.name === "/" && isWord(key.parts[1], "rate")) return sumOf(key.parts[0], rates - 1);
    if (rates === 2 && key.name === "least" && isWord(key.parts[0], "servers") && isWeightedWork(key.parts[1]))
        return [ZERO, ONE, ZERO];
    if (rates === 1 && isWord(key, "server_workload")) return [ONE, ZERO, ZERO];
    if (rates === 0 && key.name === "tasks") return [ZERO, ZERO, key.parts[0].ratio];
    return null;
}

const OF_MEMBERS = ["least", "greatest", "mean"];

/** Whether no value is taken over a set that may be empty, of which there is none. */
function hasValues(of, it = UNKNOWN) {
    if (of.parts === undefined) return true;
    if (OF_MEMBERS.includes(of.name) && !reachOf(of.parts[0], it).named) return false;
    return of.parts.every((part, k) => hasValues(part, of.name === "among" && k === 1 ? reachOf(of.parts[0], it) : it));
}

/** A server may have no queue at all. */
function takesNoValue(of) {
    return of.parts === undefined || (!OF_MEMBERS.includes(of.name) && of.parts.every(takesNoValue));
}

/** Whether a set of an idle server holds queues of its own alone. */
function isOwn(set) {
    if (isWord(set, "own") || isWord(set, "own_levels")) return true;
    if (NARROWS.has(set.name)) return isOwn(set.parts[NARROWS.get(set.name)]);
    if (set.name === "where" || set.name === "nonempty") return isOwn(set.parts[0]);
    if (set.name === "first_of" || set.name === "|") return set.parts.every(isOwn);
    return (set.name === "mix" || set.name === "when") && isOwn(set.parts[1]) && isOwn(set.parts[2]);
}

/** Whether such a set holds queues with work, and those alone, wherever the server has some. */
function works(set) {
    if (set.name === "nonempty") return isWord(set.parts[0], "own_levels");
    if (set.name === "where") return isWord(set.parts[0], "own_levels") && isWord(set.parts[1], "has_work");
    if (NARROWS.has(set.name)) return works(set.parts[NARROWS.get(set.name)]);
    if (set.name === "first_of") return works(set.parts[0]) && set.parts.every(isOwn);
    if (set.name === "|") return set.parts.every(works);
    return (set.name === "mix" || set.name === "when") && works(set.parts[1]) && works(set.parts[2]);
}

function* checkBoundedRegret(document) {
    const at = new At(TOP, "statement");
    const tasks = numberOf(members(document.statement, at, ["tasks"]).get("tasks"), new At(at, "tasks"));
    demand(document.proofs.length === 0, new At(TOP, "proofs"), "expected none");
    const {route, serve} = rulesOf(document);
    const rules = new At(TOP, "definition");
    demand(works(serve), rules, "an idle server is not seen to start a task of its own wherever it has one");
    demand(hasValues(route) && takesNoValue(serve), rules, "a value may be taken over a set without a member");
    const {regret, named} = reachOf(route);
    demand(regret !== null, rules, "a task is not seen to join a server near the least");
    demand(named, rules, "a task is not seen to join any server");
    demand(tasks.equals(regret), new At(at, "tasks"), "it is " + regret);
    document.checked.push("The definition has both properties, with " + tasks + " / mu^2.");
    const policy = nameOf(document.policy, new At(TOP, "policy"));
    sameSentence(document, "For every number of servers, every set of task types, all rates of levels, types or " +
        "servers, and all arrivals, alike and independent from slot to slot or Poisson, with a load rho* < 1 and a " +
        "finite mean square, in slots or in continuous time, with unmatched servers idle: under " + policy + " a task " +
        "joins a server whose work, as the rules see it, over the task's rate mu exceeds the least of all servers that " +
        "can serve it by at most " + tasks + " / mu^2, and an idle server starts a task of its own where it has one; " +
        "so the drift of the sum of W^2 per slot or unit of time, W the work of a server, is at most -2 (1 - rho*) sum " +
        "of W + a constant, and the policy is throughput optimal.");
    document.notChecked.push("The argument from the two properties to the sentence, which is prose.");
    document.binding = false;
    document.notChecked.unshift("That \"definition\" is what the policy " + document.policy + " does.");
    yield* [];
}

Object.assign(parts, {checkBoundedRegret});
})(globalThis.SchedproofCertificateParts ??= {});
