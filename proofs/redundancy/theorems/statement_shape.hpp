/// All redundancy problems of a shape at once: arrivals and sizes as symbols.
///
/// Sizes are in units of the work that one machine of the policy's cluster, s times as fast, does in a unit of time:
/// P = p / s. In these units the schedule at speed s is the schedule at speed 1, alpha_j stays the same number, and
///     alpha_j / p_j - n / (s M) <= (t - a_j) / p_j + C    reads    alpha_j / P_j - n / M <= (t - a_j) / P_j + s C.
/// So one proof at speed 1 speaks of every speed. Where a competitor has a schedule of its own, at speed 1, sizes are
/// in units of its work, and the policy's speed is part of the shape. Gaps between arrivals range over all rationals
/// from 0 on, sizes over all above 0.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/redundancy/history.hpp"
#include "proofs/symbolic/affine.hpp"

namespace schedproof::redundancy {

/// Most jobs and machines of a shape.
inline constexpr std::size_t max_shape = 32;

struct Shape {
    std::size_t jobs = 1;
    std::size_t machines = 1;
    Service service;               ///< linear
    std::optional<Rational> beta;  ///< of LAPS; none for a statement about other policies
    Rational speed = Rational(1);  ///< of the policy, where a competitor has speed 1; above 0
};

/// Reads `n4-m2-det`, `n3-m4-two-point:3,0`, with beta `n10-m5-b1/2-det`, with a speed `n2-m2-s3/2-det`: jobs,
/// machines, service. Throws InputError with what was expected.
[[nodiscard]] Shape parse_shape(std::string_view text);
/// The inverse of `parse_shape`.
[[nodiscard]] std::string name(const Shape& shape);
/// `4 jobs on 2 machines`.
[[nodiscard]] std::string describe(const Shape& shape);

/// Adds symbols for the jobs, the first of which arrives at 0: gap[2], gap[3], ..., then size[1], size[2], ...
void add_jobs(proof::Space& space, const Shape& shape);
/// Requires the symbols that `add_jobs` added, and perhaps others behind them.
[[nodiscard]] Problem<explore::Affine> problem(const Shape& shape, const std::vector<explore::Affine>& symbols);
/// The problem at a point, in the same units: to be run at speed 1.
[[nodiscard]] Problem<Rational> at(const Shape& shape, const std::vector<Rational>& point);

/// Adds symbols step[1] > 0 and step[2], ... >= 0 under a name, whose sums name[1] <= name[2] <= ... are sizes.
void add_sorted(proof::Space& space, std::string_view name, std::size_t count);
/// The sums of the `count` symbols from `first` on.
[[nodiscard]] std::vector<explore::Affine> sorted(const std::vector<explore::Affine>& symbols, std::size_t first,
                                                  std::size_t count);

}  // namespace schedproof::redundancy
