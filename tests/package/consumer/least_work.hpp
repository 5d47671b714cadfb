#pragma once

#include "model/queueing/policy.hpp"

namespace schedproof::queueing::language {

struct LeastWork {
    static constexpr PolicyInfo info{"least-work", "consumer",
                                     "join the server that would be done with the task soonest"};
    static constexpr Rules rules{keep(Arrangement::per_server_and_level),
                                 route(argmin(servers, server_workload / rate)),
                                 serve(first_of(most_local(nonempty(own_levels)), own))};
};

}  // namespace schedproof::queueing::language
