/// A gate as routers of inference servers have it: while the longest and the shortest server differ by more than 64
/// tasks and by a factor of more than 3/2, a task joins the shortest server of all, else the shortest that holds its
/// data.
#pragma once

#include "model/queueing/policy.hpp"

namespace schedproof::strangers {

struct Gate {
    static constexpr queueing::PolicyInfo info{"gate", "a stranger's own",
                                               "join the shortest of all where lengths differ much, else of the local"};
    static constexpr queueing::Rules rules = [] {
        using namespace queueing::language;
        constexpr auto longest = greatest(servers, server_length), shortest = least(servers, server_length);
        return queueing::Rules{keep(queueing::Arrangement::per_server_and_level),
                               route(when(longest - shortest > tasks(64) && 2 * longest > 3 * shortest,
                                          argmin(servers, server_length), argmin(local, server_length))),
                               serve(most_local(nonempty(own_levels)))};
    }();
};

}  // namespace schedproof::strangers
