/// Premises about queue lengths, in cases, and what they say of each queue alone.
#pragma once

#include <optional>
#include <vector>

#include "model/core/ids.hpp"
#include "proofs/certificate/linear.hpp"

namespace schedproof::queueing {

/// Q_q as a form.
[[nodiscard]] inline proof::LinearForm length_of(QueueId q) {
    return proof::LinearForm::variable(static_cast<proof::Variable>(q.index()));
}

/// Forms over queue lengths, each at least 0.
using Premises = std::vector<proof::LinearForm>;
/// The premises of one case hold, at least; never, where there is no case.
using Cases = std::vector<Premises>;

/// Least and greatest length of a queue; no greatest one where `most` is empty.
struct Range {
    Rational least;
    std::optional<Rational> most;
};
/// By queue, what the premises say of each alone, lengths being at least 0; other premises are used with the ranges
/// found so far, a few times.
[[nodiscard]] std::vector<Range> ranges(const Premises& premises, std::size_t queues);

/// What holds of each queue alone in every case that some lengths satisfy; nothing where none satisfy any. Requires a
/// queue.
[[nodiscard]] std::optional<std::vector<Range>> common_ranges(const Cases& cases, std::size_t queues);
/// The greatest lengths as premises.
[[nodiscard]] Premises as_premises(const std::vector<Range>& ranges);

/// The most cases that a conjunction may have.
inline constexpr std::size_t most_cases = 5'000;
/// The case without premises.
[[nodiscard]] Cases always();
/// Both hold. Throws LimitExceeded past `most_cases`.
[[nodiscard]] Cases conjunction(const Cases& a, const Cases& b);
/// One holds. A case without premises makes the others idle.
[[nodiscard]] Cases disjunction(Cases a, const Cases& b);
/// form > 0 for integer lengths, as a form that is at least 0.
[[nodiscard]] proof::LinearForm above_zero(const proof::LinearForm& form);
/// The least value of a form on the ranges, if there is one.
[[nodiscard]] std::optional<Rational> least_value(const proof::LinearForm& form, const std::vector<Range>& ranges);

}  // namespace schedproof::queueing
