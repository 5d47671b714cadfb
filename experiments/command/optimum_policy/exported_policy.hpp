/// A near-optimal policy as a file that every command takes, and what it is worth.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "checks/core/verdict.hpp"
#include "proofs/queueing/bounds/mean_proof.hpp"
#include "proofs/queueing/theorems/any_policy.hpp"

namespace schedproof::cli {

struct ExportedPolicy {
    std::string id;
    std::uint32_t most = 0;   ///< tasks that wait in the states of its table
    std::string beyond;       ///< the set of the language for the others
    checks::Verdict verdict;  ///< on its mean number of tasks

    /// The interval that was proved, if one was.
    [[nodiscard]] std::optional<std::pair<Rational, Rational>> mean() const;
};

/// Before any work. Throws InputError as export_policy.
void require_exportable(const queueing::Instance& instance, std::uint32_t most, const std::string& path);

/// Writes the decisions of the theorem's table as a policy into a new file, and proves the mean of what that file
/// says. Requires: a theorem of the mode names_types, or of continuous time. Throws InputError when there is a file or
/// a policy of the name already, and when a decision table cannot be so large.
[[nodiscard]] ExportedPolicy export_policy(const std::shared_ptr<const queueing::Instance>& instance,
                                           const queueing::AnyPolicyTheorem& theorem, std::uint32_t most,
                                           const std::string& path, const queueing::MeanGoal& goal,
                                           const explore::Budget& budget);

}  // namespace schedproof::cli
