/// An upper bound of the mean number of tasks under one policy, for every slack of a family, with the leading constant
/// of the lower bound and an error of order log(1/eps).
///
/// Let H >= 0 be linear in the queue lengths, each of which counts, plus constants of the statuses, and H0 linear plus
/// such constants; sigma the value slack, v = sigma + E dH and u = sigma + E dH0, the loss; M the largest of the forms
/// of a collapse theorem (heavy_collapse.hpp), F its sum; k linear plus status constants; c affine in eps. Facts, at
/// every state of the closed set and at both ends:
///     (U)  0 <= u <= u_max
///     (B)  v H + E (dH)^2 / 2 + E dk  <=  c + K u + K' sigma + kappa u max_j l_j.
/// Both sides of (B) are affine in eps at a fixed state, so it holds for every eps between. Then, for every eps in
/// (0, up_to] and every stationary law,
///     E H <= c / sigma + K + K' + kappa log_q( u_max b / (rho sigma) ).
/// Proof: kappa M <= a ln F with a = kappa / ln q, and u ln F <= u (ln(1/s) - 1) + u_max s F for every s > 0. With
/// s = rho sigma / (u_max b) and L = K + a (ln(1/s) - 1), the function g = H^2/2 + k - L H0 + (a u_max s / rho) F is
/// bounded below and satisfies Pg <= g - sigma H + c + K' sigma + L sigma + a sigma pointwise: terms in u cancel. That
/// bounds sigma E H by the constant, without irreducibility or moments (docs/heavy-traffic.md).
/// H0 is H where a service makes its own server lose, which H charges when it starts. Where it makes another server
/// lose later, H charges for that too, and v is negative meanwhile.
/// Without forms the last term is absent: (B) bounds H itself wherever u > 0.
///
/// Queues that starve, where they are stated: s >= 0 is linear in the lengths, H s is added to g, so that the left side
/// of (B) has H E ds + s v + E (dH ds) besides, and the bound is one of E H + E s.
///
/// From H to tasks, where it is stated: (T) sum Q <= f H + lambda max_j l_j + r + C at every state, where r >= 0 is
/// linear in the lengths and (Q) r + E dG <= B for a G that is bounded below, so that E r <= B. And
/// E max l_j <= log_q(b / rho) by Jensen.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "proofs/queueing/theorems/heavy_traffic/heavy_collapse.hpp"

namespace schedproof::queueing {

struct HeavyUpperTheorem {
    BoundaryPrices prices;
    CollapseTheorem collapse;          ///< its closed set always; without forms, base, rate and bound are 1
    LyapunovForm h, h0;                ///< H and H0
    LyapunovForm k;                    ///< corrects the second moments
    Rational largest_loss;             ///< u_max, above 0
    std::array<Rational, 2> constant;  ///< c at eps = 0 and at the largest slack
    Rational with_loss, with_slack;    ///< K and K'
    Rational spread;                   ///< kappa, at least 0; 0 without forms
    LyapunovForm::Linear starving;     ///< s, over queues; no coefficient is negative; 0 where none is stated
    /// Tasks that neither H nor the forms bound.
    struct Rest {
        LyapunovForm::Linear tasks;  ///< r; no coefficient is negative
        LyapunovForm g;              ///< G, with products
        Rational bound;              ///< B
        friend bool operator==(const Rest&, const Rest&) = default;
    };
    struct Tasks {
        Rational spread;           ///< lambda, at least 0; 0 without forms
        Rational constant;         ///< C
        std::optional<Rest> rest;  ///< absent: r = 0
        Rational factor{1};        ///< f, at least 0

        /// What the mean number of tasks is at most, beyond f times the bound of E H, by the collapse; the logarithm
        /// rounded up (log_above).
        [[nodiscard]] Rational added(const CollapseTheorem& bounded) const;
        friend bool operator==(const Tasks&, const Tasks&) = default;
    };
    std::optional<Tasks> tasks;  ///< (T), where it is stated
    friend bool operator==(const HeavyUpperTheorem&, const HeavyUpperTheorem&) = default;

    /// Whether the number of tasks has the least limit that any policy can have, c / sigma with this c at eps = 0.
    [[nodiscard]] bool reaches(const Rational& least) const {
        return tasks && tasks->factor <= Rational(1) && constant[0] == least;
    }
    /// K + K' and the term in kappa at a slack in (0, up_to]; the logarithm rounded up (log_above).
    [[nodiscard]] Rational beyond_limit(const Instance& family, const Rational& eps) const;
    /// The bound of E H + E s, and of the mean number of tasks, at a slack in (0, up_to].
    [[nodiscard]] Rational workload_at_most(const Instance& family, const Rational& eps) const;
    /// Requires (T).
    [[nodiscard]] Rational tasks_at_most(const Instance& family, const Rational& eps) const;
};

/// What (U) and (B) are made of on a cell, for one workload.
struct BalanceParts {
    Rational loss;         ///< sigma + E dH
    Rational half_square;  ///< E (dH)^2 / 2
};
[[nodiscard]] BalanceParts balance_parts(const LyapunovForm& h, const Rational& sigma, const Vector<Service>& serving,
                                         const std::vector<LinearOutcome>& outcomes);
/// The same for queues that starve.
struct StarvingParts {
    Rational growth;  ///< E ds
    Rational mixed;   ///< E (dH ds)
};
[[nodiscard]] StarvingParts starving_parts(const LyapunovForm& h, const LyapunovForm::Linear& starving,
                                           const Vector<Service>& serving, const std::vector<LinearOutcome>& outcomes);

/// Questions of the statuses; per end and shape (F), if there are forms; per end and shape (U) and (B); per shape (T);
/// per end and shape (Q), if there is a rest.
[[nodiscard]] std::vector<explore::Question> questions(const SymbolicSystem& system, const HeavyUpperTheorem& theorem);
[[nodiscard]] std::string sentence(const SymbolicSystem& system, const HeavyUpperTheorem& theorem);
[[nodiscard]] std::string arithmetic_rejection(const SymbolicSystem& system, const HeavyUpperTheorem& theorem);

}  // namespace schedproof::queueing
