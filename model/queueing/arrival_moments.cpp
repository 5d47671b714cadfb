#include "model/queueing/arrival_moments.hpp"

namespace schedproof::queueing {

/// The factors of a law are independent, so their means and variances add; one factor has few outcomes.
ArrivalMoments arrival_moments(const ArrivalLaw& law) {
    ArrivalMoments all;
    for (const ArrivalFactor& factor : law.factors()) {
        Rational mean, square;
        for (const ArrivalOutcome& outcome : factor.outcomes()) {
            Rational tasks;
            for (const std::uint32_t count : outcome.count) tasks += Rational(count);
            mean += outcome.probability * tasks;
            square += outcome.probability * tasks * tasks;
        }
        all.mean += mean;
        all.variance += square - mean * mean;
    }
    return all;
}

}  // namespace schedproof::queueing
