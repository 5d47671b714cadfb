/// Certificates of the capacity region, checked without a solver.
///
/// The load rho* of an instance is the value of the linear program
///     min rho   subject to   sum_m x_{Lm} = lambda_L,   sum_L x_{Lm} / mu_{Lm} <= rho,   x >= 0,
/// with the dual
///     max sum_L lambda_L v_L   subject to   v_L mu_{Lm} <= w_m,   w >= 0,   sum_m w_m = 1.
/// Here x_{Lm} is the rate at which tasks of type L are sent to server m, w_m the price of a slot of server m, and
/// v_L the price of a task. A decomposition x proves rho* <= its largest load; prices prove rho* >= their value:
///     sum_L lambda_L v_L = sum_{L,m} x_{Lm} v_L <= sum_m w_m sum_L x_{Lm} / mu_{Lm} <= rho.
/// So a certificate is an interval [lower, upper] with one witness per end; when the ends meet it is the exact load.
///
/// `verify` multiplies, adds and compares rationals; it neither divides nor solves nor knows how the certificate was
/// found. The dual constraints over all pairs (L, m) are checked per pool (proof in pooled.hpp): with W_n the least
/// price below node n, they hold iff v_L mu_{level(n)} <= W_n for every node n that holds a replica of L. That makes
/// the cost linear in the number of replicas and of entries of x. The bounds in a certificate must be the values of
/// its witnesses, not weaker ones, and each type's price the largest that its servers' prices allow (or zero where no
/// task arrives), so that no number can be altered unnoticed.
///
/// Capacity statements. The policy-independent converse: let Z = sum_L v_L (number of tasks of type L in the system).
/// A server removes at most max_L mu_{Lm} v_L <= w_m of expected value in a slot, whatever it serves, so under every
/// policy Z grows by at least sum_L lambda_L v_L - sum_m w_m = lower - 1 a slot on average.
#pragma once

#include <string>
#include <vector>

#include "model/core/ids.hpp"
#include "model/core/rational.hpp"
#include "model/queueing/instance.hpp"

namespace schedproof::capacity {

/// Rate at which a server is given tasks of a type.
struct Assignment {
    TaskTypeId type;
    ServerId server;
    Rational amount;  ///< Unit: tasks per slot. Range: > 0

    friend bool operator==(const Assignment&, const Assignment&) = default;
};

struct CapacityCertificate {
    Rational lower;                         ///< value of the prices
    Rational upper;                         ///< largest load of a server under the decomposition
    std::vector<Assignment> decomposition;  ///< x, its positive entries, ascending by (type, server)
    std::vector<Rational> type_price;       ///< v
    std::vector<Rational> server_price;     ///< w

    [[nodiscard]] bool exact() const { return lower == upper; }
    /// rho*. Requires `exact()`.
    [[nodiscard]] const Rational& load() const;
    [[nodiscard]] Rational width() const { return upper - lower; }
};

/// Empty when the certificate proves its interval for the instance, otherwise the first reason why not.
/// Cost: O(replicas * levels + entries of the decomposition) rational operations.
/// Exact: multiplication, addition and comparison only.
[[nodiscard]] std::string rejection(const queueing::Instance& instance, const CapacityCertificate& certificate);

[[nodiscard]] inline bool verify(const queueing::Instance& instance, const CapacityCertificate& certificate) {
    return rejection(instance, certificate).empty();
}

/// Work per slot that the decomposition gives each server. Unit: fraction of the server's time.
/// Requires known types and servers in the decomposition.
[[nodiscard]] std::vector<Rational> server_loads(const queueing::Instance& instance,
                                                 const std::vector<Assignment>& decomposition);

/// Value of the prices: sum of lambda_L v_L. Requires one price per type.
[[nodiscard]] Rational price_value(const queueing::Instance& instance, const std::vector<Rational>& type_price);

}  // namespace schedproof::capacity
