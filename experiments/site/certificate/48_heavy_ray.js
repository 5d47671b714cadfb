/** Certificates of the kind `heavy-traffic-ray`: a policy that stays above the bound of every policy. */
"use strict";
(function (parts) {
const {
    At, TOP, demand, ONE, listOf, notNegative, numberOf, sumOf, emptyLeaf, Form, meanRates, linearIn, sameSentence,
    everyShape, added, endsOf, everyLawWords, slackWords, checkBrackets, lowerOf, proseNotChecked, collapseQuestions,
    collapseWords, exactObligation, meanOfF, someForm, withCollapse,
} = parts;

function readRay(document) {
    return withCollapse(document, ["lower", "price", "factor", "spread", "constant"], (value, at, collapse) => {
        someForm(collapse, at);
        const price = listOf(value.get("price"), new At(at, "price"), notNegative);
        demand(price.length === document.sizes.queues, new At(at, "price"), "not a price for each queue");
        return {
            price,
            lower: lowerOf(document, value.get("lower"), new At(at, "lower")),
            factor: notNegative(value.get("factor"), new At(at, "factor")),
            spread: notNegative(value.get("spread"), new At(at, "spread")),
            constant: numberOf(value.get("constant"), new At(at, "constant")),
        };
    });
}

/** Number of pairs of a type that arrives at some slack and a queue of a lower price: answers that are forbidden. */
function cheapPairs(document, {price, lower}) {
    const rates = endsOf(document).map(({model}) => meanRates(model));
    return sumOf(lower.prices.type.map((v, type) => {
        const arrives = rates.some((end) => end[type].sign() > 0);
        return arrives ? price.filter((z) => z.compare(v) < 0).length : 0;
    }));
}

function* checkHeavyRay(document, counts) {
    const s = readRay(document);
    const {collapse, price, factor, spread, constant, lower} = s;
    yield* checkBrackets(document, lower, new At(new At(TOP, "statement"), "lower"));
    const most = cheapPairs(document, s);
    const excess = Form.from(constant.negated(), new Map(price.map((z, i) => [i, factor.times(z).minus(ONE)])));
    yield* collapseQuestions(document, counts, collapse, [
        everyShape("routes", (leaf, _, at) => {
            demand(leaf.length <= most, at, "more obligations than types that arrive and queues of a lower price");
            emptyLeaf(leaf, at);
        }),
        everyShape("ray", (leaf, shape, at) => exactObligation(leaf,
            collapse.forms.map(({form}) => excess.minus(linearIn(form, shape).scaled(spread))), at,
            "(zeta z - 1) . Q - C - lambda l")),
    ]);
    document.checked.push("The obligations of every ray are zeta z . Q - sum of Q above lambda l + C, as the " +
        "statement has these numbers.");
    raySentence(document, s);
    document.notChecked.push("That the answers of route in a leaf are those at queues of at least the type's price.");
    proseNotChecked(document);
}

function raySentence(document, {collapse, factor, spread, constant, lower}) {
    const times = factor.compare(ONE) > 0 ?
        ": near the boundary at least " + factor + " times the bound of every policy" : "";
    sameSentence(document, everyLawWords(document) + "the mean number of tasks is at least " + factor + " c/sigma" +
        added(factor.times(lower.deficit).negated()) + " - " + spread + " log_q(" + meanOfF(collapse) + ")" +
        added(constant.negated()) + times + ". Here " + slackWords(document, lower.prices, lower.constant) +
        ", and no policy has a mean workload below c/sigma but for a constant. The function " +
        collapseWords(document, collapse) + ".");
}

Object.assign(parts, {checkHeavyRay});
})(globalThis.SchedproofCertificateParts ??= {});
