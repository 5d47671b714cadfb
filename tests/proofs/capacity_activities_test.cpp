#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>

#include "capacity_instances.hpp"
#include "proofs/queueing/capacity/activities.hpp"
#include "proofs/queueing/capacity/region.hpp"
#include "proofs/queueing/capacity/sets.hpp"

namespace schedproof::capacity {
namespace {

using namespace testing;

TEST(CapacityActivities, TwoServersHelpEachOther) {
    const Instance instance(two_servers(frac(9, 10), frac(1, 4)));
    const Activities activities = basic_activities(instance, solve(instance));
    EXPECT_TRUE(activities.unique);
    EXPECT_TRUE(activities.complete_resource_pooling());
    EXPECT_EQ(activities.basic, (std::vector<Assignment>{{TaskTypeId(0), ServerId(0), frac(77, 100)},
                                                         {TaskTypeId(0), ServerId(1), frac(13, 100)},
                                                         {TaskTypeId(1), ServerId(1), frac(1, 4)}}));
}

TEST(CapacityActivities, BalancedServersAreNotPooled) {
    const Instance instance(two_servers(frac(1, 2), frac(1, 2)));
    const Activities activities = basic_activities(instance, solve(instance));
    EXPECT_TRUE(activities.unique);
    EXPECT_EQ(activities.components, 2U);
}

TEST(CapacityActivities, SharedDataLeavesAChoice) {
    const Instance instance(make({Rational(1), frac(1, 2)}, {{}, {}}, {{{0, 1}, frac(1, 2)}, {{0, 1}, frac(1, 2)}}));
    EXPECT_FALSE(basic_activities(instance, solve(instance)).unique);
    const Instance single(make({Rational(1), frac(1, 2)}, {{}, {}}, {{{0, 1}, frac(1, 2)}}));
    EXPECT_TRUE(basic_activities(single, solve(single)).unique);
}

// Rank of a matrix, by elimination.
std::size_t rank(std::vector<std::vector<Rational>> a) {
    std::size_t rank = 0;
    for (std::size_t column = 0; !a.empty() && column < a[0].size() && rank < a.size(); ++column) {
        std::size_t pivot = rank;
        while (pivot < a.size() && a[pivot][column].sign() == 0) ++pivot;
        if (pivot == a.size()) continue;
        std::swap(a[pivot], a[rank]);
        for (std::size_t i = rank + 1; i < a.size(); ++i) {
            const Rational factor = a[i][column] / a[rank][column];
            if (factor.sign() == 0) continue;
            for (std::size_t j = column; j < a[i].size(); ++j) a[i][j] -= factor * a[rank][j];
        }
        ++rank;
    }
    return rank;
}

// A vertex: the columns of the basic activities, over the equations of types and servers with rho fixed, are
// linearly independent.
RC_GTEST_PROP(CapacityActivities, AreAVertexOptimum, ()) {
    const Instance instance(arbitrary_instance());
    CapacityCertificate certificate = solve(instance, {*rc::gen::element(Method::ascent, Method::full_program)});
    const Activities activities = basic_activities(instance, certificate);
    certificate.decomposition = activities.basic;
    RC_ASSERT(verify(instance, certificate));
    std::vector<std::vector<Rational>> columns;
    for (const Assignment& entry : activities.basic) {
        auto& column = columns.emplace_back(instance.types().size() + instance.servers().size());
        column[entry.type.index()] = 1;
        column[instance.types().size() + entry.server.index()] = Rational(1) / instance.rate(entry.type, entry.server);
    }
    RC_ASSERT(rank(columns) == columns.size());
}

// Two types that both servers hold, each worth one server: a vertex gives each server a type, others mix them.
TEST(CapacityActivities, ServersThatMayHelpEachOtherArePooled) {
    const Instance instance(make({frac(4, 5), frac(1, 5)}, {{}, {}}, {{{0, 1}, frac(4, 5)}, {{0, 1}, frac(4, 5)}}));
    const Activities activities = basic_activities(instance, solve(instance));
    EXPECT_EQ(activities.components, 2U);
    EXPECT_TRUE(activities.complete_resource_pooling());
}

// Uniqueness and parts against linear programs: over the optimal decompositions, the most that each pair can carry is
// what it carries; the pairs that carry something in some of them connect the parts. The program is built and solved
// without the module's notion of tight pairs.
RC_GTEST_PROP(CapacityActivities, UniquenessAndPartsAgreeWithLinearPrograms, ()) {
    const Instance instance(arbitrary_instance(4));
    const CapacityCertificate certificate = solve(instance);
    RC_PRE(certificate.load().sign() > 0);
    const Activities activities = basic_activities(instance, certificate);
    std::map<std::pair<std::size_t, std::size_t>, Rational> carried;
    for (const Assignment& entry : activities.basic) carried[{entry.type.index(), entry.server.index()}] = entry.amount;
    LinearProgram program = full_program(instance);
    LinearRow fixed{{{0, Rational(1)}}, Relation::equal, certificate.load()};
    program.rows.push_back(fixed);
    bool unique = true;
    Sets sets(instance.servers().size() + instance.types().size());
    std::size_t parts = instance.servers().size();
    for (const TaskTypeId t : instance.types())
        if (instance.arrival_rate(t).sign() > 0) ++parts;
    for (const TaskTypeId t : instance.types())
        for (const ServerId m : instance.servers()) {
            const std::size_t variable = 1 + t.index() * instance.servers().size() + m.index();
            std::fill(program.cost.begin(), program.cost.end(), Rational(0));
            program.cost[variable] = -1;
            const auto most = solve(program);
            RC_ASSERT(most);
            const Rational here = carried[{t.index(), m.index()}];
            RC_ASSERT(-most->value >= here);
            unique = unique && -most->value == here;
            if (most->value.sign() < 0 && sets.join(static_cast<std::uint32_t>(m.index()),
                                                    static_cast<std::uint32_t>(instance.servers().size() + t.index())))
                --parts;
        }
    RC_ASSERT(activities.unique == unique);
    RC_ASSERT(activities.parts == parts);
}

}  // namespace
}  // namespace schedproof::capacity
