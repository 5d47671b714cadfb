/*
 * A second checker of schedproof's certificates, written from the description of the format alone, without the code of
 * the first checker: docs/certificates.md, experiments/instances/SCHEMA.md and the JSON schema of certificates.
 *
 *   SchedproofCertificate.check(text, {table, instance})
 *   SchedproofCertificate.checkAsync(text, {table, instance, progress, slice})   a promise; yields every `slice` ms
 *
 * `table` is a Uint8Array with the bytes of the file of tables, `instance` the JSON of `show --as json` (for the
 * certificate of a load alone). The answer is {accepted, kind, theorem, checked, notChecked, reason}: accepted means
 * that everything in `checked` is right; what `notChecked` lists rests on the policy's code or on prose.
 *
 * One long file: pages opened from a disk load no modules, and whoever takes the checker elsewhere takes it whole.
 */
"use strict";

(function (root) {
// ---------------------------------------------------------------- faults and places

/** The first thing that is wrong, and where. */
class Fault extends Error {
    constructor(at, message) {
        super(message);
        this.place = at === null ? "" : at.toString();
    }
}

/** A place in the document: a member or a position within another place. */
class At {
    constructor(up, key) {
        this.up = up;
        this.key = key;
    }

    toString() {
        const above = this.up === null ? "" : this.up.toString();
        if (typeof this.key === "number") return above + "[" + this.key + "]";
        return above === "" ? this.key : above + "." + this.key;
    }
}

const TOP = null;

function fail(at, message) {
    throw new Fault(at, message);
}

function demand(condition, at, message) {
    if (!condition) fail(at, message);
}

// ---------------------------------------------------------------- strict JSON

const MOST_CHARACTERS = 268435456;
const MOST_VALUES = 16000000;
const MOST_NESTING = 32;
const MOST_INDEX = 100000000;

const OPENED = Symbol("a list or object that goes on");

/** Reads JSON of the few shapes that certificates have; objects become Maps. */
class Reader {
    constructor(text) {
        this.text = text;
        this.position = text.charCodeAt(0) === 0xfeff ? 1 : 0;
        this.values = 0;
        this.ranges = new Map();
    }

    fault(message) {
        const before = this.text.slice(0, this.position);
        const line = before.split("\n").length;
        const column = this.position - before.lastIndexOf("\n");
        throw new Fault(TOP, "line " + line + ", column " + column + ": " + message);
    }

    space() {
        for (;;) {
            const c = this.text.charCodeAt(this.position);
            if (c !== 32 && c !== 10 && c !== 13 && c !== 9) return c;
            this.position++;
        }
    }

    /** The value of the whole text; pauses now and then. */
    *document() {
        const open = [];
        for (;;) {
            if (++this.values > MOST_VALUES) this.fault("more than " + MOST_VALUES + " values");
            if (this.values % 2048 === 0) yield;
            const value = this.value(open);
            if (value === OPENED) continue;
            const whole = this.close(open, value);
            if (whole === OPENED) continue;
            this.space();
            if (this.position !== this.text.length) this.fault("something follows the object");
            return whole;
        }
    }

    /** A text, index or flag, an empty list or object; or opens a list or object. */
    value(open) {
        const c = this.space();
        if (c === 34) return this.string();
        if (c === 91 || c === 123) return this.begin(open, c);
        if (c >= 48 && c <= 57) return this.index();
        return this.word();
    }

    begin(open, c) {
        if (open.length >= MOST_NESTING) this.fault("nested too deeply");
        const value = c === 91 ? [] : new Map();
        this.position++;
        if (this.space() === c + 2) {
            this.position++;
            return value;
        }
        const group = {value, end: c + 2, key: null, from: 0};
        if (c === 123) this.key(group);
        open.push(group);
        return OPENED;
    }

    /** Puts a value into the group that is open, and closes all groups that end here. */
    close(open, value) {
        while (open.length > 0) {
            const group = open[open.length - 1];
            if (group.key === null) group.value.push(value);
            else group.value.set(group.key, value);
            if (open.length === 1) this.ranges.set(group.key, this.text.slice(group.from, this.position));
            const c = this.space();
            if (c !== 44 && c !== group.end) this.fault("expected a comma or " + String.fromCharCode(group.end));
            this.position++;
            if (c === 44) {
                if (group.key !== null) this.key(group);
                return OPENED;
            }
            value = open.pop().value;
        }
        return value;
    }

    /** Reads the next key of an object, and the colon after it. */
    key(group) {
        if (this.space() !== 34) this.fault("expected a key");
        group.key = this.string();
        if (group.value.has(group.key)) this.fault("the key \"" + group.key + "\" stands twice");
        if (this.space() !== 58) this.fault("expected a colon");
        this.position++;
        this.space();
        group.from = this.position;
    }

    index() {
        const found = /[0-9]+/y;
        found.lastIndex = this.position;
        const digits = found.exec(this.text)[0];
        if (digits.length > 1 && digits[0] === "0") this.fault("an index with a leading zero");
        if (digits.length > 9 || Number(digits) > MOST_INDEX) this.fault("an index above " + MOST_INDEX);
        this.position += digits.length;
        if (/[.eE]/.test(this.text.charAt(this.position))) this.fault("an index is an integer without exponent");
        return Number(digits);
    }

    word() {
        for (const [word, value] of [["true", true], ["false", false]]) {
            if (this.text.startsWith(word, this.position)) {
                this.position += word.length;
                return value;
            }
        }
        this.fault("expected a value");
        return undefined;
    }

    string() {
        const from = ++this.position;
        for (;;) {
            const c = this.text.charCodeAt(this.position);
            if (c === 34) break;
            if (c === 92 || c >= 0xd800 || !(c >= 32)) return this.unusual(from);
            this.position++;
        }
        return this.text.slice(from, this.position++);
    }

    /** A string with escapes or characters beyond the first plane, or a broken one. */
    unusual(from) {
        let found = this.text.slice(from, this.position);
        for (;;) {
            const c = this.text.charCodeAt(this.position);
            if (!(c >= 32)) this.fault("a string that does not end, or a control character in it");
            this.position++;
            if (c === 34) break;
            found += c === 92 ? this.escape() : String.fromCharCode(c);
        }
        if (/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(found)) {
            this.fault("half a character in a string");
        }
        return found;
    }

    escape() {
        const c = this.text.charAt(this.position++);
        const simple = "\"\\/bfnrt".indexOf(c);
        if (c !== "" && simple >= 0) return "\"\\/\b\f\n\r\t".charAt(simple);
        const digits = this.text.substr(this.position, 4);
        if (c !== "u" || !/^[0-9a-fA-F]{4}$/.test(digits)) this.fault("no such escape");
        this.position += 4;
        return String.fromCharCode(parseInt(digits, 16));
    }
}

// ---------------------------------------------------------------- rational numbers

function gcd(a, b) {
    while (b !== 0n) {
        if (a <= 9007199254740991n && b <= 9007199254740991n) return BigInt(smallGcd(Number(a), Number(b)));
        [a, b] = [b, a % b];
    }
    return a;
}

function smallGcd(a, b) {
    while (b !== 0) [a, b] = [b, a % b];
    return a;
}

function magnitude(n) {
    return n < 0n ? -n : n;
}

/** A rational number in lowest terms, its denominator above 0. */
class Rational {
    constructor(numerator, denominator) {
        this.n = numerator;
        this.d = denominator;
    }

    static of(n, d = 1n) {
        n = BigInt(n);
        d = BigInt(d);
        if (d === 1n) return new Rational(n, d);
        if (d < 0n) [n, d] = [-n, -d];
        const common = gcd(magnitude(n), d);
        return common === 1n ? new Rational(n, d) : new Rational(n / common, d / common);
    }

    plus(other) {
        if (this.d === other.d) return Rational.of(this.n + other.n, this.d);
        return Rational.of(this.n * other.d + other.n * this.d, this.d * other.d);
    }

    minus(other) {
        return this.plus(other.negated());
    }

    times(other) {
        return Rational.of(this.n * other.n, this.d * other.d);
    }

    over(other) {
        return Rational.of(this.n * other.d, this.d * other.n);
    }

    negated() {
        return new Rational(-this.n, this.d);
    }

    sign() {
        return this.n > 0n ? 1 : this.n < 0n ? -1 : 0;
    }

    compare(other) {
        const left = this.n * other.d;
        const right = other.n * this.d;
        return left > right ? 1 : left < right ? -1 : 0;
    }

    equals(other) {
        return this.n === other.n && this.d === other.d;
    }

    isInteger() {
        return this.d === 1n;
    }

    /** The greatest integer that is not above. */
    floor() {
        const quotient = this.n / this.d;
        return quotient * this.d > this.n ? quotient - 1n : quotient;
    }

    toString() {
        return this.d === 1n ? String(this.n) : this.n + "/" + this.d;
    }

    /** As a decimal where that ends, and p/q otherwise. */
    toDecimal() {
        let rest = this.d;
        let digits = 0;
        let scale = 1n;
        while (rest % 10n === 0n || rest % 5n === 0n || rest % 2n === 0n) {
            rest = rest % 10n === 0n ? rest / 10n : rest % 5n === 0n ? rest / 5n : rest / 2n;
            digits++;
            scale *= 10n;
        }
        if (rest !== 1n || digits === 0) return this.toString();
        const text = String(magnitude(this.n) * scale / this.d).padStart(digits + 1, "0");
        const decimals = text.slice(text.length - digits).replace(/0+$/, "");
        return (this.n < 0n ? "-" : "") + text.slice(0, text.length - digits) + "." + decimals;
    }
}

const ZERO = Rational.of(0);
const ONE = Rational.of(1);
const TWO = Rational.of(2);

function sum(numbers) {
    return numbers.reduce((a, b) => a.plus(b), ZERO);
}

function largest(numbers) {
    return numbers.reduce((a, b) => (a.compare(b) >= 0 ? a : b));
}

function least(numbers) {
    return numbers.reduce((a, b) => (a.compare(b) <= 0 ? a : b));
}

const SPELLINGS = new Map();

/** The number that a text spells in lowest terms, or null. */
function spelled(text) {
    let found = SPELLINGS.get(text);
    if (found !== undefined) return found;
    found = parsed(text);
    if (SPELLINGS.size > 100000) SPELLINGS.clear();
    SPELLINGS.set(text, found);
    return found;
}

function parsed(text) {
    const parts = /^(0|-?[1-9][0-9]*)(?:\/([1-9][0-9]*))?$/.exec(text);
    if (parts === null) return null;
    const n = BigInt(parts[1]);
    if (parts[2] === undefined) return new Rational(n, 1n);
    const d = BigInt(parts[2]);
    return d === 1n || gcd(magnitude(n), d) !== 1n ? null : new Rational(n, d);
}

// ---------------------------------------------------------------- SHA-256

const ROUND = Uint32Array.from(roundConstants());

/** The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
function roundConstants() {
    return primes(64).map((p) => Number(root3(BigInt(p) << 96n) & 0xffffffffn));
}

function primes(count) {
    const found = [];
    for (let n = 2; found.length < count; n++) {
        if (found.every((p) => n % p !== 0)) found.push(n);
    }
    return found;
}

function rootOf(value, power) {
    let low = 0n;
    let high = 1n << 70n;
    while (high - low > 1n) {
        const middle = (low + high) >> 1n;
        if (middle ** power <= value) low = middle;
        else high = middle;
    }
    return low;
}

function root3(value) {
    return rootOf(value, 3n);
}

function turn(x, by) {
    return (x >>> by) | (x << (32 - by));
}

function schedule(words, block, offset) {
    for (let i = 0; i < 16; i++) {
        const at = offset + 4 * i;
        words[i] = (block[at] << 24) | (block[at + 1] << 16) | (block[at + 2] << 8) | block[at + 3];
    }
    for (let i = 16; i < 64; i++) {
        const a = words[i - 15];
        const b = words[i - 2];
        const s0 = turn(a, 7) ^ turn(a, 18) ^ (a >>> 3);
        const s1 = turn(b, 17) ^ turn(b, 19) ^ (b >>> 10);
        words[i] = words[i - 16] + s0 + words[i - 7] + s1;
    }
}

function compress(state, words) {
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 64; i++) {
        const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
        const t1 = (h + s1 + ((e & f) ^ (~e & g)) + ROUND[i] + words[i]) | 0;
        const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
        const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
        [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((x, i) => (state[i] += x));
}

function padded(bytes) {
    const found = new Uint8Array((((bytes.length + 8) >> 6) + 1) << 6);
    found.set(bytes);
    found[bytes.length] = 128;
    const view = new DataView(found.buffer);
    view.setUint32(found.length - 8, Math.floor(bytes.length / 536870912));
    view.setUint32(found.length - 4, (bytes.length << 3) >>> 0);
    return found;
}

/** The digest in lower-case hexadecimal; pauses now and then. */
function* digestOf(bytes) {
    const state = Uint32Array.from(primes(8), (p) => Number(rootOf(BigInt(p) << 64n, 2n) & 0xffffffffn));
    const words = new Uint32Array(64);
    const blocks = padded(bytes);
    for (let offset = 0; offset < blocks.length; offset += 64) {
        schedule(words, blocks, offset);
        compress(state, words);
        if (offset % 65536 === 0) yield;
    }
    return Array.from(state, (x) => x.toString(16).padStart(8, "0")).join("");
}

function bytesOf(text) {
    return new TextEncoder().encode(text);
}

// ---------------------------------------------------------------- reading what a document holds

/** Exactly the members named; optional ones may be absent. */
function members(value, at, required, optional = []) {
    demand(value instanceof Map, at, "expected an object");
    for (const key of required) demand(value.has(key), at, "the member \"" + key + "\" is missing");
    for (const key of value.keys()) {
        demand(required.includes(key) || optional.includes(key), at, "unknown member \"" + key + "\"");
    }
    return value;
}

function listOf(value, at, read) {
    demand(Array.isArray(value), at, "expected a list");
    return value.map((item, i) => read(item, new At(at, i)));
}

function textOf(value, at) {
    demand(typeof value === "string" && value !== "", at, "expected a text");
    return value;
}

function flagOf(value, at) {
    demand(typeof value === "boolean", at, "expected true or false");
    return value;
}

function indexOf(value, at, below = Infinity) {
    demand(typeof value === "number", at, "expected an index");
    demand(value < below, at, value + " is beyond what there is");
    return value;
}

function numberOf(value, at) {
    demand(typeof value === "string", at, "expected a number, as text");
    const found = spelled(value);
    demand(found !== null, at, "\"" + value + "\" is no number in lowest terms");
    return found;
}

function nameOf(value, at) {
    demand(typeof value === "string" && /^[-A-Za-z0-9_.:]+$/.test(value), at, "expected a name");
    return value;
}

function wordOf(value, at, words) {
    demand(words.includes(value), at, "expected one of " + words.join(", "));
    return value;
}

function digestText(value, at) {
    demand(typeof value === "string" && /^[0-9a-f]{64}$/.test(value), at, "expected 64 hexadecimal digits");
    return value;
}

// ---------------------------------------------------------------- linear forms

/** A linear form: constant c, ascending variables v, their coefficients k. */
class Form {
    constructor(c, v, k) {
        this.c = c;
        this.v = v;
        this.k = k;
        this.spelling = null;
    }

    static from(constant, coefficients) {
        const v = [...coefficients.keys()].filter((x) => coefficients.get(x).sign() !== 0).sort((a, b) => a - b);
        return new Form(constant, v, v.map((x) => coefficients.get(x)));
    }

    isConstant() {
        return this.v.length === 0;
    }

    coefficient(variable) {
        const i = this.v.indexOf(variable);
        return i < 0 ? ZERO : this.k[i];
    }

    scaled(factor) {
        if (factor.sign() === 0) return new Form(ZERO, [], []);
        return new Form(this.c.times(factor), this.v, this.k.map((x) => x.times(factor)));
    }

    plus(other) {
        const coefficients = new Map(this.v.map((x, i) => [x, this.k[i]]));
        other.v.forEach((x, i) => coefficients.set(x, (coefficients.get(x) || ZERO).plus(other.k[i])));
        return Form.from(this.c.plus(other.c), coefficients);
    }

    minus(other) {
        return this.plus(other.scaled(Rational.of(-1)));
    }

    plusConstant(number) {
        return new Form(this.c.plus(number), this.v, this.k);
    }

    /** A text that two forms share exactly when they are equal. */
    key() {
        if (this.spelling === null) {
            let text = this.c.toString();
            for (let i = 0; i < this.v.length; i++) text += " " + this.v[i] + ":" + this.k[i].toString();
            this.spelling = text;
        }
        return this.spelling;
    }

    equals(other) {
        return this.key() === other.key();
    }
}

function formOf(value, at, variables) {
    demand(Array.isArray(value) && value.length > 0, at, "expected a linear form");
    const c = numberOf(value[0], at);
    const v = [];
    const k = [];
    for (let i = 1; i < value.length; i++) {
        const pair = value[i];
        demand(Array.isArray(pair) && pair.length === 2, at, "expected pairs of variable and coefficient");
        const variable = indexOf(pair[0], at, variables);
        const coefficient = numberOf(pair[1], at);
        demand(v.length === 0 || v[v.length - 1] < variable, at, "the variables do not ascend");
        demand(coefficient.n !== 0n, at, "a coefficient is 0");
        v.push(variable);
        k.push(coefficient);
    }
    return new Form(c, v, k);
}

function constraintOf(value, at, variables) {
    members(value, at, ["form", "strict"]);
    return {form: formOf(value.get("form"), at, variables), strict: flagOf(value.get("strict"), at)};
}

function multipliersOf(value, at) {
    const found = listOf(value, at, (pair, place) => {
        demand(Array.isArray(pair) && pair.length === 2, place, "expected pairs of position and number");
        return {position: indexOf(pair[0], place), number: numberOf(pair[1], place)};
    });
    for (let i = 1; i < found.length; i++) {
        demand(found[i - 1].position < found[i].position, at, "the positions do not ascend");
    }
    return found;
}

// ---------------------------------------------------------------- refutations

/** Adds the constraints up, each times its multiplier; returns the sum and the weight of the strict ones. */
function combination(multipliers, constraints, at) {
    const coefficients = new Map();
    let constant = ZERO;
    let strict = ZERO;
    for (const {position, number} of multipliers) {
        demand(position < constraints.length, at, "there is no constraint " + position);
        demand(number.sign() > 0, at, "the multiplier of constraint " + position + " is not above 0");
        const constraint = constraints[position];
        const form = constraint.form;
        constant = constant.plus(number.times(form.c));
        if (constraint.strict) strict = strict.plus(number);
        for (let i = 0; i < form.v.length; i++) {
            const before = coefficients.get(form.v[i]);
            const part = number.times(form.k[i]);
            coefficients.set(form.v[i], before === undefined ? part : before.plus(part));
        }
    }
    for (const [variable, coefficient] of coefficients) {
        demand(coefficient.n === 0n, at, "variable " + variable + " is left in the combination of the constraints");
    }
    return {constant, strict};
}

/** The multipliers show that the constraints cannot all hold (Farkas, Motzkin). */
function refute(multipliers, constraints, at) {
    demand(multipliers.length > 0, at, "nothing is combined");
    const {constant, strict} = combination(multipliers, constraints, at);
    const contradicts = constant.sign() < 0 || (constant.sign() === 0 && strict.sign() > 0);
    demand(contradicts, at, "the combination of the constraints is no contradiction");
    canonical(multipliers, constraints, constant, strict, at);
}

/** The refutation is written in the one way that the format asks for. */
function canonical(multipliers, constraints, constant, strict, at) {
    const scaled = constant.sign() === 0 ? strict.equals(ONE) : constant.equals(Rational.of(-1));
    demand(scaled, at, "the combination is not canonical: neither -1, nor 0 with strict constraints that weigh 1");
    for (const {position, number} of multipliers) {
        const {form, strict: open} = constraints[position];
        if (form.isConstant() && form.c.sign() === 0) {
            const alone = open && multipliers.length === 1 && number.equals(ONE);
            demand(alone, at, "not canonical: a constraint 0 is combined with others");
        }
        const first = constraints.findIndex(
            (other) => other.form.equals(form) && (constant.sign() !== 0 || other.strict === open));
        demand(first === position, at, "not canonical: constraint " + first + " has the form of " + position);
    }
}

// ---------------------------------------------------------------- proofs

const MOST_PATH = 2000;

function spaceOf(value, at) {
    members(value, at, ["symbols", "premises"]);
    const symbols = listOf(value.get("symbols"), new At(at, "symbols"), symbolOf);
    const premises = listOf(value.get("premises"), new At(at, "premises"),
        (item, place) => constraintOf(item, place, symbols.length));
    return {symbols, premises};
}

function symbolOf(value, at) {
    members(value, at, ["name", "integer"], ["lower"]);
    const lower = value.has("lower") ? numberOf(value.get("lower"), at) : null;
    return {name: textOf(value.get("name"), at), integer: flagOf(value.get("integer"), at), lower};
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
    atLeaf(leaf, place);
}

/** Checks one obligation and returns the constraints that it refutes. */
function obligation(value, at, space, path, counts) {
    members(value, at, ["against", "multipliers"]);
    const against = listOf(value.get("against"), new At(at, "against"),
        (item, place) => constraintOf(item, place, space.symbols.length));
    const multipliers = multipliersOf(value.get("multipliers"), new At(at, "multipliers"));
    const length = path.length;
    path.push(...against);
    refute(multipliers, path, new At(at, "multipliers"));
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

// ---------------------------------------------------------------- instances of the queueing family

const OPTIONS = {
    "routing": ["batch", "sequential"],
    "counting": ["in-system", "waiting"],
    "unmatched": ["idle", "phantom"],
    "empty-target": ["wasted", "conserved"],
    "common-rate": ["remote", "by-type"],
    "scarcity": ["lowest-index", "uniform-subset"],
    "reveal": ["on-arrival", "on-start"],
};

function anyText(value, at) {
    demand(typeof value === "string", at, "expected a text");
    return value;
}

/** An instance in the form in which all generators are written out and all options are there. */
function queueingOf(value, at) {
    members(value, at, ["family", "name", "source", "levels", "servers", "types", "arrivals", "options"], ["lyapunov"]);
    wordOf(value.get("family"), new At(at, "family"), ["queueing"]);
    anyText(value.get("source"), new At(at, "source"));
    const model = {name: nameOf(value.get("name"), new At(at, "name"))};
    model.levels = levelsOf(value.get("levels"), new At(at, "levels"));
    model.servers = serversOf(value.get("servers"), new At(at, "servers"));
    model.types = listOf(value.get("types"), new At(at, "types"), (item, place) => typeOf(item, place, model));
    demand(model.types.length > 0, new At(at, "types"), "there is no type");
    distinct(model.types.map((type) => type.name), new At(at, "types"));
    model.arrivals = arrivalsOf(value.get("arrivals"), new At(at, "arrivals"), model.types);
    model.options = optionsOf(value.get("options"), new At(at, "options"));
    if (value.has("lyapunov")) namedFunctions(value.get("lyapunov"), new At(at, "lyapunov"));
    return model;
}

function namedFunctions(value, at) {
    const names = listOf(value, at, namedFunction);
    demand(names.length > 0, at, "there is no function");
    distinct(names, at);
}

/** A function of the instance, whose queues stand by name. Only its shape is looked at. */
function namedFunction(value, at) {
    members(value, at, ["name"], ["products", "pieces"]);
    nameOf(value.get("name"), new At(at, "name"));
    demand(value.has("products") || value.has("pieces"), at, "neither a product nor a piece");
    const parts = (key, read) => {
        if (!value.has(key)) return;
        demand(listOf(value.get(key), new At(at, key), read).length > 0, new At(at, key), "the list is empty");
    };
    parts("products", (item, place) => {
        members(item, place, ["coefficient", "first", "second"]);
        numberOf(item.get("coefficient"), new At(place, "coefficient"));
        for (const key of ["first", "second"]) namedForm(item.get(key), new At(place, key));
    });
    parts("pieces", (item, place) => {
        members(item, place, ["coefficient", "largest-of"], ["when"]);
        numberOf(item.get("coefficient"), new At(place, "coefficient"));
        const forms = listOf(item.get("largest-of"), new At(place, "largest-of"), namedForm);
        demand(forms.length > 0, place, "the largest of nothing");
        if (!item.has("when")) return;
        const when = members(item.get("when"), new At(place, "when"), ["server"], ["queue", "level", "phantom"]);
        for (const word of when.values()) textOf(word, new At(place, "when"));
    });
    return value.get("name");
}

function namedForm(value, at) {
    demand(value instanceof Map, at, "expected an object");
    for (const number of value.values()) demand(numberOf(number, at).sign() !== 0, at, "a coefficient is 0");
}

function distinct(names, at) {
    const seen = new Set();
    for (const name of names) {
        demand(!seen.has(name), at, "the name " + name + " stands twice");
        seen.add(name);
    }
}

function falling(rates, at) {
    rates.forEach((rate, i) => {
        demand(rate.sign() > 0 && rate.compare(ONE) <= 0, at, "a rate is not above 0 and at most 1");
        demand(i === 0 || rate.compare(rates[i - 1]) < 0, at, "the rates do not fall");
    });
    return rates;
}

function levelsOf(value, at) {
    const found = listOf(value, at, (item, place) => {
        members(item, place, ["name", "rate"]);
        return {name: nameOf(item.get("name"), place), rate: numberOf(item.get("rate"), place)};
    });
    demand(found.length >= 2, at, "fewer than two levels");
    distinct(found.map((level) => level.name), at);
    falling(found.map((level) => level.rate), at);
    return found;
}

function serversOf(value, at) {
    if (typeof value === "number") {
        demand(value > 0 && value <= 2000000, at, "expected from 1 to 2,000,000 servers");
        return Array.from({length: value}, (_, i) => ({name: "s" + i, groups: []}));
    }
    const found = listOf(value, at, (item, place) => {
        members(item, place, ["name"], ["rack", "groups"]);
        const groups = item.has("groups") ? listOf(item.get("groups"), place, textOf) : [];
        if (item.has("rack")) groups.unshift(textOf(item.get("rack"), place));
        return {name: nameOf(item.get("name"), place), groups};
    });
    demand(found.length > 0, at, "there is no server");
    distinct(found.map((server) => server.name), at);
    return found;
}

function typeOf(value, at, model) {
    members(value, at, ["name", "replicas"], ["cost", "exponent", "rates"]);
    const names = new Map(model.servers.map((server, i) => [server.name, i]));
    const replicas = listOf(value.get("replicas"), new At(at, "replicas"), (item, place) => {
        demand(names.has(item), place, "no such server");
        return names.get(item);
    });
    demand(replicas.length > 0, at, "a type without replicas");
    demand(replicas.every((m, i) => i === 0 || replicas[i - 1] < m), new At(at, "replicas"), "they do not ascend");
    const rates = value.has("rates") ? listOf(value.get("rates"), new At(at, "rates"), numberOf) : null;
    demand(rates === null || rates.length === model.levels.length, at, "not a rate for each level");
    return {
        name: nameOf(value.get("name"), at),
        replicas: new Set(replicas),
        cost: value.has("cost") ? positive(value.get("cost"), new At(at, "cost")) : Rational.of(1, 2),
        exponent: value.has("exponent") ? exponentOf(value.get("exponent"), new At(at, "exponent")) : 1,
        own: rates !== null,
        rates: rates === null ? model.levels.map((level) => level.rate) : falling(rates, at),
    };
}

function exponentOf(value, at) {
    const found = indexOf(value, at);
    demand(found >= 1 && found <= 16, at, "expected from 1 to 16");
    return found;
}

function optionsOf(value, at) {
    const keys = Object.keys(OPTIONS);
    members(value, at, keys, ["discipline"]);
    return keys.map((key) => ({key, value: wordOf(value.get(key), new At(at, key), OPTIONS[key])}));
}

function arrivalsOf(value, at, types) {
    demand(value instanceof Map, at, "expected an object");
    const kind = wordOf(value.get("kind"), new At(at, "kind"), ["bernoulli", "single", "rates", "joint", "product"]);
    const names = new Map(types.map((type, i) => [type.name, i]));
    if (kind === "joint") {
        members(value, at, ["kind", "types", "outcomes"]);
        return {kind, factors: [factorOf(value, at, names)]};
    }
    if (kind === "product") {
        members(value, at, ["kind", "factors"]);
        const factors = listOf(value.get("factors"), new At(at, "factors"), (item, place) => {
            members(item, place, ["types", "outcomes"]);
            return factorOf(item, place, names);
        });
        distinct(factors.flatMap((factor) => factor.types), at);
        return {kind, factors};
    }
    members(value, at, ["kind", "values"]);
    const rates = listOf(value.get("values"), new At(at, "values"), numberOf);
    demand(rates.length === types.length, at, "not a rate for each type");
    demand(rates.every((rate) => rate.sign() >= 0), at, "a rate is negative");
    if (kind === "bernoulli") demand(rates.every((rate) => rate.compare(ONE) <= 0), at, "a probability is above 1");
    if (kind === "single") demand(sum(rates).compare(ONE) <= 0, at, "the probabilities add up to more than 1");
    return {kind, rates};
}

function factorOf(value, at, names) {
    const types = listOf(value.get("types"), new At(at, "types"), (item, place) => {
        demand(names.has(item), place, "no such type");
        return names.get(item);
    });
    distinct(types, at);
    const outcomes = listOf(value.get("outcomes"), new At(at, "outcomes"), (item, place) => {
        members(item, place, ["probability", "tasks"]);
        const tasks = listOf(item.get("tasks"), place, indexOf);
        demand(tasks.length === types.length, place, "not a number of tasks for each type");
        const probability = numberOf(item.get("probability"), place);
        demand(probability.sign() > 0, place, "a probability is not above 0");
        return {probability, tasks};
    });
    demand(sum(outcomes.map((outcome) => outcome.probability)).equals(ONE), at, "the probabilities do not add up to 1");
    return {types, outcomes};
}

/** Independent parts of the law of the arrivals of a slot: a list of outcomes {probability, tasks by type} each. */
function independentParts(model) {
    const {kind, rates, factors} = model.arrivals;
    const none = () => new Array(model.types.length).fill(0);
    const one = (type) => none().map((_, i) => (i === type ? 1 : 0));
    const proper = (outcomes) => outcomes.filter((outcome) => outcome.probability.sign() > 0);
    if (kind === "bernoulli") {
        return rates.map((rate, i) => proper([
            {probability: ONE.minus(rate), tasks: none()}, {probability: rate, tasks: one(i)}]));
    }
    if (kind === "single") {
        const outcomes = rates.map((rate, i) => ({probability: rate, tasks: one(i)}));
        return [proper([{probability: ONE.minus(sum(rates)), tasks: none()}].concat(outcomes))];
    }
    if (kind === "rates") return null;
    return factors.map(({types, outcomes}) => outcomes.map(({probability, tasks}) => {
        const all = none();
        types.forEach((type, i) => (all[type] = tasks[i]));
        return {probability, tasks: all};
    }));
}

/** Mean number of tasks of each type that arrive in a slot. */
function meanRates(model) {
    if (model.arrivals.rates) return model.arrivals.rates;
    const means = model.types.map(() => ZERO);
    for (const part of independentParts(model)) {
        for (const {probability, tasks} of part) {
            tasks.forEach((n, i) => (means[i] = means[i].plus(probability.times(Rational.of(n)))));
        }
    }
    return means;
}

/** Mean and mean square of the number of tasks of a slot, and the largest number. */
function arrivalMoments(model, at) {
    const parts = independentParts(model);
    demand(parts !== null, at, "mean rates alone are no law of arrivals");
    let mean = ZERO;
    let variance = ZERO;
    let most = 0;
    for (const part of parts) {
        const totals = part.map(({probability, tasks}) => ({probability, total: tasks.reduce((a, b) => a + b, 0)}));
        const moment = (power) => sum(totals.map((x) => x.probability.times(Rational.of(x.total ** power))));
        const first = moment(1);
        mean = mean.plus(first);
        variance = variance.plus(moment(2).minus(first.times(first)));
        most += Math.max(...totals.map((x) => x.total));
    }
    return {mean, square: variance.plus(mean.times(mean)), most};
}

/** The level of a server to a type: 0 with a replica, otherwise the least height of a shared group, or the last. */
function levelOf(model, type, server) {
    const last = model.levels.length - 1;
    if (model.types[type].replicas.has(server)) return 0;
    const own = model.servers[server].groups;
    for (let height = 1; height < last; height++) {
        const path = JSON.stringify(own.slice(height - 1));
        for (const other of model.types[type].replicas) {
            const theirs = model.servers[other].groups;
            if (theirs.length >= height && JSON.stringify(theirs.slice(height - 1)) === path) return height;
        }
    }
    return last;
}

function rateOf(model, type, server) {
    return model.types[type].rates[levelOf(model, type, server)];
}

// ---------------------------------------------------------------- loads

function loadOf(value, at, model) {
    members(value, at, ["lower", "upper", "decomposition", "type-price", "server-price"]);
    const load = {
        lower: numberOf(value.get("lower"), new At(at, "lower")),
        upper: numberOf(value.get("upper"), new At(at, "upper")),
        typePrice: listOf(value.get("type-price"), new At(at, "type-price"), numberOf),
        serverPrice: listOf(value.get("server-price"), new At(at, "server-price"), numberOf),
    };
    const place = new At(at, "decomposition");
    load.decomposition = listOf(value.get("decomposition"), place, (item, here) => {
        members(item, here, ["type", "server", "amount"]);
        return {
            type: indexOf(item.get("type"), here, model.types.length),
            server: indexOf(item.get("server"), here, model.servers.length),
            amount: numberOf(item.get("amount"), here),
        };
    });
    ascending(load.decomposition, place);
    return load;
}

function ascending(decomposition, at) {
    decomposition.forEach((entry, i, all) => {
        const before = i > 0 ? all[i - 1] : {type: -1, server: -1};
        const ascends = before.type < entry.type || (before.type === entry.type && before.server < entry.server);
        demand(ascends, new At(at, i), "the entries do not ascend by type and server");
    });
}

/** Decomposition and prices prove lower <= rho* <= upper. */
function checkLoad(load, at, model) {
    const rates = meanRates(model);
    checkDecomposition(load, new At(at, "decomposition"), model, rates);
    checkPrices(load, at, model, rates);
    const value = sum(rates.map((rate, i) => rate.times(load.typePrice[i])));
    demand(value.equals(load.lower), new At(at, "lower"), "the prices are worth " + value + ", not " + load.lower);
}

function checkDecomposition(load, at, model, rates) {
    const amounts = rates.map(() => ZERO);
    const loads = model.servers.map(() => ZERO);
    load.decomposition.forEach(({type, server, amount}, i) => {
        demand(amount.sign() > 0, new At(at, i), "the amount is not above 0");
        amounts[type] = amounts[type].plus(amount);
        loads[server] = loads[server].plus(amount.over(rateOf(model, type, server)));
    });
    rates.forEach((rate, i) => {
        demand(rate.equals(amounts[i]), at, "the amounts of type " + model.types[i].name + " do not add up to " + rate);
    });
    const most = largest(loads);
    demand(most.equals(load.upper), at, "the largest load of a server is " + most + ", not " + load.upper);
}

function checkPrices(load, at, model, rates) {
    demand(load.typePrice.length === rates.length, new At(at, "type-price"), "not a price for each type");
    const place = new At(at, "server-price");
    demand(load.serverPrice.length === model.servers.length, place, "not a price for each server");
    demand(load.serverPrice.every((w) => w.sign() >= 0), place, "a price is negative");
    demand(sum(load.serverPrice).equals(ONE), place, "the prices do not add up to 1");
    load.typePrice.forEach((price, type) => {
        const here = new At(new At(at, "type-price"), type);
        let tight = rates[type].sign() === 0 && price.sign() === 0;
        model.servers.forEach((_, server) => {
            const worth = price.times(rateOf(model, type, server)).compare(load.serverPrice[server]);
            demand(worth <= 0, here, "price times rate is above the price of server " + model.servers[server].name);
            tight = tight || worth === 0;
        });
        demand(tight, here, "price times rate attains the price of no server");
    });
}

function loadWords(load) {
    return load.lower.equals(load.upper) ? "rho* = " + load.upper : "rho* <= " + load.upper;
}

// ---------------------------------------------------------------- functions of the state

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

// ---------------------------------------------------------------- sentences

/** Joins terms {number, what} to a sum as the sentences write it. */
function written(terms) {
    let text = "";
    for (const {number, what} of terms) {
        if (number.sign() === 0) continue;
        const negative = number.sign() < 0;
        const size = negative ? number.negated() : number;
        const body = what === "" ? size.toString() : size.equals(ONE) ? what : size + " " + what;
        if (text === "") text = (negative ? "-" : "") + body;
        else text += (negative ? " - " : " + ") + body;
    }
    return text === "" ? "0" : text;
}

function formWords(form, queues) {
    const terms = form.v.map((x, i) => ({number: form.k[i], what: "Q[" + queues[x] + "]"}));
    return written(terms.concat([{number: form.c, what: ""}]));
}

function factorWords(form, queues) {
    const alone = form.c.sign() === 0 && form.v.length === 1 && form.k[0].equals(ONE);
    return alone ? "Q[" + queues[form.v[0]] + "]" : "(" + formWords(form, queues) + ")";
}

function conditionWords(when, queues, model) {
    if (when === null) return "";
    const level = when.level === null ? "" : " at " + model.levels[when.level].name;
    const queue = when.queue === null ? "" : queues[when.queue];
    const phantom = queue === "" ? " phantom" : " phantom on " + queue;
    const busy = queue === "" ? " busy" : " runs " + queue;
    return "[" + model.servers[when.server].name + (when.phantom ? phantom : busy) + level + "]";
}

function functionWords(v, queues, model) {
    const terms = v.products.map(({coefficient, first, second}) => {
        const [a, b] = [factorWords(first, queues), factorWords(second, queues)];
        return {number: coefficient, what: a === b ? a + "^2" : a + " " + b};
    });
    for (const {coefficient, forms, when} of v.pieces) {
        const condition = conditionWords(when, queues, model);
        const after = (what) => (condition === "" || what === "" ? condition + what : condition + " " + what);
        if (forms.length > 1) {
            const all = forms.map((form) => formWords(form, queues)).join(", ");
            terms.push({number: coefficient, what: after("max(" + all + ")")});
            continue;
        }
        const [form] = forms;
        form.v.forEach((x, i) => {
            terms.push({number: coefficient.times(form.k[i]), what: after("Q[" + queues[x] + "]")});
        });
        terms.push({number: coefficient.times(form.c), what: after("")});
    }
    return written(terms);
}

function aboutWords(document) {
    const changed = document.model.options.filter(({key, value}) => value !== OPTIONS[key][0]);
    const words = changed.map(({key, value}) => key + " " + value).join(", ");
    return "'" + document.model.name + "' under " + document.policy + " with " +
        (words === "" ? "" : words + " and otherwise ") + "the default interpretations of the slot";
}

const ALL = ", for all queue lengths and all statuses of the servers";

/** The sentence of the file is the one that its data give. */
function sameSentence(document, made) {
    const right = withoutOwnPolicy(document) === made || document.sentence === made;
    demand(right, new At(TOP, "sentence"), "it is not the one that the data give: " + made);
    document.checked.push("The sentence is the one that the data give.");
}

/** The sentence without its end, where that says what a policy is that is not registered. */
function withoutOwnPolicy({sentence, policy, definition}) {
    const own = " Here " + policy + " is " + definition + ".";
    return sentence.endsWith(own) ? sentence.slice(0, -own.length) : sentence;
}

// ---------------------------------------------------------------- statuses, shapes and their questions

function statusesOf(value, at, sizes) {
    const found = listOf(value, at, (list, place) => {
        const entries = listOf(list, place, (entry, here) => statusOf(entry, here, sizes));
        demand(entries.length > 0 && entries[0] === "idle", place, "the first entry is not \"idle\"");
        distinct(entries.map(statusKey), place);
        return entries;
    });
    demand(found.length === sizes.servers, at, "not a list for each server");
    return found;
}

function statusOf(value, at, sizes) {
    if (value === "idle") return value;
    members(value, at, ["status", "level", "queue"]);
    return {
        phantom: wordOf(value.get("status"), at, ["busy", "phantom"]) === "phantom",
        level: indexOf(value.get("level"), at, sizes.levels),
        queue: indexOf(value.get("queue"), at, sizes.queues),
    };
}

function statusKey(status) {
    return status === "idle" ? status : status.phantom + " " + status.level + " " + status.queue;
}

/** All shapes, the last server's entry varying fastest. */
function* shapes(statuses) {
    const at = statuses.map(() => 0);
    for (;;) {
        yield at.map((entry, server) => statuses[server][entry]);
        let server = statuses.length - 1;
        while (server >= 0 && ++at[server] === statuses[server].length) at[server--] = 0;
        if (server < 0) return;
    }
}

function shapeWords(shape, queues, model) {
    const words = shape.map((status) => {
        if (status === "idle") return "idle";
        return (status.phantom ? "phantom:" : "") + queues[status.queue] + "@" + model.levels[status.level].name;
    });
    return "f=" + words.join(",");
}

function isBusy(status) {
    return status !== "idle" && !status.phantom;
}

/** Names of the queues, from the space of the first question. */
function queueNames(document, at) {
    demand(document.proofs.length > 0, at, "there is no question");
    const first = new At(at, 0);
    members(document.proofs[0], first, ["question", "space", "root", "nodes"]);
    const space = spaceOf(document.proofs[0].get("space"), new At(first, "space"));
    const names = [];
    for (const symbol of space.symbols) {
        const found = /^Q\[(.+)\]$/.exec(symbol.name);
        if (found !== null) names.push(found[1]);
    }
    demand(names.length > 0, first, "there is no queue");
    distinct(names, first);
    return names;
}

/** The symbols of a space are the queues with these lower bounds, and counters without any. */
function sameSymbols(space, queues, lower, at) {
    demand(space.premises.length === 0, at, "there are premises");
    space.symbols.forEach((symbol, i) => {
        const place = new At(new At(at, "symbols"), i);
        demand(symbol.integer, place, "the symbol is no integer");
        if (i >= queues.length) {
            const counter = symbol.lower === null && !symbol.name.startsWith("Q[");
            demand(counter, place, "neither a queue nor a counter without bounds");
            return;
        }
        demand(symbol.name === "Q[" + queues[i] + "]", place, "expected Q[" + queues[i] + "]");
        const right = symbol.lower !== null && symbol.lower.equals(Rational.of(lower[i]));
        demand(right, place, "the lower bound is not " + lower[i]);
    });
    demand(space.symbols.length >= queues.length, at, "a queue is missing");
}

/**
 * The questions of the kinds with statuses: first whether the statuses are closed, then those that `asked(shape)`
 * names for each shape, whose leaves go to `judge(leaf, shape, at)`.
 */
function* statusQuestions(document, counts, asked, judge) {
    const {model, queues, statuses, proofs} = document;
    const at = new At(TOP, "proofs");
    const expected = questionList(document, asked);
    let position = 0;
    for (const {name, shape} of expected) {
        demand(position < proofs.length, at, "the question \"" + name + "\" is missing");
        yield* proofOf(proofs[position], new At(at, position), counts, (question, space, place) => {
            demand(question === name, new At(place, "question"), "expected \"" + name + "\"");
            sameSymbols(space, queues, lowerBounds(shape, queues), new At(place, "space"));
            if (shape === null) return emptyLeaf;
            return (leaf, here) => judge(leaf, shape, here);
        });
        position++;
        document.progress(position / proofs.length);
    }
    demand(position === proofs.length, new At(at, position), "no such question");
}

function* questionList({model, statuses, queues}, asked) {
    for (const server of model.servers) yield {name: "statuses of " + server.name, shape: null};
    yield* asked(statuses, (shape) => shapeWords(shape, queues, model));
}

function lowerBounds(shape, queues) {
    const lower = queues.map(() => 0);
    if (shape !== null) shape.filter(isBusy).forEach((status) => lower[status.queue]++);
    return lower;
}

/** One question per shape. */
function everyShape(what) {
    return function* (statuses, words) {
        for (const shape of shapes(statuses)) yield {name: what + " " + words(shape), shape};
    };
}

function oneObligation(leaf, count, at) {
    demand(leaf.length === count, at, "expected " + count + (count === 1 ? " obligation" : " obligations"));
    for (const against of leaf) demand(against.length === 2, at, "expected two constraints");
}

function sameConstraint(constraint, form, at, words) {
    const right = !constraint.strict && constraint.form.equals(form);
    demand(right, at, "the first constraint is not " + words + " >= 0");
}

// ---------------------------------------------------------------- drift

function measureOf(document, measure, threshold) {
    const {queues} = document;
    const isSum = measure.c.sign() === 0 && measure.v.length === queues.length && measure.k.every((k) => k.equals(ONE));
    return {words: isSum ? "sum of Q" : formWords(measure, queues), form: measure.plusConstant(threshold.negated())};
}

function readDrift(document, value, at) {
    members(value, at, ["v", "sense", "delta", "threshold", "measure", "statuses"]);
    return {
        v: functionOf(value.get("v"), new At(at, "v"), document.sizes),
        sense: wordOf(value.get("sense"), new At(at, "sense"), ["below", "above"]),
        delta: positive(value.get("delta"), new At(at, "delta")),
        threshold: numberOf(value.get("threshold"), new At(at, "threshold")),
        measure: formOf(value.get("measure"), new At(at, "measure"), document.sizes.queues),
    };
}

function positive(value, at) {
    const found = numberOf(value, at);
    demand(found.sign() > 0, at, "the number is not above 0");
    return found;
}

function notNegative(value, at) {
    const found = numberOf(value, at);
    demand(found.sign() >= 0, at, "the number is negative");
    return found;
}

function* checkDrift(document, counts) {
    const s = withStatuses(document, readDrift);
    const meant = s.measure.k.some((k) => k.sign() > 0) || s.measure.c.compare(s.threshold) >= 0;
    demand(!s.measure.isConstant() && meant, new At(TOP, "statement"), "no state has the measure: nothing is stated");
    const measure = measureOf(document, s.measure, s.threshold);
    yield* statusQuestions(document, counts, everyShape("drift"), (leaf, shape, at) => {
        oneObligation(leaf, 1, at);
        sameConstraint(leaf[0][0], measure.form, at, "measure - threshold");
        demand(leaf[0][1].strict, at, "the second constraint is not strict");
    });
    document.checked.push("Each of the " + counts.obligations + " obligations speaks of the states with " +
        measure.words + " >= " + s.threshold + ".");
    driftSentence(document, s, measure);
    document.notChecked.push("That the second constraint of every obligation is the drift of V, bounded by delta.");
    document.notChecked.push("That V = '" + s.v.name + "' is the function of that name, where it is a registered one.");
}

/** Reads the statement of a kind with statuses. */
function withStatuses(document, read) {
    const at = new At(TOP, "statement");
    document.queues = queueNames(document, new At(TOP, "proofs"));
    document.sizes = {
        queues: document.queues.length, servers: document.model.servers.length, levels: document.model.levels.length};
    const statement = read(document, document.statement, at);
    document.statuses = statusesOf(document.statement.get("statuses"), new At(at, "statuses"), document.sizes);
    return statement;
}

function driftSentence(document, s, measure) {
    const {queues, model} = document;
    const bound = s.sense === "below" ? "at most -" + s.delta : "at least " + s.delta;
    const head = "On " + aboutWords(document) + ", the drift of V = '" + s.v.name + "' is " + bound +
        " at every state with " + measure.words + " >= " + s.threshold + ALL + ".";
    const tail = " Here V = " + functionWords(s.v, queues, model) + ".";
    if (s.sense === "above") return sameSentence(document, head + tail);
    const silent = head + " Stability does not follow: ";
    if (document.sentence.startsWith(silent)) return withReason(document, silent, tail);
    if (stable(document, s)) {
        document.checked.push("V is bounded below and every queue counts in the measure: Foster's criterion applies.");
        return sameSentence(document, head + " V is bounded below, so from every state the finite set " +
            measure.words + " < " + s.threshold + " is reached in finite mean time (Foster)." + tail);
    }
    return fail(new At(TOP, "sentence"), "it is not the one that the data give: " + silent + "..." + tail);
}

function stable(document, {v, measure}) {
    const counters = document.proofs.some((proof) => proof.get("space").get("symbols").length > document.queues.length);
    const grows = document.queues.every((_, i) => measure.coefficient(i).sign() > 0);
    return !counters && grows && boundedBelow(v, document.queues.length);
}

/** A sentence in whose middle stands a reason that the format does not give. */
function withReason(document, head, tail) {
    const given = withoutOwnPolicy(document);
    const right = given.startsWith(head) && given.endsWith(tail) && !given.slice(head.length).includes("(Foster)");
    demand(right, new At(TOP, "sentence"), "it is not the one that the data give: " + head + "..." + tail);
    document.checked.push("The sentence is the one that the data give, but for why stability does not follow.");
    document.notChecked.push("The reason that the sentence gives why stability does not follow, and that it does not.");
}

// ---------------------------------------------------------------- transience

function readTransience(document, value, at) {
    members(value, at, ["w", "delta", "threshold", "jump", "statuses", "load"]);
    const w = functionOf(value.get("w"), new At(at, "w"), document.sizes);
    demand(w.products.length === 0, new At(at, "w"), "W has products");
    w.pieces.forEach(({forms, when}, i) => {
        const place = new At(new At(new At(at, "w"), "pieces"), i);
        demand(forms.length === 1, place, "a piece of W is the largest of several forms");
        demand(when === null || forms[0].isConstant(), place, "a piece with a condition is not constant");
    });
    return {
        w,
        delta: positive(value.get("delta"), new At(at, "delta")),
        threshold: numberOf(value.get("threshold"), new At(at, "threshold")),
        jump: numberOf(value.get("jump"), new At(at, "jump")),
        load: loadOf(value.get("load"), new At(at, "load"), document.model),
    };
}

/** W in a shape, as a form. */
function growthForm(w, shape) {
    let form = new Form(ZERO, [], []);
    for (const {coefficient, forms, when} of w.pieces) {
        if (when === null || holds(when, shape[when.server])) form = form.plus(forms[0].scaled(coefficient));
    }
    return form;
}

function largestJump(document, w, at) {
    const {model, statuses} = document;
    const always = growthForm({pieces: w.pieces.filter((piece) => piece.when === null)}, []);
    const slope = always.k.reduce((a, k) => largest([a, k.sign() < 0 ? k.negated() : k]), ZERO);
    let jump = slope.times(Rational.of(arrivalMoments(model, at).most + model.servers.length));
    model.servers.forEach((_, server) => {
        const values = statuses[server].map((status) => sum(w.pieces
            .filter(({when}) => when !== null && when.server === server && holds(when, status))
            .map(({coefficient, forms}) => coefficient.times(forms[0].c))));
        jump = jump.plus(largest([ZERO, ...values])).minus(least([ZERO, ...values]));
    });
    return jump;
}

function* checkTransience(document, counts) {
    const at = new At(TOP, "statement");
    const s = withStatuses(document, readTransience);
    checkLoad(s.load, new At(at, "load"), document.model);
    document.checked.push("The load: decomposition and prices prove " + loadWords(s.load) + ".");
    const jump = largestJump(document, s.w, at);
    demand(jump.equals(s.jump), new At(at, "jump"), "the largest change of W in a slot is " + jump);
    const empty = growthForm(s.w, document.model.servers.map(() => "idle"));
    demand(empty.c.compare(s.threshold) < 0, new At(at, "threshold"), "the empty state is not below the threshold");
    document.checked.push("No slot changes W by more than " + jump + ", and the empty state is below the threshold.");
    yield* statusQuestions(document, counts, everyShape("growth"), (leaf, shape, place) => {
        oneObligation(leaf, 1, place);
        const above = growthForm(s.w, shape).plusConstant(s.threshold.negated());
        sameConstraint(leaf[0][0], above, place, "W - threshold");
        demand(leaf[0][1].strict, place, "the second constraint is not strict");
    });
    document.checked.push("Each of the " + counts.obligations + " obligations speaks of the states with W >= " +
        s.threshold + ".");
    transienceSentence(document, s);
    document.notChecked.push("That the second constraint of every obligation is delta less the drift of W.");
    document.notChecked.push("That the cluster, started empty, reaches a state with W above the threshold.");
}

function transienceSentence(document, {w, delta, threshold, jump, load}) {
    const inside = load.upper.compare(ONE) < 0
        ? "inside the capacity region (" + loadWords(load) + "), the cluster is yet transient: "
        : "at load " + loadWords(load) + ", the cluster is transient: ";
    sameSentence(document, "On " + aboutWords(document) + ", " + inside + "the drift of W = " +
        functionWords(w, document.queues, document.model) + " is at least " + delta + " at every state with W >= " +
        threshold + ALL + ", and no slot changes W by more than " + jump + "; so with positive probability the " +
        "cluster, started empty, never empties again and some queue grows without bound at a linear rate.");
}

// ---------------------------------------------------------------- invariants

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

function* checkInvariants(document, counts) {
    const names = withStatuses(document, (_, value, at) => {
        members(value, at, ["names", "statuses"]);
        const place = new At(at, "names");
        const found = listOf(value.get("names"), place, (item, here) => wordOf(item, here, Object.keys(INVARIANTS)));
        demand(found.length > 0, place, "nothing is stated");
        distinct(found, place);
        return found;
    });
    yield* statusQuestions(document, counts, invariantQuestions(names, document.model), nothingMore);
    document.checked.push("There is a question for every shape, and for every type or idle server where that is due.");
    document.notChecked.push("That the obligations say what the invariants mean: " + names.join(", ") + ".");
    if (names.length > 1) return sentenceNotChecked(document);
    return sameSentence(document, "On " + aboutWords(document) + ", " + INVARIANTS[names[0]] + ALL + ".");
}

function sentenceNotChecked(document) {
    document.notChecked.push("The sentence: the format does not give its form for this kind, or not in full.");
}

// ---------------------------------------------------------------- mean

function readMean(document, value, at) {
    members(value, at, ["of", "v", "kappa", "offset", "scale", "weights", "radius", "lower", "upper", "statuses",
        "table"]);
    const {queues} = document.sizes;
    const weights = listOf(value.get("weights"), new At(at, "weights"), indexOf);
    demand(weights.length === queues && weights.every((w) => w > 0), new At(at, "weights"),
        "expected an integer above 0 for each queue");
    const scale = positive(value.get("scale"), new At(at, "scale"));
    demand(scale.isInteger(), new At(at, "scale"), "the scale is no integer");
    return {
        of: quantityOf(value.get("of"), new At(at, "of"), queues),
        v: functionOf(value.get("v"), new At(at, "v"), document.sizes),
        kappa: positive(value.get("kappa"), new At(at, "kappa")),
        offset: numberOf(value.get("offset"), new At(at, "offset")),
        scale,
        weights,
        radius: indexOf(value.get("radius"), new At(at, "radius")),
        lower: numberOf(value.get("lower"), new At(at, "lower")),
        upper: numberOf(value.get("upper"), new At(at, "upper")),
        table: digestText(value.get("table"), new At(at, "table")),
    };
}

function quantityOf(value, at, queues) {
    demand(value instanceof Map && value.has("kind"), at, "expected an object with \"kind\"");
    const kind = wordOf(value.get("kind"), at, ["tasks", "waiting", "delay", "busy", "queue", "tail"]);
    const extra = {queue: ["queue"], tail: ["above"]}[kind] || [];
    members(value, at, ["kind", ...extra]);
    return {
        kind,
        queue: kind === "queue" ? indexOf(value.get("queue"), at, queues) : null,
        above: kind === "tail" ? indexOf(value.get("above"), at) : null,
    };
}

/** The forms f- and f+ of the quantity in a shape. */
function quantityForms(document, of, shape) {
    const all = Form.from(ZERO, new Map(document.queues.map((_, i) => [i, ONE])));
    const busy = Rational.of(shape.filter(isBusy).length);
    if (of.kind === "tail") return [new Form(ZERO, [], []), new Form(ONE, [], [])];
    const form = {
        tasks: () => all,
        waiting: () => all.plusConstant(busy.negated()),
        delay: () => all.scaled(ONE.over(sum(meanRates(document.model)))),
        busy: () => new Form(busy, [], []),
        queue: () => new Form(ZERO, [of.queue], [ONE]),
    }[of.kind]();
    return [form, form];
}

/** How many points of the box have at least these lengths. */
function pointsWithin(weights, lower, radius) {
    const left = radius - weights.reduce((a, w, i) => a + w * (lower[i] || 0), 0);
    if (left < 0) return 0;
    let ways = new Array(left + 1).fill(1);
    for (const weight of weights) {
        ways = ways.slice();
        for (let i = weight; i <= left; i++) ways[i] += ways[i - weight];
    }
    return ways[left];
}

/** Number of valid states in the box. */
function* statesWithin(document, {weights, radius}) {
    let count = 0;
    for (const shape of shapes(document.statuses)) {
        count += pointsWithin(weights, lowerBounds(shape, document.queues), radius);
        yield;
    }
    return count;
}

function* checkMean(document, counts) {
    const at = new At(TOP, "statement");
    const s = withStatuses(document, readMean);
    demand(boundedBelow(s.v, document.queues.length), new At(at, "v"), "V is not shown to be bounded below");
    document.checked.push("V is bounded below.");
    const beyond = Form.from(Rational.of(-1 - s.radius), new Map(s.weights.map((w, i) => [i, Rational.of(w)])));
    yield* statusQuestions(document, counts, everyShape("far"), (leaf, shape, place) => {
        oneObligation(leaf, 2, place);
        farObligations(document, s, leaf, shape, beyond, place);
    });
    document.checked.push("Each of the " + counts.obligations + " obligations speaks of the states outside the box; " +
        "the bounds and the quantity stand in them as the statement says.");
    const rows = yield* statesWithin(document, s);
    yield* meanTable(document, s, rows);
    meanSentence(document, s, rows);
    document.notChecked.push("That the forms d in the obligations are kappa times the drift of V.");
    document.notChecked.push("That V = '" + s.v.name + "' is the function of that name, where it is a registered one.");
    document.notChecked.push("The inequalities of the table at each of the " + rows + " states of the box, which " +
        "need the policy's code.");
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
    yield* readTable(document, s.table, rows, 2);
    document.checked.push("The table has the digest that the statement gives, and two columns of " + rows + " rows.");
}

const QUANTITIES = {
    tasks: () => "the mean number of tasks in the system at the start of a slot",
    waiting: () => "the mean number of waiting tasks at the start of a slot",
    delay: (document) => "the mean delay, the mean number of tasks in the system at the start of a slot over the " +
        "arrival rate " + sum(meanRates(document.model)) + " (Little's law),",
    busy: () => "the mean number of servers that execute a task at the start of a slot",
    queue: (document, of) => "the mean number of tasks of queue " + document.queues[of.queue] +
        ", those in execution included, at the start of a slot",
    tail: (document, of) => "the probability of more than " + of.above +
        " tasks in the system at the start of a slot",
};

function meanSentence(document, s, rows) {
    const {queues, model} = document;
    const weights = written(s.weights.map((w, i) => ({number: Rational.of(w), what: "Q[" + queues[i] + "]"})));
    const continued = s.offset.sign() < 0 ? " - " + s.offset.negated() : " + " + s.offset;
    sameSentence(document, "On " + aboutWords(document) + ", " + QUANTITIES[s.of.kind](document, s.of) +
        " is at least " + s.lower.toDecimal() + " and at most " + s.upper.toDecimal() +
        ": under every stationary law, and, started in any state, for the lower and upper limits of its averages " +
        "over time. Shown by tables in units of 1/" + s.scale + " on the " + rows + " valid states with " + weights +
        " <= " + s.radius + ", continued by " + s.kappa + " V" + continued + " and its negative, and at all others " +
        "by the drift of " + s.kappa + " V, where V = '" + s.v.name + "' is " +
        functionWords(s.v, queues, model) + ".");
}

// ---------------------------------------------------------------- tables

const TABLE_HEAD = "schedproof table 1\n";

/** The columns of the file of tables, whose digest must be right; pauses now and then. */
function* readTable(document, digest, rows, columns) {
    const at = new At(TOP, "table");
    const bytes = document.table;
    const found = yield* digestOf(bytes);
    demand(found === digest, at, "the digest of the table is " + found);
    const head = bytesOf(TABLE_HEAD);
    demand(bytes.length > head.length && head.every((b, i) => bytes[i] === b), at, "it does not begin as a table does");
    const cursor = {bytes, position: head.length};
    const stated = natural(cursor, at);
    demand(stated === BigInt(rows), at, "the table has " + stated + " rows, and not " + rows);
    const all = [];
    for (let column = 0; column < columns; column++) {
        const entries = new Array(rows);
        let last = 0n;
        for (let row = 0; row < rows; row++) {
            const n = natural(cursor, at);
            last += n & 1n ? -((n + 1n) >> 1n) : n >> 1n;
            demand(magnitude(last) < 1n << 127n, at, "an entry does not fit 128 bits");
            entries[row] = last;
            if (row % 4096 === 0) yield;
        }
        all.push(entries);
    }
    demand(cursor.position === bytes.length, at, "something follows the last entry");
    return all;
}

function natural(cursor, at) {
    let value = 0n;
    let small = 0;
    let shift = 0;
    for (;;) {
        demand(cursor.position < cursor.bytes.length, at, "the table ends too early");
        const byte = cursor.bytes[cursor.position++];
        if (shift < 42) small += (byte & 127) * 2 ** shift;
        else value += BigInt(byte & 127) << BigInt(shift);
        shift += 7;
        if (byte < 128) {
            demand(byte !== 0 || shift === 7, at, "a number ends with a byte of 0");
            return value + BigInt(small);
        }
        demand(shift < 140, at, "a number does not end");
    }
}

// ---------------------------------------------------------------- polynomials and identities

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

const CORE_INEQUALITY = [
    lemma("core-inequality", "beta, eps", "beta; 1 - beta; eps", "(1+beta+eps) (1 - beta/2) - 1 - eps/2")];

const GAINS_CONCAVE = [0, 1, 2, 3, 4, 5, 6, 7, 8].map((r) => lemma("gains-concave, r = " + r, "G", "G; 1 - G",
    "G^" + r + " (1-G) - G^" + (r + 1) + " (1-G)"));

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

// ---------------------------------------------------------------- maxweight-drift and uniform-drift

function slackOf(value, at) {
    members(value, at, ["routing", "serving"]);
    return {
        routing: indexOf(value.get("routing"), new At(at, "routing")),
        serving: indexOf(value.get("serving"), new At(at, "serving")),
    };
}

const ARRANGEMENTS = ["per_server", "per_server_and_common", "per_type", "per_server_and_level"];

function arrangementOf(document) {
    const at = new At(TOP, "definition");
    const found = /^keep\(Arrangement::([a-z_]+)\)/.exec(document.definition);
    demand(found !== null, at, "it does not begin with keep(Arrangement::...)");
    return wordOf(found[1], at, ARRANGEMENTS);
}

function checkSlack(slack, arrangement, at) {
    const routing = arrangement !== "per_type";
    const serving = arrangement === "per_server" || arrangement === "per_server_and_common";
    demand(slack.routing === 0 || routing, at, "no slack of routing is allowed where queues are per type");
    demand(slack.serving === 0 || serving, at, "no slack of serving is allowed with these queues");
}

function checkLemmas(document, value, arrangement) {
    const at = new At(new At(TOP, "statement"), "lemmas");
    const lemmas = arrangement === "per_server_and_level" ? WORKLOAD_LEMMAS : MAXWEIGHT_LEMMAS;
    checkIdentities(identitiesOf(value, at), at, lemmas);
    document.checked.push("The " + lemmas.length + " polynomial identities multiply out.");
}

/** Proofs of which only the logic can be checked. */
function* logicAlone(document, counts) {
    const names = [];
    for (let i = 0; i < document.proofs.length; i++) {
        yield* proofOf(document.proofs[i], new At(new At(TOP, "proofs"), i), counts, (question) => {
            names.push(question);
            return nothingMore;
        });
        document.progress((i + 1) / document.proofs.length);
    }
    distinct(names, new At(TOP, "proofs"));
}

/** The constant C of the argument of MaxWeight. */
function maxweightConstant(model, slack, at) {
    const servers = Rational.of(model.servers.length);
    const others = servers.minus(ONE);
    const alpha = model.levels[0].rate;
    const gamma = model.levels[model.levels.length - 1].rate;
    const {mean, square} = arrivalMoments(model, at);
    const worst = largest(model.levels.map(({rate: mu}) => TWO.times(ONE.minus(mu)).over(mu).times(alpha)
        .times(mean.plus(mu.times(others)))));
    const reach = servers.times(alpha);
    return sum([
        square,
        servers.over(Rational.of(4)),
        reach.times(reach),
        servers.times(worst.plus(TWO.times(alpha).times(others))),
        TWO.times(mean).times(Rational.of(slack.routing)),
        TWO.times(servers).times(Rational.of(slack.serving)).times(alpha).times(ONE.plus(ONE.over(gamma))),
    ]);
}

function constantAndCoverage(model, arrangement, slack, at) {
    const servers = Rational.of(model.servers.length);
    const alpha = model.levels[0].rate;
    const gamma = model.levels[model.levels.length - 1].rate;
    if (arrangement === "per_server_and_level") {
        const {mean, square} = arrivalMoments(model, at);
        const work = square.plus(TWO.times(mean).times(Rational.of(slack.routing))).over(gamma.times(gamma));
        return [servers.over(gamma).plus(work), ONE.over(alpha)];
    }
    const constant = maxweightConstant(model, slack, at);
    if (arrangement === "per_server") return [constant, alpha];
    if (arrangement === "per_server_and_common") {
        const reach = gamma.times(servers);
        return [constant, alpha.times(reach).over(alpha.plus(reach))];
    }
    const costs = model.types.map((type) => TWO.times(type.cost));
    const coverage = least(model.types.map((_, i) => costs[i].times(
        sum(model.servers.map((_server, m) => rateOf(model, i, m))))));
    return [largest(costs).times(constant), coverage.over(Rational.of(model.types.length))];
}

function* checkMaxweight(document, counts) {
    const at = new At(TOP, "statement");
    const value = members(document.statement, at,
        ["load", "delta", "slack", "slope", "constant", "coverage", "lemmas"]);
    const {model} = document;
    const arrangement = arrangementOf(document);
    const load = loadOf(value.get("load"), new At(at, "load"), model);
    checkLoad(load, new At(at, "load"), model);
    demand(load.upper.compare(ONE) < 0, new At(at, "load"), "the load is not below 1");
    document.checked.push("The load: decomposition and prices prove " + loadWords(load) + ".");
    suits(model, arrangement);
    const slack = slackOf(value.get("slack"), new At(at, "slack"));
    checkSlack(slack, arrangement, new At(at, "slack"));
    const numbers = {delta: positive(value.get("delta"), new At(at, "delta"))};
    const [constant, coverage] = constantAndCoverage(model, arrangement, slack, at);
    const right = {slope: TWO.times(ONE.minus(load.upper)), constant, coverage};
    for (const key of Object.keys(right)) {
        numbers[key] = numberOf(value.get(key), new At(at, key));
        demand(numbers[key].equals(right[key]), new At(at, key), "it is " + right[key]);
    }
    document.checked.push("Slope, constant and coverage follow from instance, load and slack.");
    checkLemmas(document, value.get("lemmas"), arrangement);
    yield* logicAlone(document, counts);
    maxweightSentence(document, arrangement, numbers);
    fragmentNotChecked(document);
}

/** The argument speaks of the default options, but for two, and of rates that belong to levels. */
function suits(model, arrangement) {
    const place = new At(TOP, "instance");
    for (const {key, value} of model.options) {
        const free = key === "scarcity" || key === "reveal";
        demand(free || value === OPTIONS[key][0], new At(place, "options"), "not for " + key + " " + value);
    }
    demand(model.types.every((type) => !type.own), new At(place, "types"), "a type has rates of its own");
    const exponents = arrangement !== "per_type" || model.types.every((type) => type.exponent === 1);
    demand(exponents, new At(place, "types"), "the argument is for costs with exponent 1");
}

function fragmentNotChecked(document) {
    document.notChecked.push("That the proofs ask what the policy's code decides on small clusters.");
    document.notChecked.push("That the small clusters speak for every cluster, a theorem in prose about rules.");
}

const SMALL = /^(a small cluster, which shows every pair of distances,|all clusters of at most [1-9][0-9]* servers)$/;

function maxweightSentence(document, arrangement, {delta, slope, constant, coverage}) {
    const v = arrangement === "per_server_and_level" ? "workload-squares" : "regret";
    const threshold = constant.plus(delta).over(slope.times(coverage)).negated();
    const head = "On " + aboutWords(document) + ", the drift of " + v + " is at most -" + slope + " sum of w + " +
        constant + " at every state, hence at most -" + delta + " wherever sum of Q >= " + -threshold.floor() + ALL +
        ". (Its rules, " + document.definition + ", belong to the fragment of the policy language whose decisions on ";
    const tail = " are those on every cluster.)";
    const given = withoutOwnPolicy(document);
    const right = given.startsWith(head) && given.endsWith(tail) && SMALL.test(given.slice(head.length, -tail.length));
    demand(right, new At(TOP, "sentence"), "it is not the one that the data give: " + head + "..." + tail);
    document.checked.push("The sentence is the one that the data give, but for the size of the small clusters.");
}

function* checkUniform(document, counts) {
    const at = new At(TOP, "statement");
    const value = members(document.statement, at, ["levels", "slack", "lemmas"]);
    const levels = indexOf(value.get("levels"), new At(at, "levels"));
    demand(levels === 2 || levels === 3, new At(at, "levels"), "expected 2 or 3 levels");
    const arrangement = arrangementOf(document);
    checkSlack(slackOf(value.get("slack"), new At(at, "slack")), arrangement, new At(at, "slack"));
    checkLemmas(document, value.get("lemmas"), arrangement);
    yield* logicAlone(document, counts);
    fragmentNotChecked(document);
    document.notChecked.push("That a symbol may stand for a product of a rate and a length.");
    sentenceNotChecked(document);
}

// ---------------------------------------------------------------- any-policy

const MOST_STEPS = 200000000;

/** The states of the central model: statuses of the servers, and how many tasks of each type wait. */
class Central {
    constructor(model, mode) {
        this.model = model;
        this.servers = model.servers.length;
        this.types = model.types.length;
        this.usable = model.types.map(
            (_, type) => model.servers.map((_server, m) => usableRates(model, type, m, mode)));
        this.rates = model.servers.map((_, m) => this.ratesOf(m));
        this.starts = this.usable.map((row) => row.map((rates, m) => rates.map(
            (rate) => 1 + this.rates[m].findIndex((other) => other.equals(rate)))));
        this.shapes = this.allShapes();
        this.scale();
    }

    /** All rates of a server, once each, descending. */
    ratesOf(server) {
        const all = this.usable.flatMap((row) => row[server]);
        const once = all.filter((rate, i) => all.findIndex((other) => other.equals(rate)) === i);
        return once.sort((a, b) => b.compare(a));
    }

    allShapes() {
        let found = [[]];
        for (const rates of this.rates) {
            found = found.flatMap((shape) => [0, ...rates.map((_, k) => k + 1)].map((status) => shape.concat(status)));
        }
        return found;
    }

    /** A common denominator of completions, of arrivals, and the laws as integers over them. */
    scale() {
        const common = (numbers) => numbers.reduce((a, x) => a * (x.d / gcd(a, x.d)), 1n);
        this.pace = common(this.rates.flat());
        this.outcomes = jointLaw(this.model);
        this.arrivalScale = common(this.outcomes.map(({probability}) => probability));
        for (const outcome of this.outcomes) {
            outcome.weight = outcome.probability.n * (this.arrivalScale / outcome.probability.d);
        }
    }
}

function usableRates(model, type, server, mode) {
    const level = levelOf(model, type, server);
    const {rates} = model.types[type];
    return mode === "names-types" ? [rates[level]] : rates.slice(level);
}

/** The joint law of the arrivals of a slot. */
function jointLaw(model) {
    const parts = independentParts(model);
    demand(parts !== null, new At(new At(TOP, "instance"), "arrivals"), "mean rates alone are no law of arrivals");
    let joint = [{probability: ONE, tasks: model.types.map(() => 0)}];
    for (const part of parts) {
        demand(joint.length * part.length <= 100000, new At(TOP, "instance"), "not decided: too many arrivals");
        joint = joint.flatMap((a) => part.map((b) => ({
            probability: a.probability.times(b.probability),
            tasks: a.tasks.map((n, i) => n + b.tasks[i]),
        })));
    }
    return joint;
}

/** All lists of `length` numbers from 0 whose sum is at most `most`, lexicographically. */
function* vectors(length, most) {
    const at = new Array(length).fill(0);
    let total = 0;
    for (;;) {
        yield at.slice();
        let i = length - 1;
        while (i >= 0 && total === most) {
            total -= at[i];
            at[i--] = 0;
        }
        if (i < 0) return;
        at[i]++;
        total++;
    }
}

/** The table of a lower bound, with the value beyond it. */
class Bound {
    constructor(central, radius, outside) {
        this.central = central;
        this.radius = radius;
        this.outside = outside;
        this.within = new Map();
        this.after = new Map();
    }

    /** Number of states with up to `radius` tasks. */
    rows() {
        return this.central.shapes.reduce((count, shape) => {
            const left = this.radius - shape.filter((status) => status > 0).length;
            return left < 0 ? count : count + pointsWithin(new Array(this.central.types).fill(1), [], left);
        }, 0);
    }

    fill(entries) {
        let row = 0;
        for (const shape of this.central.shapes) {
            const left = this.radius - shape.filter((status) => status > 0).length;
            if (left < 0) continue;
            for (const waiting of vectors(this.central.types, left)) {
                this.within.set(shape.join() + ";" + waiting.join(), entries[row++]);
            }
        }
    }

    at(shape, waiting) {
        const found = this.within.get(shape.join() + ";" + waiting.join());
        return found === undefined ? this.outside : found;
    }

    /** Mean over the completions, times pace^servers. */
    completed(shape, waiting) {
        const key = shape.join() + ";" + waiting.join();
        let found = this.after.get(key);
        if (found === undefined) {
            found = this.complete(shape.slice(), waiting, 0);
            this.after.set(key, found);
        }
        return found;
    }

    complete(shape, waiting, server) {
        const {rates, pace, servers} = this.central;
        if (server === servers) return this.at(shape, waiting);
        const status = shape[server];
        if (status === 0) return pace * this.complete(shape, waiting, server + 1);
        const rate = rates[server][status - 1];
        const weight = rate.n * (pace / rate.d);
        const stays = weight === pace ? 0n : this.complete(shape, waiting, server + 1);
        shape[server] = 0;
        const leaves = this.complete(shape, waiting, server + 1);
        shape[server] = status;
        return (pace - weight) * stays + weight * leaves;
    }

    /** The least over what the idle servers from `server` on may start, the arrivals being known. */
    leastStart(shape, waiting, server) {
        const {servers, types, starts} = this.central;
        if (server === servers) return this.completed(shape, waiting);
        let best = this.leastStart(shape, waiting, server + 1);
        if (shape[server] !== 0) return best;
        for (let type = 0; type < types; type++) {
            if (waiting[type] === 0) continue;
            waiting[type]--;
            for (const status of starts[type][server]) {
                shape[server] = status;
                const value = this.leastStart(shape, waiting, server + 1);
                if (value < best) best = value;
            }
            shape[server] = 0;
            waiting[type]++;
        }
        return best;
    }

    /** Servers in their order start a task of the type they named, if one still waits. */
    named(shape, waiting, names) {
        const next = shape.slice();
        const left = waiting.slice();
        names.forEach((type, server) => {
            if (type < 0 || left[type] === 0) return;
            left[type]--;
            next[server] = this.central.starts[type][server][0];
        });
        return this.completed(next, left);
    }

    /** E h(next), least over the choices, times arrivalScale * pace^servers. */
    expected(shape, waiting, mode) {
        const {outcomes} = this.central;
        const arrived = outcomes.map(({tasks}) => waiting.map((n, i) => n + tasks[i]));
        const mean = (value) => outcomes.reduce((a, {weight}, i) => a + weight * value(arrived[i]), 0n);
        if (mode === "knows-arrivals") return mean((after) => this.leastStart(shape.slice(), after.slice(), 0));
        let best = null;
        for (const names of this.namings(shape)) {
            const value = mean((after) => this.named(shape, after, names));
            if (best === null || value < best) best = value;
        }
        return best;
    }

    namings(shape) {
        let found = [[]];
        for (const status of shape) {
            const choices = [-1];
            if (status === 0) for (let type = 0; type < this.central.types; type++) choices.push(type);
            found = found.flatMap((names) => choices.map((type) => names.concat(type)));
        }
        return found;
    }
}

function readAnyPolicy(document) {
    const at = new At(TOP, "statement");
    const value = members(document.statement, at, ["mode", "radius", "outside", "bits", "lower", "table"]);
    const found = {
        mode: wordOf(value.get("mode"), new At(at, "mode"), ["knows-arrivals", "names-types"]),
        radius: indexOf(value.get("radius"), new At(at, "radius")),
        outside: numberOf(value.get("outside"), new At(at, "outside")),
        bits: indexOf(value.get("bits"), new At(at, "bits"), 101),
        lower: numberOf(value.get("lower"), new At(at, "lower")),
        table: digestText(value.get("table"), new At(at, "table")),
    };
    found.unit = 1n << BigInt(found.bits);
    found.beyond = found.outside.times(Rational.of(found.unit));
    demand(found.beyond.isInteger(), new At(at, "outside"), "it is no multiple of the unit");
    return found;
}

/** How many combinations of state, arrivals and choices there are, roughly. */
function effort(central, radius) {
    const choices = Math.max(...central.rates.map((_, m) => 1 + sumOf(central.starts.map((row) => row[m].length))));
    const states = central.shapes.length * pointsWithin(new Array(central.types).fill(1), [], radius + central.servers);
    return states * central.outcomes.length * choices ** central.servers;
}

function sumOf(numbers) {
    return numbers.reduce((a, b) => a + b, 0);
}

function* checkAnyPolicy(document) {
    const at = new At(TOP, "statement");
    const s = readAnyPolicy(document);
    demand(document.proofs.length === 0, new At(TOP, "proofs"), "there are proofs");
    demand(document.table !== undefined, at, "not decided: the bytes of " + s.table + ".table are needed");
    const central = new Central(document.model, s.mode);
    demand(effort(central, s.radius) <= MOST_STEPS, at, "not decided: too large to be checked here");
    const bound = new Bound(central, s.radius, s.beyond.n);
    const rows = bound.rows();
    const [entries] = yield* readTable(document, s.table, rows, 1);
    bound.fill(entries);
    const states = yield* everyState(document, s, central, bound);
    const far = Rational.of(s.radius + central.servers + 1);
    demand(s.lower.compare(far) <= 0, new At(at, "lower"), "the bound is above the number of tasks beyond the states");
    document.checked.push("The table has the digest that the statement gives, and a row for each of the " + rows +
        " states with at most " + s.radius + " tasks.");
    document.checked.push("The inequality f + least E h(next) - h >= " + s.lower + " at each of the " + states +
        " states with at most " + (s.radius + central.servers) + " tasks; beyond them it is plain.");
    anyPolicySentence(document, s, rows);
    document.notChecked.push("That the central scheduler does as well as every policy that the sentence names, and " +
        "the argument from the inequality to the mean (both prose).");
}

/** The inequality at every state, each left side rounded down to a unit first. */
function* everyState(document, s, central, bound) {
    const scale = central.arrivalScale * central.pace ** BigInt(central.servers);
    let count = 0;
    for (let i = 0; i < central.shapes.length; i++) {
        const shape = central.shapes[i];
        const busy = shape.filter((status) => status > 0).length;
        for (const waiting of vectors(central.types, s.radius + central.servers - busy)) {
            const tasks = BigInt(busy + sumOf(waiting));
            const change = bound.expected(shape, waiting, s.mode) - bound.at(shape, waiting) * scale;
            const left = tasks * s.unit + Rational.of(change, scale).floor();
            const enough = left * s.lower.d >= s.lower.n * s.unit;
            demand(enough, new At(TOP, "table"), "the inequality does not hold with statuses " + shape.join(", ") +
                " and " + waiting.join(", ") + " tasks waiting");
            count++;
            yield;
        }
        document.progress((i + 1) / central.shapes.length);
    }
    return count;
}

const ANY_POLICY = {
    "knows-arrivals": ["every policy of non-preemptive service",
        ", know the arrivals of the slot, and serve a task at the rate of any farther level; how it queues and " +
        "routes tasks does not matter, nor how the slot is interpreted"],
    "names-types": ["every policy under which each idle server names a type or none before the tasks of a slot " +
        "arrive, and starts a task of that type, the servers of lowest index where there are too few", ""],
};

function anyPolicySentence(document, s, rows) {
    const [who, more] = ANY_POLICY[s.mode];
    const random = more === "" ? " and decide at random" : " and decide at random" + more;
    sameSentence(document, [
        "On '" + document.model.name + "', the mean number of tasks in the system at the start of a slot is at least " +
            s.lower.toDecimal() + " under " + who + ": under every stationary law, and, started in any state, for " +
            "the lower limit of its averages over time.",
        "The policy may remember the whole past" + random + ".",
        "Not covered: policies that interrupt tasks, run one on several servers or several on one, serve a task " +
            "faster than the server's level for it, or foresee arrivals or service times; and truncated arrivals.",
        "Shown by a table on the " + rows + " states with at most " + s.radius + " tasks, and by " +
            s.outside.toDecimal() + " elsewhere.",
    ].join(" "));
}

// ---------------------------------------------------------------- assignment and worst-ratio

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

function matching(value, at, pattern) {
    demand(typeof value === "string" && pattern.test(value), at, "it has not the form that is due");
    return value;
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

// ---------------------------------------------------------------- redundancy

const IDENTITIES = {
    "core-inequality": [CORE_INEQUALITY,
        "(1 + beta + eps) (1 - beta/2) >= 1 + eps/2 for all 0 <= beta <= 1 and eps >= 0."],
    "gains-concave": [GAINS_CONCAVE,
        "G^r (1 - G) >= G^(r+1) (1 - G) for every value G in [0, 1] of a distribution function and r = 0..8."],
};

function* checkRedundancy(document, counts) {
    const at = new At(TOP, "statement");
    const value = members(document.statement, at, ["statement", "problems", "bound", "lemmas"]);
    const name = matching(value.get("statement"), new At(at, "statement"), /^[a-z0-9-]+$/);
    const problems = matching(value.get("problems"), new At(at, "problems"),
        /^n[0-9]+-m[0-9]+-(b[0-9/]+-)?[a-z][a-z0-9:,/@.-]*$/);
    const bound = numberOf(value.get("bound"), new At(at, "bound"));
    const lemmas = identitiesOf(value.get("lemmas"), new At(at, "lemmas"));
    if (name in IDENTITIES) {
        const plain = problems === "n1-m1-det" && bound.sign() === 0;
        demand(plain, at, "an identity has the problems n1-m1-det and the bound 0");
        demand(document.proofs.length === 0, new At(TOP, "proofs"), "there are proofs");
        checkIdentities(lemmas, new At(at, "lemmas"), IDENTITIES[name][0]);
        document.checked.push("The " + lemmas.length + " polynomial identities multiply out, and prove the sentence.");
        document.binding = false;
        document.notChecked.push("The policy that the file names: the sentence does not speak of it.");
        return sameSentence(document, IDENTITIES[name][1]);
    }
    demand(lemmas.length === 0, new At(at, "lemmas"), "there are identities");
    demand(document.proofs.length > 0, new At(TOP, "proofs"), "there is no question");
    yield* logicAlone(document, counts);
    document.notChecked.push("That the questions and obligations are what the statement '" + name + "' says of " +
        problems + ", with its bound.");
    return sentenceNotChecked(document);
}

// ---------------------------------------------------------------- dual

function dualInstance(value, at) {
    members(value, at, ["family", "name", "machines", "service", "speed", "jobs"]);
    wordOf(value.get("family"), new At(at, "family"), ["redundancy"]);
    const found = {
        name: nameOf(value.get("name"), new At(at, "name")),
        machines: indexOf(value.get("machines"), new At(at, "machines")),
        service: textOf(value.get("service"), new At(at, "service")),
        speed: positive(value.get("speed"), new At(at, "speed")),
    };
    demand(found.machines > 0, new At(at, "machines"), "there is no machine");
    found.peak = peakOf(found.service, new At(at, "service"));
    const place = new At(at, "jobs");
    found.jobs = listOf(value.get("jobs"), place, (item, here) => {
        demand(Array.isArray(item) && item.length === 2, here, "expected arrival and size");
        const arrival = numberOf(item[0], here);
        demand(arrival.sign() >= 0, here, "the arrival is negative");
        return {arrival, size: positive(item[1], here)};
    });
    found.jobs.forEach((job, i, all) => {
        demand(i === 0 || all[i - 1].arrival.compare(job.arrival) <= 0, new At(place, i), "the arrivals do not ascend");
    });
    return found;
}

/** The peak rate of a service. */
function peakOf(service, at) {
    if (service === "det") return ONE;
    const pair = /^two-point:([^,]+),([^,]+)$/.exec(service);
    if (pair !== null) {
        const [fast, slow] = [numberOf(pair[1], at), numberOf(pair[2], at)];
        const right = slow.sign() >= 0 && slow.compare(ONE) < 0 && fast.compare(ONE) > 0;
        demand(right, at, "expected 0 <= slow < 1 < fast");
        return fast;
    }
    const table = /^gains:([^@]+)(?:@(.+))?$/.exec(service);
    demand(table !== null, at, "no such service");
    const gains = table[1].split(",").map((text) => numberOf(text, at));
    const peak = table[2] === undefined ? gains[gains.length - 1] : numberOf(table[2], at);
    const steps = gains.slice(1).map((gain, i) => gain.minus(gains[i]));
    const concave = steps.every((step, i) => step.sign() >= 0 && (i === 0 || step.compare(steps[i - 1]) <= 0));
    const right = gains[0].equals(ONE) && concave && gains.every((gain) => gain.compare(peak) <= 0);
    demand(right, at, "the gains do not begin with 1, fall, are not concave or exceed the peak");
    return peak;
}

/** Plain SRPT at a speed: the intervals {from, to, active} until the last completion. */
function shortestFirst({jobs, machines, speed}) {
    const intervals = [];
    let active = [];
    let next = 0;
    let now = jobs.length > 0 ? jobs[0].arrival : ZERO;
    while (next < jobs.length || active.length > 0) {
        while (next < jobs.length && jobs[next].arrival.compare(now) <= 0) active.push(jobs[next++].size);
        active.sort((a, b) => a.compare(b));
        const served = active.slice(0, machines);
        const events = next < jobs.length ? [jobs[next].arrival] : [];
        if (served.length > 0) events.push(now.plus(served[0].over(speed)));
        const to = least(events);
        if (to.compare(now) > 0) intervals.push({from: now, to, active: active.length});
        const done = to.minus(now).times(speed);
        active = active.map((left, i) => (i < machines ? left.minus(done) : left)).filter((left) => left.sign() > 0);
        now = to;
    }
    intervals.push({from: now, to: null, active: 0});
    return intervals;
}

function* checkDual(document) {
    const at = new At(TOP, "statement");
    const value = members(document.statement, at, ["constant", "alpha"]);
    const constant = numberOf(value.get("constant"), new At(at, "constant"));
    demand(constant.sign() >= 0, new At(at, "constant"), "it is negative");
    const alpha = listOf(value.get("alpha"), new At(at, "alpha"), numberOf);
    const instance = document.model;
    demand(document.proofs.length === 0, new At(TOP, "proofs"), "there are proofs");
    demand(alpha.length === instance.jobs.length, new At(at, "alpha"), "not a number for each job");
    demand(alpha.every((a) => a.sign() >= 0), new At(at, "alpha"), "a number is negative");
    wordOf(document.policy, new At(TOP, "policy"), ["srpt+r", "fair+r"]);
    if (document.policy !== "srpt+r") {
        document.notChecked.push("That the dual variables are feasible, and their worth: this needs the policy's run.");
        return sentenceNotChecked(document);
    }
    const intervals = shortestFirst(instance);
    yield;
    feasible(instance, alpha, constant, intervals, new At(at, "alpha"));
    const worth = dualWorth(instance, alpha, intervals);
    demand(worth.sign() > 0, new At(at, "alpha"), "the dual variables are worth " + worth);
    document.binding = false;
    document.checked.push("The " + alpha.length + " dual variables are feasible at every time and worth " + worth +
        ", against a run of SRPT.");
    return dualSentence(document, constant, worth);
}

function feasible({jobs, machines, speed}, alpha, constant, intervals, at) {
    const all = speed.times(Rational.of(machines));
    jobs.forEach(({arrival, size}, j) => {
        for (const {from, active} of intervals) {
            if (from.compare(arrival) < 0) continue;
            const left = alpha[j].over(size).minus(Rational.of(active).over(all));
            const right = from.minus(arrival).over(size).plus(constant);
            demand(left.compare(right) <= 0, new At(at, j), "the constraint of job " + j + " does not hold at " + from);
        }
    });
}

function dualWorth({speed}, alpha, intervals) {
    const integral = sum(intervals.filter(({to}) => to !== null)
        .map(({from, to, active}) => to.minus(from).times(Rational.of(active))));
    return sum(alpha).minus(integral.over(speed));
}

/** The sentence up to what it says of the policy's own run. */
function dualSentence(document, constant, worth) {
    const {name, jobs, machines, service, speed, peak} = document.model;
    const bound = worth.over(ONE.plus(constant.times(peak)));
    const head = "On '" + name + "' (" + jobs.length + " jobs, " + machines + " machines, service " + service +
        "): dual variables that are feasible with C = " + constant + " are worth " + worth +
        ", so no schedule at speed 1 has a total flowtime below " + bound + ", and the one of " + document.policy +
        " at speed " + speed + ", whose total flowtime is ";
    const rest = /^([^ ]+), has at most ([^ ]+) times the optimum\.$/;
    const at = new At(TOP, "sentence");
    const found = document.sentence.startsWith(head) ? rest.exec(document.sentence.slice(head.length)) : null;
    demand(found !== null, at, "it is not the one that the data give: " + head + "...");
    const ratio = numberOf(found[1], at).over(bound);
    demand(ratio.equals(numberOf(found[2], at)), at, "the ratio is " + ratio);
    document.checked.push("The sentence is the one that the data give, with the policy's flow time as it stands.");
    document.notChecked.push("The policy's own total flow time, " + found[1] + ", and with it the ratio.");
}

// ---------------------------------------------------------------- the certificate of a load

/** An exact number as instance files have it: 3, 6/8, 0.75 or 1.5e-3. */
function anyNumber(value, at) {
    demand(typeof value === "string", at, "expected a number, as text");
    const parts = /^([+-]?[0-9]+)\/([0-9]{1,1000})$/.exec(value);
    if (parts !== null && /[1-9]/.test(parts[2])) return Rational.of(parts[1].replace("+", ""), parts[2]);
    const decimal = /^([+-]?)([0-9]{0,1000})(?:\.([0-9]{0,1000}))?(?:[eE]([+-]?[0-9]{1,3}))?$/.exec(value);
    demand(decimal !== null && /^[+-]?\.?[0-9]/.test(value), at, "expected an exact number");
    const digits = decimal[2] + (decimal[3] || "");
    const shift = BigInt(Number(decimal[4] || 0) - (decimal[3] || "").length);
    const size = shift < 0n ? Rational.of(digits, 10n ** -shift) : Rational.of(BigInt(digits) * 10n ** shift);
    return decimal[1] === "-" ? size.negated() : size;
}

function positions(things) {
    return new Map(things.map((thing, i) => [thing.name, i]));
}

function byName(value, at, names, what) {
    demand(value instanceof Map, at, "expected an object");
    for (const name of value.keys()) demand(names.has(name), at, "no such " + what + ": " + name);
    return [...names.keys()].map((name) => {
        demand(value.has(name), at, "no price of " + what + " " + name);
        return anyNumber(value.get(name), new At(at, name));
    });
}

function* checkCapacity(document, top) {
    const keys = ["schema", "instance", "lower", "upper", "decomposition", "type_price", "server_price"];
    members(top, TOP, keys, ["version"]);
    document.kind = "capacity-certificate";
    const at = new At(TOP, "instance");
    demand(document.instanceText !== undefined, at, "not decided: the instance is needed");
    document.model = queueingOf(yield* new Reader(document.instanceText).document(), new At(TOP, "the instance given"));
    demand(top.get("instance") === document.model.name, at, "the instance given is '" + document.model.name + "'");
    const types = positions(document.model.types);
    const servers = positions(document.model.servers);
    const load = {
        lower: anyNumber(top.get("lower"), new At(TOP, "lower")),
        upper: anyNumber(top.get("upper"), new At(TOP, "upper")),
        typePrice: byName(top.get("type_price"), new At(TOP, "type_price"), types, "type"),
        serverPrice: byName(top.get("server_price"), new At(TOP, "server_price"), servers, "server"),
    };
    load.decomposition = listOf(top.get("decomposition"), new At(TOP, "decomposition"), (item, place) => {
        members(item, place, ["type", "server", "amount"]);
        demand(types.has(item.get("type")), place, "no such type");
        demand(servers.has(item.get("server")), place, "no such server");
        const amount = anyNumber(item.get("amount"), place);
        return {type: types.get(item.get("type")), server: servers.get(item.get("server")), amount};
    });
    ascending(load.decomposition, new At(TOP, "decomposition"));
    yield;
    checkLoad(load, TOP, document.model);
    document.binding = false;
    const bounds = load.lower.equals(load.upper) ? load.lower : "at least " + load.lower + " and at most " + load.upper;
    document.sentence = "The load rho* of '" + document.model.name + "' is " + bounds + ".";
    document.checked.push("The " + load.decomposition.length + " entries of the decomposition and the " +
        (types.size + servers.size) + " prices prove the load, by weak duality.");
}

// ---------------------------------------------------------------- the whole

const KINDS = {
    "drift": {instance: queueingOf, policy: true, check: checkDrift},
    "transience": {instance: queueingOf, policy: true, check: checkTransience},
    "invariants": {instance: queueingOf, policy: true, check: checkInvariants},
    "mean": {instance: queueingOf, policy: true, check: checkMean},
    "maxweight-drift": {instance: queueingOf, policy: true, check: checkMaxweight},
    "uniform-drift": {instance: null, policy: true, check: checkUniform},
    "any-policy": {instance: queueingOf, policy: false, check: checkAnyPolicy},
    "assignment": {instance: null, policy: true, check: checkAssignment},
    "worst-ratio": {instance: null, policy: true, check: checkWorst},
    "redundancy": {instance: null, policy: true, check: checkRedundancy},
    "dual": {instance: dualInstance, policy: true, check: checkDual},
};

/** The members that every certificate has. */
function* readEnvelope(document, top, ranges) {
    document.kind = wordOf(top.get("theorem"), new At(TOP, "theorem"), Object.keys(KINDS));
    const kind = KINDS[document.kind];
    const keys = ["schema", "format", "theorem", "sentence", "statement", "proofs"];
    if (kind.policy) keys.push("policy", "definition");
    if (kind.instance !== null) keys.push("instance-digest", "instance");
    members(top, TOP, keys);
    demand(top.get("format") === 1, new At(TOP, "format"), "no such format");
    document.sentence = textOf(top.get("sentence"), new At(TOP, "sentence"));
    document.statement = top.get("statement");
    demand(document.statement instanceof Map, new At(TOP, "statement"), "expected an object");
    document.proofs = listOf(top.get("proofs"), new At(TOP, "proofs"), (item, place) => {
        demand(item instanceof Map, place, "expected an object");
        return item;
    });
    if (kind.policy) {
        document.policy = textOf(top.get("policy"), new At(TOP, "policy"));
        document.definition = textOf(top.get("definition"), new At(TOP, "definition"));
    }
    if (kind.instance !== null) yield* readInstance(document, top, ranges, kind);
    return kind;
}

function* readInstance(document, top, ranges, kind) {
    const text = ranges.get("instance");
    const bytes = document.kind === "dual" ? text + ranges.get("statement") : text.replace(/\n {2}/g, "\n") + "\n";
    const at = new At(TOP, "instance-digest");
    const stated = digestText(top.get("instance-digest"), at);
    const found = yield* digestOf(bytesOf(bytes));
    demand(found === stated, at, "the digest of the instance, as it stands in the file, is " + found +
        " (it was altered, or laid out in another way)");
    document.checked.push("The digest of the instance is " + found + ".");
    document.model = kind.instance(top.get("instance"), new At(TOP, "instance"));
}

function countWords(counts) {
    return counts.proofs + " proofs with " + counts.nodes + " nodes: the trees cover their spaces; " + counts.leaves +
        " leaves, " + counts.obligations + " obligations and " + counts.closed + " empty sides are refuted by " +
        counts.multipliers + " multipliers, all re-multiplied.";
}

function bindingNotChecked(document) {
    document.notChecked.unshift("That the policy's code makes the comparisons of the trees, and that \"definition\" " +
        "is what the policy " + document.policy + " does.");
    if (document.statuses) document.notChecked.push("That the statuses are closed under what the code decides.");
}

function* judge(document, text) {
    demand(typeof text === "string" && text.length <= MOST_CHARACTERS, TOP, "expected a text of at most 256 MiB");
    const reader = new Reader(text);
    const top = yield* reader.document();
    demand(top instanceof Map, TOP, "expected an object");
    const schema = wordOf(top.get("schema"), new At(TOP, "schema"), ["certificate", "capacity-certificate"]);
    if (schema === "capacity-certificate") return yield* checkCapacity(document, top);
    const kind = yield* readEnvelope(document, top, reader.ranges);
    const {counts} = document;
    yield* kind.check(document, counts);
    if (counts.proofs > 0) document.checked.unshift(countWords(counts));
    if (kind.policy && document.binding) bindingNotChecked(document);
    return undefined;
}

function newDocument(options) {
    return {
        kind: null, sentence: null, checked: [], notChecked: [], binding: true, fraction: 0,
        table: options.table, instanceText: options.instance,
        counts: {proofs: 0, nodes: 0, leaves: 0, obligations: 0, closed: 0, multipliers: 0},
        progress(fraction) {
            this.fraction = fraction;
        },
    };
}

function answer(document, accepted, reason) {
    return {
        accepted, kind: document.kind, theorem: document.sentence, checked: document.checked,
        notChecked: document.notChecked, counts: document.counts, reason,
    };
}

function refusal(document, fault) {
    if (fault instanceof Fault) {
        return answer(document, false, (fault.place === "" ? "" : fault.place + ": ") + fault.message);
    }
    return answer(document, false, "not decided: " + fault.message);
}

/** Checks a certificate at once. */
function check(text, options = {}) {
    const document = newDocument(options);
    try {
        const steps = judge(document, text);
        while (!steps.next().done);
        return answer(document, true, null);
    } catch (fault) {
        return refusal(document, fault);
    }
}

function pause() {
    return new Promise((resolve) => setTimeout(resolve, 0));
}

/** Checks a certificate in slices of some milliseconds; tells `progress` the fraction of the questions done. */
async function checkAsync(text, options = {}) {
    const document = newDocument(options);
    const slice = options.slice === undefined ? 30 : options.slice;
    try {
        const steps = judge(document, text);
        let until = Date.now() + slice;
        while (!steps.next().done) {
            if (Date.now() < until) continue;
            if (options.progress) options.progress(document.fraction);
            await pause();
            until = Date.now() + slice;
        }
        return answer(document, true, null);
    } catch (fault) {
        return refusal(document, fault);
    }
}

/** SHA-256 of a Uint8Array in lower-case hexadecimal. */
function sha256(bytes) {
    const steps = digestOf(bytes);
    for (;;) {
        const {value, done} = steps.next();
        if (done) return value;
    }
}

const api = {check, checkAsync, sha256};
root.SchedproofCertificate = api;
if (typeof module !== "undefined" && module.exports) module.exports = api;
})(typeof globalThis !== "undefined" ? globalThis : this);
