/** The sentences of certificates, made anew from what was checked. */
"use strict";
(function (parts) {
const {At, TOP, demand, ONE, eventRate} = parts;

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
    const {model} = document;
    const changed = model.options.filter(({value, usual}) => value !== usual);
    const words = changed.map(({key, value}) => key + " " + value).join(", ");
    return "'" + model.name + "'" + (model.time === null ? "" : " in continuous time") + " under " + document.policy +
        " with " + (words === "" ? "" : words + " and otherwise ") + "the default interpretations of " +
        (model.time === null ? "the slot" : "an event");
}

/** What a drift is one of, where it is not one of a slot. */
function inAnEvent({model}) {
    return model.time === null ? "" :
        " in an event (" + eventRate(model) + " per " + model.time.unit + " on average)";
}

function stepOf({model}) {
    return model.time === null ? "slot" : "event";
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

function sentenceNotChecked(document) {
    document.notChecked.push("The sentence: the format does not give its form for this kind, or not in full.");
}

Object.assign(parts, {
    written, formWords, functionWords, aboutWords, inAnEvent, stepOf, ALL, sameSentence, withoutOwnPolicy,
    sentenceNotChecked,
});
})(globalThis.SchedproofCertificateParts ??= {});
