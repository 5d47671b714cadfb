/// A named redundancy problem, as files describe it, with the speed and the beta that an algorithm runs at.
#pragma once

#include <string>

#include "model/redundancy/history.hpp"

namespace schedproof::redundancy {

struct Instance {
    std::string name;
    std::string source;  ///< where it comes from; may be empty
    Problem<Rational> problem;
    Rational speed{1};                      ///< of the algorithm; the optimum runs at speed 1
    Rational beta{Integer(1), Integer(2)};  ///< of LAPS and LAPS+R
    friend bool operator==(const Instance&, const Instance&) = default;
};

/// Throws InputError when there is no machine, the jobs have a fault (job.hpp), the speed is not above 0, or beta is
/// not in (0, 1].
void validate(const Instance& instance);

}  // namespace schedproof::redundancy
