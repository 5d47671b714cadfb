/// eager-help: what an arriving task and an idle server do.
///
/// Seeded fault: the rate is forgotten, so that an idle server helps a queue that is one task longer than its own.
#pragma once

#include <array>

#include "model/queueing/policy.hpp"

namespace schedproof::queueing::language {

struct EagerHelp {
    static constexpr PolicyInfo info{"eager-help", "", "join the shortest local queue; serve the longest queue"};
    static constexpr std::array hopes{"queueing.squares-drift-negative"};
    static constexpr Rules rules{keep(Arrangement::per_server), route(argmin(local, length)),
                                 serve(first_of(argmax(nonempty(reachable), length), own))};
};

}  // namespace schedproof::queueing::language
