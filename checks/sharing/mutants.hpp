/// Faults of sharing policies, written like policies: what the claims' checks must catch.
#pragma once

#include "policies/sharing/delay.hpp"
#include "policies/sharing/fair_kill.hpp"
#include "policies/sharing/jsq_maxweight_subqueues.hpp"

namespace schedproof::checks::sharing_claims {

/// Any launch starts the count anew.
template <class Count = std::int64_t>
struct ResettingDelay {
    static constexpr sharing::PolicyInfo info{"resetting-delay", "mutant", "any launch sets the skip count to 0"};
    Count d = 1;
    static constexpr std::tuple parameters{Parameter("D", &ResettingDelay::d)};
    template <sharing::SharingView V>
    [[nodiscard]] constexpr std::optional<sharing::Launch> offer(V& now, sharing::NodeRef n) const {
        const auto launch = sharing::DelayOf<Count>{d}.offer(now, n);
        if (launch) now.set_skips(launch->job, 0);
        return launch;
    }
};

/// Passed over once too often.
template <class Count = std::int64_t>
struct PatientDelay {
    static constexpr sharing::PolicyInfo info{"patient-delay", "mutant", "waits D + 1 times"};
    Count d = 1;
    static constexpr std::tuple parameters{Parameter("D", &PatientDelay::d)};
    template <sharing::SharingView V>
    [[nodiscard]] constexpr std::optional<sharing::Launch> offer(V& now, sharing::NodeRef n) const {
        return sharing::DelayOf<Count>{d + 1}.offer(now, n);
    }
};

/// Every transfer costs the same.
template <class Count = std::int64_t>
struct FlatQuincy {
    static constexpr sharing::PolicyInfo info{"flat-quincy", "mutant", "a transfer costs W, whatever its way"};
    Count w = 0;
    static constexpr std::tuple parameters{Parameter("W", &FlatQuincy::w)};
    template <sharing::SharingView V>
    [[nodiscard]] constexpr std::optional<sharing::Launch> offer(V& now, sharing::NodeRef n) const {
        for (const sharing::JobRef j : now.jobs(sharing::Order::fifo)) {
            const sharing::Locality nearest = now.nearest(j, n);
            if (nearest == sharing::Locality::local || now.since_submitted(j) >= w) return sharing::Launch{j, nearest};
        }
        return {};
    }
};

/// Passed over D times even where its data is.
struct BlindDelay {
    static constexpr sharing::PolicyInfo info{"blind-delay", "mutant", "waits D times, local or not"};
    std::int64_t d = 1;
    static constexpr std::tuple parameters{Parameter("D", &BlindDelay::d)};
    template <sharing::SharingView V>
    [[nodiscard]] constexpr std::optional<sharing::Launch> offer(V& now, sharing::NodeRef n) const {
        for (const sharing::JobRef j : now.jobs(sharing::Order::fair)) {
            if (now.skips(j) >= d) return sharing::Launch{j, now.nearest(j, n)};
            now.skip(j);
        }
        return {};
    }
};

/// Counts no skips.
struct ForgetfulDelay {
    static constexpr sharing::PolicyInfo info{"forgetful-delay", "mutant", "waits for local data, for ever"};
    template <sharing::SharingView V>
    [[nodiscard]] constexpr std::optional<sharing::Launch> offer(V& now, sharing::NodeRef n) const {
        const auto local = now.first_local(sharing::Order::fair, n);
        return local ? std::optional(sharing::Launch{*local, sharing::Locality::local}) : std::nullopt;
    }
};

/// The last of the order, not the first.
struct LastJob {
    static constexpr sharing::PolicyInfo info{"last-job", "mutant", "the job with the most running tasks"};
    template <sharing::SharingView V>
    [[nodiscard]] constexpr std::optional<sharing::Launch> offer(V& now, sharing::NodeRef n) const {
        std::optional<sharing::Launch> last;
        for (const sharing::JobRef j : now.jobs(sharing::Order::fair)) last = sharing::Launch{j, now.nearest(j, n)};
        return last;
    }
};

/// Lets everything pass, always.
struct Idle {
    static constexpr sharing::PolicyInfo info{"idle", "mutant", "launches nothing"};
    template <sharing::SharingView V>
    [[nodiscard]] constexpr std::optional<sharing::Launch> offer(V&, sharing::NodeRef) const {
        return {};
    }
};

/// Serves the node's own queue only where it is the heavier one.
struct HeavierOnly : sharing::JsqMaxWeightSubqueues {
    static constexpr sharing::PolicyInfo info{"heavier-only", "mutant", "a tie of queues goes to the common one"};
    template <sharing::QueueView V>
    [[nodiscard]] constexpr std::optional<sharing::Launch> offer(V& now, sharing::NodeRef n) const {
        const auto q = now.weight(now.own(n)) > now.weight(now.common()) ? now.own(n) : now.common();
        const auto j = now.fewest_running(q);
        return j ? std::optional(sharing::Launch{*j, now.level(q)}) : std::nullopt;
    }
};

/// No task joins the common queue.
struct OwnQueuesOnly : sharing::JsqMaxWeightSubqueues {
    static constexpr sharing::PolicyInfo info{"own-queues-only", "mutant", "joins the shortest of the nodes' queues"};
    template <sharing::RoutingView V>
    [[nodiscard]] constexpr typename V::Tied route(const V& now, sharing::DataRef data) const {
        return now.shortest(now.own(data));
    }
};

/// Kills nothing, though it is asked.
struct Spares : sharing::FairKill {
    static constexpr sharing::PolicyInfo info{"spares", "mutant", "kills nothing"};
    template <sharing::ReclaimingView V>
    [[nodiscard]] constexpr std::optional<sharing::JobRef> reclaim(const V&) const {
        return {};
    }
};

/// Kills only while no slot is free.
struct LateKill : sharing::FairKill {
    static constexpr sharing::PolicyInfo info{"late-kill", "mutant", "kills nothing while a slot is free"};
    template <sharing::ReclaimingView V>
    [[nodiscard]] constexpr std::optional<sharing::JobRef> reclaim(const V& now) const {
        return now.free_slots() > 0 ? std::nullopt : FairKill::reclaim(now);
    }
};

}  // namespace schedproof::checks::sharing_claims
