/// What is stated of sharing policies for all moments of a cluster, as constraints that no moment satisfies.
///
/// A statement runs the policy's own code on a moment in which every number is a symbol, D, D1, D2 and W among them,
/// and leaves on each path what must not be. A policy is told nothing of a cluster but what a moment holds, so one with
/// so many jobs that have tasks to launch stands for every cluster with these and any other jobs. What follows for
/// whole trajectories follows by induction over offers, in words: under `delay` a job that stays at the head is passed
/// over at most D times (`head-passed-over`). Source: [zaharia2010]; [wang2013]; [jin2018]; docs/models/sharing.md,
/// Theorems.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "policies/sharing/registry.hpp"
#include "proofs/sharing/theorems/moment.hpp"
#include "proofs/symbolic/question.hpp"

namespace schedproof::sharing {

struct StatementInfo {
    std::string_view name;
    std::string_view sentence;  ///< `{}` stands for the policy
    /// The ids of the registered policies of which it speaks, one after another with blanks between.
    std::string_view policies;
    Asked asked = Asked::offer;
    /// Whether it speaks of every added policy, too, that is asked this: with the parameters that its author wrote.
    bool of_added = false;
    /// Of how many jobs (or nodes, of a task that joins a queue). With one job to be compared with others there are
    /// two.
    std::size_t least = 1, greatest = most_moment;
    std::string_view where = "";  ///< at which moments, where that is not what its policy is asked at
};

[[nodiscard]] std::vector<StatementInfo> statements();
/// Throws InputError for an unknown name.
[[nodiscard]] const StatementInfo& statement(std::string_view name);
/// What the policy is asked in the statement: `follows-rule` speaks of policies with queues and without.
[[nodiscard]] Asked asked_of(const StatementInfo& statement, std::string_view policy);

/// Whether the statement is one about this policy, registered or added.
[[nodiscard]] bool speaks_of(const StatementInfo& statement, std::string_view policy);

/// One question for each number of jobs (of nodes, of a task that joins a queue) up to `most`, or for each shape of a
/// state; `code` is asked, which need not be that of the registered policy. Throws InputError when the policy is not
/// one of which the statement speaks, and for a number that is not one of the statement.
[[nodiscard]] std::vector<explore::Question> questions(const StatementInfo& statement, const std::string& policy,
                                                       std::size_t most, const AffineCode& code);

/// The parameters with which a statement speaks of an added policy: those that its author wrote, but for what the
/// statement fixes. None of a registered policy, of which it speaks with any.
[[nodiscard]] std::optional<Parameters> parameters_of_added(const StatementInfo& statement, std::string_view policy);

/// What a policy has besides `offer`.
[[nodiscard]] PolicyForm form_of_policy(std::string_view policy);
/// The code of a policy. That of an added one takes parameters without symbols.
/// Throws InputError when there is no policy of this id.
[[nodiscard]] AffineCode code_of(std::string_view policy);

}  // namespace schedproof::sharing
