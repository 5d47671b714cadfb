/// In which ways an assignment policy must agree with itself before anything is said of it.
///
/// On random problems: asked twice, and made anew, it answers the same; in rationals, in ticks, in finer ticks, and on
/// symbols that are decided as the problem's numbers are, where it compares times with times alone; it leaves the
/// problem as it is. Where it is online, its executions are those of its
/// assignment and last as the model says, and what a core's load will be makes no difference before the core becomes
/// free; where it is not, it gives none. Names are not permuted: this family's policies may go by the numbers of tasks
/// and cores (model/assignment/policy.hpp).
#pragma once

#include <functional>
#include <string>

#include "checks/core/agreement.hpp"
#include "model/assignment/policy.hpp"
#include "policies/assignment/registry.hpp"
#include "proofs/symbolic/affine.hpp"

namespace schedproof::checks {

/// A policy of any type in all modes, with draws that begin anew in every call.
struct AssignmentPolicyInModes {
    template <class N>
    using Run = std::function<assignment::ScheduleResult<N>(const assignment::Problem<N>&)>;
    Run<CheckedInt> in_ticks;
    Run<Rational> in_rationals;
    Run<explore::Affine> on_symbols;
    bool online = false;  ///< it must not know a load before the core becomes free
};

template <class P>
[[nodiscard]] AssignmentPolicyInModes assignment_policy_in_modes(const P& policy) {
    const auto run = [policy](const auto& problem) {
        Sampler randomness(StreamKey{1});
        return assignment::ask_schedule(policy, problem, randomness);
    };
    return {run, run, run, assignment::states_online<P>};
}
[[nodiscard]] AssignmentPolicyInModes assignment_policy_in_modes(const assignment::AnyPolicy& policy);

/// Why the policy is refused; empty when it is not.
[[nodiscard]] std::string assignment_disagreement(const std::function<AssignmentPolicyInModes()>& make,
                                                  std::uint64_t cases = agreement_cases);

}  // namespace schedproof::checks
