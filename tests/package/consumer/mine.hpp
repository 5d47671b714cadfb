// A policy that is compiled while the command runs.
#pragma once

#include "model/queueing/policy.hpp"

namespace mine {

using namespace schedproof::queueing::language;

struct Mine {
    static constexpr schedproof::PolicyInfo info{"mine", "consumer", "join the shortest local queue; serve own"};
    static constexpr schedproof::queueing::Rules rules{keep(schedproof::queueing::Arrangement::per_server),
                                                       route(argmin(local, length)), serve(own)};
};

}  // namespace mine
