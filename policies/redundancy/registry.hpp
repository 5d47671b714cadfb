/// The policies of the redundancy family by name, in the form of policies/core/policy_registry.hpp.
#pragma once

#include <span>
#include <string_view>

#include "model/redundancy/history.hpp"
#include "policies/redundancy/any_policy.hpp"
#include "policies/redundancy/fair.hpp"
#include "policies/redundancy/fair_r.hpp"
#include "policies/redundancy/laps.hpp"
#include "policies/redundancy/laps_r.hpp"
#include "policies/redundancy/late.hpp"
#include "policies/redundancy/redundancy_d.hpp"
#include "policies/redundancy/srpt.hpp"
#include "policies/redundancy/srpt_r.hpp"

namespace schedproof::redundancy {

/// A policy of the user, for the rest of the run; to be called before policies are asked for.
/// Throws InputError when its id is no plain name, or that of a policy.
void add_policy(const AnyPolicy& added);
/// Whether the id is that of a policy that was added.
[[nodiscard]] bool is_added(std::string_view id);

/// Every policy, each followed by its variants; those that were added at the end.
[[nodiscard]] std::span<const PolicyInfo> policies();

/// The registered id that equals the name, as a view that lives for ever; empty when there is none.
[[nodiscard]] std::string_view resolve_policy(std::string_view name);

/// Whether a policy of this registered id has the parameter beta.
[[nodiscard]] bool has_beta(std::string_view id);

/// The event loop of any policy.
template <Number N, class Speedup = LinearSpeedup<N>>
using AnySchedule = Schedule<N, AnyPolicy, Speedup>;

/// `beta` is heeded by LAPS and LAPS+R. Throws InputError when the name is unknown, or beta outside (0, 1].
[[nodiscard]] AnyPolicy make_policy(std::string_view name, const Rational& beta);

/// The schedule of a policy at a speed. Throws Deadlock.
template <Number N>
[[nodiscard]] History<N> history(const AnyPolicy& policy, const Problem<N>& problem, const Rational& speed) {
    AnySchedule<N> schedule(policy, problem.machines, LinearSpeedup<N>(problem.service, problem.machines, speed));
    Recorder<N> recorder(problem.jobs.size());
    run(schedule, problem.jobs, recorder);
    return recorder.take();
}
extern template History<Rational> history(const AnyPolicy&, const Problem<Rational>&, const Rational&);

}  // namespace schedproof::redundancy
