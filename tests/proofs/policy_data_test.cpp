/// The data of the stability programs against the policies' own code, and the equality of the two programs.
#include "proofs/queueing/duality/policy_data.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>

#include "policies/queueing/exact.hpp"
#include "proofs/queueing/capacity/plan.hpp"
#include "proofs/queueing/capacity/region.hpp"
#include "tests/model/queueing_generators.hpp"
#include "tests/support/instances.hpp"

namespace schedproof::duality {
namespace {

using namespace queueing;

constexpr const char* max_weight_policies[] = {"wang-jsq-maxweight", "jsq-maxweight", "generalized-cmu",
                                               "balanced-pandas", "balanced-pandas:idle"};

/// Weights of the stability program at a state: lengths, marginal costs, or workloads.
std::vector<Rational> weights(const ExactSystem& system, const ExactState& state) {
    const Instance& instance = system.instance();
    const Layout& layout = system.layout();
    std::vector<Rational> result;
    if (layout.arrangement() == Arrangement::per_server_and_level) {
        const auto lists = oracle::lists_of_rates(instance);
        for (const ServerId m : instance.servers()) {
            Rational workload;
            for (std::size_t list = 0; list < lists.size(); ++list)
                for (const Level level : instance.levels())
                    workload += Rational(state.length[layout.queue(m, level, list).index()].value()) /
                                lists[list][level.index()];
            result.push_back(workload);
        }
        return result;
    }
    for (std::size_t i = 0; i < state.length.size(); ++i) {
        Rational weight = state.length[i].value();
        if (layout.arrangement() == Arrangement::per_type) weight *= instance.type(TaskTypeId(i)).cost * Rational(2);
        result.push_back(weight);
    }
    return result;
}

/// The queue of the stability program behind a queue of the layout.
std::size_t program_queue(const ExactSystem& system, QueueId q) {
    return system.layout().arrangement() == Arrangement::per_server_and_level ? system.layout().owner(q).index()
                                                                              : q.index();
}

Instance with_default_options(const Instance& instance) {
    InstanceData data = instance.data();
    data.options = Options{};
    for (TaskType& type : data.types) type.exponent = 1;
    return Instance(std::move(data));
}

/// Routing picks exactly the least factor * weight, serving only the largest rate * weight.
TEST(MaxWeightData, SaysWhatTheCodeDoes) {
    for (const std::string id : max_weight_policies) {
        EXPECT_TRUE(rc::check(id + ": route minimises and serve maximises the weights of the data", [&] {
            const Instance instance = with_default_options(*oracle::small_instance(id, oracle::with_own_rates()));
            const ExactState state = *oracle::valid_state(instance, oracle::queue_shape(instance, id), 9);
            const ExactSystem system(instance, make_policy(id, instance, {}));
            const MaxWeightData data = *max_weight_data(instance, id);
            const std::vector<Rational> weight = weights(system, state);
            for (const TaskTypeId type : instance.types()) {
                std::set<std::size_t> chosen, least;
                for (const Candidate& c : system.route(state, type)) chosen.insert(program_queue(system, c.queue));
                for (const WeightedQueue& w : data.admissible[type.index()])
                    if (w.multiplier * weight[w.queue.index()] == type_value(data, type.index(), weight))
                        least.insert(w.queue.index());
                RC_ASSERT(chosen == least);
            }
            for (const ServerId m : instance.servers()) {
                if (state.serving[m.index()].status != Service::Status::idle) continue;
                const Rational best = server_value(data, m.index(), weight);
                for (const Candidate& c : system.serve(state, m)) {
                    const auto& servable = data.servable[m.index()];
                    RC_ASSERT(std::any_of(servable.begin(), servable.end(), [&](const WeightedQueue& w) {
                        return w.queue.index() == program_queue(system, c.queue) &&
                               w.multiplier * weight[w.queue.index()] == best;
                    }));
                }
            }
        }));
    }
}

/// docs/models/queueing.md, Stability program: the stability program of a throughput-optimal MaxWeight policy has the
/// value rho*.
TEST(MaxWeightData, StabilityProgramEqualsTheLoad) {
    for (const std::string id : max_weight_policies) {
        EXPECT_TRUE(rc::check(id + ": stability program = rho*", [&] {
            oracle::InstanceWish wish = oracle::with_own_rates();
            if (id == "wang-jsq-maxweight") wish.levels = 2;
            const Instance instance = with_default_options(*oracle::small_instance(id, wish));
            const MaxWeightData data = *max_weight_data(instance, id);
            const StabilityCertificate stability = solve(data);
            RC_ASSERT(rejection(data, stability) == "");
            RC_ASSERT(stability.value == capacity::solve(instance).load());
        }));
    }
}

TEST(MaxWeightData, WangIsBlindToRacks) {
    const Instance n2 = testing_support::n2();
    EXPECT_EQ(capacity::solve(n2).load(), testing_support::q("37/38"));
    for (const char* id : {"jsq-maxweight", "generalized-cmu", "balanced-pandas"})
        EXPECT_EQ(solve(*max_weight_data(n2, id)).value, testing_support::q("37/38")) << id;
    EXPECT_GT(*solve(*max_weight_data(n2, "wang-jsq-maxweight")).value, Rational(1));
}

TEST(MaxWeightData, OtherPoliciesHaveNone) {
    for (const char* id : {"pandas:plain", "fifo", "random-local"})
        EXPECT_FALSE(max_weight_data(testing_support::n2(), id)) << id;
}

}  // namespace
}  // namespace schedproof::duality
