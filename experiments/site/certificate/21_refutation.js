/** Linear forms, and constraints that are refuted by multipliers (Farkas). */
"use strict";
(function (parts) {
const {demand, ONE, Rational, ZERO, flagOf, indexOf, listOf, members, numberOf} = parts;

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

    /** The product of two forms; `variable(i, j)` stands for that of two variables. */
    times(other, variable) {
        let total = this.scaled(other.c).plus(other.scaled(this.c)).plusConstant(this.c.times(other.c).negated());
        this.v.forEach((i, a) => other.v.forEach((j, b) => {
            total = total.plus(new Form(ZERO, [variable(i, j)], [this.k[a].times(other.k[b])]));
        }));
        return total;
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

Object.assign(parts, {Form, formOf, constraintOf, multipliersOf, refute});
})(globalThis.SchedproofCertificateParts ??= {});
