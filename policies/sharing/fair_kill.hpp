/// Fair sharing by killing: what a new job is due is taken from others at once, and the work done there is lost.
///
/// Deviation: the source describes it in two lines ("kill running tasks to make room for the new job"). Read: slots are
/// given as by naive fair sharing. Whenever no slot is free, a job with an unlaunched task runs fewer tasks than its
/// fair share, and another runs more than its own, the job with the most running tasks (ties: submitted last) loses the
/// one launched last (ties: on the slot of largest number); the slot is offered at once, and so on while that holds.
/// The fair share is floor(S / J) of S slots and J jobs that are not done. No grace period, no limit to the kills of a
/// task; each kill moves a slot from above the share to below it, so the killing ends.
/// Source: Zaharia et al., EuroSys 2010, section 3 (notes: "Kill running tasks to make room for the new job").
#pragma once

#include "policies/sharing/naive_fair.hpp"

namespace schedproof::sharing {

struct FairKill : NaiveFair {
    static constexpr PolicyInfo info{"fair-kill", "Zaharia et al., EuroSys 2010, 3",
                                     "naive fair sharing; a job below its share takes slots by killing"};

    template <ReclaimingView V>
    [[nodiscard]] std::optional<JobId> reclaim(const V& now) const {
        if (now.some_slot_free()) return {};
        for (const JobId poor : now.jobs(Order::fair)) {
            if (now.running(poor) >= now.fair_share()) return {};
            const std::optional<JobId> rich = now.most_running();
            return now.running(*rich) > now.fair_share() ? rich : std::nullopt;
        }
        return {};
    }
};

}  // namespace schedproof::sharing
