/// The load rho* along a family of loads (`slack` of an instance): piecewise linear and convex in the slack.
/// The method stands at the head of along_slack.cpp.
#pragma once

#include <vector>

#include "model/core/rational.hpp"
#include "model/queueing/instance.hpp"
#include "proofs/queueing/capacity/certificate.hpp"

namespace schedproof::capacity {

/// An interval of slacks on which rho* is linear, since the same prices are optimal on all of it.
struct LoadPiece {
    Rational from, to;        ///< 0 <= from < to
    Rational at_from, at_to;  ///< rho* at the two ends
    std::vector<Rational>
        type_price;  ///< v: the largest that the servers' prices allow, of types that never arrive too
    std::vector<Rational> server_price;  ///< w, of sum 1
    CapacityCertificate first, last;     ///< decompositions that reach rho* at the two ends, with prices of their own
};

/// The pieces from slack 0 to the largest, each as long as its prices are optimal. Throws InputError at the key `slack`
/// unless the instance has a family; LimitExceeded when only an interval for a load was found.
/// Cost: about two solutions of the capacity program for each piece.
[[nodiscard]] std::vector<LoadPiece> load_along_slack(const queueing::Instance& family);

/// Empty when the pieces prove rho* at every slack of the family, otherwise the first reason why not.
/// Exact: multiplication, addition and comparison only.
[[nodiscard]] std::string rejection(const queueing::Instance& family, const std::vector<LoadPiece>& pieces);

}  // namespace schedproof::capacity
