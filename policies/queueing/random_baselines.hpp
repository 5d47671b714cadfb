/// Static baselines that look at nothing: a task joins a server at random, and servers serve their own queue in order.
///
/// `random-local` picks among the servers that hold the data, `random-any` among all servers.
#pragma once

#include "model/queueing/policy.hpp"

namespace schedproof::queueing::language {

struct RandomLocal {
    static constexpr PolicyInfo info{"random-local", "[schedproof], baseline",
                                     "join a local server at random; serve own"};
    static constexpr Rules rules{keep(Arrangement::per_server), route(local), serve(own)};
};

struct RandomAny {
    static constexpr PolicyInfo info{"random-any", "[schedproof], baseline",
                                     "join any server at random; serve own in order of arrival"};
    static constexpr Rules rules{keep(Arrangement::per_server), route(servers), serve(own)};
};

}  // namespace schedproof::queueing::language

namespace schedproof::queueing {
using language::RandomAny;
using language::RandomLocal;
}  // namespace schedproof::queueing
