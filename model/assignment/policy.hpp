/// What a policy of the assignment family is: a map from tasks to cores, made from a problem.
///
/// An offline policy knows all initial loads; an online one learns a core's load when the core becomes free, so its
/// result has the executions of its event loop besides (online.hpp). A policy compares numbers and adds them, and no
/// more, so one text serves ticks, rationals and symbolic loads. Random picks are draws from the source of randomness
/// it is given. Tasks, servers and cores have numbers that a policy may go by: ties are broken and tasks taken by them,
/// so a statement about a policy is one about the problem as it is numbered.
///
/// `admitted` is the compiler's part of the promise that a policy is treated correctly everywhere or refused: its
/// members are declared, and it compiles on a number and a source of randomness that do no more than every one does.
/// What it then still may depend on, such as the type of the number or calls before, is compared when it is run
/// (checks/assignment/agreement.hpp).
#pragma once

#include <algorithm>
#include <concepts>
#include <optional>
#include <span>
#include <vector>

#include "model/assignment/assignment.hpp"
#include "model/core/parameters.hpp"
#include "model/core/policy_info.hpp"
#include "model/core/randomness.hpp"

namespace schedproof::assignment {

using schedproof::Parameter;
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

/// The operations of `Randomness`, and no other.
struct RandomnessArchetype {
    std::size_t draw(const DiscreteDistribution&) { return 0; }
    std::size_t uniform(std::size_t) { return 0; }
    std::size_t proportional(std::span<const std::uint64_t>) { return 0; }
};
static_assert(Randomness<RandomnessArchetype>);

/// For statements about a policy as a function of the problem: a draw that leaves no choice is answered.
/// Throws InputError at any other.
class NoDraws {
  public:
    std::size_t draw(const DiscreteDistribution& distribution) { return only(distribution.size() == 1, 0); }
    std::size_t uniform(std::size_t n) { return only(n == 1, 0); }
    std::size_t proportional(std::span<const std::uint64_t> weights) {
        const auto positive = [](std::uint64_t weight) { return weight > 0; };
        const auto first = std::find_if(weights.begin(), weights.end(), positive);
        return only(std::count_if(weights.begin(), weights.end(), positive) == 1,
                    static_cast<std::size_t>(first - weights.begin()));
    }

  private:
    static std::size_t only(bool no_choice, std::size_t outcome) {
        if (!no_choice)
            throw InputError::at_key("policy",
                                     "expected one that draws nothing, as what is stated of all problems needs");
        return outcome;
    }
};
static_assert(Randomness<NoDraws>);

template <class S, class N>
concept OnlinePolicy = Number<N> && requires(const S& s, const Problem<N>& problem, RandomnessArchetype& randomness) {
    { S::info } -> std::convertible_to<PolicyInfo>;
    { s.schedule(problem, randomness) } -> std::same_as<ScheduleResult<N>>;
};

/// Whether a policy states `static constexpr bool online = true`: it learns a core's load when the core becomes free.
template <class S>
inline constexpr bool states_online = false;
template <class S>
requires requires { S::online; }
inline constexpr bool states_online<S> = S::online;

namespace detail {

template <class S>
consteval bool admitted_as_written() {
    using N = NumberArchetype;
    static_assert(
        requires {
            { S::info } -> std::convertible_to<PolicyInfo>;
        },
        "a policy has an `info`");
    static_assert(
        !requires { S::online; } || requires { typename std::bool_constant<S::online>; },
        "what a policy states of being online is a `static constexpr bool online`");
    static_assert(Declared<S>,
                  "a policy has no members, or public ones that its `parameters` list, all in their order");
    static_assert(
        OfflinePolicy<S, N> || OnlinePolicy<S, N>,
        "a policy has `schedule(problem)`, or `schedule(problem, randomness)`, on every number, which answers a "
        "ScheduleResult");
    ScheduleResult<N> (*compiled)(const S&, const Problem<N>&, RandomnessArchetype&) =
        [](const S& policy, const Problem<N>& problem, RandomnessArchetype& randomness) {
            if constexpr (OfflinePolicy<S, N>)
                return policy.schedule(problem);
            else
                return policy.schedule(problem, randomness);
        };
    // A comparison of its address is no constant under g++'s sanitizers.
    static_cast<void>(compiled);
    return true;
}

}  // namespace detail

/// Stops the compiler at the first rule that the policy breaks. A policy that stands for another has been admitted.
template <class S>
consteval bool admitted() {
    if constexpr (is_erased<S>)
        return true;
    else
        return detail::admitted_as_written<S>();
}

/// What a policy makes of a problem. A policy without random picks draws nothing.
/// Throws ContractViolation when it leaves a task without a core of the problem, LimitExceeded when a time exceeds the
/// number, when a wait is no whole number of ticks, or when the policy's own limit is reached.
template <class S, Number N, Randomness R>
[[nodiscard]] ScheduleResult<N> ask_schedule(const S& policy, const Problem<N>& problem, R& randomness) {
    static_assert(admitted<S>());
    ScheduleResult<N> result;
    if constexpr (OfflinePolicy<S, NumberArchetype>)
        result = policy.schedule(problem);
    else
        result = policy.schedule(problem, randomness);
    require(result.assignment.size() == problem.shape->tasks().size(), "a policy gives every task a core");
    for (const CoreId p : result.assignment)
        require(p.index() < problem.shape->cores().size(), "a policy uses cores of the problem");
    return result;
}

}  // namespace schedproof::assignment
