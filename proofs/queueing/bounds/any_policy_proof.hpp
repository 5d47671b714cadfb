/// Finding a lower bound of the mean number of tasks under every policy.
/// The method stands at the head of any_policy_proof.cpp.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "proofs/queueing/theorems/any_policy.hpp"

namespace schedproof::queueing {

struct AnyPolicyGoal {
    DecisionMode mode = DecisionMode::knows_arrivals;
    /// Wanted: what leaving the box contributes to the bound is at most this; > 0. It shows how far the bound may still
    /// rise with the box, and proves nothing.
    Rational width = Rational(Integer(1), Integer(1000000));
    std::optional<std::uint32_t> radius;  ///< of the box; absent: chosen for the width
    std::uint64_t max_states = 4'000'000;
    unsigned threads = 1;
    /// Called with what is being done, how much of it is done, and of how much (0: unknown). May be empty.
    std::function<void(std::string_view, double, double)> progress;
    /// Called with a line about each box.
    std::function<void(const std::string&)> say;
};

struct AnyPolicyProof {
    AnyPolicyTheorem theorem;
    double leaving = 0;            ///< what leaving the box contributes to the bound
    std::uint64_t states = 0;      ///< of the box
    std::uint32_t rounds = 0;      ///< of policy iteration, over all boxes
    std::uint32_t iterations = 0;  ///< of the Krylov method
};

/// The theorem holds: its bound is what exact arithmetic reads off the table.
/// Throws InputError for an instance without an arrival law or types, LimitExceeded when even the smallest box is
/// beyond max_states, or numbers are too wide.
[[nodiscard]] AnyPolicyProof bound_any_policy(const Instance& instance, const AnyPolicyGoal& goal);

}  // namespace schedproof::queueing
