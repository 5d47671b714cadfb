/** Identities of polynomials: lemmas of the form conclusion = sum of products of hypotheses. */
"use strict";
(function (parts) {
const {At, demand, ONE, Rational, ZERO, indexOf, listOf, numberOf} = parts;

/** A polynomial: from exponents of the symbols, joined by commas, to coefficients. */
class Polynomial {
    constructor(terms) {
        this.terms = terms;
    }

    static constant(number, symbols) {
        return new Polynomial(number.sign() === 0 ? new Map() : new Map([[symbols.map(() => 0).join(), number]]));
    }

    static symbol(i, symbols) {
        return new Polynomial(new Map([[symbols.map((_, j) => (i === j ? 1 : 0)).join(), ONE]]));
    }

    plus(other, factor = ONE) {
        const terms = new Map(this.terms);
        for (const [key, number] of other.terms) {
            const total = (terms.get(key) || ZERO).plus(number.times(factor));
            if (total.sign() === 0) terms.delete(key);
            else terms.set(key, total);
        }
        return new Polynomial(terms);
    }

    times(other) {
        let found = new Polynomial(new Map());
        for (const [a, x] of this.terms) {
            const shifted = new Map();
            const left = a.split(",").map(Number);
            for (const [b, y] of other.terms) {
                shifted.set(b.split(",").map((e, i) => Number(e) + left[i]).join(), x.times(y));
            }
            found = found.plus(new Polynomial(shifted));
        }
        return found;
    }

    /** One over a single term. */
    inverse() {
        const [[key, number]] = this.terms;
        const exponents = key.split(",").map((e) => 0 - Number(e));
        return new Polynomial(new Map([[exponents.join(), ONE.over(number)]]));
    }

    equals(other) {
        return this.plus(other, Rational.of(-1)).terms.size === 0;
    }
}

/** Reads an expression such as `2 (1-mu) B - w^2/r` in given symbols. */
function polynomial(text, symbols) {
    const tokens = text.match(/[A-Za-z]+[0-9]*'?|[0-9]+|[-+*/^()]/g);
    let next = 0;
    const isFactor = () => next < tokens.length && /^[A-Za-z0-9(]/.test(tokens[next]);

    function atom() {
        const token = tokens[next++];
        if (token === "(") {
            const inside = total();
            next++;
            return inside;
        }
        if (/^[0-9]/.test(token)) return Polynomial.constant(Rational.of(token), symbols);
        return Polynomial.symbol(symbols.indexOf(token), symbols);
    }

    function power() {
        const base = atom();
        if (tokens[next] !== "^") return base;
        next++;
        let found = Polynomial.constant(ONE, symbols);
        for (let n = Number(tokens[next++]); n > 0; n--) found = found.times(base);
        return found;
    }

    function product() {
        let found = power();
        for (;;) {
            if (tokens[next] === "/") {
                next++;
                found = found.times(power().inverse());
            } else if (isFactor()) found = found.times(power());
            else return found;
        }
    }

    function total() {
        const negative = tokens[next] === "-";
        if (negative) next++;
        let found = product();
        if (negative) found = new Polynomial(new Map()).plus(found, Rational.of(-1));
        while (tokens[next] === "+" || tokens[next] === "-") {
            const sign = tokens[next++] === "+" ? ONE : Rational.of(-1);
            found = found.plus(product(), sign);
        }
        return found;
    }

    return total();
}

function lemma(name, symbols, hypotheses, conclusion) {
    return {name, symbols: symbols.split(", "), hypotheses: hypotheses.split("; "), conclusion};
}

const WEAK_DUALITY = lemma("weak duality", "y, mu, v, w", "y; w - mu v", "y w - y mu v");

const MAXWEIGHT_LEMMAS = [
    lemma("busy server", "mu, w, x, R', B", "mu; B; 1 - mu; w - x; w - x + B - R'",
        "(-2 mu w + 2 (1-mu) B) - (-2 mu x + 2 (1-mu) R' - 2 (w-x))"),
    lemma("starting server", "mu, w, x, R', B, b", "mu; B; b; 1 - mu; x + b - w; w - x + B - R'",
        "(-2 mu w + 2 (1-mu) B + 2 b) - (-2 mu x + 2 (1-mu) R')"),
    lemma("greatest value", "r, alpha, Q, a, d, S, w", "r; a; d; w - r Q; S - a; alpha - r",
        "w + alpha S - r (Q + a - d)"),
    lemma("regret", "mu, alpha, Q, a, d, S, w, w'", "mu; a; d; w + alpha S - w'",
        "(w - mu Q + alpha S + mu d) - (w' - mu (Q + a - d))"),
    lemma("unmatched server", "r, alpha, Q, N, w, b", "r; N; b; r Q + b - w; N - Q; alpha - r", "alpha N + b - w"),
    lemma("squares", "a, b, d, e", "a; b; d; e", "(a+b)^2 + (d+e)^2 - (a-d)^2 - (b-e)^2"),
    WEAK_DUALITY,
];

const WORKLOAD_LEMMAS = [
    lemma("workload", "r, gamma, W, a, a2", "a; 1/r; 1/gamma; r - gamma",
        "(2 W a - 2 W + a2 + 1/gamma) - (2 W (a - 1) + a2 - 2 a + 1/r)"),
    lemma("arriving work", "r, s, gamma, a, b", "a; b; 1/r; 1/s; 1/gamma - 1/r; 1/gamma - 1/s",
        "(a+b)^2/gamma^2 - a^2/r^2 - b^2/s^2"),
    WEAK_DUALITY,
];

const GREATEST_VALUE = MAXWEIGHT_LEMMAS[2];
const REGRET = MAXWEIGHT_LEMMAS[3];
const UNMATCHED = MAXWEIGHT_LEMMAS[4];

/** Those of continuous time, where tasks run to their end, and where they are interrupted. */
const EVENT_LEMMAS = [
    lemma("own end", "mu, alpha, t, T, w", "mu; t; alpha - mu",
        "(-2 w + alpha t) - (mu (t - 2 T) - 2 (w - mu T))"),
    lemma("another's end", "nu, mu, alpha, t", "t; 1/mu; alpha - nu", "2 alpha t - 2 nu t"),
    GREATEST_VALUE,
    REGRET,
    lemma("regret over rate", "lambda, mu, gamma, R, B", "lambda; B; 1/mu; 1/gamma - 1/mu; B - R",
        "2 lambda B/gamma - 2 lambda R/mu"),
    UNMATCHED,
    WEAK_DUALITY,
];

const INTERRUPTION_LEMMAS = [
    lemma("end under interruption", "mu, alpha, t, T, w, b", "mu; t; b; alpha - mu; mu T + b - w",
        "(-2 w + alpha t + 2 b) - mu (t - 2 T)"),
    UNMATCHED,
    WEAK_DUALITY,
];

const EVENT_WORKLOAD_LEMMAS = [
    lemma("workload at an end", "r, gamma, W", "1/gamma - 1/r", "1/gamma - 1/r"),
    lemma("workload at an arrival", "r, gamma, W", "1/r; 1/gamma - 1/r", "1/gamma^2 - 1/r^2"),
    WEAK_DUALITY,
];

/** The lemmas for queues per server and level, or for others, in slots, events, or events with interruptions. */
function lemmasOf(workloads, timing) {
    if (timing === "slots") return workloads ? WORKLOAD_LEMMAS : MAXWEIGHT_LEMMAS;
    if (workloads) return EVENT_WORKLOAD_LEMMAS;
    return timing === "interruptions" ? INTERRUPTION_LEMMAS : EVENT_LEMMAS;
}

const CORE_INEQUALITY = [
    lemma("core-inequality", "beta, eps", "beta; 1 - beta; eps", "(1+beta+eps) (1 - beta/2) - 1 - eps/2")];

const GAINS_CONCAVE = [0, 1, 2, 3, 4, 5, 6, 7, 8].map((r) => lemma("gains-concave, r = " + r, "G", "G; 1 - G",
    "G^" + r + " (1-G) - G^" + (r + 1) + " (1-G)"));

/** Of copies S1, ..., Sr of which S1 does the most: r S1 less the sum, and the sum less S1. */
const BEST_COPY = [2, 3, 4, 5, 6, 7, 8].flatMap((r) => {
    const copies = Array.from({length: r}, (_, i) => "S" + (i + 1)), others = copies.slice(1);
    const given = others.map((s) => s + "; S1 - " + s).join("; "), sum = copies.join(" + ");
    return [lemma("best-copy, mean of " + r, copies.join(", "), given, r + " S1 - (" + sum + ")"),
        lemma("best-copy, sum of " + r, copies.join(", "), given, sum + " - S1")];
});

function upTo(n) {
    return Array.from({length: n}, (_, i) => i + 1);
}

/** Of a job that stays for r intervals of lengths l, with work w done at a constant rate of at most Delta in each. */
const RELAXED_COST = upTo(8).map((r) => {
    const each = upTo(r), stay = each.map((k) => "l" + k).join(" + "), size = each.map((k) => "w" + k).join(" + ");
    const waited = each.map((k) => "w" + k + " (" + [...upTo(k - 1).map((i) => "l" + i), "l" + k + "/2"].join(" + ") +
        ")").join(" + ");
    return lemma("relaxed-cost of " + r, ["C, Delta", ...each.map((k) => "l" + k + ", w" + k)].join(", "),
        ["C", ...each.map((k) => "l" + k + "; w" + k + "; Delta l" + k + " - w" + k)].join("; "),
        "(1 + C Delta) (" + stay + ") (" + size + ") - (" + waited + ") - C (" + size + ")^2");
});

/** Of n jobs with speedups h and prices alpha, each at most beta above the cost c of its work. */
const DUAL_BELOW_COST = upTo(8).map((n) => {
    const each = upTo(n);
    return lemma("dual-below-cost of " + n,
        ["M, beta", ...each.map((j) => "h" + j + ", alpha" + j + ", c" + j)].join(", "),
        ["beta; M" + each.map((j) => " - h" + j).join(""),
            ...each.map((j) => "h" + j + "; c" + j + " - alpha" + j + " + beta")].join("; "),
        "beta M" + each.map((j) => " + h" + j + " c" + j + " - h" + j + " alpha" + j).join(""));
});

/** Of K jobs that are served and r that wait: sums of prices by three rules, multiplied by 2K, 8n and 4. */
const PRICE_SUMS = [["cap", "2 K r + (K - r) (K + r + 1) - K (K + r)"],
    ["rank", "4 K (K + r + r + 1) - 3 (K + r)^2"], ["shifted", "2 (K + 1) - (K + r)"],
].map(([rule, conclusion]) => lemma("price-sums, " + rule, "K, r", "r; K - r", conclusion));

const IMPROVES_ON_SRPT = [lemma("improves-on-srpt", "eps", "eps; 1 - 3 eps", "4 - 3 (eps + 1)")];

const MOST_FACTORS = 16;

function identitiesOf(value, at) {
    return listOf(value, at, (list, place) => listOf(list, place, (entry, here) => {
        demand(Array.isArray(entry) && entry.length === 2, here, "expected a pair of number and positions");
        return {coefficient: numberOf(entry[0], here), factors: listOf(entry[1], here, indexOf)};
    }));
}

/** Each identity proves its lemma. */
function checkIdentities(identities, at, lemmas) {
    demand(identities.length === lemmas.length, at, "expected " + lemmas.length + " identities");
    identities.forEach((identity, i) => checkIdentity(identity, new At(at, i), lemmas[i]));
}

function checkIdentity(identity, at, {name, symbols, hypotheses, conclusion}) {
    const given = hypotheses.map((text) => polynomial(text, symbols));
    let total = new Polynomial(new Map());
    identity.forEach(({coefficient, factors}, i) => {
        const place = new At(at, i);
        demand(coefficient.sign() > 0, place, "a coefficient is not above 0");
        demand(factors.length <= MOST_FACTORS, place, "more than " + MOST_FACTORS + " factors");
        demand(factors.every((f, k) => k === 0 || factors[k - 1] <= f), place, "the positions descend");
        demand(factors.every((f) => f < given.length), place, "there is no such hypothesis");
        demand(i === 0 || precedes(identity[i - 1].factors, factors), place, "the entries do not ascend");
        const product = factors.reduce((a, f) => a.times(given[f]), Polynomial.constant(coefficient, symbols));
        total = total.plus(product);
    });
    demand(total.equals(polynomial(conclusion, symbols)), at, "it does not multiply out to the conclusion of " + name);
}

function precedes(a, b) {
    for (let i = 0; i < Math.min(a.length, b.length); i++) if (a[i] !== b[i]) return a[i] < b[i];
    return a.length < b.length;
}

Object.assign(parts, {
    lemmasOf, CORE_INEQUALITY, GAINS_CONCAVE, BEST_COPY, RELAXED_COST, DUAL_BELOW_COST,
    PRICE_SUMS, IMPROVES_ON_SRPT, identitiesOf, checkIdentities,
});
})(globalThis.SchedproofCertificateParts ??= {});
