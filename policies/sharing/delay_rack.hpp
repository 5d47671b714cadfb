/// Delay scheduling with racks: a job waits D1 opportunities for a local task, then D2 for one on the rack.
///
/// Deviation: the source says no more than "give each job two waiting periods". Read: until it was skipped D1 times a
/// job launches local tasks only, until D1 + D2 also rack-local ones, then any. A local launch sets the count to 0. A
/// rack-local launch sets it to D1, so that the second wait starts again, or, in `keep`, leaves it. A remote launch
/// leaves it. Without D2 a job never leaves the racks of its data; on a single rack, which tells no tasks apart, it
/// then launches local ones only.
/// Source: [zaharia2010], "Rack Locality"; docs/models/sharing.md, Interpretation S6.
#pragma once

#include "model/sharing/policy.hpp"

namespace schedproof::sharing {

enum class AfterRackLocal : std::uint8_t { second_wait, keep };

template <class Count = std::int64_t>
struct DelayRackOf {
    static constexpr PolicyInfo info{"delay-rack", "[zaharia2010], Rack Locality",
                                     "delay scheduling with a wait for a local task, then one for a rack-local task"};
    Count d1 = 1;                   ///< Unit: free slots offered. Range: at least 0
    std::optional<Count> d2 = {1};  ///< none: for ever
    AfterRackLocal after = AfterRackLocal::second_wait;
    static constexpr std::tuple parameters{Parameter("D1", &DelayRackOf::d1), Parameter("D2", &DelayRackOf::d2),
                                           Parameter("after a rack-local launch", &DelayRackOf::after)};

    template <SharingView V>
    [[nodiscard]] constexpr std::optional<Launch> offer(V& now, NodeRef n) const {
        for (const JobRef j : now.jobs(Order::fair)) {
            const Locality nearest = now.nearest(j, n);
            if (allows(now, j, nearest)) {
                if (nearest == Locality::local) now.set_skips(j, 0);
                if (nearest == Locality::rack_local && after == AfterRackLocal::second_wait) now.set_skips(j, d1);
                return Launch{j, nearest};
            }
            now.skip(j);
        }
        return {};
    }

  private:
    template <SharingView V>
    [[nodiscard]] constexpr bool allows(const V& now, JobRef j, Locality nearest) const {
        if (nearest == Locality::local) return true;
        if (nearest == Locality::rack_local) return now.skips(j) >= d1;
        return d2 && now.skips(j) >= d1 + *d2;
    }
};
using DelayRack = DelayRackOf<>;

}  // namespace schedproof::sharing
