/// Clusters, policies and functions of the state as terms of the Rocq theory (Cluster.v, Language.v, Drift.v).
///
/// Where the theory has no term for something, the reason is returned instead.
#pragma once

#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "model/queueing/any_policy.hpp"
#include "model/queueing/instance.hpp"
#include "model/queueing/layout.hpp"
#include "proofs/queueing/theorems/drift.hpp"
#include "proofs/rocq/export/term.hpp"

namespace schedproof::rocq {

[[nodiscard]] Term cluster_term(const queueing::Instance& instance);
/// The rates of the types' arrivals in continuous time, which are no part of the cluster there.
[[nodiscard]] Term streams_term(const queueing::Instance& instance);
/// With other arrivals.
[[nodiscard]] Term cluster_term(const queueing::Instance& instance, Term arrivals);
/// Of a theorem in which queues stay empty.
inline constexpr const char* stays_empty = "the theory has no queues that no task joins";
/// Why the theory has no such queues; empty when it has.
[[nodiscard]] std::string cluster_gap(const queueing::Instance& instance, const queueing::Layout& layout);
[[nodiscard]] MaybeTerm policy_term(const queueing::Rules& rules);

/// V times `scale`, with integers only.
struct LyapunovTerm {
    Term term;
    Integer scale;
};
/// `delta` times the scale is an integer, too. Only functions that Drift.v can see to be at least zero.
[[nodiscard]] tl::expected<LyapunovTerm, std::string> lyapunov_term(const queueing::LyapunovForm& v,
                                                                    const Rational& delta,
                                                                    const queueing::Instance& instance,
                                                                    const queueing::Layout& layout);

/// A function of pieces of one form each, times `scale`, which must make it integral. Its pieces may be negative.
[[nodiscard]] MaybeTerm linear_term(const queueing::LyapunovForm& w, const Integer& scale,
                                    const queueing::Instance& instance, const queueing::Layout& layout);

/// Products that are seen to be at least zero, and pieces of one form each, which may be negative. The numbers times
/// the scale are integers, too.
[[nodiscard]] tl::expected<LyapunovTerm, std::string> quadratic_term(const queueing::LyapunovForm& v,
                                                                     std::vector<Rational> numbers,
                                                                     const queueing::Instance& instance,
                                                                     const queueing::Layout& layout);

/// A condition of the statuses; no condition: always.
[[nodiscard]] MaybeTerm condition_term(const std::optional<queueing::LyapunovForm::Condition>& when,
                                       const queueing::Instance& instance, const queueing::Layout& layout);
[[nodiscard]] Term statuses_term(const std::vector<std::vector<queueing::Service>>& statuses);
/// A form times `scale`, which must make it integral; every one of the queues has a coefficient.
[[nodiscard]] Term form_term(const proof::LinearForm& form, const Rational& scale, std::size_t queues);

/// A fraction where the scope is that of Q.
[[nodiscard]] std::string fraction_text(const Rational& q);
/// A comment, whatever the text holds.
[[nodiscard]] std::string comment(const std::string& text);
/// A name that no keyword and no name of the theory is: letters, digits and `_` of `name`, then `_kind`.
[[nodiscard]] std::string identifier(const std::string& name, const std::string& kind);

}  // namespace schedproof::rocq
