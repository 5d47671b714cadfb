/// kills-too-soon: which job launches a task on a free task slot, and which job loses one.
///
/// Seeded fault: a task is killed although the free slots are just enough for what poor jobs are due, `<` where fair
/// sharing by killing has `<=`.
#pragma once

#include <algorithm>
#include <array>

#include "model/sharing/policy.hpp"

namespace schedproof::sharing {

struct KillsTooSoon {
    static constexpr PolicyInfo info{"kills-too-soon", "",
                                     "naive fair sharing; a job below its share takes slots by killing"};
    static constexpr std::array hopes{"sharing.kills-by-rule"};

    template <SharingView V>
    [[nodiscard]] constexpr std::optional<Launch> offer(V& now, NodeRef n) const {
        for (const JobRef j : now.jobs(Order::fair)) return Launch{j, now.nearest(j, n)};
        return {};
    }

    /// Of which job the task launched last dies; none when no job is below its share for want of a slot.
    template <ReclaimingView V>
    [[nodiscard]] constexpr std::optional<JobRef> reclaim(const V& now) const {
        typename V::Count due = 0;
        for (const JobRef poor : now.jobs(Order::fair)) {
            const auto missing = now.fair_share() - now.running(poor);
            if (missing <= 0) return {};
            due += std::min(missing, now.unlaunched(poor));
            if (due < now.free_slots()) continue;
            const std::optional<JobRef> rich = now.most_running();
            return rich && now.running(*rich) > now.fair_share() ? rich : std::nullopt;
        }
        return {};
    }
};

static_assert(admitted<KillsTooSoon>());

}  // namespace schedproof::sharing
