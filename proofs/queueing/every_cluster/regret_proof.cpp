#include "proofs/queueing/every_cluster/regret_proof.hpp"

#include "proofs/queueing/capacity/region.hpp"

namespace schedproof::queueing {

bool covers(const RegretTheorem& theorem, const Instance& instance) {
    return instance.options().unmatched == Unmatched::idle && instance.data().arrivals &&
           theorem.kappa(instance) * capacity::solve(instance).upper < Rational(1);
}

}  // namespace schedproof::queueing
