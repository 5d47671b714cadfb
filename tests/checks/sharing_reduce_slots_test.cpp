/// Reduce slots are the model with data on every node, in which the order of jobs is all that is left of a policy.
///
/// Source: docs/models/sharing.md, Interpretation S18.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "checks/sharing/generate.hpp"
#include "checks/sharing/policy_under_test.hpp"
#include "checks/sharing/reference_model.hpp"

namespace schedproof::checks {
namespace {

using namespace sharing;

/// A random state in which the data of every task are on every node.
SharingCase with_data_everywhere(std::uint64_t seed) {
    Sampler randomness(StreamKey{seed, 0, 0});
    SharingCase c = random_sharing_state(randomness);
    Replicas everywhere;
    for (std::size_t n = 0; n < c.setting.cluster.nodes(); ++n) everywhere.emplace_back(n);
    for (Job& job : c.setting.jobs)
        for (Replicas& data : job.tasks) data = everywhere;
    return c;
}

RC_GTEST_PROP(SharingReduceSlots, TheOrderOfJobsIsAllThatIsLeft, (std::uint64_t seed)) {
    const SharingCase c = with_data_everywhere(seed);
    for (const char* id : {"hadoop-fifo", "naive-fair", "fair-kill", "delay", "delay-rack", "delay-rack:keep"}) {
        const SharingPolicyUnderTest policy = policy_under_test(id, c.parameters);
        const auto first = reference_offer(std::string(id) == "hadoop-fifo" ? "hadoop-fifo" : "naive-fair", c).launch;
        for (std::size_t s = 0; s < c.state.slots.size(); ++s) {
            if (c.state.slots[s].busy) continue;
            const std::optional<Started> started = policy.offer(c.setting, c.state, SlotId(s)).started;
            RC_ASSERT(started.has_value() == first.has_value());
            if (!started) continue;
            RC_ASSERT(started->job == first->job);
            RC_ASSERT(started->level == Locality::local);
        }
    }
}

}  // namespace
}  // namespace schedproof::checks
