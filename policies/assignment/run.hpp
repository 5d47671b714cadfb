/// The body of `run` (registry.hpp), for the source that instantiates it for a number.
#pragma once

#include <optional>
#include <utility>

#include "policies/assignment/registered_policies.hpp"
#include "policies/assignment/registry.hpp"
#include "policies/core/answer_of.hpp"

namespace schedproof::assignment {

template <Number N>
ScheduleResult<N> run(const AnyPolicy& policy, const Problem<N>& problem, AnyRandomness& randomness) {
    if (const CodeOn<N>* added = policy.code_on<N>()) {
        if (problem.shape->tasks().size() == 0) return {};
        return answer_of(policy.info.id, [&] { return added->schedule(problem, randomness); });
    }
    ScheduleResult<N> result;
    const bool known =
        visit_registered(policy, [&](const auto& one) { result = ask_schedule(one, problem, randomness); });
    require(known, "a policy is a registered one, or compiled on every number that it is run on");
    return result;
}

}  // namespace schedproof::assignment
