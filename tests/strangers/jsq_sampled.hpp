/// JSQ(2): a task joins the shorter of two local queues drawn at random.
#pragma once

#include "model/queueing/policy.hpp"

namespace schedproof::strangers {

struct JsqSampled {
    static constexpr queueing::PolicyInfo info{
        "jsq-sampled", "a stranger's own",
        "join the shorter of two local queues drawn at random; serve the largest weight"};
    static constexpr queueing::Rules rules = [] {
        using namespace queueing::language;
        using queueing::Arrangement;
        return queueing::Rules{keep(Arrangement::per_server), route(argmin(sample(2, local), length)),
                               serve(first_of(argmax(nonempty(reachable), rate * length), own))};
    }();
};

}  // namespace schedproof::strangers
