/// Configurations of load balancers as policies and instances: the examples, the rule of draws against an enumeration
/// of them, and that what cannot be said is named with its line.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
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

class ImportRouterCli : public testing_support::CommandTest {
  protected:
    static inline const std::string examples = "experiments/instances/routers/";
};

TEST_F(ImportRouterCli, TheExamplesBecomePoliciesAndInstances) {
    const auto web = run("import router " + examples + "haproxy.cfg --name web -o web.policy --cluster web.toml");
    EXPECT_EQ(web.exit, 0) << web.err;
    EXPECT_TRUE(contains(web.err, "haproxy.cfg:19: 'spare': it is backup, so it is left out")) << web.err;
    EXPECT_TRUE(contains(read("web.policy"),
                         "\nroute: first_of(where(servers, server_length < tasks(1)), argmin(servers, (server_length + "
                         "tasks(1)) / rate))\n"))
        << read("web.policy");
    EXPECT_TRUE(contains(read("web.toml"), "{\"large\" = \"1/2\", \"small\" = \"1/5\"}")) << read("web.toml");
    expect_lines("capacity web.toml", {"load rho*     9/10 "});
    expect_lines("zoo web.policy --table --slots 0 --instance web.toml", {"web   P"});

    EXPECT_TRUE(contains(good("import router " + examples + "haproxy.cfg --name images"),
                         "\nroute: argmin(draws(2, servers), server_length)\n"));
    EXPECT_TRUE(contains(good("import router " + examples + "envoy.yaml --name api"),
                         "\nroute: argmin(draws(3, servers), server_length)\n"));
    EXPECT_TRUE(contains(good("import router " + examples + "envoy.yaml --name sessions --cluster s.toml --load 4/5"),
                         "\nroute: local\n"));
    expect_lines("capacity s.toml", {"load rho*     4/5 "});

    const auto epp = run("import router " + examples + "endpoint-picker.yaml -o epp.policy --cluster epp.toml");
    EXPECT_EQ(epp.exit, 0) << epp.err;
    EXPECT_TRUE(contains(epp.err,
                         "endpoint-picker.yaml:17: 'kv-cache-utilization-scorer': the policy language has no "
                         "such score"))
        << epp.err;
    for (const char* line : {"\nlet: queue = 2\n", "\nlet: prefix = 3\n", "\nlet: match = 1\n"})
        EXPECT_TRUE(contains(read("epp.policy"), line)) << read("epp.policy");
    expect_lines("capacity epp.toml", {"load rho*     9/10 "});
}

/// Joined by d draws with replacement, ties broken evenly, by counting all draws.
std::vector<Rational> joined_by_draws(const std::vector<int>& lengths, std::size_t draws) {
    const std::size_t n = lengths.size();
    std::size_t all = 1;
    for (std::size_t i = 0; i < draws; ++i) all *= n;
    std::vector<Rational> joined(n);
    for (std::size_t code = 0; code < all; ++code) {
        std::vector<bool> drawn(n, false);
        for (std::size_t i = 0, rest = code; i < draws; ++i, rest /= n) drawn[rest % n] = true;
        int least = 1'000'000;
        for (std::size_t i = 0; i < n; ++i)
            if (drawn[i]) least = std::min(least, lengths[i]);
        std::int64_t best = 0;
        for (std::size_t i = 0; i < n; ++i) best += drawn[i] && lengths[i] == least ? 1 : 0;
        for (std::size_t i = 0; i < n; ++i)
            if (drawn[i] && lengths[i] == least)
                joined[i] += Rational(1) / Rational(best) / Rational(static_cast<std::int64_t>(all));
    }
    return joined;
}

/// With a task for sure and all servers idle, what the mean of a queue gains beyond another state's is the difference
/// of the probabilities that it is joined; the same task ends in both.
TEST(RouterRules, DrawsAreThoseOfAnEnumeration) {
    using namespace queueing;
    for (const std::vector<int>& lengths : {std::vector<int>{3, 1}, {2, 2}, {5, 2, 9}, {4, 4, 1}, {7, 3, 3, 1}})
        for (std::size_t draws = 1; draws <= 4; ++draws) {
            const std::size_t n = lengths.size();
            const codec::PolicyText text = codec::read_policy_text(
                fmt::format(
                    "policy: drawn\nkeep: per_server_and_level\nroute: argmin(draws({}, servers), server_length)\n"
                    "serve: first_of(most_local(nonempty(own_levels)), own)\n",
                    draws),
                "drawn");
            std::string types;
            for (std::size_t i = 0; i < n; ++i) types += (i == 0 ? "\"s" : ", \"s") + std::to_string(i) + "\"";
            const Instance instance = parse_instance(
                "family = \"queueing\"\nname = \"drawn\"\nlevels = [{name = \"local\", rate = \"1/2\"}, {name = "
                "\"remote\", rate = \"1/4\"}]\nservers = " +
                    std::to_string(n) + "\ntypes = [{name = \"A\", replicas = [" + types +
                    "]}]\n[arrivals]\nkind = \"single\"\nvalues = {A = \"1\"}\n",
                base::Format::toml, "drawn");
            const AnyPolicy policy({text.id, text.source, text.summary}, text.rules);
            const ExactSystem exact(instance, policy);
            ExactState state = exact.initial();
            for (std::size_t i = 0; i < n; ++i) state.length[2 * i] = CheckedInt(lengths[i]);  // local, then remote
            const std::vector<Rational> joined = joined_by_draws(lengths, draws);
            for (std::size_t i = 0; i < n; ++i) {
                LyapunovForm length;
                length.pieces.push_back(
                    {std::nullopt, Rational(1), {proof::LinearForm::variable(static_cast<proof::Variable>(2 * i))}});
                // An idle server takes a task and ends it at once with probability 1/2.
                EXPECT_EQ(drift(exact, state, length) + Rational(Integer(1), Integer(2)), joined[i])
                    << draws << " draws of " << n << ", queue " << i;
            }
        }
}

/// What an operator may have written besides: a reader that passed it over would give another rule.
TEST_F(ImportRouterCli, WhatChangesTheRuleIsTakenOrNamed) {
    const auto imported = [&](const std::string& text, const std::string& more = "") {
        write("file", text);
        const auto answer = run("import router file " + more);
        EXPECT_EQ(answer.exit, 0) << answer.err;
        return answer.out + answer.err;
    };
    const std::string two = "\n server x 1\n server y 2\n";
    // A ring has servers of its own, defaults have names, and what is usual of servers may be undone.
    EXPECT_TRUE(contains(imported("backend a\n balance random(2)" + two + "ring logs\n server syslog 3\n"),
                         "draws(2, servers)"));
    EXPECT_TRUE(
        contains(imported("defaults one\n balance leastconn\ndefaults two\n balance source\nbackend a from one" + two),
                 "argmin(servers, server_length)"));
    EXPECT_TRUE(contains(imported("backend a\n balance random(2)\n default-server disabled" + two +
                                  " server z 3 enabled\n"
                                  " server w 4 enabled cookie backup\n"),
                         "draws(2, servers)"));
    const std::string persists =
        imported("defaults\n persist rdp-cookie\n option redispatch\nbackend a\n balance leastconn" + two);
    EXPECT_TRUE(contains(persists, "'persist'") && contains(persists, "'option'")) << persists;
    // Endpoints that take over, and options of extensions.
    const std::string endpoint = "{endpoint: {address: {socket_address: {address: 10.0.0.";
    const std::string cluster = "name: a\nload_assignment:\n  endpoints:\n  - lb_endpoints: [" + endpoint + "1}}}}, " +
                                endpoint + "2}}}}]\n  - priority: 1\n    lb_endpoints: [" + endpoint + "3}}}}]\n";
    const std::string least = imported(cluster + "lb_policy: LEAST_REQUEST\n");
    EXPECT_TRUE(contains(least, "draws(2, servers)")) << least;
    EXPECT_TRUE(contains(least, "'priority'")) << least;
    EXPECT_TRUE(
        contains(imported(cluster + "lb_policy: RING_HASH\nring_hash_lb_config: {minimum_ring_size: 3}\n"
                                    "common_lb_config: {consistent_hashing_lb_config: {hash_balance_factor: 120}}\n"),
                 "'common_lb_config'"));
    // Handlers, filters, and parameters.
    const std::string picker =
        "kind: \"EndpointPickerConfig\"\nfeatureGates: [x]\nplugins:\n- type: active-request-scorer\n"
        "  parameters: {idleThreshold: 5}\n- type: decode-filter\n- type: pd-profile-handler\n"
        "- type: load-aware-scorer\nschedulingProfiles:\n- name: a\n  plugins:\n"
        "  - pluginRef: decode-filter\n";
    const std::string named = imported(picker + "  - pluginRef: active-request-scorer\n");
    for (const char* key :
         {"'featureGates'", "'idleThreshold'", "'decode-filter'", "'pd-profile-handler'", "'active-request-scorer'"})
        EXPECT_TRUE(contains(named, key)) << key << named;
    EXPECT_TRUE(
        contains(imported(picker + "  - pluginRef: load-aware-scorer\n"), "< tasks(128)), server_length), servers)"));
    // Whatever things are called, the text stays a text.
    EXPECT_TRUE(contains(imported("name: \"a\\npolicy: evil\"\nlb_policy: RANDOM\n"), "policy: a-policy-evil\n"));
}

TEST_F(ImportRouterCli, WhatCannotBeSaidIsNamedWithItsLine) {
    const auto refuse = [&](const std::string& text, const std::string& words, const std::string& more = "") {
        write("file", text);
        expect_refused("import router file " + more, words);
    };
    refuse("nothing\n", "expected a configuration of HAProxy");
    refuse("backend a\n balance roundrobin\n server x 1 weight 2\n server y 2\n",
           "file:2: balance: expected servers of one weight with roundrobin");
    refuse("backend a\n balance leastcon\n server x 1\n", "(did you mean 'leastconn'?)");
    refuse("backend a\n balance first\n server x 1\n",
           "file:2: balance: expected an algorithm that the policy language");
    refuse("backend a\n server x 1\n server x 2\n", "file:3: server: expected another name than 'x'");
    refuse("backend a\n server x 1 weight 257\n", "file:2: weight: expected an integer from 0 to 256");
    refuse("backend a\n", "file:1: expected a backend with servers");
    refuse("backend a\n server x 1\nbackend b\n server y 1\n", "--name: expected one of a, b");
    refuse("backend aa\n server x 1\nbackend bb\n server y 1\n", "(did you mean 'aa'?)", "--name ab");
    refuse("clusters:\n- name: a\n  lb_policy: LEST_REQUEST\n", "file:3: clusters[0].lb_policy", "");
    refuse("backend a\n balance source\n server x 1 weight 2\n server y 2\n", "servers of one weight with source");
    refuse("backend a\n server-template w 8 h\n server x 1\n", "file:2: server-template: expected servers by name");
    refuse("backend a\n.if x\n balance source\n.endif\n server x 1\n", "file:2: .if: ");
    refuse("defaults a\nbackend b from c\n server x 1\n", "file:2: from: expected the name of defaults");
    refuse("name: a\nlb_policy: RANDOM\n<<: {}\n", "file:3: expected keys written out");
    refuse(
        "kind: EndpointPickerConfig\nplugins:\n- type: kv-cache-utilization-scorer\nschedulingProfiles:\n- name: a\n"
        "  plugins:\n  - pluginRef: kv-cache-utilization-scorer\n",
        "nothing is left of the rule");
    refuse(
        "kind: EndpointPickerConfig\nplugins:\n- type: weighted-random-picker\nschedulingProfiles:\n- name: a\n"
        "  plugins:\n  - pluginRef: weighted-random-picker\n",
        "expected max-score-picker or random-picker");
    refuse("lb_policy: [\n", "file:2: expected well-formed YAML");
    refuse(",\n", "file:1: expected well-formed YAML: expected a value", "--kind envoy");
    refuse("lb_policy: RANDOM\n...\n,1]\n", "file:3: expected well-formed YAML");
    refuse("lb_policy: A\nlb_policy: B\n", "file:2: expected the key 'lb_policy' once");
    const std::string epp =
        "kind: EndpointPickerConfig\nplugins:\n- type: queue-scorer\n- type: active-request-scorer\n"
        "schedulingProfiles:\n- name: a\n  plugins:\n  - pluginRef: queue-scorer\n";
    refuse(epp + "  - pluginRef: active-request-scorer\n", "file:9: ");
    refuse(epp + "  - pluginRef: queue-score\n", "(did you mean 'queue-scorer'?)");
    refuse("kind: EndpointPickerConfig\n", "schedulingProfiles");
    expect_refused("import router experiments/instances/routers/haproxy.cfg --name web --cluster w.toml --load 1",
                   "--load");
    expect_refused("import router experiments/instances/routers/haproxy.cfg --name web --hit 1/2",
                   "--hit requires --cluster");
}

}  // namespace
}  // namespace schedproof
