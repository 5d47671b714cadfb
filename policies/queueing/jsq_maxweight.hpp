/// JSQ-MaxWeight with one queue per server ([xie2016]; [kavousi], Sections IV-A and V-A).
///
/// A task joins the shortest queue among its local servers. An idle server turns to the queue n of largest
/// mu(m,n) Q_n, mu by the distance between the servers. The same code serves two levels and more.
/// Deviation: [kavousi], (4), prints beta for the remote weight of two levels; read gamma.
#pragma once

#include "model/queueing/policy.hpp"

namespace schedproof::queueing::language {

struct JsqMaxWeight {
    static constexpr PolicyInfo info{"jsq-maxweight", "[xie2016]; [kavousi], Sections IV-A, V-A (5)",
                                     "join the shortest local queue; serve the queue of largest rate times length"};
    static constexpr Rules rules{keep(Arrangement::per_server), route(argmin(local, length)),
                                 serve(first_of(argmax(nonempty(reachable), rate* length), own))};
};

}  // namespace schedproof::queueing::language

namespace schedproof::queueing {
using language::JsqMaxWeight;
}  // namespace schedproof::queueing
