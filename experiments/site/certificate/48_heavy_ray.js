/** Certificates of the kind `heavy-traffic-ray`: a policy that stays above the bound of every policy. */
"use strict";
(function (parts) {
const {
    At, TOP, demand, ONE, listOf, notNegative, numberOf, sumOf, emptyLeaf, Form, meanRates, linearIn, sameSentence,
    everyShape, added, endsOf, everyLawWords, slackWords, checkBrackets, lowerOf, proseNotChecked, collapseQuestions,
    collapseWords, exactObligation, meanOfF, someForm, withCollapse, COLLAPSE, upperMembers, upperOf, members,
    balanceLeaf, balanceChecked, balanceNotChecked, atBothEnds,
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
            starving: value.has("starving") ?
                starvingOf(document, value, collapse, new At(at, "starving")) : null,
        };
    }, ["starving"]);
}

/** An upper bound of the same limit, on the same collapse, of a workload that is never below the value of tasks. */
function starvingOf(document, statement, collapse, at) {
    const value = statement.get("starving");
    members(value, at, ["multiple", "upper"]);
    const upper = value.get("upper");
    const place = new At(at, "upper");
    members(upper, place, [...COLLAPSE, ...upperMembers[0]], upperMembers[1]);
    for (const key of COLLAPSE) {
        demand(same(upper.get(key), statement.get(key)), new At(place, key), "it is not that of the ray");
    }
    const lower = statement.get("lower");
    for (const key of ["prices", "constant"]) {
        demand(same(upper.get(key), lower.get(key)), new At(place, key), "it is not that of the lower bound");
    }
    const found = {...upperOf(document, upper, place, collapse), collapse};
    demand(found.tasks === null, place, "it says more than is needed");
    const lengths = linearIn({pieces: found.h.pieces.filter(({when}) => when === null)}, []);
    listOf(statement.get("price"), new At(at, "price"), notNegative).forEach((price, queue) => {
        const right = document.empty.includes(queue) || lengths.coefficient(queue).compare(price) >= 0;
        demand(right, new At(place, "h"), "H counts queue " + queue + " for less than its price");
    });
    return {upper: found, multiple: notNegative(value.get("multiple"), new At(at, "multiple"))};
}

/** Whether two parsed values are the same. */
function same(a, b) {
    if (a instanceof Map && b instanceof Map) {
        return a.size === b.size && [...a].every(([key, value]) => b.has(key) && same(value, b.get(key)));
    }
    if (Array.isArray(a) && Array.isArray(b)) {
        return a.length === b.length && a.every((value, i) => same(value, b[i]));
    }
    return a === b;
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
    const {collapse, price, factor, spread, constant, lower, starving} = s;
    yield* checkBrackets(document, lower, new At(new At(TOP, "statement"), "lower"));
    const most = cheapPairs(document, s);
    const tasks = Form.from(constant.negated(), new Map(price.map((z, i) => [i, factor.times(z).minus(ONE)])));
    const excess = starving === null ? tasks : tasks.minus(starving.upper.starving.scaled(starving.multiple));
    const balance = starving === null ? [] : atBothEnds(document, "balance", balanceLeaf(document, starving.upper));
    yield* collapseQuestions(document, counts, collapse, [
        ...balance,
        everyShape("routes", (leaf, _, at) => {
            demand(leaf.length <= most, at, "more obligations than types that arrive and queues of a lower price");
            emptyLeaf(leaf, at);
        }),
        everyShape("ray", (leaf, shape, at) => exactObligation(leaf,
            collapse.forms.map(({form}) => excess.minus(linearIn(form, shape).scaled(spread))), at,
            "(zeta z - 1) . Q - C - lambda l" + (starving === null ? "" : " - a multiple of s"))),
    ]);
    if (starving !== null) {
        document.checked.push("The upper bound has the prices, the limit and the collapse of the ray, and its H " +
            "counts no queue for less than its price. " + balanceChecked(starving.upper));
        document.notChecked.push(balanceNotChecked(starving.upper));
    }
    document.checked.push("The obligations of every ray are zeta z . Q - sum of Q above lambda l + C" +
        (starving === null ? "" : " + the multiple of s") + ", as the statement has these numbers.");
    raySentence(document, s);
    document.notChecked.push("That the answers of route in a leaf are those at queues of at least the type's price.");
    proseNotChecked(document);
}

function raySentence(document, {collapse, factor, spread, constant, lower, starving}) {
    const rare = starving === null ? null : starving.upper;
    const less = rare === null ? factor.times(lower.deficit) :
        factor.times(lower.deficit)
            .plus(starving.multiple.times(lower.deficit.plus(rare.withLoss).plus(rare.withSlack)));
    const logarithm = rare === null ? "" : " - " + starving.multiple.times(rare.spread) + " log_q(" +
        rare.loss.times(meanOfF(collapse)) + " / sigma)";
    const times = factor.compare(ONE) > 0 ?
        ": near the boundary at least " + factor + " times the bound of every policy" : "";
    sameSentence(document, everyLawWords(document) + "the mean number of tasks is at least " + factor + " c/sigma" +
        added(less.negated()) + " - " + spread + " log_q(" + meanOfF(collapse) + ")" +
        logarithm + added(constant.negated()) + times + ". Here " + slackWords(document, lower.prices, lower.constant) +
        ", and no policy has a mean workload below c/sigma but for a constant. The function " +
        collapseWords(document, collapse) + ".");
}

Object.assign(parts, {checkHeavyRay});
})(globalThis.SchedproofCertificateParts ??= {});
