/// Properties of the assignment family: for each claim of the paper, how it fails on a problem, by exact computation.
///
/// A property takes a problem and a policy under test (two_phase_policy.hpp), asks it for its facts and compares
/// them with the claim's own words, restated here and settled by exhaustive search (exhaustive.hpp). It answers with
/// what fails, in exact numbers, or with nothing. Claims that are false have a property like true ones, the same one on
/// the interpretation that is false; their smallest known witness is named beside them (witnesses.hpp). Source:
/// [jin2018], Sections 4 and 5; docs/models/assignment.md.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "checks/assignment/two_phase_policy.hpp"

namespace schedproof::checks {

struct NamedProperty {
    std::string_view id;         ///< `key-lemma`; of an interpretation of the text `monotone:max-min`
    std::string_view statement;  ///< one sentence, for all problems
    std::string_view source;
    bool holds = true;
    std::string_view witness;  ///< of a claim that does not hold: a problem of assignment_witnesses()
    /// How the claim fails; empty when it does not. Requires a problem that brute force can settle.
    std::string (*fails)(const AssignmentProblem&, const TwoPhasePolicy&) = nullptr;
    TwoPhasePolicy (*under_test)() = nullptr;  ///< what the claim speaks of
    bool of_any_output = false;  ///< asks nothing but the output, so that it can be asked of any policy: `by_output`

    [[nodiscard]] std::string violation(const AssignmentProblem& problem) const { return fails(problem, under_test()); }
};

/// All of them, in the order of the paper.
[[nodiscard]] std::vector<NamedProperty> dyndloff_properties();
/// Throws ContractViolation for an unknown id.
[[nodiscard]] NamedProperty dyndloff_property(std::string_view id);

}  // namespace schedproof::checks
