/// Configurations of Dynamo's router: each rule against the choice as its source states it, at every state of a grid
/// that has states at equality; and that each setting that the rule does not follow is named, or refused, at its line.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "model/core/errors.hpp"
#include "model/queueing/chain.hpp"
#include "model/queueing/codec/codec.hpp"
#include "model/queueing/codec/policy_text.hpp"
#include "proofs/queueing/theorems/lyapunov.hpp"
#include "tests/support/command.hpp"

namespace schedproof {
namespace {

using testing_support::contains;
using Loads = std::vector<int>;  // requests by worker; the first is the home of the next one

/// A worker is chosen by what the sources of Dynamo compare: the least of a cost, where the tie is drawn.
std::vector<Rational> drawn_from(const std::vector<bool>& chosen) {
    const auto many = static_cast<std::int64_t>(std::count(chosen.begin(), chosen.end(), true));
    std::vector<Rational> shares;
    for (const bool one : chosen) shares.push_back(one ? Rational(1) / Rational(many) : Rational(0));
    return shares;
}
std::vector<Rational> only(const Loads& loads, std::size_t worker) {
    std::vector<bool> chosen(loads.size(), false);
    chosen[worker] = true;
    return drawn_from(chosen);
}
std::vector<Rational> least_of(
    const Loads& loads, const std::function<Rational(std::size_t)>& cost,
    const std::function<bool(std::size_t)>& among = [](std::size_t) { return true; }) {
    std::vector<bool> chosen(loads.size(), false);
    for (std::size_t i = 0; i < loads.size(); ++i) {
        chosen[i] = among(i);
        for (std::size_t j = 0; j < loads.size() && chosen[i]; ++j) chosen[i] = !among(j) || !(cost(j) < cost(i));
    }
    return drawn_from(chosen);
}
std::vector<Rational> least_loaded(const Loads& loads) {
    return least_of(loads, [&](std::size_t i) { return Rational(loads[i]); });
}

/// What a request costs where it is: 2 slots at its home, 4 elsewhere, as in `cluster`.
Rational own(std::size_t worker) { return worker == 0 ? Rational(2) : Rational(4); }
Rational work(const Loads& loads, std::size_t worker) { return Rational(2 * loads[worker]); }

class ImportDynamo : public testing_support::CommandTest {
  protected:
    static inline const std::string examples = "experiments/instances/routers/";

    static std::string instance(const std::string& type, const std::string& parameters) {
        return "worker_selection:\n  aggregated: a\n  instances:\n  - name: a\n    type: " + type +
               "\n    parameters: {" + parameters + "}\n";
    }

    /// What the command writes, and what it notes.
    std::string imported(const std::string& text, const std::string& more = "") {
        write("file", text);
        const auto answer = run("import router file " + more);
        EXPECT_EQ(answer.exit, 0) << answer.err << text;
        return answer.out + answer.err;
    }
    void refuse(const std::string& text, const std::string& words, const std::string& more = "") {
        write("file", text);
        expect_refused("import router file " + more, words);
    }

    /// Of each worker, the probability that the next request joins it: all requests there are local, none is idle.
    static std::vector<Rational> joined(const queueing::ExactSystem& exact, const Loads& loads) {
        queueing::ExactState state = exact.initial();
        for (std::size_t i = 0; i < loads.size(); ++i) state.length[2 * i] = CheckedInt(loads[i]);
        std::vector<Rational> shares;
        for (std::size_t i = 0; i < loads.size(); ++i) {
            queueing::LyapunovForm length;
            for (const std::size_t queue : {2 * i, 2 * i + 1})
                length.pieces.push_back(
                    {std::nullopt, Rational(1), {proof::LinearForm::variable(static_cast<proof::Variable>(queue))}});
            shares.push_back(drift(exact, state, length) + Rational(Integer(1), Integer(2)));
        }
        return shares;
    }

    /// The rule of a file against `choice` at every state of three workers with 1 to `most` requests.
    void expect_rule(const std::string& text, int most,
                     const std::function<std::vector<Rational>(const Loads&)>& choice, const std::string& more = "") {
        write("file", text);
        const std::string rule = good("import router file " + more);
        const queueing::codec::PolicyText read = queueing::codec::read_policy_text(rule, "rule");
        const queueing::Instance cluster = queueing::parse_instance(
            "family = \"queueing\"\nname = \"three\"\nlevels = [{name = \"hit\", rate = \"1/2\"}, {name = \"miss\", "
            "rate "
            "= \"1/4\"}]\nservers = 3\ntypes = [{name = \"A\", replicas = [\"s0\"]}]\n[arrivals]\nkind = "
            "\"single\"\nvalues = {A = \"1\"}\n",
            base::Format::toml, "three");
        const queueing::AnyPolicy policy({read.id, read.source, read.summary}, read.rules);
        const queueing::ExactSystem exact(cluster, policy);
        for (int a = 1; a <= most; ++a)
            for (int b = 1; b <= most; ++b)
                for (int c = 1; c <= most; ++c)
                    ASSERT_EQ(joined(exact, {a, b, c}), choice({a, b, c})) << a << " " << b << " " << c << "\n" << rule;
    }
};

TEST_F(ImportDynamo, TheExamplesBecomePoliciesAndInstances) {
    const std::string policies = examples + "dynamo-policy.yaml";
    expect_refused("import router " + policies, "--name: expected one of balance-first, pinned");
    const std::string gate = good("import router " + policies + " --name balance-first");
    EXPECT_TRUE(contains(gate, "\nlet: abs = 64\nlet: rel = 3/2\n")) << gate;
    EXPECT_TRUE(contains(good("import router " + policies + " --name pinned"), "\nlet: cap = 8\n"));
    const std::string warm = good("import router " + policies + " --name warm --tokens 14335200");
    EXPECT_TRUE(contains(warm, "least(servers, server_workload) + 1/100 * tasks(1) / rate)")) << warm;
    EXPECT_TRUE(contains(good("import router " + policies + " --name half-credit"),
                         "\nroute: argmin(servers, server_workload + 1/2 * tasks(1) / rate)\n"));
    const auto deployed = run("import router " + examples + "dynamo-deployment.yaml -o d.policy --cluster d.toml");
    EXPECT_EQ(deployed.exit, 0) << deployed.err;
    EXPECT_TRUE(contains(deployed.err, "dynamo-deployment.yaml:19: '--router-queue-threshold': requests may wait"))
        << deployed.err;
    EXPECT_TRUE(contains(read("d.toml"), "{name = \"Worker-2\"}")) << read("d.toml");
    expect_lines("capacity d.toml", {"load rho*     9/10 "});
    EXPECT_TRUE(contains(good("import router " + examples + "dynamo-frontend.sh --name frontend-1"), "\nlet: c = 1\n"));
    EXPECT_TRUE(contains(good("import router " + examples + "dynamo-frontend.sh --name frontend-2"),
                         "\nroute: argmin(sample(2, servers), server_length)\n"));
}

/// two_tier_cost_fn.rs: both comparisons are strict, and so is that of the share that is cached.
TEST_F(ImportDynamo, TheGateIsThatOfItsSource) {
    const auto gate = [](int abs, const Rational& rel) {
        return [=](const Loads& loads) {
            const int most = *std::max_element(loads.begin(), loads.end());
            const int least = *std::min_element(loads.begin(), loads.end());
            return most - least > abs && Rational(most) > rel * Rational(least) ? least_loaded(loads) : only(loads, 0);
        };
    };
    const std::string type = "dynamo-two-tier-cost-fn";
    expect_rule(instance(type, "balance_abs_threshold: 2, balance_rel_threshold: 1.5"), 8,
                gate(2, Rational(Integer(3), Integer(2))));
    expect_rule(instance(type, "balance_abs_threshold: 0, balance_rel_threshold: 2"), 6, gate(0, Rational(2)));
    expect_rule(instance(type, "cache_threshold: 1"), 4, least_loaded);
    EXPECT_TRUE(contains(imported(instance(type, "")), "\nlet: abs = 32\nlet: rel = 11/10\n"));
    EXPECT_TRUE(contains(imported(instance(type, "cache_threshold: 0.99")), "'cache_threshold': holders have all"));
}

/// soft-pin-repin/src/lib.rs and soft_affinity_load_guard.rs: the cap is inclusive, and so is the margin.
TEST_F(ImportDynamo, PinsAreThoseOfTheirSources) {
    const auto others = [](const Loads& loads) {
        return least_of(
            loads, [&](std::size_t i) { return Rational(loads[i]); }, [](std::size_t i) { return i > 0; });
    };
    expect_rule(instance("soft-pin-repin", "max_active_requests: 3"), 6,
                [&](const Loads& loads) { return loads[0] <= 3 ? only(loads, 0) : others(loads); });
    expect_rule(instance("soft-pin-repin", "max_active_requests: 0"), 3, others);
    const auto guard = [&](int cap, int margin) {
        return [=](const Loads& loads) {
            const bool moves = loads[0] > cap && loads[0] - std::min(loads[1], loads[2]) >= margin;
            return moves ? others(loads) : only(loads, 0);
        };
    };
    expect_rule(instance("dynamo-soft-affinity-load-guard", "max_active_requests: 3, move_margin: 2"), 7, guard(3, 2));
    expect_rule(instance("dynamo-soft-affinity-load-guard", "max_active_requests: 0, move_margin: 1"), 4, guard(0, 1));
    EXPECT_TRUE(
        contains(imported(instance("dynamo-soft-affinity-load-guard", "")), "server_length <= tasks(32)), where("));
    expect_rule(instance("dynamo-sticky-min-load", "max_idle_secs: 60"), 3,
                [](const Loads& loads) { return only(loads, 0); });
}

/// llm_d/optimized_baseline.rs: a penalty is inclusive; costs of tokens at the queue's threshold and beyond tie.
/// A local request is 1000 tokens of 500 a second, so its 2 slots are 2 seconds.
TEST_F(ImportDynamo, StickinessIsThatOfItsSource) {
    const auto sticky = [](const Rational& penalty_ms, const Rational& full) {
        return [=](const Loads& loads) {
            const auto tokens = [&](std::size_t i) { return Rational(500) * work(loads, i); };
            const auto time = [&](std::size_t i) { return tokens(i) / Rational(500) * Rational(1000); };
            const Rational other = std::min(time(1), time(2));
            if (penalty_ms.sign() == 0 || time(0) - other <= penalty_ms) return only(loads, 0);
            return least_of(loads, [&](std::size_t i) {
                const Rational share = (tokens(i) + Rational(500) * own(i)) / full;
                return Rational(0) - (Rational(1) - std::min(Rational(1), share));
            });
        };
    };
    const std::string type = "llm-d-optimized-baseline", speed = "peak_prefill_tokens_per_second: 500, ";
    for (const int penalty : {0, 1, 2000, 4000, 5000})
        for (const int full : {5000, 6000, 1'000'000})
            expect_rule(instance(type, speed + "max_ttft_penalty_ms: " + std::to_string(penalty) +
                                           ", queue_threshold_tokens: " + std::to_string(full)),
                        7, sticky(penalty, full), "--tokens 1000");
    // Without a threshold of affinity none is sticky.
    expect_rule(
        instance(type, speed + "affinity_threshold: 0"), 6,
        [](const Loads& loads) { return least_of(loads, [&](std::size_t i) { return work(loads, i) + own(i); }); },
        "--tokens 1000");
    EXPECT_TRUE(contains(imported(instance(type, ""), "--tokens 286704"), " + 1 * tasks(1) / rate"));
}

/// default/scorer.rs: the prefill of what is not credited, and the rest of the load.
TEST_F(ImportDynamo, TheCostIsThatOfItsSource) {
    const auto cost = [](const Rational& credit) {
        return [=](const Loads& loads) {
            return least_of(loads, [&](std::size_t i) {
                const Rational prompt = 4, cached = i == 0 ? Rational(2) : Rational(0);
                return work(loads, i) + std::max(Rational(0), prompt - credit * cached);
            });
        };
    };
    const std::string type = "dynamo-default-cost-fn";
    expect_rule(instance(type, ""), 5, cost(1));
    expect_rule(instance(type, "overlap_score_credit: 0.5, seed: 7"), 5, cost(Rational(Integer(1), Integer(2))));
    expect_rule(instance(type, "overlap_score_credit: 0"), 5, cost(0));
    expect_rule(instance(type, "prefill_load_scale: 0, decode_active_request_weight: 3"), 5, least_loaded);
    expect_rule(instance(type, "prefill_load_scale: 7") + "router: {router_track_active_blocks: false}\n", 5, cost(1));
    const auto anywhere = [](const Loads& loads) { return least_of(loads, [](std::size_t) { return Rational(0); }); };
    expect_rule(instance(type, "prefill_load_scale: 0") + "router: {router_track_active_blocks: false}\n", 3, anywhere);
    expect_rule("worker_selection: {decode: default}\n", 4, least_loaded);
    expect_rule("worker_selection: {prefill: default}\n", 4, cost(1));
    // The same by flags, variables and JSON; a weight of 0 looks at no caches, as the preset of load-aware routing.
    const std::string start = "python -m dynamo.frontend --router-mode kv";
    expect_rule(start + "\n", 5, cost(1));
    expect_rule(start + " --kv-overlap-score-weight 1.0\n", 4, cost(1));
    expect_rule(start + " --kv-overlap-score-weight=0\n", 4, least_loaded);
    expect_rule("DYN_ROUTER_KV_OVERLAP_SCORE_CREDIT=0.25 DYN_ROUTER_MODE=kv python -m dynamo.frontend\n", 5,
                cost(Rational(Integer(1), Integer(4))));
    expect_rule("python -m dynamo.frontend --load-aware\n", 5, cost(0));
    expect_rule("export DYN_ROUTER_MODE=random\n" + start + " &\n", 4, cost(1));
    expect_rule("{\"overlap_score_credit\": 0.5, \"router_temperature\": 0.0}", 5,
                cost(Rational(Integer(1), Integer(2))));
    expect_rule("export DYN_ROUTER_MODE=least-loaded\npython -m dynamo.frontend\n", 3, least_loaded);
    expect_rule("python -m dynamo.frontend\n", 3, anywhere);
    expect_rule("python -m dynamo.frontend --router-mode least-loaded\n", 4, least_loaded);
    expect_rule(start + " --router-temperature 1 --router-session-affinity-ttl-secs 60\n", 3,
                [](const Loads& loads) { return only(loads, 0); });
}

/// llm_d/precise_prefix.rs and lmetric.rs, without the terms that are left out.
TEST_F(ImportDynamo, ScoresAreThoseOfTheirSources) {
    const auto scores = [](int prefix, int queue) {
        return [=](const Loads& loads) {
            const int most = *std::max_element(loads.begin(), loads.end());
            const int least = *std::min_element(loads.begin(), loads.end());
            return least_of(loads, [&](std::size_t i) {
                const Rational score = most == least ? Rational(1) : Rational(most - loads[i]) / Rational(most - least);
                return Rational(0) - Rational(i == 0 ? prefix : 0) - Rational(queue) * score;
            });
        };
    };
    const std::string type = "llm-d-precise-prefix";
    const auto weights = [](int prefix, int queue) {
        return "weights: {prefix: " + std::to_string(prefix) + ", queue: " + std::to_string(queue) +
               ", kv_cache_utilization: 0}";
    };
    for (const auto& pair : std::vector<std::vector<int>>{{2, 1}, {1, 2}, {1, 1}, {3, 4}, {1, 0}, {0, 1}, {0, 0}})
        expect_rule(instance(type, weights(pair[0], pair[1])), 5, scores(pair[0], pair[1]));
    const std::string named = imported(instance(type, "class_weights: {batch: {prefix: 0}}"));
    EXPECT_TRUE(contains(named, "\nlet: queue = 1\nlet: prefix = 2\n")) << named;
    EXPECT_TRUE(contains(named, "'kv_cache_utilization'") && contains(named, "'class_weights'")) << named;
    expect_rule(instance("lmetric", "hotspot_detection: false"), 6, [](const Loads& loads) {
        return least_of(loads, [&](std::size_t i) { return own(i) * Rational(loads[i] + 1); });
    });
    expect_rule(instance("dynamo-least-loaded", ""), 4, least_loaded);
    EXPECT_TRUE(contains(imported(instance("dynamo-round-robin", "")), "\nroute: servers\n"));
    EXPECT_TRUE(contains(imported(instance("dynamo-random", "")), "\nroute: servers\n"));
    EXPECT_TRUE(contains(imported(instance("dynamo-power-of-two-choices", "")), "argmin(sample(2, servers)"));
}

TEST_F(ImportDynamo, WhatTheRuleLeavesOutIsNamedWithItsLine) {
    const std::string start = "python -m dynamo.frontend --router-mode kv \\\n ";
    for (const char* flag : {"--no-router-kv-events",
                             "--router-queue-threshold 4",
                             "--router-queue-policy wspt",
                             "--router-replica-sync",
                             "--router-prefill-load-model aic",
                             "--active-decode-blocks-threshold 0.9",
                             "--busy-threshold 0.8",
                             "--active-prefill-tokens-threshold 9",
                             "--active-prefill-tokens-threshold-frac 2",
                             "--admission-control token-capacity",
                             "--router-host-cache-hit-weight 0.5",
                             "--router-disk-cache-hit-weight 0.5",
                             "--shared-cache-multiplier 0.5",
                             "--shared-cache-type hicache",
                             "--router-predicted-ttl-secs 3",
                             "--router-track-output-blocks",
                             "--no-router-assume-kv-reuse",
                             "--router-conditional-disagg",
                             "--router-session-affinity-binding parent-group",
                             "--migration-limit 3"}) {
        const std::string text = flag, name = text.substr(0, text.find(' '));
        const std::string notes = imported(start + flag + "\n");
        EXPECT_TRUE(contains(notes, "note: file:2: '" + name + "': ")) << flag << notes;
    }
    // What changes nothing is not worth a note, and a mode that looks at no caches has none about them.
    for (const char* flag : {"--router-kv-events", "--router-queue-threshold None", "--router-event-threads 8",
                             "--router-policy-config None", "--http-port 8000", "--shared-cache-type none"})
        EXPECT_FALSE(contains(imported(start + flag + "\n"), "note: file:2:")) << flag;
    EXPECT_FALSE(contains(imported("python -m dynamo.frontend --router-mode random --no-kv-events\n"), "note:"));
    EXPECT_TRUE(contains(imported("python -m dynamo.frontend --router-mode round-robin\n"), "workers take turns"));
    // Keys of the policy.
    const std::string queues =
        "default_policy_family: a\nuncached_isl_buckets: []\npolicy_classes: []\nmodels: {}\n"
        "request_classifier: {type: thunderagent}\n";
    const std::string notes = imported(queues);
    for (const char* line : {"file:1: 'default_policy_family'", "file:2: 'uncached_isl_buckets'",
                             "file:3: 'policy_classes'", "file:4: 'models'", "file:5: 'request_classifier'"})
        EXPECT_TRUE(contains(notes, line)) << line << notes;
    EXPECT_TRUE(contains(imported("worker_selection: {instances: [{name: a, type: lmetric}]}\n"),
                         "no stage selects an instance"));
    EXPECT_TRUE(contains(imported("worker_selection: {decode: default}\n"), "'decode': requests go through two pools"));
    // The other form of a deployment; a flag counts more than a variable.
    const std::string deployed = imported(
        "kind: DynamoGraphDeployment\nspec:\n  components:\n  - name: Frontend\n    type: frontend\n    podTemplate:\n"
        "      spec:\n        containers:\n        - name: main\n          env: [{name: DYN_ROUTER_MODE, value: kv}, "
        "{name: HF_TOKEN}]\n          args: [\"python3 -m dynamo.frontend --router-mode least-loaded\"]\n"
        "  - {name: w, type: worker}\n");
    EXPECT_TRUE(contains(deployed, "\nroute: argmin(servers, server_length)\n")) << deployed;
}

TEST_F(ImportDynamo, WhatCannotBeSaidIsRefusedWithItsLine) {
    const std::string start = "python -m dynamo.frontend --router-mode kv \\\n ";
    refuse(start + "--router-temperature 0.5\n", "file:2: --router-temperature: expected 0: a temperature draws");
    refuse(start + "--router-kv-overlap-score-weight 2\n", "file:2: --router-kv-overlap-score-weight: expected 0 or 1");
    refuse(start + "--router-prefill-load-scale 1.5\n", "file:2: --router-prefill-load-scale: expected 0 or 1");
    refuse(start + "--router-kv-overlap-score-credit 1.5\n", "expected a credit from 0 to 1");
    refuse(start + "--router-kv-overlap-score-credit-decay 1\n", "file:2: --router-kv-overlap-score-credit-decay");
    refuse(start + "--router-decode-active-request-weight 1\n", "does not add requests to work");
    refuse(start + "--router-policy-config p.yaml\n", "file:2: --router-policy-config: expected no policy of another");
    refuse(start + "--router-prefill-policy p\n", "file:2: --router-prefill-policy: expected no policy of another");
    refuse(start + "--router-session-affinity-ttl-secs 0\n", "expected seconds, a whole number of at least 1");
    refuse(start + "--router-temperture 0\n", "file:2: '--router-temperture': expected a flag that is known here");
    refuse(start + "--router-temperture 0\n", "(did you mean 'router-temperature'?)");
    refuse(start + "--kv-event\n", "(did you mean 'kv-events'?)");
    refuse(start + "--router-temperature\n", "file:2: --router-temperature: expected a value");
    refuse(start + "--router-temperature x\n", "file:2: --router-temperature: ");
    refuse(start + "--router-temperature -1\n", "expected a number of at least 0");
    refuse(start + "--no-router-temperature 0\n", "expected a flag with a value, without no-");
    refuse(start + "--kv-events=true\n", "expected no value behind a switch");
    refuse("DYN_ROUTER_TEMPERATUR=1 python -m dynamo.frontend\n", "(did you mean 'DYN_ROUTER_TEMPERATURE'?)");
    refuse("DYN_KV_EVENTS=yes python -m dynamo.frontend\n", "file:1: DYN_KV_EVENTS: expected true or false");
    refuse("python -m dynamo.frontend --router-mode direct\n", "each request names its worker");
    refuse("python -m dynamo.frontend --router-mode device-aware-weighted\n", "kinds of devices");
    refuse("python -m dynamo.frontend --router-mode least-load\n", "(did you mean 'least-loaded'?)");
    refuse("{\"kv_overlap_score_weight\": 1, \"use_kv_events\": true}", "(did you mean 'overlap_score_weight'?)");
    refuse("{\"sita_enabled\": true, \"use_kv_events\": true}", "file:1: sita_enabled: expected false: bands");
    refuse("kind: DynamoGraphDeployment\nspec: {services: {}}\n", "expected a frontend");
    refuse(
        "kind: DynamoGraphDeployment\nspec:\n  services:\n    a: &a {componentType: worker, replicas: 600}\n    b: "
        "*a\n",
        "file:4: spec.services.b: expected at most 1000 workers");
    std::string many, variables = "export";
    for (int i = 0; i <= 100; ++i) many += "python -m dynamo.frontend &\n";
    for (int i = 0; i <= 1000; ++i) variables += " A=1";
    refuse(many, "file:101: expected at most 100 frontends");
    refuse(variables + "\npython -m dynamo.frontend\n", "file:1: expected at most 1000 variables");
}

TEST_F(ImportDynamo, PoliciesThatCannotBeSaidAreRefusedWithTheirLine) {
    refuse(instance("chwbl", ""),
           "file:5: worker_selection.instances[0].type: expected a type that the policy language");
    for (const char* type : {"dynamo-jsew", "dynamo-direct", "dynamo-device-aware-weighted", "thunderagent"})
        refuse(instance(type, ""), "expected a type that the policy language can say, not ");
    refuse(instance("lmetrc", ""), "(did you mean 'lmetric'?)");
    refuse(instance("lmetric", ""), "file:5: worker_selection.instances[0].type: expected hotspot_detection: false");
    refuse(instance("lmetric", "hotspot_detection: true"), "parameters.hotspot_detection: expected hotspot_detection");
    refuse(instance("dynamo-two-tier-cost-fn", "balance_abs_treshold: 1"),
           "file:6: worker_selection.instances[0].parameters.balance_abs_treshold: expected a known key (did you mean "
           "'balance_abs_threshold'?)");
    refuse(instance("dynamo-two-tier-cost-fn", "adaptive: {}"), "parameters.adaptive: expected thresholds");
    refuse(instance("dynamo-two-tier-cost-fn", "balance_rel_threshold: 0.9"), "expected a ratio of at least 1");
    refuse(instance("dynamo-two-tier-cost-fn", "cache_threshold: 1.1"), "expected a share from 0 to 1");
    refuse(instance("soft-pin-repin", ""), "max_active_requests");
    refuse(instance("dynamo-soft-affinity-load-guard", "move_margin: 0"), "parameters.move_margin");
    refuse(instance("llm-d-optimized-baseline", "ttft_source: modeled"), "expected auto or throughput");
    refuse(instance("llm-d-optimized-baseline", "peak_prefill_tokens_per_second: 0"), "expected a speed above 0");
    refuse(instance("llm-d-precise-prefix", "prefix_match_length_weight: 0.5"), "expected 0: the score would follow");
    refuse(instance("llm-d-precise-prefix", "weights: {prefix: 0, queue: 0}"), "nothing is left of the rule");
    refuse(instance("dynamo-default-cost-fn", "router_temperature: 1"), "file:6: router_temperature: expected 0");
    refuse(instance("dynamo-random", "seed: 1"), "expected no parameters with this type");
    refuse("worker_selection: {agregated: default}\n", "(did you mean 'aggregated'?)");
    refuse("worker_selection: {aggregated: defalt}\n", "expected an instance of the list, not 'defalt' (did you mean");
    refuse("worker_selection: {instances: [{name: default, type: lmetric}]}\n", "expected another name than 'default'");
    refuse("worker_selecton: {}\nrequest_classifier: {}\n", "(did you mean 'worker_selection'?)");
    refuse("worker_selection: {}\nrouter: {router_temperature: 0}\n", "file:2: router.router_temperature");
    refuse("worker_selection: {aggregated: default, decode: a, instances: [{name: a, type: lmetric}]}\n",
           "--name: expected one of default, a");
}

}  // namespace
}  // namespace schedproof
