/// Clusters, policies and functions of the state as terms of the Rocq theory (Cluster.v, Language.v, Drift.v).
///
/// Where the theory has no term for something, the reason is returned instead.
#pragma once

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
/// Only where the theory has such queues.
[[nodiscard]] MaybeTerm cluster_term(const queueing::Instance& instance, const queueing::Layout& layout);
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

[[nodiscard]] Term statuses_term(const std::vector<std::vector<queueing::Service>>& statuses);
/// A form times `scale`, which must make it integral; every one of the queues has a coefficient.
[[nodiscard]] Term form_term(const proof::LinearForm& form, const Rational& scale, std::size_t queues);

/// A comment, whatever the text holds.
[[nodiscard]] std::string comment(const std::string& text);
/// A name that no keyword and no name of the theory is: letters, digits and `_` of `name`, then `_kind`.
[[nodiscard]] std::string identifier(const std::string& name, const std::string& kind);

}  // namespace schedproof::rocq
