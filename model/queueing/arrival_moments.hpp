/// The number of tasks that arrive in a slot, all types together.
#pragma once

#include "model/queueing/arrivals.hpp"

namespace schedproof::queueing {

struct ArrivalMoments {
    Rational mean;
    Rational variance;
    [[nodiscard]] Rational second() const { return variance + mean * mean; }
};
[[nodiscard]] ArrivalMoments arrival_moments(const ArrivalLaw& law);

}  // namespace schedproof::queueing
