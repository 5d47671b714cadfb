/// The questions about one step of a policy, one interval, arrival or state, that statements.hpp lists.
#pragma once

#include <string_view>
#include <vector>

#include "policies/redundancy/registry.hpp"
#include "proofs/redundancy/theorems/statement_shape.hpp"
#include "proofs/symbolic/question.hpp"

namespace schedproof::redundancy {

/// What must not be for a <= b: a > b.
[[nodiscard]] inline explore::Forbidden at_most(const explore::Affine& a, const explore::Affine& b) {
    return {{a.form() - b.form(), true}};
}

/// SRPT with jobs that are there at time 0, one question per number of jobs up to the shape's: the flowtime of
/// Lemma 5.
[[nodiscard]] std::vector<explore::Question> remaining_questions(const Shape& shape);
/// Eq. 8 for a job of any rank among jobs that are there at time 0, after each completion; as many questions.
[[nodiscard]] std::vector<explore::Question> static_questions(const Shape& shape, const Rational& constant);

/// One question per pair of numbers of jobs, the lesser cluster's being at most the other's: remaining work stays
/// dominated through an interval; with `copies`, the lesser cluster is under the policy with symbolic speedups, and
/// otherwise both are under SRPT.
[[nodiscard]] std::vector<explore::Question> step_questions(const Shape& shape, const AnyPolicy& policy, bool copies);
/// The same through an arrival at both, or at the greater alone.
[[nodiscard]] std::vector<explore::Question> arrival_questions(const Shape& shape);

/// Under a policy that ranks by arrival, the work of an interval on each job against that on the next; one question per
/// number of jobs up to the shape's.
[[nodiscard]] std::vector<explore::Question> favour_questions(const AnyPolicy& policy, const Shape& shape);

/// The drift of the potential of LAPS+R, one question per number of active jobs up to the shape's, one obligation per
/// number of jobs that the optimum works on. `statement` says the speed.
[[nodiscard]] std::vector<explore::Question> drift_questions(std::string_view statement, const AnyPolicy& policy,
                                                             const Shape& shape, const Rational& bound);

}  // namespace schedproof::redundancy
