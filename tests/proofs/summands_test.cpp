/// Drifts proved summand by summand: clusters whose thresholds are known, random ones beyond the boundary, alterations.
#include "proofs/queueing/theorems/summands/summands.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>
#include <string>

#include "checks/pictures/render.hpp"
#include "checks/pictures/term_picture.hpp"
#include "model/core/errors.hpp"
#include "policies/queueing/registry.hpp"
#include "proofs/queueing/capacity/region.hpp"
#include "proofs/queueing/drift/summand_search.hpp"
#include "proofs/queueing/theorems/lyapunov.hpp"
#include "proofs/queueing/theorems/theorem.hpp"
#include "tests/proofs/summand_support.hpp"

namespace schedproof::queueing {
namespace {

using namespace language;
using proof::LinearForm;

std::variant<DriftProof, DriftUnknown> by_summands(const Instance& instance, const AnyPolicy& policy) {
    const SymbolicSystem system(instance, policy);
    DriftGoal goal;
    return find_by_summands(system, goal);
}

Certificate certificate_of(const Instance& instance, const std::string& policy, const DriftProof& proof) {
    return {std::make_shared<const Instance>(instance), policy, proof.theorem, proof.proofs};
}

/// Whether it proves the drift from a threshold that is at most this one, so that the policy is stable.
void expect_proof(const Instance& instance, const std::string& policy, std::int64_t at_most) {
    SCOPED_TRACE(policy + " on " + std::to_string(instance.servers().size()));
    const auto outcome = by_summands(instance, make_policy(policy));
    const auto* proof = std::get_if<DriftProof>(&outcome);
    ASSERT_NE(proof, nullptr) << std::get<DriftUnknown>(outcome).reason;
    EXPECT_LE(proof->theorem.threshold, Rational(at_most));
    EXPECT_EQ(stability_gap({instance, make_policy(policy)}, proof->theorem), "");
    EXPECT_EQ(rejection(certificate_of(instance, policy, *proof)), "");
}

/// Policies and thresholds; by cells of the joint state, those of two servers are 18 to 20.
TEST(Summands, ProveTheClustersOfTheSpecification) {
    const auto proves = [](std::size_t servers, const char* policy, std::int64_t at_most) {
        expect_proof(ring_of(servers, "1/2"), policy, at_most);
    };
    proves(2, "jsq-maxweight", 24), proves(2, "generalized-cmu", 24), proves(2, "pandas:plain", 24);
    proves(2, "balanced-pandas", 28), proves(3, "jsq-maxweight", 66), proves(3, "pandas:plain", 66);
    proves(4, "jsq-maxweight", 96), proves(4, "balanced-pandas", 80), proves(5, "pandas:plain", 140);
    proves(10, "join-shortest-queue", 50), proves(10, "balanced-pandas", 190);
}

/// By cells of the joint state, thresholds on two servers are 11 for JSQ-MaxWeight and 14 for Balanced-Pandas.
TEST(Summands, ProveTheSameInSlots) {
    const auto proves = [](std::size_t servers, const char* policy, std::int64_t at_most) {
        expect_proof(ring_in_slots(servers, "1/2"), policy, at_most);
    };
    proves(2, "jsq-maxweight", 24), proves(2, "generalized-cmu", 24), proves(2, "pandas:plain", 24);
    proves(2, "balanced-pandas", 30), proves(3, "jsq-maxweight", 66), proves(3, "pandas:plain", 70);
    proves(4, "generalized-cmu", 70), proves(4, "balanced-pandas", 130), proves(10, "join-shortest-queue", 35);
}

/// One type on servers that are alike, of rate 1.
Instance servers_alike(std::size_t count, const char* lambda) {
    InstanceData data;
    data.name = "alike";
    data.time = ContinuousTime{};
    data.types = {{"A", {}}};
    for (std::size_t m = 0; m < count; ++m) {
        data.servers.push_back({"s" + std::to_string(m), {}});
        data.types.front().at_servers.emplace_back(q("1"));
    }
    data.rates = {q(lambda)};
    return Instance(std::move(data));
}

/// Thresholds are in the thousands there, and multipliers that are rounded to few places do not do.
TEST(Summands, ProveClustersNearTheBoundary) {
    for (const char* policy : {"balanced-pandas", "jsq-maxweight", "generalized-cmu"}) {
        const auto outcome = by_summands(ring_of(3, "99/125"), make_policy(policy));
        EXPECT_TRUE(std::holds_alternative<DriftProof>(outcome)) << policy;
    }
}

/// The shorter of two queues that are drawn, at load 9/10, and beyond the boundary.
TEST(Summands, TakeTheDrawsOfARouteApart) {
    constexpr Rules two{keep(Arrangement::per_server), route(argmin(sample(2, servers), length)), serve(own)};
    for (const auto& [count, lambda] : {std::pair<std::size_t, const char*>{4, "18/5"}, {10, "9"}}) {
        const auto outcome = by_summands(servers_alike(count, lambda), policy_with(two));
        ASSERT_TRUE(std::holds_alternative<DriftProof>(outcome)) << std::get<DriftUnknown>(outcome).reason;
        EXPECT_EQ(std::get<DriftProof>(outcome).theorem.summands->size(), count * (count - 1) / 2 + 3 * count);
    }
    EXPECT_TRUE(std::holds_alternative<DriftUnknown>(by_summands(servers_alike(4, "4"), policy_with(two))));
}

TEST(Summands, ProveNothingBeyondTheBoundary) {
    for (const char* policy : {"join-shortest-queue", "balanced-pandas", "jsq-maxweight", "pandas:plain"})
        for (const std::size_t servers : {std::size_t{2}, std::size_t{3}})
            for (const Instance& instance : {ring_of(servers, "81/100"), ring_in_slots(servers, "81/100")}) {
                const auto outcome = by_summands(instance, make_policy(policy));
                ASSERT_TRUE(std::holds_alternative<DriftUnknown>(outcome)) << policy;
                EXPECT_NE(std::get<DriftUnknown>(outcome).reason.find("fall together"), std::string::npos);
            }
}

/// Of up to four servers, up to five types with one or two holders, and random rates.
Instance random_cluster(std::mt19937& draw, bool continuous) {
    const auto up_to = [&](std::size_t most) { return 1 + draw() % most; };
    const auto tenths = [&](std::size_t most) { return Rational(static_cast<std::int64_t>(up_to(most)), 10); };
    const std::size_t servers = 1 + up_to(3);
    InstanceData data;
    data.name = "random";
    data.levels = {{"local", Rational(1, 2) + tenths(4)}, {"remote", tenths(4)}};
    if (continuous) data.time = ContinuousTime{};
    for (std::size_t m = 0; m < servers; ++m) data.servers.push_back({"s" + std::to_string(m), {}});
    for (std::size_t i = 0, types = 1 + up_to(servers); i < types; ++i) {
        std::vector<ServerId> holders{ServerId(draw() % servers), ServerId(draw() % servers)};
        std::sort(holders.begin(), holders.end());
        holders.erase(std::unique(holders.begin(), holders.end()), holders.end());
        data.types.push_back({"T" + std::to_string(i), holders});
        data.rates.push_back(Rational(1, 10) * tenths(9));  // so few that at_load can ask for any number
    }
    if (!continuous) data.arrivals = ArrivalLaw::bernoulli(data.rates);
    return Instance(std::move(data));
}

/// How many of random clusters at load 101/100 the policies were tried on; in slots some cannot bring so many tasks.
int proves_nothing_beyond_the_boundary(std::size_t clusters) {
    std::mt19937 draw(20261130);
    int tried = 0;
    for (std::size_t i = 0; i < clusters; ++i) {
        std::optional<Instance> beyond;
        try {
            beyond = capacity::at_load(random_cluster(draw, i % 2 == 0), Rational(101, 100), "load");
        } catch (const InputError&) {
            continue;
        }
        for (const char* policy : {"balanced-pandas", "generalized-cmu", "jsq-maxweight", "pandas:plain"}) {
            EXPECT_TRUE(std::holds_alternative<DriftUnknown>(by_summands(*beyond, make_policy(policy))))
                << policy << " on cluster " << i;
            ++tried;
        }
    }
    return tried;
}

TEST(Summands, ProveNothingOfRandomClustersBeyondTheBoundary) { EXPECT_GT(proves_nothing_beyond_the_boundary(12), 20); }
TEST(Summands, ProveNothingOfManyClustersBeyondTheBoundary) {
    EXPECT_GT(proves_nothing_beyond_the_boundary(1500), 4000);
}

/// Where tasks are interrupted, no V has a part of a server.
TEST(Summands, ProveInterruptedTasks) {
    InstanceData data = ring_of(3, "1/2").data();
    data.options.preemption = Preemption::resume;
    const auto outcome = by_summands(Instance(data), make_policy("jsq-maxweight"));
    ASSERT_TRUE(std::holds_alternative<DriftProof>(outcome)) << std::get<DriftUnknown>(outcome).reason;
    EXPECT_TRUE(std::get<DriftProof>(outcome).theorem.v.pieces.empty());
}

/// A proof, and one altered in one place, must differ for the checker.
void expect_alterations_rejected(const Instance& instance, const char* policy = "jsq-maxweight") {
    const auto outcome = by_summands(instance, make_policy(policy));
    const Certificate good = certificate_of(instance, policy, std::get<DriftProof>(outcome));
    ASSERT_EQ(rejection(good), "");
    const auto rejected = [&](const char* what, const std::function<void(Certificate&, DriftTheorem&)>& alter) {
        Certificate altered = good;
        alter(altered, std::get<DriftTheorem>(altered.theorem));
        // The certifier refuses proofs that are not in their canonical form, too.
        const bool canonical =
            std::all_of(altered.proofs.begin(), altered.proofs.end(), [](const proof::ExploredProof& p) {
                return !proof::rejection(p).empty() || proof::canonical(p).leaves == p.leaves;
            });
        EXPECT_FALSE(rejection(altered).empty() && canonical) << what;
    };
    rejected("threshold", [](auto&, DriftTheorem& t) { t.threshold -= Rational(1); });
    rejected("delta", [](auto&, DriftTheorem& t) { t.delta += Rational(1, 1000); });
    rejected("bound", [](auto&, DriftTheorem& t) { t.summands->back() += LinearForm(Rational(1, 1000)); });
    rejected("number of bounds", [](auto&, DriftTheorem& t) { t.summands->pop_back(); });
    rejected("unknown queue", [](auto&, DriftTheorem& t) { t.summands->front() += length_of(QueueId(2)); });
    rejected("V", [](auto&, DriftTheorem& t) { t.v.pieces.back().coefficient += Rational(1, 1000); });
    rejected("a maximum",
             [](auto&, DriftTheorem& t) { t.v.pieces.back().largest_of.push_back(length_of(QueueId(0))); });
    for (std::size_t i = 0; i < std::get<DriftTheorem>(good.theorem).links.size(); ++i) {
        rejected("link", [&](auto&, DriftTheorem& t) { t.links[i] += LinearForm(Rational(1, 1000)); });
        rejected("link below 0", [&](auto&, DriftTheorem& t) { t.links[i] -= LinearForm(Rational(1'000'000)); });
        rejected("link that falls", [&](auto&, DriftTheorem& t) { t.links[i].add(q("-1000"), length_of(QueueId(0))); });
        rejected("number of links", [&](auto&, DriftTheorem& t) { t.links.pop_back(); });
        rejected("link of an unknown queue", [&](auto&, DriftTheorem& t) { t.links[i] += length_of(QueueId(2)); });
    }
    rejected("a link too many", [](auto&, DriftTheorem& t) { t.links.emplace_back(); });
    rejected("statuses", [](auto&, DriftTheorem& t) { t.statuses.front().pop_back(); });
    rejected("sense", [](auto&, DriftTheorem& t) { t.sense = Sense::above; });
    rejected("by cells", [](auto&, DriftTheorem& t) { t.summands.reset(); });
    for (std::size_t p = 0; p < good.proofs.size(); ++p)
        for (std::size_t o = 0; o < good.proofs[p].leaves.front().size(); ++o) {
            rejected("dropped alternative", [&](Certificate& c, auto&) {
                auto& obligations = c.proofs[p].leaves.front();
                obligations.erase(obligations.begin() + static_cast<std::ptrdiff_t>(o));
            });
            rejected("premise", [&](Certificate& c, auto&) {
                c.proofs[p].leaves.front()[o].against.front().form += LinearForm(Rational(1, 1000));
            });
            for (std::size_t k = 0; k < good.proofs[p].leaves.front()[o].multipliers.size(); ++k)
                rejected("multiplier", [&](Certificate& c, auto&) {
                    c.proofs[p].leaves.front()[o].multipliers[k].value += Rational(1, 1000);
                });
        }
}
TEST(Summands, AlteredProofsAreRejected) {
    expect_alterations_rejected(ring_of(2, "1/2"));
    expect_alterations_rejected(ring_in_slots(2, "1/2"));
}

/// Types of one holder each, of which one has more tasks than its server can do.
TEST(Summands, AlteredLinksAreRejected) {
    InstanceData data = ring_data(2, "1/4");
    data.rates.front() = q("17/20");
    data.arrivals = ArrivalLaw::bernoulli(data.rates);
    const Instance instance(std::move(data));
    const auto outcome = by_summands(instance, make_policy("pandas:plain"));
    ASSERT_EQ(std::get<DriftProof>(outcome).theorem.links.size(), 2U);
    expect_alterations_rejected(instance, "pandas:plain");
}

/// A row per term that is summed, one for what is done together in a slot, and the sum.
TEST(Summands, AreDrawnRowByRow) {
    const auto rows_of = [](const Instance& instance, const char* policy) {
        const SymbolicSystem system(instance, make_policy(policy));
        const auto outcome = find_by_summands(system, {});
        const std::string dot = graph::term_picture(system, std::get<DriftProof>(outcome).theorem, {"<title>"});
        EXPECT_NE(dot.find("&lt;title&gt;"), std::string::npos);
        EXPECT_NE(graph::picture(dot, graph::PictureFormat::svg).find("arrival T1"), std::string::npos);
        std::size_t rows = 0;
        for (std::size_t at = dot.find("<tr><td align=\"left\" border=\"0\">"); at != std::string::npos; ++rows)
            at = dot.find("<tr><td align=\"left\" border=\"0\">", at + 1);
        return rows;
    };
    EXPECT_EQ(rows_of(ring_of(3, "1/2"), "join-shortest-queue"), 7U);
    EXPECT_EQ(rows_of(ring_in_slots(3, "1/2"), "join-shortest-queue"), 8U);
}

TEST(Summands, AreRefusedWhereTheyAreNotDefined) {
    const auto refused = [](const Instance& instance, const char* policy, const std::string& words) {
        try {
            const SymbolicSystem system(instance, make_policy(policy));
            const Summands summands(system);
            ADD_FAILURE() << "accepted: " << policy;
        } catch (const InputError& error) {
            EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
        }
    };
    InstanceData slots = testing_support::two_servers("4/5", "1/5", "1/2", "1/2").data();
    slots.options.unmatched = Unmatched::phantom;
    refused(Instance(slots), "jsq-maxweight", "idle again");
    slots.options.unmatched = Unmatched::idle;
    slots.options.routing = Routing::sequential;
    refused(Instance(slots), "jsq-maxweight", "on the same lengths");
    refused(ring_of(2, "1/2"), "random-any", "lists its tasks");
    InstanceData data = ring_of(2, "1/2").data();
    data.batches = {{{2, q("1/2")}}, {}};
    refused(Instance(data), "jsq-maxweight", "batches");

    const Instance instance = ring_of(2, "1/2");
    const SymbolicSystem system(instance, make_policy("jsq-maxweight"));
    const auto asked = [&](const DriftGoal& goal, const char* function, const std::string& words) {
        try {
            (void)prove_by_summands(system, {named_lyapunov(function, instance, system.layout()), {}}, goal);
            ADD_FAILURE() << "accepted: " << words;
        } catch (const InputError& error) {
            EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
        }
    };
    EXPECT_THROW((void)find_by_summands(system, {}, {10, {}}), LimitExceeded);
    DriftGoal above, given;
    above.sense = Sense::above;
    given.threshold = q("5");
    asked(above, "squares", "from above only");
    asked(given, "squares", "its own threshold");
    asked({}, "regret", "without maxima");
}

}  // namespace
}  // namespace schedproof::queueing
