/// Drift bounded summand by summand: the proof of a DriftTheorem whose cost grows with the square of the servers.
///
/// For each term t of the drift (terms.hpp) the theorem holds a form l_t in the lengths, with
///     (term)  value <= l_t  for each alternative, wherever its premises hold and measure >= threshold,
///     (sum)   sum of all l_t, and in slots of what is done together (maxima.hpp), <= -delta wherever measure >=
///             threshold.
/// Each is a question without a comparison: linear inequalities, refuted by multipliers. That some alternative takes
/// place at every state is the construction of the terms, which the checker repeats from the rules.
#pragma once

#include <string>
#include <vector>

#include "proofs/queueing/theorems/drift.hpp"
#include "proofs/queueing/theorems/summands/maxima.hpp"
#include "proofs/queueing/theorems/summands/terms.hpp"

namespace schedproof::queueing {

/// One question per term and one about their sum. Requires a theorem that `summands_rejection` accepts.
[[nodiscard]] std::vector<explore::Question> summand_questions(const SymbolicSystem& system,
                                                               const DriftTheorem& theorem);

/// Empty when the theorem is one that summands may prove: V has no maxima, there is a form in the lengths per term, the
/// statuses are those that the rules allow.
[[nodiscard]] std::string summands_rejection(const SymbolicSystem& system, const DriftTheorem& theorem);

/// Of each server what the rules allow, idle first.
[[nodiscard]] std::vector<std::vector<Service>> statuses_of(const SymbolicSystem& system, const Summands& summands);

/// The lengths of all queues, from 0 on.
[[nodiscard]] proof::Space lengths_space(const SymbolicSystem& system);

/// A V with its slopes.
struct Sloped {
    const LyapunovForm& v;
    Slopes slopes;
};
/// The value of an alternative: the expected change of V, what others do, the bound of what follows, and its links.
/// `bounds` are those of the terms so far, at least those that follow; `links` are there where the terms have some.
[[nodiscard]] proof::LinearForm value_of(const SymbolicSystem& system, const Summands& summands, const Sloped& v,
                                         const std::vector<proof::LinearForm>& bounds,
                                         const std::vector<proof::LinearForm>& links, const Alternative& alternative);
/// The terms that the theorem's bounds are of.
[[nodiscard]] const Summands& summands_of(const SymbolicSystem& system, const DriftTheorem& theorem);
/// The most that a shift adds to a form.
[[nodiscard]] Rational most_shifted(const proof::LinearForm& form, const std::vector<Shift>& shifts);
/// Whether no part of V changes in an alternative of a term that follows: then it is as if nothing happened.
[[nodiscard]] bool says_nothing(const LyapunovForm& v, const Term& term, const Alternative& alternative);
/// measure - threshold, which is at least 0 where the theorem speaks, as a form that is at least 0 where the term does:
/// of one that follows, whose lengths are those after a shift, less the most that a shift lowers the measure by.
[[nodiscard]] proof::LinearForm far_premise(const proof::LinearForm& measure, const Rational& threshold,
                                            const Term& term);
/// What is forbidden at an alternative of a term: its premises, measure >= threshold, and a value above the bound.
[[nodiscard]] explore::Forbidden forbidden(const DriftTheorem& theorem, const Term& term,
                                           const Alternative& alternative, const proof::LinearForm& value,
                                           const proof::LinearForm& bound);
/// The sum of the bounds of terms that do not follow, and of what is done together.
[[nodiscard]] proof::LinearForm sum_of_bounds(const SymbolicSystem& system, const Summands& summands,
                                              const DriftTheorem& theorem);
/// What is forbidden of the sum: measure >= threshold and a sum above -delta.
[[nodiscard]] explore::Forbidden forbidden_of_sum(const DriftTheorem& theorem, const proof::LinearForm& sum);

}  // namespace schedproof::queueing
