/// Service processes: the work of a machine over time, and the work of the best of r independent copies.
///
/// Machine i delivers the work S_i(t, t+D] in an interval of length D, with stationary increments, mean D and
/// 0 <= S_i <= Delta D; machines are independent and alike. A job with r copies that started an interval from the same
/// point has done, at its end, the work of its luckiest copy; in the mean, h(r, D) = E max_{i<=r} S_i. The model
/// replaces the service of an interval by this mean ([xu2017], (1)).
///
/// Where h(r, D) = g(r) D, schedules of rational jobs stay rational: such processes are given by their gains g.
/// Source: [xu2017], Section 3; docs/models/redundancy.md, Model and Interpretation R1.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "model/core/rational.hpp"

namespace schedproof::redundancy {

/// Rate 1 always: copies gain nothing.
struct Deterministic {
    friend bool operator==(const Deterministic&, const Deterministic&) = default;
};
/// A rate drawn anew for each interval: `fast` with probability (1 - slow) / (fast - slow), otherwise `slow`.
/// Range: 0 <= slow < 1 < fast.
struct TwoPoint {
    Rational fast, slow;
    friend bool operator==(const TwoPoint&, const TwoPoint&) = default;
};
/// In each slot, independently, rate d with probability 1/d, otherwise 0. Lengths of intervals are whole slots. d >= 1.
struct Slotted {
    std::uint32_t rate = 2;
    friend bool operator==(const Slotted&, const Slotted&) = default;
};
/// Rate 2 for a unit of time, rate 0 for the next, and so on, from a uniformly distributed phase.
struct Periodic {
    friend bool operator==(const Periodic&, const Periodic&) = default;
};
/// Any gains: h(r, D) = g(r) D with g(1) = 1, g concave and nondecreasing, g(r) <= peak; beyond the table, its last
/// value.
struct Gains {
    std::vector<Rational> gain;  ///< g(1), g(2), ...
    Rational peak;               ///< Delta >= 1
    friend bool operator==(const Gains&, const Gains&) = default;
};

class Service {
  public:
    using Process = std::variant<Deterministic, TwoPoint, Slotted, Periodic, Gains>;

    Service() = default;
    /// Throws InputError when a parameter is out of its range, or a table no concave function from 1 on below its peak.
    explicit Service(Process process);
    /// Reads `det`, `two-point:2,0` (fast, slow), `slotted:2`, `periodic`, `gains:1,3/2,7/4@2` (g(1), g(2), ... @ peak;
    /// without `@` the peak is the last gain). Throws InputError with what was expected.
    [[nodiscard]] static Service parse(std::string_view text);
    /// The inverse of `parse`.
    [[nodiscard]] std::string to_string() const;

    [[nodiscard]] const Process& process() const { return process_; }
    /// Delta, the peak rate.
    [[nodiscard]] Rational peak() const;
    /// h(copies, length): mean work of the best of `copies` machines. Exact.
    /// Requires length >= 0, whole for Slotted.
    [[nodiscard]] Rational best_of(std::uint32_t copies, const Rational& length) const;
    /// Whether h(r, D) = g(r) D.
    [[nodiscard]] bool linear() const;
    /// g(copies). Throws ContractViolation when the process is not linear.
    [[nodiscard]] Rational gain(std::uint32_t copies) const;

    friend bool operator==(const Service&, const Service&) = default;

  private:
    Process process_;
};

}  // namespace schedproof::redundancy
