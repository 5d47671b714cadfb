/// The generalised c-mu rule ([mandelbaum2004]; [kavousi], Section III-B (2)), with polynomial holding costs.
///
/// One queue per task type, with cost C(x) = c x^(e+1). An idle server turns to the type of largest C'(Q) mu(L,m);
/// with c = 1/2 and e = 1 for every type this is MaxWeight. A server idles when every weight is zero.
/// Deviation: the papers allow any real exponent above zero; integers keep the comparison exact.
#pragma once

#include "model/queueing/policy.hpp"

namespace schedproof::queueing::language {

struct GeneralizedCmu {
    static constexpr PolicyInfo info{
        "generalized-cmu", "[mandelbaum2004]; [kavousi], Section III-B (2)",
        "join the queue of one's type; serve the type of largest marginal cost times rate"};
    static constexpr Rules rules{keep(Arrangement::per_type), route(own_type),
                                 serve(argmax(nonempty(reachable), rate* marginal_cost))};
};

}  // namespace schedproof::queueing::language

namespace schedproof::queueing {
using language::GeneralizedCmu;
}  // namespace schedproof::queueing
