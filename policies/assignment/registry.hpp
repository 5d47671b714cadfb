/// The policies of the assignment family by name, in the form of policies/core/policy_registry.hpp.
#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <string_view>
#include <variant>

#include "policies/assignment/added_policy.hpp"
#include "policies/assignment/bar.hpp"
#include "policies/assignment/delay_scheduling.hpp"
#include "policies/assignment/dyndloff.hpp"
#include "policies/assignment/dyndlon.hpp"
#include "policies/assignment/hadoop.hpp"
#include "policies/assignment/hta.hpp"
#include "policies/assignment/list_scheduling.hpp"
#include "policies/assignment/ltfpa.hpp"

namespace schedproof::assignment {

/// What a user may set. A policy heeds what concerns it.
struct PolicyOptions {
    Rational wait{3};                     ///< W of `delay` and `dyndlon`, in parts of a local task's cost
    Pick pick = Pick::lowest;             ///< which of several tasks a free core takes, of the online policies
    JobOrder jobs = JobOrder::fifo;       ///< the order in which jobs are offered a core
    std::optional<Rational> threshold;    ///< of `ltfpa`: queues longer than this are helped
    std::uint64_t budget = Hta{}.budget;  ///< of `hta`: placements
    std::chrono::milliseconds timeout = Hta{}.timeout;  ///< of `hta`
};

using AnyPolicy = std::variant<Hadoop, DelayScheduling, DynDlOn, List, Ltfpa, Hta, Bar, DynDlOff, AddedPolicy>;

/// Adds a policy for the rest of the run; to be called before any other function here, since views of the list end.
/// Throws InputError when a policy has this name, and when it is no plain one (base::is_plain_name).
void add_policy(const AddedPolicy& policy);

/// Whether the policy of this id was added.
[[nodiscard]] bool is_added(std::string_view id);

/// Every policy, each followed by its variants, then the added ones.
[[nodiscard]] std::span<const PolicyInfo> policies();

/// The registered id that equals the name, as a view that lives for ever; empty when there is none.
[[nodiscard]] std::string_view resolve_policy(std::string_view name);

/// Whether a policy learns a core's load only when the core becomes free.
[[nodiscard]] bool is_online(const AnyPolicy& policy);

/// An added policy has the parameters that it has by default, whatever the options.
/// Throws InputError when the name is unknown, or the wait or the threshold negative.
[[nodiscard]] AnyPolicy make_policy(std::string_view name, const PolicyOptions& options = {});

/// As `ask_schedule`, of a registered policy.
template <Number N, Randomness R>
[[nodiscard]] ScheduleResult<N> run(const AnyPolicy& policy, const Problem<N>& problem, R& randomness) {
    return std::visit([&](const auto& s) { return ask_schedule(s, problem, randomness); }, policy);
}

extern template ScheduleResult<CheckedInt> run(const AnyPolicy&, const Problem<CheckedInt>&, Sampler&);
extern template ScheduleResult<Rational> run(const AnyPolicy&, const Problem<Rational>&, Sampler&);

}  // namespace schedproof::assignment
