/// What a scheduler of the assignment family is: a map from tasks to cores, made from a problem.
///
/// An offline scheduler knows all initial loads; an online one learns a core's load when the core becomes free, so its
/// outcome has a course of events besides (online.hpp). A scheduler compares numbers and adds them, and no more, so one
/// text serves ticks, rationals and symbolic loads. Random picks are draws on the chance it is given.
#pragma once

#include <concepts>
#include <optional>
#include <vector>

#include "model/assignment/assignment.hpp"
#include "model/core/policy_info.hpp"
#include "model/core/randomness.hpp"

namespace schedproof::assignment {

using schedproof::PolicyInfo;

/// One task's execution in an online course of events.
template <Number N>
struct Execution {
    TaskId task;
    CoreId core;
    N start;
    N finish;
    bool local = true;
};

/// The result of a scheduler.
template <Number N>
struct Outcome {
    Assignment assignment;
    std::vector<Execution<N>> course;  ///< online: in the order of the starts; empty when offline
    std::optional<N> event_makespan;   ///< online: last finish of a task; none when offline or without tasks
};

template <class S, class N>
concept OfflineScheduler = Number<N> && requires(const S& s, const Problem<N>& problem) {
    { S::info } -> std::convertible_to<PolicyInfo>;
    { s.schedule(problem) } -> std::same_as<Outcome<N>>;
};

template <class S, class N>
concept OnlineScheduler = Number<N> && requires(const S& s, const Problem<N>& problem, Sampler& chance) {
    { S::info } -> std::convertible_to<PolicyInfo>;
    { s.schedule(problem, chance) } -> std::same_as<Outcome<N>>;
};

}  // namespace schedproof::assignment
