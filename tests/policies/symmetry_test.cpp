/// Renaming the servers renames the kernel: no policy that breaks ties uniformly may depend on the order in which the
/// servers are listed. Holds when too few tasks are handed out to a uniform subset, not to the lowest indices.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "policies/queueing/exact.hpp"
#include "tests/model/queueing_generators.hpp"
#include "tests/model/queueing_oracle.hpp"

namespace schedproof::queueing {
namespace {

using Permutation = std::vector<std::size_t>;  // old index -> new index

Instance renamed(const Instance& instance, const Permutation& to) {
    InstanceData data = instance.data();
    for (std::size_t m = 0; m < to.size(); ++m) data.servers[to[m]] = instance.data().servers[m];
    for (TaskType& type : data.types)
        for (ServerId& m : type.replicas) m = ServerId(to[m.index()]);
    return Instance(std::move(data));
}

QueueId renamed(const Layout& layout, QueueId q, const Permutation& to) {
    if (layout.is_shared(q) || layout.arrangement() == Arrangement::per_type) return q;
    const bool several = layout.arrangement() == Arrangement::per_server_and_level;
    const std::size_t own = several ? layout.queues() / to.size() : 1;  // queues of a server, one after another
    return QueueId(to[q.index() / own] * own + q.index() % own);
}

ExactState renamed(const ExactSystem& system, const ExactState& state, const Permutation& to) {
    ExactState result = state;
    for (std::size_t q = 0; q < state.length.size(); ++q) {
        const std::size_t image = renamed(system.layout(), QueueId(q), to).index();
        result.length[image] = state.length[q];
        if (!state.waiting.empty()) result.waiting[image] = state.waiting[q];
    }
    for (std::size_t m = 0; m < to.size(); ++m) {
        Service service = state.serving[m];
        if (service.status != Service::Status::idle) service.queue = renamed(system.layout(), service.queue, to);
        result.serving[to[m]] = service;
    }
    return result;
}

TEST(Symmetry, RenamingServersRenamesTheKernel) {
    for (const std::string id :
         {"wang-jsq-maxweight", "jsq-maxweight", "pandas:plain", "pandas:rackaware", "balanced-pandas",
          "balanced-pandas:idle", "generalized-cmu", "random-local", "random-any", "join-shortest-queue"}) {
        EXPECT_TRUE(rc::check(id + ": kernel of the renamed cluster = renamed kernel", [&] {
            InstanceData data = (*oracle::small_instance(id, oracle::with_own_rates())).data();
            data.options.scarcity = Scarcity::uniform_subset;
            // Listed queues of several servers pop heads in the order of the servers, which a renaming changes.
            if (id == "wang-jsq-maxweight") data.options.common_rate = CommonRate::remote;
            const Instance instance(std::move(data));
            Permutation to(instance.servers().size());
            std::iota(to.begin(), to.end(), std::size_t{0});
            std::rotate(to.begin(), to.begin() + *rc::gen::inRange<std::ptrdiff_t>(0, std::ssize(to)), to.end());
            const ExactState state = *oracle::valid_state(instance, oracle::queue_shape(instance, id));
            const Instance other = renamed(instance, to);
            const ExactSystem here(instance, make_policy(id, instance, {})), there(other, make_policy(id, other, {}));
            RC_ASSERT(here.kernel(state).map([&](const ExactState& s) { return renamed(here, s, to); }) ==
                      there.kernel(renamed(here, state, to)));
        }));
    }
}

/// The mutant: handing scarce tasks to the lowest indices does depend on the order, and the property must say so.
TEST(Symmetry, LowestIndexMatchingDependsOnTheOrder) {
    InstanceData data;
    data.name = "two";
    data.levels = {{"local", Rational(4) / 5}, {"remote", Rational(1) / 5}};
    data.servers = {{"s0", {}}, {"s1", {}}};
    data.types = {{"A", {ServerId(0), ServerId(1)}}};
    data.arrivals = ArrivalLaw::bernoulli(std::vector<Rational>{Rational(1) / 2});
    const Permutation swap{1, 0};
    for (const bool uniform : {false, true}) {
        data.options.scarcity = uniform ? Scarcity::uniform_subset : Scarcity::lowest_index;
        const Instance instance(data), other = renamed(instance, swap);
        const ExactSystem here(instance, make_policy("generalized-cmu", instance, {})),
            there(other, make_policy("generalized-cmu", other, {}));
        ExactState state = here.initial();
        state.length[0] = 1;
        const bool equal = here.kernel(state).map([&](const ExactState& s) { return renamed(here, s, swap); }) ==
                           there.kernel(renamed(here, state, swap));
        EXPECT_EQ(equal, uniform);
    }
}

}  // namespace
}  // namespace schedproof::queueing
