/// A family of loads and the prices at its boundary: what every heavy-traffic theorem speaks of.
///
/// The instance of such a theorem states a family of arrival laws, affine in a slack eps on [0, up_to] (arrivals.hpp).
/// Prices v of types and w of servers with v_L mu_{L,m} <= w_m price a slot of work: whatever the servers do, the value
/// that leaves in a slot has mean sum w - u with a loss u >= 0. At eps = 0 the value that arrives is sum w, so the load
/// lies on the boundary; at eps it is sum w less the `value slack` sigma(eps), which is linear in eps.
///
/// A statement about one slot whose two sides are affine in eps, at a fixed state, holds for every eps of [0, up_to]
/// once it holds at both ends. That is how the theorems built on this hold for all of them.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "model/queueing/instance.hpp"

namespace schedproof::queueing {

struct BoundaryPrices {
    std::vector<Rational> type;    ///< v per type; at least 0, the dearest 1
    std::vector<Rational> server;  ///< w per server
    friend bool operator==(const BoundaryPrices&, const BoundaryPrices&) = default;
};

/// The two ends of the instance's family, eps = 0 first. Throws InputError when it states none.
[[nodiscard]] std::array<Instance, 2> ends_of_slack(const Instance& family);

/// The types that arrive at some slack: at one of the ends.
[[nodiscard]] std::vector<TaskTypeId> types_of_slack(const Instance& family);

/// One outcome of the arrivals of a slot, at both ends.
struct FamilyOutcome {
    std::vector<std::uint32_t> count;     ///< tasks, per type
    std::array<Rational, 2> probability;  ///< at eps = 0 and at the largest slack
};
/// Those that are possible at some slack. Throws LimitExceeded past `limit`.
[[nodiscard]] std::vector<FamilyOutcome> outcomes_of_slack(const Instance& family, std::size_t limit = 100'000);

/// sum w - sum lambda v of an instance.
[[nodiscard]] Rational value_slack(const Instance& instance, const BoundaryPrices& prices);

/// The leading constant at the ends: half of the variance of the value that arrives, of that of the value that leaves
/// at the boundary, sum lambda_L v_L^2 - sum w_m^2 with the rates of eps = 0, and of the square of the value slack.
/// Affine in eps between the ends, as E A^2 and E A are, A being the value that arrives: Var A + sigma^2 is
/// E A^2 - 2 (sum w) E A + (sum w)^2, as sigma = sum w - E A.
[[nodiscard]] std::array<Rational, 2> leading_constants(const Instance& family, const BoundaryPrices& prices);

/// What sigma and c are in a sentence: `sigma = eps and c is linear in eps, from 4/25 at eps = 0 to ...`.
[[nodiscard]] std::string slack_and_constant(const Instance& family, const BoundaryPrices& prices,
                                             const std::array<Rational, 2>& constant);

/// Empty when the prices are as above: one per type and server, none negative, v_L mu_{L,m} <= w_m, the dearest type 1,
/// and the value slack is 0 at eps = 0 and positive at the other end. Otherwise what is wrong.
[[nodiscard]] std::string rejection(const Instance& family, const BoundaryPrices& prices);

}  // namespace schedproof::queueing
