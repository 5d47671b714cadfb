/// Balanced-Pandas: weighted-workload routing and priority scheduling ([xie2016]; [kavousi],
/// Section V-B).
///
/// Each server has one queue per locality level. Its workload is W_m = sum over its queues of Q / mu. A task joins the
/// server of smallest W_m / mu(L,m), in the queue of its level there; a server serves its own queues only, the most
/// local first. Any number of levels; then the literature also says GB-PANDAS, and `-p gb-pandas` finds it.
/// Where types have rates of their own, a server has one queue per level and list of rates, and those of one level are
/// served alike.
/// An idle server whose queues are all empty turns to its queue of local tasks, as under the other policies that keep
/// queues per server; in the variant `idle` to none, as [kavousi] has it.
/// Deviation: [kavousi], (7), puts indicators inside the argmin, which literal zeros would always win; read: over all
/// m.
#pragma once

#include "model/queueing/policy.hpp"

namespace schedproof::queueing::language {

/// Where a server without work turns.
enum class WithoutWork { own_queue, no_queue };

template <WithoutWork without_work>
struct BalancedPandasOf {
    static constexpr PolicyInfo info =
        without_work == WithoutWork::own_queue
            ? PolicyInfo{"balanced-pandas", "[xie2016]; [kavousi], Section V-B (6)-(7)",
                         "join the server of least workload over rate; serve own tasks, most local first; also called "
                         "GB-PANDAS"}
            : PolicyInfo{"balanced-pandas:idle", "[kavousi], Section V-B; docs/models/queueing.md, Interpretation Q3",
                         "the same; a server without work turns to no queue"};
    static constexpr auto nearest = most_local(nonempty(own_levels));
    static constexpr Rules rules{keep(Arrangement::per_server_and_level),
                                 route(argmin(servers, server_workload / rate)),
                                 serve(without_work == WithoutWork::own_queue ? first_of(nearest, own) : nearest)};
};

using BalancedPandas = BalancedPandasOf<WithoutWork::own_queue>;
using BalancedPandasIdle = BalancedPandasOf<WithoutWork::no_queue>;

}  // namespace schedproof::queueing::language

namespace schedproof::queueing {
using language::BalancedPandas;
using language::BalancedPandasIdle;
}  // namespace schedproof::queueing
