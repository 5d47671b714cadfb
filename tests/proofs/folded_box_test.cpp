/// Boxes whose states share entries of a table where renamings lead between them: the classes, and theorems by folded
/// tables, of policies that respect the renamings and of policies that do not.
#include "proofs/queueing/theorems/folded_box.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "model/base/sha256.hpp"
#include "policies/queueing/registry.hpp"
#include "proofs/queueing/bounds/renamings.hpp"
#include "proofs/queueing/drift/drift_proof.hpp"
#include "proofs/queueing/theorems/lyapunov.hpp"
#include "tests/proofs/mean_support.hpp"
#include "tests/support/instances.hpp"

namespace schedproof::queueing {
namespace {

using namespace mean_testing;
using testing_support::q;

std::vector<std::uint32_t> any_permutation(std::size_t size) {
    std::vector<std::uint32_t> image(size);
    std::iota(image.begin(), image.end(), 0U);
    for (std::size_t i = size; i-- > 1;) std::swap(image[i], image[*rc::gen::inRange<std::size_t>(0, i + 1)]);
    return image;
}

/// Any renaming is one of a cluster whose servers may do everything, with queues of one weight.
RC_GTEST_PROP(FoldedBox, TakesTogetherWhatRenamingsLeadBetween, ()) {
    const std::size_t queues = *rc::gen::inRange<std::size_t>(1, 4), servers = *rc::gen::inRange<std::size_t>(1, 4);
    std::vector<Service> all{Service{}};
    for (std::size_t k = 0; k < queues; ++k) all.push_back({Service::Status::busy, Level(0), QueueId(k)});
    const std::vector<std::vector<Service>> statuses(servers, all);
    const std::vector<std::uint32_t> weights(queues, 1);
    std::vector<Renaming> renamings;
    for (auto count = *rc::gen::inRange<std::size_t>(0, 3); count-- > 0;)
        renamings.push_back({any_permutation(servers), any_permutation(queues)});
    for (const Renaming& by : renamings) RC_ASSERT(renaming_rejection(by, statuses, weights).empty());
    const StateBox box(statuses, weights, *rc::gen::inRange<std::uint32_t>(0, 5));
    const FoldedBox folded(box, renamings);

    // Classes by search from each state along the renamings, which are permutations, so that images suffice.
    std::set<std::uint64_t> met;
    std::uint64_t classes = 0;
    box.each(0, box.size(), [&](std::uint64_t i, const ExactState& first) {
        if (met.contains(i)) return;
        std::vector<ExactState> work{first};
        met.insert(i);
        while (!work.empty()) {
            const ExactState state = work.back();
            work.pop_back();
            RC_ASSERT(folded.entry(state) == classes);
            RC_ASSERT(folded.entry(*box.index(state)) == classes);
            for (const Renaming& by : renamings) {
                const ExactState image = renamed(state, by);
                if (met.insert(*box.index(image)).second) work.push_back(image);
            }
        }
        ++classes;
    });
    RC_ASSERT(folded.entries() == classes);
    std::uint64_t expected = 0;
    folded.each_entry(0, classes, [&](std::uint64_t e, const ExactState& state) {
        RC_ASSERT(e == expected++);
        RC_ASSERT(folded.entry(state) == e);
    });
    RC_ASSERT(expected == classes);
}

TEST(Renaming, OfOtherServersWeightsOrStatusesIsRejected) {
    const Service serves0{Service::Status::busy, Level(0), QueueId(0)},
        serves1{Service::Status::busy, Level(0), QueueId(1)};
    const std::vector<std::vector<Service>> alike{{Service{}, serves0}, {Service{}, serves1}};
    const Renaming swap{{1, 0}, {1, 0}};
    EXPECT_EQ(renaming_rejection(swap, alike, {1, 1}), "");
    EXPECT_EQ(renaming_rejection({{0, 1}, {0, 1}}, alike, {1, 2}), "");
    EXPECT_NE(renaming_rejection(swap, alike, {1, 2}), "");
    EXPECT_NE(renaming_rejection(swap, {{Service{}, serves0}, {Service{}}}, {1, 1}), "");
    EXPECT_NE(renaming_rejection(swap, {{Service{}}, {Service{}, serves1}}, {1, 1}), "");
    for (const Renaming& wrong : {Renaming{{1, 0}, {0, 1}}, Renaming{{0, 0}, {1, 0}}, Renaming{{1, 0}, {1, 1}},
                                  Renaming{{1, 0}, {1}}, Renaming{{1, 2}, {1, 0}}, Renaming{{1, 0, 2}, {1, 0}}})
        EXPECT_NE(renaming_rejection(wrong, alike, {1, 1}), "");
}

/// Three servers, each with the data of one type.
Instance three_servers(Scarcity scarcity) {
    InstanceData data;
    data.name = "three-servers";
    data.levels = {{"local", q("4/5")}, {"remote", q("1/5")}};
    for (std::size_t m = 0; m < 3; ++m) {
        data.servers.push_back({"s" + std::to_string(m), {}});
        data.types.push_back({std::string(1, static_cast<char>('A' + m)), {ServerId(m)}});
    }
    data.arrivals = ArrivalLaw::bernoulli(std::vector<Rational>(3, q("1/8")));
    data.options.scarcity = scarcity;
    return Instance(std::move(data));
}

std::vector<Renaming> renamings_of(const Instance& instance, const char* policy, const StateFunction& f = {}) {
    const AnyPolicy rules = make_policy(policy, instance, {});
    const ExactSystem system(instance, rules);
    const SymbolicSystem symbolic(instance, rules);
    const auto statuses = find_statuses(symbolic);
    const std::vector<std::uint32_t> weights(symbolic.layout().queues(), 1);
    return unnoticed_renamings(system, f, {named_lyapunov("squares", instance, symbolic.layout()), {}}, statuses,
                               weights, StateBox(statuses, weights, 3));
}

TEST(Renamings, AreThoseThatThePolicyDoesNotNotice) {
    const Instance alike = three_servers(Scarcity::uniform_subset);
    // Two renamings generate all six.
    for (const char* policy : {"jsq-maxweight", "balanced-pandas", "wang-jsq-maxweight", "join-shortest-queue"})
        EXPECT_EQ(renamings_of(alike, policy).size(), 2U) << policy;
    EXPECT_EQ(renamings_of(alike, "generalized-cmu").size(), 2U);  // whose queues belong to types
    // The tasks of one server's queue are told from those of the others': only these two may be exchanged.
    EXPECT_EQ(renamings_of(alike, "jsq-maxweight", {StateFunction::Kind::queue}).size(), 1U);
    // The server of the lowest index gets what too many ask for.
    EXPECT_TRUE(renamings_of(three_servers(Scarcity::lowest_index), "jsq-maxweight").empty());
    const Instance uneven = testing_support::two_servers("4/5", "1/5", "1/2", "1/3");
    EXPECT_TRUE(renamings_of(uneven, "jsq-maxweight").empty());
}

MeanGoal folded_goal(std::uint32_t radius, std::uint64_t fold_from) {
    MeanGoal goal = goal_of("1e-3");
    goal.radius = radius;
    goal.fold_from = fold_from;
    return goal;
}

TEST(FoldedBox, ProvesWhatTheWholeTableProves) {
    InstanceData data = m2_half().data();
    data.options.scarcity = Scarcity::uniform_subset;
    const Instance alike(std::move(data));
    const Proved folded = proved(alike, "jsq-maxweight", folded_goal(40, 0));
    const Proved whole = proved(alike, "jsq-maxweight", folded_goal(40, 1'000'000));
    ASSERT_EQ(folded.theorem().renamings.size(), 1U);
    EXPECT_TRUE(whole.theorem().renamings.empty());
    EXPECT_LT(folded.theorem().table->upper.size() * 10, whole.theorem().table->upper.size() * 6);
    expect_meets(folded.theorem(), whole.theorem().lower, whole.theorem().upper,
                 (whole.theorem().upper - whole.theorem().lower) * q("101/100"));

    const auto rejected = [&](const char* what, const std::function<void(MeanTheorem&)>& alter) {
        Proved altered = folded;
        alter(altered.theorem());
        EXPECT_NE(rejection(altered.certificate), "") << what;
    };
    rejected("no renaming", [](MeanTheorem& t) { t.renamings.clear(); });
    rejected("queues alone", [](MeanTheorem& t) { t.renamings[0].server = {0, 1}; });
    rejected("servers alone", [](MeanTheorem& t) { t.renamings[0].queue = {0, 1}; });
    rejected("a queue twice", [](MeanTheorem& t) { t.renamings[0].queue = {1, 1}; });
    rejected("a server too many", [](MeanTheorem& t) { t.renamings[0].server.push_back(2); });
    Proved altered = folded;
    auto table = std::make_shared<MeanTable>(*folded.theorem().table);
    table->upper[1] += folded.theorem().setting.scale.convert_to<Fixed>();
    altered.theorem().digest = base::sha256(to_bytes(*table));
    altered.theorem().table = std::move(table);
    EXPECT_NE(rejection(altered.certificate), "");
}

/// Nothing rests on what the policy does not notice: with one entry for states that a policy tells apart the interval
/// is wide, and holds the mean.
TEST(FoldedBox, OfAPolicyThatTellsStatesApartIsWideAndTrue) {
    const Instance uneven = testing_support::two_servers("4/5", "1/5", "1/2", "2/5");
    const MeanTheorem theorem = proved(uneven, "jsq-maxweight", folded_goal(40, 0)).theorem();
    EXPECT_TRUE(theorem.renamings.empty());
    const ExactSystem system(uneven, make_policy("jsq-maxweight", uneven, {}));
    const FoldedBox folded(theorem.box(), {{{1, 0}, {1, 0}}});
    MeanTable table{std::vector<Fixed>(folded.entries()), std::vector<Fixed>(folded.entries())};
    theorem.box().each(0, theorem.box().size(), [&](std::uint64_t i, const ExactState&) {
        table.upper[folded.entry(i)] = theorem.table->upper[i];
        table.lower[folded.entry(i)] = theorem.table->lower[i];
    });
    const FixedBounds bounds = bounds_on_box(system, theorem.setting, folded, table, 1);
    const Rational upper = rational(bounds.upper) / Rational(theorem.setting.scale),
                   lower = rational(bounds.lower) / Rational(theorem.setting.scale);
    EXPECT_LE(lower, theorem.upper);
    EXPECT_GE(upper, theorem.lower);
    EXPECT_GT(upper - lower, (theorem.upper - theorem.lower) * Rational(10));
}

}  // namespace
}  // namespace schedproof::queueing
