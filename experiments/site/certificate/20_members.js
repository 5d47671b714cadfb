/** Members, lists, texts and numbers of a document. */
"use strict";
(function (parts) {
const {At, demand, spelled} = parts;

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

function sumOf(numbers) {
    return numbers.reduce((a, b) => a + b, 0);
}

function matching(value, at, pattern) {
    demand(typeof value === "string" && pattern.test(value), at, "it has not the form that is due");
    return value;
}

/** No name stands twice. */
function distinct(names, at) {
    const seen = new Set();
    for (const name of names) {
        demand(!seen.has(name), at, "the name " + name + " stands twice");
        seen.add(name);
    }
}

Object.assign(parts, {
    members, listOf, textOf, flagOf, indexOf, numberOf, nameOf, wordOf, digestText, positive, notNegative, sumOf,
    matching, distinct,
});
})(globalThis.SchedproofCertificateParts ??= {});
