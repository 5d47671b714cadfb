/// A truncated chain in equilibrium: exact means, and the identities that every such chain must satisfy.
///
/// Identities. In equilibrium nothing drifts: E[V(next) - V] = 0 for every function V of a finite chain. Checked for
/// V = Q_i, Q_i^2 and <c,Q>^2, which follows from the balance equations that the solver verified,
/// and so checks the way from weights to means; completions are counted apart from the moves. The
/// direction c counts every queue once; with a common queue it is that of state-space collapse ([wang2013], Lemma 1):
/// the queues of servers that hold data, and the common one. What is admitted leaves: accepted rate = throughput, where
/// throughput is counted by completions. Delay. By Little's law the mean time in the system of an admitted task is
/// E[sum Q] / throughput, in slots.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "model/markov/stationary.hpp"
#include "model/queueing/chain.hpp"
#include "policies/queueing/exact.hpp"

namespace schedproof::queueing {

/// An equation that must hold exactly: `residual` is zero.
struct Identity {
    std::string statement;
    Rational residual;
};

struct ChainMeans {
    std::vector<Rational> length;   ///< E Q per queue
    Rational tasks;                 ///< E sum Q
    Rational arrival_rate;          ///< tasks offered per slot
    Rational blocked_rate;          ///< tasks turned away per slot
    Rational throughput;            ///< tasks completed per slot
    std::optional<Rational> delay;  ///< mean slots in the system of an admitted task; absent without throughput
};

struct ChainAnalysis {
    std::size_t recurrent = 0;  ///< states of the one closed class; all others are transient
    std::size_t period = 0;     ///< of that class; 1: the chain converges to the law from every state
    markov::Stationary law;
    ChainMeans means;
    std::vector<Identity> identities;
};

/// Solves the chain and audits it. Requires: `chain` is a chain of `system`.
/// Throws ContractViolation when the chain has more than one closed class, OracleConflict when an identity fails.
[[nodiscard]] ChainAnalysis analyse(const ExactSystem& system, const Chain& chain,
                                    const markov::StationaryOptions& options = {});

/// The identities for a given law; residuals of a wrong law are not zero.
[[nodiscard]] std::vector<Identity> identities(const ExactSystem& system, const Chain& chain,
                                               const markov::Stationary& law);

/// Means for a given law.
[[nodiscard]] ChainMeans means(const ExactSystem& system, const Chain& chain, const markov::Stationary& law);

}  // namespace schedproof::queueing
