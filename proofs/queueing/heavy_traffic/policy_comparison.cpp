/// Two policies on one family of loads.
///
/// With x = 1/sigma, and leading constants that are affine in sigma, the lower bound of one policy less the upper bound
/// of the other is
///     f(x) = g x - (kappa / ln q) ln(x) + constant,   g = zeta c(0) - c'(0),
/// c of the bound of every policy and c' of the upper bound. f' = g - kappa / (x ln q) is not negative from
/// x = kappa / (g ln q) on, which is at most kappa q / (g (q - 1)), since ln q >= 1 - 1/q. So if f > 0 at a slack whose
/// x is that large, f > 0 at every smaller slack. The bounds at that slack have their logarithms rounded to the safe
/// side, so that their difference is at most f.
#include "proofs/queueing/heavy_traffic/policy_comparison.hpp"

#include <algorithm>
#include <cstdint>

#include "model/core/errors.hpp"
#include "model/queueing/load.hpp"

namespace schedproof::heavy_traffic {

using namespace queueing;

bool exceeds_up_to(const Instance& family, const HeavyRayTheorem& more, const HeavyUpperTheorem& fewer,
                   const Rational& eps) {
    require(more.lower.prices == fewer.prices, "theorems of two policies that are compared have the same prices");
    const Rational growth = more.factor * more.lower.constant[0] - fewer.constant[0];
    if (growth.sign() <= 0) return false;
    if (!fewer.collapse.forms.empty()) {
        const Rational& q = fewer.collapse.base;
        const Rational sigma = value_slack(at_slack(family, eps), fewer.prices);
        if (growth * (q - Rational(1)) < sigma * fewer.spread * q) return false;
    }
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
