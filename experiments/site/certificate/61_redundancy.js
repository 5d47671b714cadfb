/** Certificates of the kinds `redundancy` and `dual`. */
"use strict";
(function (parts) {
const {
    At, TOP, demand, ONE, Rational, ZERO, least, sum, indexOf, listOf, matching, members, nameOf, numberOf,
    positive, textOf, wordOf, sameSentence, sentenceNotChecked, logicAlone, BEST_COPY, CORE_INEQUALITY,
    GAINS_CONCAVE, RELAXED_COST, DUAL_BELOW_COST, PRICE_SUMS, IMPROVES_ON_SRPT, checkIdentities, identitiesOf,
} = parts;

// ---------------------------------------------------------------- redundancy

const IDENTITIES = {
    "core-inequality": [CORE_INEQUALITY,
        "(1 + beta + eps) (1 - beta/2) >= 1 + eps/2 for all 0 <= beta <= 1 and eps >= 0."],
    "gains-concave": [GAINS_CONCAVE,
        "G^r (1 - G) >= G^(r+1) (1 - G) for every value G in [0, 1] of a distribution function and r = 0..8."],
    "best-copy": [BEST_COPY,
        "For r = 2..8 copies that do S_1 >= S_i >= 0, i = 2..r: S_1 is at least the mean of all S_i and at most " +
        "their sum."],
    "relaxed-cost": [RELAXED_COST,
        "For a job that stays for r = 1..8 intervals of lengths l_k >= 0, with work w_k of it done at a constant " +
        "rate of at most Delta in the k-th, 0 <= w_k <= Delta l_k, and for any C >= 0: p times its cost in P1, p = " +
        "w_1 + ... + w_r, is at most p (1 + C Delta) times its flowtime l_1 + ... + l_r."],
    "dual-below-cost": [DUAL_BELOW_COST,
        "At an instant t with n = 1..8 jobs of which speedups h_j >= 0 sum to at most M, and with beta >= 0 and " +
        "alpha_j such that alpha_j/p_j - beta <= (t - a_j)/p_j + C of each (eq. 8): sum_j alpha_j/p_j h_j - M beta " +
        "is at most sum_j ((t - a_j)/p_j + C) h_j, the cost in P1."],
    "price-sums": [PRICE_SUMS,
        "For K >= r >= 0, K > 0 and n = K + r: r + (K - r)(K + r + 1)/(2K) >= n/2, K (K + 2 r + 1)/(2n) >= 3n/8 and " +
        "(K + 1)/2 >= n/4. These are the sums of min(1, pos/K), pos/n and (pos - r)/K over pos = r+1..n, the prices " +
        "by the rules cap, rank and shifted when K of n jobs are served."],
    "improves-on-srpt": [IMPROVES_ON_SRPT,
        "(1 + 2 Delta) (1 + 1/eps) <= 4/eps at Delta = 1, for all 0 < eps <= 1/3."],
};

function* checkRedundancy(document, counts) {
    const at = new At(TOP, "statement");
    const value = members(document.statement, at, ["statement", "problems", "bound", "lemmas"]);
    const name = matching(value.get("statement"), new At(at, "statement"), /^[a-z0-9-]+$/);
    const problems = matching(value.get("problems"), new At(at, "problems"),
        /^n[0-9]+-m[0-9]+-(b[0-9/]+-)?(s[0-9/]+-)?[a-z][a-z0-9:,/@.-]*$/);
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

Object.assign(parts, {checkRedundancy, dualInstance, checkDual});
})(globalThis.SchedproofCertificateParts ??= {});
