/// Join the shortest queue ([winston1977]; [weber1978]): the classical balancing rule, without help between servers.
///
/// A task joins the shortest queue among the servers that hold its data, all of them when the data are everywhere; a
/// server serves its own queue only. What Pandas and JSQ-MaxWeight add to it is help.
#pragma once

#include "model/queueing/policy.hpp"

namespace schedproof::queueing::language {

struct JoinShortestQueue {
    static constexpr PolicyInfo info{"join-shortest-queue", "[winston1977]; [weber1978]",
                                     "join the shortest local queue; serve own"};
    static constexpr Rules rules{keep(Arrangement::per_server), route(argmin(local, length)), serve(own)};
};

}  // namespace schedproof::queueing::language

namespace schedproof::queueing {
using language::JoinShortestQueue;
}  // namespace schedproof::queueing
