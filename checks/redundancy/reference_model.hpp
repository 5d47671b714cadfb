/// The redundancy model once more, from docs/models/redundancy.md: what policies grant, and the schedule that
/// follows, one job at a time.
///
/// What `Schedule` does by bands, ranks and one comparison per job is done here by lists: at each event every active
/// job gets its own copies and share, every job's own time to its end is computed, and the least of all is taken. Slow
/// and without a thought, so that it can check the other. Nothing of model/redundancy is called but plain data.
/// Source: [xu2017], Sections 3 to 5; docs/models/redundancy.md, Model and Policies.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "policies/redundancy/registry.hpp"

namespace schedproof::checks {

using RedundancyProblem = redundancy::Problem<Rational>;

/// What one job gets: no copies, and it waits.
struct ReferenceShare {
    std::size_t copies = 0;  ///< r
    Rational share;          ///< x of each machine
    friend bool operator==(const ReferenceShare&, const ReferenceShare&) = default;
};

/// A policy as a list: by rank, what each of n active jobs gets.
struct ReferencePolicy {
    bool by_remaining = false;  ///< ranks by (remaining work, id); otherwise by arrival
    std::function<std::vector<ReferenceShare>(std::size_t n, std::size_t machines)> rule;
};
/// The policies of the papers as docs/models/redundancy.md, Policies, has them. Throws InputError for any other.
[[nodiscard]] ReferencePolicy reference_policy(const redundancy::AnyPolicy& policy);
/// Throws InputError for a policy that is not of the papers: nothing says how it should decide.
void require_specified(const redundancy::AnyPolicy& policy);
/// The id under which it is registered.
[[nodiscard]] std::string policy_id(const redundancy::AnyPolicy& policy);
/// Whether the policy leaves no machine without a copy: SRPT+R, FAIR+R and LAPS+R.
[[nodiscard]] bool copies_on_all_machines(const redundancy::AnyPolicy& policy);

/// The policy as LAPS+R. Throws InputError for any other: what is claimed of LAPS+R is said in its parameters.
[[nodiscard]] const redundancy::LapsR& laps_r(const redundancy::AnyPolicy& policy);

/// The policy without its copies: SRPT, FAIR, LAPS of the same beta and interpretation, FIFO. Throws InputError for a
/// policy that is not of the papers.
[[nodiscard]] redundancy::AnyPolicy without_copies(const redundancy::AnyPolicy& policy);

/// The least whole number that is at least beta n.
[[nodiscard]] std::size_t least_whole(const Rational& beta, std::size_t n);

struct ReferenceInterval {
    Rational start, length;              ///< length > 0
    std::vector<std::size_t> active;     ///< jobs by rank
    std::vector<Rational> remaining;     ///< of each, at the start
    std::vector<ReferenceShare> shares;  ///< of each
    [[nodiscard]] Rational end() const { return start + length; }
};
struct ReferenceSchedule {
    std::vector<ReferenceInterval> intervals;  ///< from the first arrival to the last completion, idle ones too
    std::vector<Rational> completion;          ///< by job
    [[nodiscard]] Rational flowtime(const RedundancyProblem& problem) const;
    /// Jobs that are present at `time`, those that arrive then included and those that end then not.
    [[nodiscard]] std::size_t active_at(const RedundancyProblem& problem, const Rational& time) const;
};
/// Nothing when active jobs wait for ever. Requires a linear service and speed > 0.
[[nodiscard]] std::optional<ReferenceSchedule> reference_schedule(const ReferencePolicy& policy,
                                                                  const RedundancyProblem& problem,
                                                                  const Rational& speed);
/// The same of a registered policy, which never waits for ever.
[[nodiscard]] ReferenceSchedule reference_schedule(const redundancy::AnyPolicy& policy,
                                                   const RedundancyProblem& problem, const Rational& speed);

/// A history as lists; its intervals without length are left out.
[[nodiscard]] ReferenceSchedule as_lists(const redundancy::History<Rational>& history);
/// Where two schedules differ, in words; empty when they do not.
[[nodiscard]] std::string difference(const ReferenceSchedule& a, const ReferenceSchedule& b);

/// g(r): mean rate of the best of r machines; 0 for r = 0. Requires a linear service.
[[nodiscard]] Rational reference_gain(const redundancy::Service& service, std::size_t copies);

/// A machine's work over an interval with its probability; what machines do together.
struct Outcome {
    Rational probability;
    std::vector<Rational> work;  ///< by machine
};
/// E max over the first `copies` machines.
[[nodiscard]] Rational mean_of_best(const std::vector<Outcome>& law, std::size_t copies);
/// All outcomes of independent machines, each with the given (probability, work).
[[nodiscard]] std::vector<Outcome> independent(const std::vector<std::pair<Rational, Rational>>& machine,
                                               std::size_t machines);
/// Three machines that are alike and not independent: the second does what the first does, the third its own; each
/// rate 2 or 0 for a unit of time. The third copy gains more than the second: Lemma 1 needs more than equal laws.
[[nodiscard]] std::vector<Outcome> twins_and_one();

}  // namespace schedproof::checks
