/// MaxWeight among the three nearest queues; which of those at the same distance, at random.
#pragma once

#include "model/queueing/policy.hpp"

namespace schedproof::strangers {

struct MaxWeightNearest {
    static constexpr queueing::PolicyInfo info{
        "maxweight-nearest", "a stranger's own",
        "join the shortest local queue; serve the largest weight of the three nearest queues"};
    static constexpr queueing::Rules rules = [] {
        using namespace queueing::language;
        using queueing::Arrangement;
        return queueing::Rules{keep(Arrangement::per_server), route(argmin(local, length)),
                               serve(first_of(argmax(nonempty(best(3, reachable, distance)), rate * length), own))};
    }();
};

}  // namespace schedproof::strangers
