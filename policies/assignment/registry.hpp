/// The policies of the assignment family by name, in the form of policies/core/policy_registry.hpp.
#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <string_view>
#include <variant>

#include "policies/assignment/bar.hpp"
#include "policies/assignment/delay.hpp"
#include "policies/assignment/dyndloff.hpp"
#include "policies/assignment/dyndlon.hpp"
#include "policies/assignment/hadoop.hpp"
#include "policies/assignment/hta.hpp"
#include "policies/assignment/list.hpp"
#include "policies/assignment/ltfpa.hpp"

namespace schedproof::assignment {

/// What a user may set. A scheduler heeds what concerns it.
struct SchedulerOptions {
    Rational wait{3};                     ///< W of `delay` and `dyndlon`, in parts of a local task's cost
    Pick pick = Pick::lowest;             ///< which of several tasks a free core takes, of the online schedulers
    JobOrder jobs = JobOrder::fifo;       ///< the order in which jobs are offered a core
    std::optional<Rational> threshold;    ///< of `ltfpa`: queues longer than this are helped
    std::uint64_t budget = Hta{}.budget;  ///< of `hta`: placements
    std::chrono::milliseconds timeout = Hta{}.timeout;  ///< of `hta`
};

using AnyScheduler = std::variant<Hadoop, DelayScheduling, DynDlOn, List, Ltfpa, Hta, Bar, DynDlOff>;

/// Every scheduler, each followed by its variants.
[[nodiscard]] std::span<const PolicyInfo> schedulers();

/// The registered id that equals the name, as a view that lives for ever; empty when there is none.
[[nodiscard]] std::string_view resolve_scheduler(std::string_view name);

/// Whether a policy learns a core's load only when the core becomes free.
[[nodiscard]] bool is_online(const AnyScheduler& scheduler);

/// Throws InputError when the name is unknown, or the wait or the threshold negative.
[[nodiscard]] AnyScheduler make_scheduler(std::string_view name, const SchedulerOptions& options = {});

/// What the scheduler makes of a problem. A scheduler without random picks leaves the chance alone.
/// Throws LimitExceeded when a time exceeds the number, when a wait is no whole number of ticks, or when the
/// scheduler's own limit is reached.
template <Number N, Chance C>
[[nodiscard]] Outcome<N> run(const AnyScheduler& scheduler, const Problem<N>& problem, C& chance) {
    return std::visit(
        [&](const auto& s) {
            if constexpr (requires { s.schedule(problem, chance); })
                return s.schedule(problem, chance);
            else
                return s.schedule(problem);
        },
        scheduler);
}

extern template Outcome<CheckedInt> run(const AnyScheduler&, const Problem<CheckedInt>&, Sampler&);
extern template Outcome<Rational> run(const AnyScheduler&, const Problem<Rational>&, Sampler&);

}  // namespace schedproof::assignment
