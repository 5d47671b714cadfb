/// Proving means in tests: the search with its certificate checked, and what an interval must hold.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <variant>

#include "policies/queueing/registry.hpp"
#include "proofs/queueing/bounds/mean_proof.hpp"
#include "proofs/queueing/theorems/theorem.hpp"
#include "tests/support/instances.hpp"

namespace schedproof::queueing::mean_testing {

struct Proved {
    std::shared_ptr<const Instance> instance;
    Certificate certificate;
    [[nodiscard]] MeanTheorem& theorem() { return std::get<MeanTheorem>(certificate.theorem); }
    [[nodiscard]] const MeanTheorem& theorem() const { return std::get<MeanTheorem>(certificate.theorem); }
};

inline MeanOutcome search(const Instance& instance, const AnyPolicy& policy, MeanGoal goal) {
    goal.threads = 2;
    return prove_mean(SymbolicSystem(instance, policy), ExactSystem(instance, policy), goal);
}

inline MeanGoal goal_of(const char* width, StateFunction of = {}) {
    MeanGoal goal;
    goal.of = std::move(of);
    goal.width = testing_support::q(width);
    return goal;
}

inline Proved proved(const Instance& on, const std::string& policy, const MeanGoal& goal) {
    auto instance = std::make_shared<const Instance>(on);
    MeanOutcome outcome = search(*instance, make_policy(policy, *instance, {}), goal);
    if (const auto* unknown = std::get_if<MeanUnknown>(&outcome)) ADD_FAILURE() << unknown->reason;
    auto& found = std::get<MeanProof>(outcome);
    Proved result{instance, {instance, policy, std::move(found.theorem), {}}};
    for (const proof::ExploredProof& one : found.proofs) result.certificate.proofs.push_back(canonical(one));
    EXPECT_EQ(rejection(result.certificate), "");
    EXPECT_LE(result.theorem().lower, result.theorem().upper);
    return result;
}

inline Instance m2_half() { return testing_support::two_servers("4/5", "1/5", "1/2", "1/2"); }

inline void expect_holds(const MeanTheorem& theorem, const Rational& mean, const Rational& width) {
    EXPECT_LE(theorem.lower, mean);
    EXPECT_LE(mean, theorem.upper);
    EXPECT_LE(theorem.upper - theorem.lower, width);
}
inline void expect_meets(const MeanTheorem& theorem, const Rational& lower, const Rational& upper,
                         const Rational& width) {
    EXPECT_LE(theorem.lower, upper);
    EXPECT_LE(lower, theorem.upper);
    EXPECT_LE(theorem.upper - theorem.lower, width);
}

}  // namespace schedproof::queueing::mean_testing
