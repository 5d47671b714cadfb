/// Judges of the assignment family: for each claim of the paper, how it fails on a problem, by exact computation.
///
/// A judge takes a problem and a subject (subject.hpp), asks the subject for its facts and compares them with the
/// claim's own words, restated here and settled by brute force (brute_force.hpp). It answers with what fails, in exact
/// numbers, or with nothing. Claims that are false are judged like true ones, by the same judge on the reading that is
/// false; their smallest known witness is named beside them (witnesses.hpp).
/// Source: [jin2018], Sections 4 and 5; docs/models/assignment.md, Which statements hold.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "checks/assignment/scheduler_under_test.hpp"

namespace schedproof::checks {

struct Judge {
    std::string_view id;         ///< `key-lemma`; of a reading of the text `monotone:max-min`
    std::string_view statement;  ///< one sentence, for all problems
    std::string_view source;
    bool holds = true;
    std::string_view witness;  ///< of a claim that does not hold: a problem of assignment_witnesses()
    /// How the claim fails; empty when it does not. Requires a problem that brute force can settle.
    std::string (*judge)(const AssignmentProblem&, const Subject&) = nullptr;
    Subject (*subject)() = nullptr;  ///< what the claim speaks of

    [[nodiscard]] std::string violation(const AssignmentProblem& problem) const { return judge(problem, subject()); }
};

/// All of them, in the order of the paper.
[[nodiscard]] std::vector<Judge> assignment_judges();
/// Throws ContractViolation for an unknown id.
[[nodiscard]] Judge assignment_judge(std::string_view id);

}  // namespace schedproof::checks
