/// The stationary distribution of a finite Markov chain, exact and verified.
///
/// A chain with exactly one closed class has exactly one stationary distribution pi: zero on the transient states,
/// positive on the closed class. It is returned as integer weights without common divisor, pi_i = weight_i / total.
///
/// How. Small classes go to FLINT's dense solver. Larger ones are solved p-adically: one sparse factorisation modulo a
/// word-size prime (elimination.hpp, sparse_lu.hpp), then as many digits of the solution as it takes (lifting.hpp),
/// then reconstruction over a common denominator (reconstruction.hpp). The steps up to here may guess: primes may be
/// unlucky, digits too few. What is returned is not a guess: weights are positive on the closed class, zero elsewhere,
/// and weight P = weight has been checked for every state in integer arithmetic on the chain itself, which by
/// uniqueness proves them. No floating-point number takes part.
///
/// Why digits until the check passes, and not an a-priori bound: weights are sums over spanning trees, so a product of
/// row sums bounds them, but on queueing chains that bound is four to five times as long as the true answer (8.6 bits a
/// state against 1.9 on two-server JSQ-MaxWeight). A mean proved by bound would need seven times the digits that the
/// whole vector, proved by checking, needs; so means, too, come from the verified vector.
///
/// What bounds it, on 9,128 states (times are shares): a third goes to substitution in the sparse factors, one pass for
/// each 61 bits of the answer and a fifth; a third to multiplying the entries out over their common denominator; the
/// rest to ordering, factorisation, the exact check. All of these grow as n^2 and more, the answer having some 2 n bits
/// in each of its n entries.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/markov/transition_matrix.hpp"

namespace schedproof::markov {

/// How a stationary distribution is to be found.
struct StationaryOptions {
    enum class Solver { automatic, dense, sparse };

    Solver solver = Solver::automatic;
    /// Closed classes of at most this many states go to the dense solver when `solver` is automatic.
    std::size_t dense_up_to = 40;
    /// Told the stage and which part of it is done, from 0 to 1; for `lift` the part is an estimate.
    std::function<void(std::string_view stage, double done)> progress;
};

/// A stationary distribution. Exact.
struct Stationary {
    std::vector<Integer> weight;  ///< one per state, not negative, greatest common divisor 1
    Integer total;                ///< sum of the weights
    std::string method;           ///< how it was found, for people

    /// Requires: a state of the chain.
    [[nodiscard]] Rational probability(StateIndex state) const { return {weight.at(state), total}; }
    /// Expected value of f in equilibrium. Requires: one value per state. Throws: ContractViolation.
    [[nodiscard]] Rational mean(std::span<const Rational> f) const;
};

/// Requires: the chain has exactly one closed class. Throws: ContractViolation, which says how many it has.
[[nodiscard]] Stationary stationary_distribution(const TransitionMatrix& chain, const StationaryOptions& options = {});

/// Expected values in equilibrium of functions on the states, each given by one value per state. Exact, and proved by
/// the verified stationary distribution. Requires and throws as `stationary_distribution` and `Stationary::mean`.
[[nodiscard]] std::vector<Rational> stationary_means(const TransitionMatrix& chain,
                                                     std::span<const std::vector<Rational>> functions,
                                                     const StationaryOptions& options = {});

}  // namespace schedproof::markov
