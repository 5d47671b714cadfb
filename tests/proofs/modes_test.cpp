/// Transience by modes: values of games that are known, rules that only seem to look at the same, and what must be
/// rejected. That modes bound the drift of any rules is tested in summand_terms_test.cpp.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <functional>
#include <string>

#include "model/core/errors.hpp"
#include "model/queueing/codec/codec.hpp"
#include "proofs/certifier/binding.hpp"
#include "proofs/queueing/theorems/lyapunov.hpp"
#include "proofs/queueing/theorems/summands/terms.hpp"
#include "proofs/queueing/transience/mode_search.hpp"
#include "tests/model/generated_rules.hpp"
#include "tests/model/queueing_generators.hpp"
#include "tests/proofs/summand_support.hpp"

namespace schedproof::queueing::modes_tests {
namespace {

using namespace language;

Instance router(const std::string& name) {
    return read_instance(std::string(SCHEDPROOF_SOURCE_DIR) + "/experiments/instances/router-" + name + ".toml");
}

constexpr auto hits_first = serve(first_of(most_local(nonempty(own_levels)), own));
constexpr auto anyone = serve(first_of(argmax(nonempty(reachable), rate* length), own));
constexpr auto longest = greatest(servers, server_length);
constexpr auto shortest = least(servers, server_length);
constexpr auto uneven = tasks(64) < longest - shortest && Ratio(3, 2) * shortest < longest;
constexpr Rules gate{keep(Arrangement::per_server_and_level),
                     route(when(uneven, argmin(servers, server_length), local)), hits_first};
constexpr Rules two_choices{
    keep(Arrangement::per_server_and_level),
    route(when(tasks(10) < longest - shortest, argmin(sample(2, servers), server_length), local)), hits_first};
/// A home unless its work exceeds the least by a constant.
constexpr Rules sticky{
    keep(Arrangement::per_server_and_level),
    route(first_of(where(local, server_workload <= least(servers, server_workload) + tasks(26) / rate),
                   argmin(servers, server_workload))),
    hits_first};
/// Of each type by its own rates.
constexpr Rules by_rate{keep(Arrangement::per_server_and_level),
                        route(when(uneven, argmin(servers, server_length / rate), local)), hits_first};

std::string reason_of(const TransienceOutcome& outcome) {
    const auto* unknown = std::get_if<TransienceUnknown>(&outcome);
    return unknown == nullptr ? "" : unknown->reason;
}

/// delta over the work that all workers together take away in a slot.
Rational growth_of(const SymbolicSystem& system, const TransienceTheorem& theorem) {
    const Layout& layout = system.layout();
    Rational together;
    for (const ServerId m : system.instance().servers()) {
        Rational most;
        for (const QueueId queue : layout.queues_of(m))
            most = std::max(most, theorem.w.pieces.front().largest_of.front().coefficient(
                                      static_cast<proof::Variable>(queue.index())) *
                                      layout.service_rate(system.instance(), queue, m));
        together += most;
    }
    return theorem.delta / together;
}

struct KnownGame {
    const char* instance;
    const Rules* rules;
    const char* value;  ///< of the game, less 1
};
class Modes : public ::testing::TestWithParam<KnownGame> {};

/// Of the values on paper each is the load that the policy's best mixture of modes must bring.
TEST_P(Modes, GiveTheValueOfTheGame) {
    const auto& [name, rules, value] = GetParam();
    const Instance instance = router(name);
    const AnyPolicy policy = policy_with(*rules);
    const SymbolicSystem system(instance, policy);
    const TransienceOutcome outcome = prove_by_modes(system);
    ASSERT_EQ(reason_of(outcome), "");
    const TransienceProof& proof = std::get<TransienceProof>(outcome);
    EXPECT_EQ(growth_of(system, proof.theorem), q(value));
    EXPECT_EQ(certify::rejection(questions(system, proof.theorem), proof.proofs), "");
    EXPECT_EQ(arithmetic_rejection(system, proof.theorem), "");
    if (instance.servers().size() > 3) return;  // a slot has too many outcomes
    const ExactSystem exact(instance, policy);
    EXPECT_TRUE(rc::check("the exact drift is at least delta", [&] {
        ExactState state;
        std::vector<std::int64_t> least(system.layout().queues(), 0);
        for (const auto& own : proof.theorem.statuses) {
            state.serving.push_back(*rc::gen::elementOf(own));
            if (state.serving.back().status == Service::Status::busy) ++least[state.serving.back().queue.index()];
        }
        for (const std::int64_t busy : least)
            state.length.emplace_back(busy +
                                      *rc::gen::inRange<std::int64_t>(0, *rc::gen::element<std::int64_t>(1, 5, 200)));
        RC_ASSERT(drift(exact, state, proof.theorem.w) >= proof.theorem.delta);
    }));
}

INSTANTIATE_TEST_SUITE_P(Known, Modes,
                         ::testing::Values(KnownGame{"h3", &gate, "11/324"}, KnownGame{"w12", &gate, "19/460"},
                                           KnownGame{"t2", &gate, "115/468"}, KnownGame{"t2", &sticky, "115/468"},
                                           KnownGame{"h3", &two_choices, "869/12921"}));

/// Rules that look at the same, and some that only seem to: by rates, by levels, by queues of one's own, by draws of
/// one's own.
constexpr auto a_key = server_length;
const std::vector<Rules> seemingly_shared{
    gate,
    two_choices,
    sticky,
    by_rate,
    {keep(Arrangement::per_server_and_level), route(argmin(servers, length)), hits_first},
    {keep(Arrangement::per_server_and_level), route(argmax(servers, rate* a_key)), hits_first},
    {keep(Arrangement::per_server_and_level), route(most_local(argmin(servers, a_key))), hits_first},
    {keep(Arrangement::per_server_and_level), route(argmin(argmin(servers, distance), a_key)), hits_first},
    {keep(Arrangement::per_server_and_level), route(argmin(sample(1, argmin(servers, a_key)), a_key)), hits_first},
    {keep(Arrangement::per_server_and_level), route(best(1, servers, a_key)), hits_first},
    {keep(Arrangement::per_server_and_level),
     route(when(greatest(local, a_key) < tasks(2), local, argmin(servers, a_key))), hits_first},
    {keep(Arrangement::per_server_and_level),
     route(mix(Ratio(1, 3), when(longest < tasks(3), local, argmin(servers, a_key)), servers)), hits_first},
    {keep(Arrangement::per_server_and_level),
     route(mix(Ratio(1, 2), sample(1, local), argmin(sample(2, servers), a_key))), hits_first},
    {keep(Arrangement::per_server), route(argmin(local, length)), anyone},
    {keep(Arrangement::per_server), route(first_of(where(local, length < tasks(1)), argmax(local, length))), anyone},
};

/// What arriving tasks add to W in the mode that adds least.
Rational least_brought(const Summands& summands, const LyapunovForm& w) {
    std::vector<Rational> bounds;
    Rational sum;
    for (const Term& term : summands.terms()) {
        std::optional<Rational> least;
        for (const Alternative& alternative : term.alternatives) {
            Rational value = change(w, alternative).constant();
            for (const Follows& then : alternative.then) value += then.probability * bounds[then.term];
            if (!least || value < *least) least = value;
        }
        bounds.push_back(least.value());
        if (term.arrives && !term.follows()) sum += bounds.back();
    }
    return sum;
}

/// What they add on average at a state, by the answers of the policy.
Rational brought(const Instance& instance, const AnyPolicy& policy, const ExactState& state, const LyapunovForm& w) {
    const Kernel<CheckedInt> kernel(instance, policy);
    const proof::LinearForm& weights = w.pieces.front().largest_of.front();
    Rational sum;
    for (const TaskTypeId type : instance.types()) {
        const Decision answer = kernel.route(state, type);
        for (std::size_t i = 0; i < answer.size(); ++i)
            for (const Candidate& c : answer[i])
                sum += instance.arrival_rate(type) * answer.probability(i) *
                       Rational(1, static_cast<std::int64_t>(answer[i].size())) *
                       weights.coefficient(static_cast<proof::Variable>(c.queue.index()));
    }
    return sum;
}

class SeemShared : public ::testing::TestWithParam<Rules> {};

TEST_P(SeemShared, WhatArrivesAddsAtLeastWhatItAddsInTheWorstMode) {
    int tight = 0;
    EXPECT_TRUE(rc::check("at random states, of random weights", [&] {
        const Rules& rules = GetParam();
        oracle::InstanceWish wish;
        wish.own_rates = *rc::gen::arbitrary<bool>();
        const std::string like = oracle::policy_of_layout(rules);
        const Instance instance = *oracle::small_instance(like, wish);
        const AnyPolicy policy = policy_with(rules);
        const SymbolicSystem system(instance, policy);
        std::optional<Summands> summands;
        try {
            summands.emplace(system, SummandKind::together);
        } catch (const InputError&) {  // such as tasks that are routed one after another
            return;
        }
        for (int i = 0; i < 10; ++i) {
            LyapunovForm w{"W", {}, {{std::nullopt, Rational(1), {proof::LinearForm()}}}};
            for (const QueueId queue : IdRange<QueueId>(system.layout().queues()))
                w.pieces.front().largest_of.front().add(Rational(*rc::gen::element<std::int64_t>(0, 1, 9)),
                                                        length_of(queue));
            const ExactState state = *oracle::valid_state(instance, oracle::queue_shape(instance, like), 6);
            const Rational here = brought(instance, policy, state, w), least = least_brought(*summands, w);
            RC_ASSERT(here >= least);
            tight += here == least;
        }
    }));
    EXPECT_GT(tight, 20);
}

INSTANTIATE_TEST_SUITE_P(Rules, SeemShared, ::testing::ValuesIn(seemingly_shared));

TEST(Modes, SayNothingWhereTypesChooseForThemselves) {
    for (const auto& [name, rules] : std::vector<std::pair<const char*, const Rules*>>{
             {"s3", &gate}, {"k4", &gate}, {"h3", &sticky}, {"h3", &by_rate}}) {
        const Instance instance = router(name);
        EXPECT_EQ(reason_of(prove_by_modes({instance, policy_with(*rules)})),
                  "no linear W grows in every mode of arrivals")
            << name;
    }
}

TEST(Modes, AlteredTheoremsAreRejected) {
    const Instance instance = router("h3");
    const SymbolicSystem system(instance, policy_with(gate));
    const TransienceOutcome outcome = prove_by_modes(system);
    const TransienceProof& proof = std::get<TransienceProof>(outcome);
    const TransienceTheorem& right = proof.theorem;
    const auto wrong = [&](const TransienceTheorem& theorem) {
        const std::string arithmetic = arithmetic_rejection(system, theorem);
        return arithmetic.empty() ? certify::rejection(questions(system, theorem), proof.proofs) : arithmetic;
    };
    ASSERT_EQ(wrong(right), "");
    using Alter = std::function<void(TransienceTheorem&)>;
    std::vector<std::pair<std::string, Alter>> all{
        {"delta", [](auto& t) { t.delta += q("1/1000"); }},
        {"a bound is missing", [](auto& t) { t.modes->pop_back(); }},
        {"a bound too many", [](auto& t) { t.modes->emplace_back(0); }},
        {"a status is missing", [](auto& t) { t.statuses.back().pop_back(); }},
        {"a queue that is said to be empty", [](auto& t) { t.empty = {QueueId(0)}; }},
        {"a table",
         [](auto& t) {
             t.table = QueueTable{QueueId(0), {q("1")}};
         }},
        {"cells", [](auto& t) { t.modes.reset(); }},
    };
    for (std::size_t i = 0; i < right.modes->size(); ++i)
        all.emplace_back("bound " + std::to_string(i), [i](auto& t) { (*t.modes)[i] -= q("1/1000"); });
    for (const auto& [queue, weight] : right.w.pieces.front().largest_of.front().terms())
        all.emplace_back("weight " + std::to_string(queue), [queue = queue](auto& t) {
            t.w.pieces.front().largest_of.front().add(q("1/10"), proof::LinearForm::variable(queue));
        });
    for (const auto& [name, alter] : all) {
        TransienceTheorem altered = right;
        alter(altered);
        EXPECT_NE(wrong(altered), "") << name;
    }
    const SymbolicSystem other(instance, policy_with(by_rate));
    EXPECT_NE(certify::rejection(questions(other, right), proof.proofs), "");
}

/// Queues by type have no servers that types could share.
TEST(Modes, AreOfEachTypeWhereQueuesAreByType) {
    const Instance instance = testing_support::two_servers("4/5", "1/5", "1/2", "1/2");
    const SymbolicSystem system(instance, make_policy("generalized-cmu"));
    const Summands summands(system, SummandKind::together);
    EXPECT_EQ(summands.terms().front().name, "arrivals, case 0 part 0");
}

}  // namespace
}  // namespace schedproof::queueing::modes_tests
