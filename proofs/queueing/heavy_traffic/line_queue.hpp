/// The mean of the queue on the line, Phi' = (Phi + eta - b)^+, between two rationals as close as wanted.
///
/// Its mean is in general irrational (the equilibrium involves roots of the generating function of eta - b), so what is
/// given is an interval with proved ends. From bound.hpp, with chi the unused offered service,
///     2 eps E Phi = sigma^2 + nu^2 + eps^2 - E chi^2,   E chi = eps.
/// Let Phi_K be the same queue cut at K, Phi_K' = min(K, (Phi_K + eta - b)^+), driven by the same eta and b: a finite
/// chain, solved exactly by elimination. By induction Phi_K <= Phi, so its unused service chi_K >= chi, slot by slot.
/// In equilibrium E chi_K = eps + loss_K, loss_K the mean overflow at K, so E(chi_K - chi) = loss_K, and as both are at
/// most M,
///     E chi_K^2 - 2 M loss_K <= E chi^2 <= E chi_K^2.
/// The overflow falls geometrically in K. Ends are rounded outwards to multiples of 1/10^12, for they are read by
/// people; E Phi_K itself is a lower bound, too.
#pragma once

#include "model/core/rational.hpp"
#include "proofs/queueing/heavy_traffic/bound.hpp"

namespace schedproof::heavy_traffic {

struct LineQueue {
    Rational lower, upper;  ///< lower <= E Phi <= upper. Unit: tasks
    std::uint32_t cap = 0;  ///< K of the finite chain that they rest on
    Rational truncated;     ///< E Phi_K, exact
    Rational overflow;      ///< loss_K, exact. Unit: tasks per slot
};

struct LineOptions {
    Rational width = Rational(Integer(1), Integer(1'000'000));  ///< K is doubled until the interval is this narrow
    std::uint32_t largest_cap = 1024;                           ///< or K is this
};

/// Beyond this many servers the exact law of the offered service is too long to compute with.
inline constexpr std::size_t max_line_servers = 24;

/// Requires slack.epsilon > 0, at most `max_line_servers` servers, and the slack of the instance. Throws as
/// `total_arrivals` does.
[[nodiscard]] LineQueue line_queue(const queueing::Instance& instance, const Slack& slack,
                                   const LineOptions& options = {});

/// The same at one K, for any law of the increment eta - b with negative mean. Requires cap >= 1. Cost: K times the
/// longest steps up and down, on rationals of some bits per state.
struct CutQueue {
    Rational mean;           ///< E Phi_K
    Rational overflow;       ///< loss_K
    Rational unused;         ///< E chi_K
    Rational unused_square;  ///< E chi_K^2
};
[[nodiscard]] CutQueue cut_queue(const Law<std::int64_t>& increment, std::uint32_t cap);

}  // namespace schedproof::heavy_traffic
