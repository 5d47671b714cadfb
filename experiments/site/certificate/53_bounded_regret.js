/**
 * Certificates of the kind `bounded-regret`: both properties are read off the definition, so nothing rests on code but
 * that the definition is what the policy does.
 *
 * A rule is parsed into calls: {name, parts}, of which numbers are {ratio} and signs are names too.
 */
"use strict";
(function (parts) {
const {At, TOP, demand, ZERO, ONE, Rational, indexOf, members, nameOf, numberOf, sameSentence} = parts;

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
    most_local: ["set", "set"], lowest: ["set", "count", "set"], preferred: ["set", "count", "set"],
    sample: ["set", "count", "set"], draws: ["set", "few", "set"],
    best: ["set", "count", "set", "key"], mix: ["set", "probability", "set", "set"], when: ["set", "test", "set", "set"],
    among: ["set", "set", "set"], first_of: ["set", "set", "set"], "|": ["set", "set", "set"], "&": ["set", "set", "set"],
    length: ["key"], servable: ["key"], server_length: ["key"], server_workload: ["key"], distance: ["key"],
    remote_level: ["key"], level: ["key", "natural"], tasks: ["key", "natural"], minimum: ["key", "key", "key"],
    maximum: ["key", "key", "key"], as_work: ["key", "key"], "+": ["key", "key", "key"], "-": ["key", "key", "key"],
    least: ["key", "set", "key"], greatest: ["key", "set", "key"], total: ["key", "set", "key"], mean: ["key", "set", "key"],
    has_work: ["test"], of_class: ["test", "natural"], "<": ["test", "key", "key"], "<=": ["test", "key", "key"], ">": ["test", "key", "key"],
    ">=": ["test", "key", "key"], "==": ["test", "key", "key"], "&&": ["test", "test", "test"],
    "||": ["test", "test", "test"], "!": ["test", "test"],
}));
const RANGES = {
    count: (n) => n.d === 1n && n.n >= 1n && n.n < 1n << 63n,
    few: (n) => n.d === 1n && n.n >= 1n && n.n <= 16n,
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

/** The part that a set is a part of, by name of the call. */
const NARROWS = new Map([
    ["argmin", 0], ["argmax", 0], ["most_local", 0], ["lowest", 1], ["preferred", 1], ["sample", 1], ["draws", 1],
    ["best", 1],
]);

/** A regret is {rates, ratio, tasks}: work over the rate is at most ratio (alpha / gamma)^rates least + tasks / gamma^2. */
function greater(a, b) {
    return a.compare(b) > 0 ? a : b;
}

function larger(a, b) {
    if (a === null || b === null) return null;
    return {rates: Math.max(a.rates, b.rates), ratio: greater(a.ratio, b.ratio), tasks: greater(a.tasks, b.tasks)};
}

function smaller(a, b) {
    if (a === null || b === null) return a ?? b;
    const order = a.rates - b.rates || a.ratio.compare(b.ratio) || a.tasks.compare(b.tasks);
    return order <= 0 ? a : b;
}

const UNKNOWN = {regret: null, named: false};

function oneOf(a, b) {
    return {regret: larger(a.regret, b.regret), named: a.named && b.named};
}

/** Of a set of an arriving task: the regret of its members, and whether it has some. */
function reachOf(set, it = UNKNOWN) {
    const of = (k) => reachOf(set.parts[k], it);
    if (isWord(set, "servers")) return {regret: null, named: true};
    if (isWord(set, "it")) return it;
    if (set.name === "argmin" && isWord(set.parts[0], "servers")) return {regret: ofLeast(set.parts[1]), named: true};
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

/** The regret of a candidate for which the test comes out so. */
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

/** Where x <= y. */
function atMost(x, y) {
    const difference = combined(sumOf(x), sumOf(y), ONE.negated());
    if (difference === null || difference.own.sign() <= 0) return null;
    const over = (value) => value.negated().over(difference.own);
    return regretOf(difference.counted, over(difference.tasks), over(difference.least));
}

/** Of servers whose key is the least of all. */
function ofLeast(key) {
    const sum = sumOf(key);
    if (sum === null || sum.own.sign() <= 0) return null;
    const tasks = sum.tasks.over(sum.own);
    return regretOf(sum.counted, tasks.sign() < 0 ? tasks.negated() : tasks, ONE);
}

/**
 * Where the key that is counted is at most so many times the least and these tasks, over as many rates. Tasks times mu lie
 * between gamma and alpha times work, so that each missing rate costs alpha / gamma.
 */
function regretOf(counted, tasks, ratio) {
    if (counted === null) return null;
    const rates = (counted.work ? 1 : 2) - counted.over;
    if (counted.over > 1 || rates < 0) return null;
    return {rates, ratio: greater(ONE, ratio), tasks: greater(ZERO, tasks)};
}

/**
 * A key as own X + least L + tasks, X what is counted, under so many divisions by the rate; null where it is none. Its unit
 * is tasks over so many rates; only like is added.
 */
function sumOf(key, over = 0) {
    const sum = (values) => ({own: ZERO, least: ZERO, tasks: ZERO, counted: null, unit: over, ...values});
    if (isWord(key, "server_length")) return sum({own: ONE, counted: {work: false, over}});
    if (isWord(key, "server_workload")) return sum({own: ONE, counted: {work: true, over}, unit: over + 1});
    switch (key.name) {
        case "+":
        case "-":
            return combined(sumOf(key.parts[0], over), sumOf(key.parts[1], over),
                key.name === "+" ? ONE : ONE.negated());
        case "*":
            return key.parts[0].ratio === undefined ? null
                : scaled(sumOf(key.parts[1], over), key.parts[0].ratio);
        case "/":
            return sumOf(key.parts[0], over + 1);
        case "tasks":
            return sum({tasks: key.parts[0].ratio});
        case "least": {
            const of = sumOf(key.parts[1]);
            const plain = of !== null && of.counted !== null && of.own.equals(ONE) && of.least.sign() === 0 &&
                of.tasks.sign() === 0;
            return over === 0 && isWord(key.parts[0], "servers") && plain ? {...of, own: ZERO, least: ONE} : null;
        }
        default:
            return null;
    }
}

/** The first and a multiple of the second. */
function combined(a, b, by) {
    if (a === null || b === null || a.unit !== b.unit) return null;
    const alike = (x, y) => x.work === y.work && x.over === y.over;
    if (a.counted !== null && b.counted !== null && !alike(a.counted, b.counted)) return null;
    const of = (name) => a[name].plus(b[name].times(by));
    return {own: of("own"), least: of("least"), tasks: of("tasks"), counted: a.counted ?? b.counted, unit: a.unit};
}

function scaled(sum, by) {
    if (sum === null) return null;
    return {...sum, own: sum.own.times(by), least: sum.least.times(by), tasks: sum.tasks.times(by)};
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

/** kappa in letters; empty where it is 1. */
function kappaOf({ratio, rates}) {
    const power = ["", "(alpha / gamma)", "(alpha / gamma)^2"][rates];
    if (ratio.equals(ONE)) return rates === 1 ? "alpha / gamma" : power;
    return rates === 0 ? ratio.toString() : ratio + " " + power;
}

function* checkBoundedRegret(document) {
    const at = new At(TOP, "statement");
    const said = members(document.statement, at, ["tasks"], ["ratio", "rates"]);
    const tasks = numberOf(said.get("tasks"), new At(at, "tasks"));
    const ratio = said.has("ratio") ? numberOf(said.get("ratio"), new At(at, "ratio")) : ONE;
    const rates = said.has("rates") ? indexOf(said.get("rates"), new At(at, "rates"), 3) : 0;
    demand(document.proofs.length === 0, new At(TOP, "proofs"), "expected none");
    const {route, serve} = rulesOf(document);
    const rules = new At(TOP, "definition");
    demand(works(serve), rules, "an idle server is not seen to start a task of its own wherever it has one");
    demand(hasValues(route) && takesNoValue(serve), rules, "a value may be taken over a set without a member");
    const {regret, named} = reachOf(route);
    demand(regret !== null, rules, "a task is not seen to join a server near a multiple of the least");
    demand(named, rules, "a task is not seen to join any server");
    demand(tasks.equals(regret.tasks), new At(at, "tasks"), "it is " + regret.tasks);
    demand(ratio.equals(regret.ratio), new At(at, "ratio"), "it is " + regret.ratio);
    demand(rates === regret.rates, new At(at, "rates"), "they are " + regret.rates);
    const kappa = kappaOf(regret), times = kappa === "" ? "" : "kappa times ", factor = kappa === "" ? "" : "kappa ";
    document.checked.push("The definition has both properties, with " + tasks + " / gamma^2" +
        (kappa === "" ? "." : " and kappa = " + kappa + "."));
    const policy = nameOf(document.policy, new At(TOP, "policy"));
    sameSentence(document, "For every number of servers, every set of task types, all rates of levels, types or " +
        "servers, alpha the greatest and gamma the least, and all arrivals, alike and independent from slot to slot or " +
        "Poisson, with a load rho* < " + (kappa === "" ? "1" : "1 / kappa, kappa = " + kappa) + " and a finite mean " +
        "square, in slots or in continuous time, with unmatched servers idle: under " + policy + " a task joins a " +
        "server whose work, as the rules see it, over the task's rate is at most " + times + "the least of all servers " +
        "that can serve it and " + tasks + " / gamma^2 more, and an idle server starts a task of its own where it has " +
        "one; so the drift of the sum of W^2 per slot or unit of time, W the work of a server, is at most -2 (1 - " +
        factor + "rho*) sum of W + a constant, and the " +
        (kappa === "" ? "policy is throughput optimal." : "cluster is stable."));
    document.notChecked.push("The argument from the two properties to the sentence, which is prose.");
    document.binding = false;
    document.notChecked.unshift("That \"definition\" is what the policy " + document.policy + " does.");
    yield* [];
}

Object.assign(parts, {checkBoundedRegret});
})(globalThis.SchedproofCertificateParts ??= {});
