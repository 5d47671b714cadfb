/** Certificates of the kind `heavy-traffic-collapse`, and the closed set and forms that the other kinds share. */
"use strict";
(function (parts) {
const {
    At, TOP, demand, ONE, Rational, indexOf, listOf, members, numberOf, positive, emptyLeaf, functionWords,
    linearFunctionOf, everyShape, oneObligation, statusQuestions, withStatuses, endsOf, everyLawWords, sameSentence,
} = parts;

const COLLAPSE = ["statuses", "empty", "forms", "base", "rate", "bound"];
const MOST_COEFFICIENT = Rational.of(1000);
const MOST_WINDOW = Rational.of(10000);
const MOST_NUMERATOR = 1000000n;

/** The members of a statement that speak of the closed set and of F, but for `statuses`. */
function collapseOf(document, value, at) {
    const found = {
        forms: listOf(value.get("forms"), new At(at, "forms"),
            (item, place) => exponentOf(item, place, document.sizes)),
        base: numberOf(value.get("base"), new At(at, "base")),
        rate: positive(value.get("rate"), new At(at, "rate")),
        bound: positive(value.get("bound"), new At(at, "bound")),
    };
    found.forms.forEach(({form}, j) => {
        demand(form.name === "l" + (j + 1), new At(new At(at, "forms"), j), "the form is not called l" + (j + 1));
    });
    demand(found.rate.compare(ONE) <= 0, new At(at, "rate"), "rho is above 1");
    const {base} = found;
    demand(found.forms.length === 0 || base.compare(ONE) > 0, new At(at, "base"), "q is not above 1");
    demand(base.n <= MOST_NUMERATOR, new At(at, "base"), "the numerator of q is above " + MOST_NUMERATOR);
    return found;
}

/** A form of the collapse, whose values are integers, and the window in which they are told apart. */
function exponentOf(value, at, sizes) {
    members(value, at, ["form", "low", "high"]);
    const place = new At(at, "form");
    const found = {
        form: linearFunctionOf(value.get("form"), place, sizes),
        low: numberOf(value.get("low"), new At(at, "low")),
        high: numberOf(value.get("high"), new At(at, "high")),
    };
    for (const {coefficient, forms: [form], when} of found.form.pieces) {
        const numbers = [form.c, ...form.k].map((number) => number.times(coefficient));
        const right = numbers.every((x) => x.isInteger() && within(x, MOST_COEFFICIENT));
        demand(right, place, "a number is no integer of at most " + MOST_COEFFICIENT);
        demand(when !== null || form.c.sign() === 0, place, "there is a constant outside the statuses");
    }
    const {low, high} = found;
    const proper = low.isInteger() && high.isInteger() && low.compare(high) < 0 && within(low, MOST_WINDOW) &&
        within(high, MOST_WINDOW) && within(high.minus(low), MOST_WINDOW);
    demand(proper, at, "the window is not one between integers, not empty and of at most " + MOST_WINDOW);
    return found;
}

function within(number, most) {
    return number.compare(most) <= 0 && number.compare(most.negated()) >= 0;
}

/** Reads a statement with the members of the collapse; `read` reads the others. */
function withCollapse(document, own, read, optional = []) {
    const found = withStatuses(document, (_, value, at) => {
        members(value, at, [...COLLAPSE, ...own], optional);
        const collapse = collapseOf(document, value, at);
        return {collapse, ...read(value, at, collapse)};
    });
    document.checked.push("Numbers and windows of the forms (" + found.collapse.forms.length + ") are such integers " +
        "as the format asks for, q, rho and b are in range, and no status serves a queue that is said to be empty.");
    return found;
}

/** A form must be there. */
function someForm({forms}, at) {
    demand(forms.length > 0, new At(at, "forms"), "there is no form");
}

/** A leaf of the collapse claims nothing, or that it is empty. */
function collapseLeaf(leaf, shape, at) {
    demand(leaf.length <= 1, at, "expected at most one obligation");
    emptyLeaf(leaf, at);
}

/** Questions that are asked at both ends and in every shape. */
function atBothEnds(document, what, judge) {
    return endsOf(document).map(({slack}) => everyShape(what + " at slack " + slack + ",", judge));
}

/** The questions about the statuses, about the collapse, and those of `more`. */
function* collapseQuestions(document, counts, {forms}, more) {
    const collapse = forms.length === 0 ? [] : atBothEnds(document, "collapse", collapseLeaf);
    yield* statusQuestions(document, counts, function* (statuses, words) {
        for (const group of [...collapse, ...more]) yield* group(statuses, words);
    });
    if (forms.length === 0) return;
    document.notChecked.push("That a leaf of the collapse without an obligation is one where E F(next) <= " +
        "(1 - rho) F + b, and that no slot leads out of the closed set.");
}

/** One obligation, whose constraints are these forms, each above 0. */
function exactObligation(leaf, forms, at, words) {
    oneObligation(leaf, 1, at, forms.length);
    leaf[0].forEach(({form, strict}, j) => {
        demand(strict && form.equals(forms[j]), at, "constraint " + j + " is not " + words + " > 0");
    });
}

/** How large the mean of F is at most. */
function meanOfF({rate, bound}) {
    return bound.over(rate);
}

function collapseWords({queues, model}, collapse) {
    const {forms, base, rate, bound} = collapse;
    const sum = forms.map(({form}) => "q^(" + functionWords(form, queues, model) + ")").join(" + ");
    return "F = " + sum + " with q = " + base + " has a mean of at most " + meanOfF(collapse) + ", for in every slot " +
        "E F(next) <= (1 - " + rate + ") F + " + bound + ": all moments of the positive parts of the exponents are " +
        "bounded uniformly in eps";
}

function* checkHeavyCollapse(document, counts) {
    const {collapse} = withCollapse(document, [], (_, at, found) => someForm(found, at));
    yield* collapseQuestions(document, counts, collapse, []);
    sameSentence(document, everyLawWords(document) + collapseWords(document, collapse) + ".");
}

Object.assign(parts, {
    COLLAPSE, withCollapse, someForm, atBothEnds, collapseQuestions, exactObligation, meanOfF, collapseWords,
    checkHeavyCollapse,
});
})(globalThis.SchedproofCertificateParts ??= {});
