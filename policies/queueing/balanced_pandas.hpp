/// Balanced-Pandas: weighted-workload routing and priority scheduling ([xie2016]; [kavousi],
/// Section V-B).
///
/// Each server has one queue per locality level. Its workload is W_m = sum over levels of Q / mu. A task joins the
/// server of smallest W_m / mu(L,m), in the queue of its level there; a server serves its own queues only, the most
/// local first. Any number of levels.
/// Deviation: [kavousi], (7), puts indicators inside the argmin, which literal zeros would always win; read: over all
/// m.
#pragma once

#include "model/queueing/policy.hpp"

namespace schedproof::queueing::language {

struct BalancedPandas {
    static constexpr PolicyInfo info{"balanced-pandas", "[xie2016]; [kavousi], Section V-B (6)-(7)",
                                     "join the server of least workload over rate; serve own tasks, most local first"};
    static constexpr Rules rules{keep(Arrangement::per_server_and_level),
                                 route(argmin(servers, server_workload / rate)),
                                 serve(most_local(nonempty(own_levels)))};
};

}  // namespace schedproof::queueing::language

namespace schedproof::queueing {
using language::BalancedPandas;
}  // namespace schedproof::queueing
