/// Fair sharing by killing: what a new job is due is taken from others at once, and the work done there is lost.
///
/// Deviation: the source describes it in two lines ("kill running tasks to make room for the new job"). Read: slots are
/// given as by naive fair sharing. The fair share is floor(S / J) of S slots and J jobs that are not done; a job below
/// it is due the slots that it lacks, as many as it has unlaunched tasks. Whenever fewer slots are free than all jobs
/// together are due, and another job runs more than its share, the job with the most running tasks (ties: submitted
/// last) loses the one launched last (ties: on the slot of largest number); the slot is offered at once, and so on
/// while that holds. No grace period, no limit to the kills of a task; each kill moves a slot from above the share to
/// below it, so the killing ends.
/// Source: [zaharia2010], "kill running tasks to make room for the new job"; docs/models/sharing.md, Interpretation S7.
#pragma once

#include "policies/sharing/naive_fair.hpp"

namespace schedproof::sharing {

struct FairKill : NaiveFair {
    static constexpr PolicyInfo info{"fair-kill", "[zaharia2010], killing running tasks",
                                     "naive fair sharing; a job below its share takes slots by killing"};

    template <ReclaimingView V>
    [[nodiscard]] constexpr std::optional<JobRef> reclaim(const V& now) const {
        typename V::Count due = 0;
        for (const JobRef poor : now.jobs(Order::fair)) {
            const auto missing = now.fair_share() - now.running(poor);
            if (missing <= 0) return {};
            due += std::min(missing, now.unlaunched(poor));
            if (due <= now.free_slots()) continue;
            const std::optional<JobRef> rich = now.most_running();
            return rich && now.running(*rich) > now.fair_share() ? rich : std::nullopt;
        }
        return {};
    }
};

}  // namespace schedproof::sharing
