/// JSQ-MaxWeight with a common queue ([wang2013], Section II-B).
///
/// One queue per server for its local tasks, and one common queue from which any server may take a task remotely.
/// A task joins the shortest of its local queues and the common queue; an idle server compares alpha Q_m with gamma
/// Q_common. The policy knows two rates: on three levels it treats rack-local work as remote.
/// Ties between own and common go to the own queue, as the paper has it.
#pragma once

#include "model/queueing/policy.hpp"

namespace schedproof::queueing::language {

struct WangJsqMaxWeight {
    static constexpr PolicyInfo info{"wang-jsq-maxweight", "[wang2013], Section II-B",
                                     "join the shortest of the local queues and the common queue; serve own if alpha "
                                     "Q_m >= gamma Q_common, else common"};
    static constexpr Rules rules{keep(Arrangement::per_server_and_common), route(argmin(local | common, length)),
                                 serve(when(least(own, rate* servable) >= least(common, rate* servable), own, common))};
};

}  // namespace schedproof::queueing::language

namespace schedproof::queueing {
using language::WangJsqMaxWeight;
}  // namespace schedproof::queueing
