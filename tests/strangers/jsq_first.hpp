/// JSQ over the first three servers that hold the data, in the order of their names.
#pragma once

#include "model/queueing/policy.hpp"

namespace schedproof::strangers {

struct JsqFirst {
    static constexpr queueing::PolicyInfo info{
        "jsq-first", "a stranger's own", "join the shortest of the first three local queues; serve the largest weight"};
    static constexpr queueing::Rules rules = [] {
        using namespace queueing::language;
        using queueing::Arrangement;
        return queueing::Rules{keep(Arrangement::per_server), route(argmin(lowest(3, local), length)),
                               serve(first_of(argmax(nonempty(reachable), rate * length), own))};
    }();
};

}  // namespace schedproof::strangers
