/// Transience in a cone: gates that a hot majority keeps shut, where their conditions end, cones that the empty cluster
/// does not reach, and what must be rejected.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <functional>
#include <string>

#include "proofs/certifier/binding.hpp"
#include "proofs/queueing/theorems/linear_function.hpp"
#include "proofs/queueing/theorems/lyapunov.hpp"
#include "proofs/queueing/transience/cone_search.hpp"
#include "tests/proofs/summand_support.hpp"

namespace schedproof::queueing::cone_tests {
namespace {

using namespace language;

constexpr auto local_first = serve(first_of(most_local(nonempty(own_levels)), own));
constexpr auto average = mean(servers, server_length);
constexpr auto elsewhere = argmin(servers, server_length);
/// A worker is left by its requests when it holds more than a multiple of the mean, and more than some above it.
template <class Multiple>
constexpr Rules gate_on_mean(Multiple rel, std::int64_t abs) {
    return {keep(Arrangement::per_server_and_level),
            route(first_of(where(local, server_length <= rel * average),
                           where(local, server_length <= average + tasks(abs)), elsewhere)),
            local_first};
}
constexpr Rules mean_gate = gate_on_mean(Ratio(3, 2), 64), bounded_load = gate_on_mean(Ratio(5, 4), 10);
/// When it holds more than a multiple of the mean above the least.
constexpr Rules load_aware{
    keep(Arrangement::per_server_and_level),
    route(first_of(where(local, server_length - least(servers, server_length) <= Ratio(2, 1) * average), elsewhere)),
    local_first};

/// Workers of which the first `hot` are homes of a type each.
struct Fleet {
    std::size_t workers, hot;
    const char *local, *remote, *lambda;
};
const Fleet two_of_three{3, 2, "2/5", "1/10", "11/25"}, three_of_four{4, 3, "1/4", "1/16", "21/80"},
    five_of_six{6, 5, "9/50", "9/200", "93/500"};

Instance instance_of(const Fleet& fleet, bool slots = true) {
    InstanceData data;
    data.name = "fleet";
    data.levels = {{"local", q(fleet.local)}, {"remote", q(fleet.remote)}};
    for (std::size_t m = 0; m < fleet.workers; ++m) {
        data.servers.push_back({"s" + std::to_string(m), {}});
        if (m >= fleet.hot) continue;
        data.types.push_back({"A" + std::to_string(m), {ServerId(m)}});
        data.rates.push_back(q(fleet.lambda));
    }
    if (slots)
        data.arrivals = ArrivalLaw::single(data.rates);
    else
        data.time = ContinuousTime{};
    return Instance(std::move(data));
}

std::string reason_of(const TransienceOutcome& outcome) {
    const auto* unknown = std::get_if<TransienceUnknown>(&outcome);
    return unknown == nullptr ? "" : unknown->reason;
}

std::string rejection_of(const SymbolicSystem& system, const TransienceTheorem& theorem,
                         const std::vector<proof::ExploredProof>& proofs) {
    const std::string arithmetic = arithmetic_rejection(system, theorem);
    return arithmetic.empty() ? certify::rejection(questions(system, theorem), proofs) : arithmetic;
}

/// W at a state, by its definition.
Rational height(const LyapunovForm& w, const ExactState& state) {
    const std::vector<Rational> point = point_of(state);
    Rational sum;
    for (const LyapunovForm::Piece& piece : w.pieces)
        if (!piece.when || piece.when->holds(state.serving))
            sum += piece.coefficient * piece.largest_of.front().at(point);
    return sum;
}

struct KnownCone {
    const char* name;
    const Fleet* fleet;
    const Rules* rules;
    bool slots;
};
class Cones : public ::testing::TestWithParam<KnownCone> {};

/// Proved where k of M workers are hot and k/M exceeds 1/rel, or half the multiple above the least.
TEST_P(Cones, ProveWhatAHotMajorityHides) {
    const auto& [name, fleet, rules, slots] = GetParam();
    const Instance instance = instance_of(*fleet, slots);
    const AnyPolicy policy = policy_with(*rules);
    const SymbolicSystem system(instance, policy);
    const TransienceOutcome outcome = prove_in_cone(system);
    ASSERT_EQ(reason_of(outcome), "");
    const TransienceProof& proof = std::get<TransienceProof>(outcome);
    EXPECT_LT(proof.theorem.capacity.upper, Rational(1));
    ASSERT_EQ(rejection_of(system, proof.theorem, proof.proofs), "");

    const ExactSystem exact(instance, policy);
    int inside = 0;
    EXPECT_TRUE(rc::check("the exact drift of each function is at least delta where all are large", [&] {
        ExactState state;
        std::vector<std::int64_t> length(system.layout().queues(), 0);
        const auto common = *rc::gen::element<std::int64_t>(5, 50, 500);
        for (std::size_t m = 0; m < fleet->workers; ++m) {
            state.serving.push_back(*rc::gen::elementOf(proof.theorem.statuses[m]));
            if (state.serving.back().status == Service::Status::busy) ++length[state.serving.back().queue.index()];
            if (m < fleet->hot) length[2 * m] += common + *rc::gen::inRange<std::int64_t>(0, common / 10 + 1);
            length[2 * m + 1] += *rc::gen::element<std::int64_t>(0, 0, 3);
        }
        for (const std::int64_t n : length) state.length.emplace_back(n);
        for (const LyapunovForm& w : parts_of(proof.theorem))
            if (height(w, state) < proof.theorem.threshold) return;
        if (!slots && !exact.is_settled(state)) return;
        ++inside;
        for (const LyapunovForm& w : parts_of(proof.theorem)) RC_ASSERT(drift(exact, state, w) >= proof.theorem.delta);
    }));
    EXPECT_GT(inside, 10);
}

INSTANTIATE_TEST_SUITE_P(Known, Cones,
                         ::testing::Values(KnownCone{"mean_k4", &three_of_four, &mean_gate, true},
                                           KnownCone{"mean_k4_events", &three_of_four, &mean_gate, false},
                                           KnownCone{"mean_k6", &five_of_six, &mean_gate, true},
                                           KnownCone{"bounded_k6", &five_of_six, &bounded_load, true},
                                           KnownCone{"least_k3", &two_of_three, &load_aware, true},
                                           KnownCone{"least_k4", &three_of_four, &load_aware, true}),
                         [](const auto& of) { return of.param.name; });

/// At k/M = 1/rel and below the gate opens in every cone of the hot workers.
TEST(ConeSearch, SaysNothingWhereTheMajorityIsTooSmall) {
    const Rules strict = gate_on_mean(Ratio(4, 3), 0), looser = gate_on_mean(Ratio(27, 20), 0);
    const Instance k3 = instance_of(two_of_three), k4 = instance_of(three_of_four);
    EXPECT_NE(reason_of(prove_in_cone({k3, policy_with(mean_gate)})), "");
    EXPECT_NE(reason_of(prove_in_cone({k4, policy_with(bounded_load)})), "");
    EXPECT_NE(reason_of(prove_in_cone({k4, policy_with(strict)})), "");
    EXPECT_EQ(reason_of(prove_in_cone({k4, policy_with(looser)})), "");
}

/// Nor where all homes can run what arrives, or where nothing else is left to the others.
TEST(ConeSearch, SaysNothingWhereNoHomeIsOverloaded) {
    const Instance idle = instance_of({4, 3, "1/4", "1/16", "19/80"});
    EXPECT_EQ(reason_of(prove_in_cone({idle, policy_with(mean_gate)})),
              "no queue grows while every task goes to where it is served fastest");
}

/// A rule like the gate on the mean, but for homes that hold few requests of their own, which get none: there the cone
/// is as before, and a cluster that starts empty never comes near it.
TEST(ConeSearch, NeedsAConeThatTheEmptyClusterReaches) {
    constexpr auto away = argmin(where(servers, least(servers, distance) < distance), server_length);
    constexpr Rules unseeded{
        keep(Arrangement::per_server_and_level),
        route(first_of(where(local, tasks(5) <= length && server_length <= Ratio(3, 2) * average),
                       where(local, tasks(5) <= length && server_length <= average + tasks(64)), away)),
        local_first};
    const Instance instance = instance_of(three_of_four);
    const SymbolicSystem seeded(instance, policy_with(mean_gate)), other(instance, policy_with(unseeded));
    EXPECT_EQ(reason_of(prove_in_cone(other)), "the functions do not all rise in a climb from the empty state");
    const TransienceOutcome outcome = prove_in_cone(seeded);
    const TransienceProof& proof = std::get<TransienceProof>(outcome);
    EXPECT_NE(rejection_of(other, proof.theorem, proof.proofs), "");
}

TEST(ConeSearch, AlteredTheoremsAreRejected) {
    const Instance instance = instance_of(three_of_four);
    const SymbolicSystem system(instance, policy_with(mean_gate));
    const TransienceOutcome outcome = prove_in_cone(system);
    const TransienceProof& proof = std::get<TransienceProof>(outcome);
    const TransienceTheorem& right = proof.theorem;
    ASSERT_EQ(rejection_of(system, right, proof.proofs), "");
    using Alter = std::function<void(TransienceTheorem&)>;
    std::vector<std::pair<std::string, Alter>> all{
        {"delta", [](auto& t) { t.delta += q("1/1000"); }},
        {"no delta", [](auto& t) { t.delta = q("0"); }},
        {"jump", [](auto& t) { t.jump += q("1"); }},
        {"threshold", [](auto& t) { t.threshold = q("-1000"); }},
        {"a function is missing",
         [](auto& t) {
             t.cone->beside.pop_back();
             t.cone->bounds.pop_back();
         }},
        {"no functions beside", [](auto& t) { t.cone->beside.clear(), t.cone->bounds.resize(1); }},
        {"bounds of a function are missing", [](auto& t) { t.cone->bounds.pop_back(); }},
        {"a bound is missing", [](auto& t) { t.cone->bounds.front().pop_back(); }},
        {"a status is missing", [](auto& t) { t.statuses.back().pop_back(); }},
        {"a queue that is said to be empty", [](auto& t) { t.empty = {QueueId(0)}; }},
        {"a table",
         [](auto& t) {
             t.table = QueueTable{QueueId(7), {q("1")}};
         }},
        {"modes", [](auto& t) { t.modes.emplace(); }},
        {"no period", [](auto& t) { t.cone->period = 0; }},
        {"another period", [](auto& t) { ++t.cone->period; }},
        {"a start in the cone's boundary", [](auto& t) { t.cone->start = 0; }},
        {"a climb without end", [](auto& t) { t.cone->start = longest_climb + 1; }},
        {"cells", [](auto& t) { t.cone.reset(); }},
    };
    for (std::size_t j = 0; j < right.cone->bounds.size(); ++j)
        for (std::size_t t = 0; t < right.cone->bounds[j].size(); ++t)
            all.emplace_back("bound " + std::to_string(j) + " of term " + std::to_string(t),
                             [j, t](auto& theorem) { theorem.cone->bounds[j][t] -= q("1/1000"); });
    for (std::size_t j = 0; j < right.cone->beside.size(); ++j)
        all.emplace_back("function " + std::to_string(j) + " of the other sign", [j](auto& t) {
            for (LyapunovForm::Piece& piece : t.cone->beside[j].pieces) piece.coefficient *= q("-1");
        });
    for (const auto& [name, alter] : all) {
        TransienceTheorem altered = right;
        alter(altered);
        EXPECT_NE(rejection_of(system, altered, proof.proofs), "") << name;
    }
    const SymbolicSystem other(instance, policy_with(bounded_load));
    EXPECT_NE(certify::rejection(questions(other, right), proof.proofs), "");
}

}  // namespace
}  // namespace schedproof::queueing::cone_tests
