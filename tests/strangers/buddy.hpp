/// Servers 0 and 1, 2 and 3, ... help each other and nobody else.
#pragma once

#include "model/queueing/policy.hpp"

namespace schedproof::strangers {

struct Buddy {
    static constexpr queueing::PolicyInfo info{"buddy", "a stranger's own",
                                               "join the shortest local queue; serve own, else the partner's queue"};
    static constexpr queueing::Rules rules = [] {
        using namespace queueing::language;
        using queueing::Arrangement;
        return queueing::Rules{keep(Arrangement::per_server), route(argmin(local, length)),
                               serve(first_of(nonempty(own), nonempty(partner), own))};
    }();
};

}  // namespace schedproof::strangers
