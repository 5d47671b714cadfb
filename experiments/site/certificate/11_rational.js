/** Rational numbers of any size. */
"use strict";
(function (parts) {
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

Object.assign(parts, {gcd, magnitude, Rational, ZERO, ONE, TWO, sum, largest, least, spelled});
})(globalThis.SchedproofCertificateParts ??= {});
