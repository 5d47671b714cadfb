/// Two policies on one family of loads.
///
/// With x = 1/sigma, and leading constants that are affine in sigma, the lower bound of one policy less the upper bound
/// of the other is
///     f(x) = g x - a ln(x) + constant,   g = zeta c(0) - f' c'(0),
/// c of the bound of every policy, c' of the upper bound and f' its tasks per unit of the workload; a is the sum of
/// kappa / ln q over the logarithms of 1/sigma in the two bounds, with their multiples. It is at most the sum of kappa
/// q / (q - 1), since ln q >= 1 - 1/q. The derivative g - a/x is not negative from x = a/g on: if f > 0 at a slack
/// whose x is that large, f > 0 at every smaller slack. The bounds at that slack have their logarithms rounded to the
/// safe side, so that their difference is at most f.
#include "proofs/queueing/heavy_traffic/policy_comparison.hpp"

#include <algorithm>
#include <cstdint>

#include "model/core/errors.hpp"
#include "model/queueing/load.hpp"

namespace schedproof::heavy_traffic {

using namespace queueing;

namespace {

/// At least the multiple of ln(1/sigma) in the bound of a workload.
Rational logarithms(const HeavyUpperTheorem& theorem) {
    const Rational& q = theorem.collapse.base;
    return theorem.collapse.forms.empty() ? Rational(0) : theorem.spread * q / (q - Rational(1));
}

}  // namespace

bool exceeds_up_to(const Instance& family, const HeavyRayTheorem& more, const HeavyUpperTheorem& fewer,
                   const Rational& eps) {
    require(more.lower.prices == fewer.prices, "theorems of two policies that are compared have the same prices");
    require(fewer.tasks.has_value(), "an upper bound of the number of tasks");
    const Rational growth = more.factor * more.lower.constant[0] - fewer.tasks->factor * fewer.constant[0];
    if (growth.sign() <= 0) return false;
    Rational most = fewer.tasks->factor * logarithms(fewer);
    if (more.starving) most += more.starving->multiple * logarithms(more.starving->upper);
    if (growth < value_slack(at_slack(family, eps), fewer.prices) * most) return false;
    return more.tasks_at_least(family, eps) > fewer.tasks_at_most(family, eps);
}

std::optional<Rational> largest_exceeded(const Instance& family, const HeavyRayTheorem& more,
                                         const HeavyUpperTheorem& fewer) {
    constexpr std::int64_t smallest = 1'000'000'000'000'000;
    const Rational& up_to = family.slack().up_to;
    const auto holds = [&](std::int64_t parts) { return exceeds_up_to(family, more, fewer, up_to / Rational(parts)); };
    std::int64_t below = 0, at = 1;  // it fails at `below`
    while (!holds(at)) {
        if (at == smallest) return std::nullopt;
        below = at, at = std::min(smallest, 2 * at);
    }
    while (at - below > 1) {
        const std::int64_t middle = below + (at - below) / 2;
        (holds(middle) ? at : below) = middle;
    }
    return up_to / Rational(at);
}

}  // namespace schedproof::heavy_traffic
