/// A policy that keeps its state near a ray with more tasks than the workload needs, for every slack of a family.
///
/// Z is the tasks weighted by prices, whose mean is at least c / sigma - K under every policy (heavy_lower.hpp). Let
/// z_i be at least the price of every type that the policy ever routes to queue i, so that Z <= sum z_i Q_i, and let M
/// be the largest form of a collapse (heavy_collapse.hpp). If, with zeta, lambda >= 0, at every state of the closed set
///     (R)  zeta sum z_i Q_i - sum Q_i  <=  lambda M + C,
/// then the mean number of tasks is at least zeta (c / sigma - K) - lambda log_q(b / rho) - C, by Jensen. For zeta > 1
/// the limit of sigma times the mean is at least zeta times the bound of every policy; that another policy reaches that
/// bound is a theorem of its own (heavy_upper.hpp).
///
/// Queues that starve, s in an upper bound of E H + E s with the same c and the same forms: where Z <= H, which its
/// weights tell, E H is at least c / sigma - K, so that E s is at most K and what that bound adds to c / sigma, of
/// order log(1/sigma). Then a multiple of s may stand on the right of (R), and that multiple of the bound of E s is
/// taken off.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "proofs/queueing/theorems/heavy_traffic/heavy_lower.hpp"
#include "proofs/queueing/theorems/heavy_traffic/heavy_upper.hpp"

namespace schedproof::queueing {

struct HeavyRayTheorem {
    HeavyLowerTheorem lower;
    CollapseTheorem collapse;
    std::vector<Rational> price;  ///< z per queue; at least 0
    Rational factor;              ///< zeta, at least 0
    Rational spread;              ///< lambda, at least 0
    Rational constant;            ///< C
    /// Queues that starve.
    struct Starving {
        HeavyUpperTheorem upper;  ///< with s; its prices, limit and collapse are those of the ray
        Rational multiple;        ///< of s, at least 0
        friend bool operator==(const Starving&, const Starving&) = default;
    };
    std::optional<Starving> starving;

    /// The bound of the mean number of tasks at a slack in (0, up_to]; the logarithm rounded up (log_above).
    [[nodiscard]] Rational tasks_at_least(const Instance& family, const Rational& eps) const;
};

/// Questions of the collapse, or of the upper bound if queues starve; per shape, that no type is routed to a queue of a
/// smaller price; per shape (R).
[[nodiscard]] std::vector<explore::Question> questions(const SymbolicSystem& system, const HeavyRayTheorem& theorem);
[[nodiscard]] std::string sentence(const SymbolicSystem& system, const HeavyRayTheorem& theorem);
[[nodiscard]] std::string arithmetic_rejection(const SymbolicSystem& system, const HeavyRayTheorem& theorem);

}  // namespace schedproof::queueing
