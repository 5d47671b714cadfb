#pragma once

#include "model/queueing/policy.hpp"

namespace mine {

using namespace schedproof::queueing::language;

struct LeastWork {
    static constexpr schedproof::PolicyInfo info{"least-work", "", "join the server that would be done soonest"};
    static constexpr schedproof::queueing::Rules rules{keep(schedproof::queueing::Arrangement::per_server_and_level),
                                                       route(argmin(servers, server_workload / rate)),
                                                       serve(first_of(most_local(nonempty(own_levels)), own))};
};

}  // namespace mine
