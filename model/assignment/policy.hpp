/// What a policy of the assignment family is: a map from tasks to cores, made from a problem.
///
/// An offline policy knows all initial loads; an online one learns a core's load when the core becomes free, so its
/// result has the executions of its event loop besides (online.hpp). A policy compares numbers and adds them, and no
/// more, so one text serves ticks, rationals and symbolic loads. Random picks are draws from the source of randomness
/// it is given.
#pragma once

#include <concepts>
#include <optional>
#include <vector>

#include "model/assignment/assignment.hpp"
#include "model/core/policy_info.hpp"
#include "model/core/randomness.hpp"

namespace schedproof::assignment {

using schedproof::PolicyInfo;

/// One task's execution of an online schedule.
template <Number N>
struct Execution {
    TaskId task;
    CoreId core;
    N start;
    N finish;
    bool local = true;
};

/// The result of a policy.
template <Number N>
struct ScheduleResult {
    Assignment assignment;
    std::vector<Execution<N>> executions;  ///< online: in the order of the starts; empty when offline
    std::optional<N> event_makespan;       ///< online: last finish of a task; none when offline or without tasks
};

template <class S, class N>
concept OfflinePolicy = Number<N> && requires(const S& s, const Problem<N>& problem) {
    { S::info } -> std::convertible_to<PolicyInfo>;
    { s.schedule(problem) } -> std::same_as<ScheduleResult<N>>;
};

template <class S, class N>
concept OnlinePolicy = Number<N> && requires(const S& s, const Problem<N>& problem, Sampler& randomness) {
    { S::info } -> std::convertible_to<PolicyInfo>;
    { s.schedule(problem, randomness) } -> std::same_as<ScheduleResult<N>>;
};

}  // namespace schedproof::assignment
