/// The policies of the assignment family by name, in the form of policies/core/policy_registry.hpp.
#pragma once

#include <chrono>
#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "model/assignment/unscheduled.hpp"
#include "policies/assignment/any_policy.hpp"

namespace schedproof::assignment {

/// What a user may set. A policy heeds what concerns it.
struct PolicyOptions {
    Rational wait{3};                     ///< W of `delay` and `dyndlon`, in parts of a local task's cost
    Pick pick = Pick::lowest;             ///< which of several tasks a free core takes, of the online policies
    JobOrder jobs = JobOrder::fifo;       ///< the order in which jobs are offered a core
    std::optional<Rational> threshold;    ///< of `ltfpa` and its variant: queues longer than this are helped
    std::optional<std::uint64_t> budget;  ///< of `hta`: placements
    std::optional<std::chrono::milliseconds> timeout;  ///< of `hta`
};

/// Adds a policy for the rest of the run; to be called before any other function here, since views of the list end.
/// Throws InputError when a policy has this name, and when it is no plain one (base::is_plain_name).
void add_policy(const AnyPolicy& policy);

/// Whether the policy of this id was added.
[[nodiscard]] bool is_added(std::string_view id);

/// Every policy, each followed by its variants, then the added ones.
[[nodiscard]] std::span<const PolicyInfo> policies();

/// The registered id that equals the name, as a view that lives for ever; empty when there is none.
[[nodiscard]] std::string_view resolve_policy(std::string_view name);

/// An added policy has the parameters that it has by default, whatever the options.
/// Throws InputError when the name is unknown, or the wait or the threshold negative.
[[nodiscard]] AnyPolicy make_policy(std::string_view name, const PolicyOptions& options = {});

/// As `ask_schedule`. A policy that was added is not asked about a problem without tasks.
/// Throws OracleConflict, as whoever refuses a policy does, when an added one breaks a contract or throws what is no
/// error of this library; ContractViolation when a policy is neither registered nor added.
/// Instantiated for CheckedInt and Rational here, and for explore::Affine in proofs/assignment/run_on_symbols.cpp.
template <Number N>
[[nodiscard]] ScheduleResult<N> run(const AnyPolicy& policy, const Problem<N>& problem, AnyRandomness& randomness);

template <Number N, Randomness R>
requires(!std::same_as<R, AnyRandomness>)
    [[nodiscard]] ScheduleResult<N> run(const AnyPolicy& policy, const Problem<N>& problem, R& randomness) {
    RandomnessOf<R> source(randomness);
    return run(policy, problem, static_cast<AnyRandomness&>(source));
}

}  // namespace schedproof::assignment
