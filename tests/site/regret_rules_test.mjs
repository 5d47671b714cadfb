/*
 * Rules that the second checker takes, or not, for rules of bounded regret: experiments/site/certificate/53_bounded_regret.js.
 *
 *   node regret_rules_test.mjs CHECKER
 *
 * CHECKER is its folder. Exit code 1 and a line per failure, otherwise 0.
 */
import {readFileSync, readdirSync} from "node:fs";
import {join} from "node:path";
import {runInThisContext} from "node:vm";

const [folder] = process.argv.slice(2);
for (const file of readdirSync(folder).filter((name) => name.endsWith(".js")).sort())
    runInThisContext(readFileSync(join(folder, file), "utf8"), {filename: file});

function certificate(route, serve, tasks, ratio, rates) {
    const definition = `keep(Arrangement::per_server_and_level), route(${route}), serve(${serve})`;
    const power = ["", ratio === "1" ? "alpha / gamma" : "(alpha / gamma)", "(alpha / gamma)^2"][rates];
    const kappa = ratio === "1" ? power : rates === 0 ? ratio : `${ratio} ${power}`;
    const optimal = kappa === "";
    const sentence = "For every number of servers, every set of task types, all rates of levels, types or servers, alpha " +
        "the greatest and gamma the least, and all arrivals, alike and independent from slot to slot or Poisson, with a " +
        `load rho* < ${optimal ? "1" : `1 / kappa, kappa = ${kappa}`} and a finite mean square, in slots or in ` +
        "continuous time, with unmatched servers idle: under p a task joins a server whose work, as the rules see it, " +
        `over the task's rate is at most ${optimal ? "" : "kappa times "}the least of all servers that can serve it and ` +
        `${tasks} / gamma^2 more, and an idle server starts a task of its own where it has one; so the drift of the sum ` +
        "of W^2 per slot or unit of time, W the work of a server, is at most " +
        `-2 (1 - ${optimal ? "" : "kappa "}rho*) sum of W + a constant, and the ` +
        `${optimal ? "policy is throughput optimal" : "cluster is stable"}. Here p is ${definition}.`;
    const statement = {tasks};
    if (ratio !== "1") statement.ratio = ratio;
    if (rates > 0) statement.rates = rates;
    return JSON.stringify({schema: "certificate", format: 1, theorem: "bounded-regret", sentence, policy: "p", definition,
        statement, proofs: []});
}

const work = "server_workload / rate";
const least = `least(servers, ${work})`;
const best = `argmin(servers, ${work})`;
const own = "nonempty(own_levels)";
const near = (test) => `first_of(where(local, ${test}), ${best})`;

const TAKEN = [
    [best, own, "0"],
    [best, "first_of(most_local(nonempty(own_levels)), own)", "0"],
    [best, `first_of(argmax(${own}, rate * length), own)`, "0"],
    [best, `mix(Ratio(1, 2), ${own}, most_local(${own}))`, "0"],
    [near(`${work} <= ${least} + tasks(8) / rate / rate`), own, "8"],
    [near(`2 * (${work}) < 2 * ${least} + tasks(5) / rate / rate`), own, "5/2"],
    [near(`!(${work} > ${least} + tasks(7) / rate / rate) && server_length < tasks(3)`), own, "7"],
    [near(`${work} - tasks(4) / rate / rate <= ${least}`), own, "4"],
    [`mix(Ratio(1, 3), ${best}, sample(1, ${best}))`, own, "0"],
    [`among(${best}, argmin(it, server_length))`, own, "0"],
    [`when(greatest(servers, server_length) > tasks(9), ${best}, ${near(`${work} == ${least}`)})`, own, "0"],
];

/** With another kappa than 1: route, tasks, ratio, rates. */
const FACTORS = [
    [near(`${work} <= 2 * ${least} + tasks(3) / rate / rate`), "3", "2", 0],
    ["argmin(servers, server_workload)", "0", "1", 1],
    ["argmin(servers, (server_length + tasks(1)) / rate)", "1", "1", 1],
    ["argmin(servers, server_length)", "0", "1", 2],
    ["preferred(1, draws(2, argmin(servers, server_length)))", "0", "1", 2],
    ["first_of(where(local, server_length <= Ratio(3, 2) * least(servers, server_length) + tasks(64)), " +
        "argmin(servers, server_workload))", "64", "3/2", 2],
];

const REFUSED = [
    // Another number, or none.
    [near(`${work} <= ${least} + tasks(8) / rate / rate`), own, "7"],
    [near(`${work} <= 2 * ${least}`), own, "0"],
    [near(`server_length < tasks(3) || ${work} <= ${least}`), own, "0"],
    [`argmin(local, ${work})`, own, "0"],
    ["argmin(servers, server_workload)", own, "0"],
    [`mix(Ratio(1, 3), local, ${best})`, own, "0"],
    [`where(local, ${work} <= ${least})`, own, "0"],
    // Servers that do not start their own tasks.
    [best, "own_levels", "0"],
    [best, "nonempty(own)", "0"],
    [best, "first_of(nonempty(own_levels), nonempty(reachable))", "0"],
    // Values over no queue.
    [best, `when(least(${own}, length) > tasks(1), ${own}, ${own})`, "0"],
    [near(`server_length < greatest(local, server_length) && ${work} <= ${least}`), own, "0"],
    // Rates of levels, and what is no text of the language.
    [`argmin(${best}, local_rate * length)`, own, "0"],
    [best, `sample(0, ${own})`, "0"],
    [`lowest(0, ${best})`, own, "0"],
    [`mix(Ratio(3, 2), ${best}, ${best})`, own, "0"],
    [`mix(Ratio(1, 0), ${best}, ${best})`, own, "0"],
    [near(`${work} <= ${least} + tasks(-5) / rate / rate`), own, "0"],
    [near(`${work} <= ${least} + tasks(9223372036854775808) / rate / rate`), own, "9223372036854775808"],
    [`first_of(${best})`, own, "0"],
    [`argmin(servers, ${work}, length)`, own, "0"],
    [best, `first_of(${own}, first_of)`, "0"],
    [best, `best(1, ${own}, junk)`, "0"],
    [`when(junk, ${best}, ${best})`, own, "0"],
    [`${best} & "x"`, own, "0"],
    ["it", own, "0"],
    [own, own, "0"],
    [best, `argmin(servers, ${work})`, "0"],
    [`constructor(${best})`, own, "0"],
    [`${best})), serve((${own}`, own, "0"],
    // Sums of unlike units, and the least of another key or over another rate.
    [near(`${work} <= ${least} + tasks(3)`), own, "3"],
    [near(`${work} <= ${least} + tasks(3) / rate`), own, "3"],
    [near(`${work} <= least(servers, server_workload) / rate`), own, "0"],
    [`draws(17, ${best})`, own, "0"],
    [best, `preferred(1, ${own}) | as_work(length)`, "0"],
];

/** With a factor that is another one. */
const OTHER_FACTORS = [
    ["argmin(servers, server_workload)", "0", "1", 2],
    ["argmin(servers, server_length)", "0", "1", 1],
    ["argmin(servers, rate * server_length)", "0", "1", 2],
    ["argmin(servers, server_length / rate / rate)", "0", "1", 2],
    ["argmin(servers, server_workload + as_work(server_length))", "0", "1", 1],
    ["argmin(servers, server_workload + server_length / rate)", "0", "1", 1],
    ["argmin(draws(2, servers), server_length)", "0", "1", 2],
    [near(`${work} <= 2 * ${least} + tasks(3) / rate / rate`), "3", "3/2", 0],
    [near("server_workload <= least(servers, server_length / rate)"), "0", "1", 1],
];

const plain = ([route, serve, tasks]) => [route, serve, tasks, "1", 0];
const factor = ([route, tasks, ratio, rates]) => [route, own, tasks, ratio, rates];
const taken = [...TAKEN.map(plain), ...FACTORS.map(factor)];
const refused = [...REFUSED.map(plain), ...OTHER_FACTORS.map(factor)];
let failures = 0;
for (const [rules, accepted] of [[taken, true], [refused, false]])
    for (const rule of rules) {
        const answer = globalThis.SchedproofCertificate.check(certificate(...rule), {});
        if (answer.accepted === accepted) continue;
        failures++;
        console.log(`FAILED  ${accepted ? "refused" : "accepted"}: ${rule.join(" ; ")} ${answer.reason ?? ""}`);
    }
console.log(`${taken.length} rules taken, ${refused.length} refused, ${failures} failures`);
process.exit(failures > 0 ? 1 : 0);
