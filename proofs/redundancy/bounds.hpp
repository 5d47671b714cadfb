/// What the theorems prove of the ratio to the optimum, in numbers: the constant beside which a found ratio is printed.
///
/// With Delta the peak rate and C* = (1 - 1/M)/s the constant with which the dual variables are feasible:
///     SRPT+R   s = 1 + e        (s + Delta (1 - 1/M)) / e            (Theorem 1 with C*; of SRPT too, its run is used)
///              s = 1 + e        (1 + 2 Delta) (1 + 1/e)              (Theorem 1 as stated)
///     Fair+R   s = 2 + e        2 (s + Delta (1 - 1/M)) / e          (rule cap, sum alpha >= F/2)
///              s = 4 + e        4 (s + Delta (1 - 1/M)) / e          (rule shifted, F/4: Theorem 2)
///     LAPS+R   s = 2 + 2b + 2e  2/(b e) (Delta + s)                  (Theorem 3)
///              s = 1 + b + e    2/(b e) (Delta + 2 s)                (served in rounds)
///              s = 1 + b + e    4/(b e) (Delta (1 + 4/e) + s)        (all served)
/// Source: [xu2017], Theorems 1 to 3; docs/models/redundancy.md, Theorems.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "policies/redundancy/registry.hpp"

namespace schedproof::redundancy {

struct ProvedBound {
    std::string_view theorem;  ///< `Theorem 1`, `Theorem 1, strengthened`, ...
    Rational ratio;            ///< F(policy at the speed) <= ratio * OPT
};

/// All that hold at the speed, the theorem as stated first. Empty for FAIR and LAPS, of which nothing is proved, and at
/// speeds that are too small.
[[nodiscard]] std::vector<ProvedBound> proved_bounds(const AnyPolicy& policy, const Rational& speed,
                                                     std::size_t machines, const Rational& peak);
/// The least of them.
[[nodiscard]] std::optional<Rational> proved_bound(const AnyPolicy& policy, const Rational& speed, std::size_t machines,
                                                   const Rational& peak);

}  // namespace schedproof::redundancy
