/** What the kinds `heavy-traffic-...` share: the ends of a family of loads, prices at its boundary, and their words. */
"use strict";
(function (parts) {
const {
    At, TOP, demand, ONE, ZERO, largest, sum, listOf, members, notNegative, numberOf, meanRates, rateOf, aboutWords,
    written,
} = parts;

/** The two ends of the family: each a slack, and the model there. */
function endsOf({model}) {
    demand(model.slack !== undefined, new At(TOP, "instance"), "the instance states one load, and no family");
    return [{slack: ZERO, model}, {slack: model.slack.upTo, model: model.slack.end}];
}

/** Two numbers, one for each end. */
function pairOf(value, at) {
    const found = listOf(value, at, numberOf);
    demand(found.length === 2, at, "expected two numbers, for the two ends");
    return found;
}

/** By how much the value that the servers can earn in a slot exceeds the mean value that arrives. */
function valueSlack(model, prices) {
    const arriving = meanRates(model).map((rate, type) => rate.times(prices.type[type]));
    return sum(prices.server).minus(sum(arriving));
}

/** Prices of types and servers with which the load is on the boundary at slack 0; with sigma at the other end. */
function pricesOf(document, value, at) {
    const [boundary, far] = endsOf(document).map(({model}) => model);
    members(value, at, ["type", "server"]);
    const prices = {
        type: listOf(value.get("type"), new At(at, "type"), notNegative),
        server: listOf(value.get("server"), new At(at, "server"), notNegative),
    };
    demand(prices.type.length === boundary.types.length, new At(at, "type"), "not a price for each type");
    demand(prices.server.length === boundary.servers.length, new At(at, "server"), "not a price for each server");
    demand(largest(prices.type).equals(ONE), new At(at, "type"), "the dearest type is not worth 1");
    noServerEarnsMore(boundary, prices, at);
    demand(valueSlack(boundary, prices).sign() === 0, at, "at slack 0 the load is not on the boundary by these prices");
    prices.sigma = valueSlack(far, prices);
    demand(prices.sigma.sign() > 0, at, "at the largest slack sigma is not above 0");
    document.checked.push("The prices: no server earns more than its own, and sigma is 0 at slack 0 and " +
        prices.sigma + " at the largest slack.");
    return prices;
}

/** Whatever a server does, the value that leaves it in a slot has at most its price as mean. */
function noServerEarnsMore(model, prices, at) {
    prices.type.forEach((price, type) => prices.server.forEach((most, server) => {
        const earns = price.times(rateOf(model, type, server));
        demand(earns.compare(most) <= 0, at, "server " + model.servers[server].name + " earns " + earns +
            " with type " + model.types[type].name + ", more than its price");
    }));
}

/** What sigma is, and c at both ends. */
function slackWords({model}, prices, constant) {
    const {upTo} = model.slack;
    const sigma = written([{number: prices.sigma.over(upTo), what: "eps"}]);
    return "sigma = " + sigma + " and c is linear in eps, from " + constant[0] + " at eps = 0 to " + constant[1] +
        " at eps = " + upTo;
}

function everySlack({model}) {
    return "for every slack eps in (0, " + model.slack.upTo + "] and ";
}

/** How the sentence begins where a policy is named. */
function everyLawWords(document) {
    return "On " + aboutWords(document) + ", " + everySlack(document) +
        "every stationary law on the states that can be reached from the empty cluster, ";
}

/** A summand after others, with its sign; nothing for 0. */
function added(number) {
    if (number.sign() === 0) return "";
    return number.sign() < 0 ? " - " + number.negated() : " + " + number;
}

Object.assign(parts, {endsOf, pairOf, pricesOf, slackWords, everySlack, everyLawWords, added});
})(globalThis.SchedproofCertificateParts ??= {});
