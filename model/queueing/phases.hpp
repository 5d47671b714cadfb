/// The contract of a slot: its seven phases, what each reads and writes, and in which orders they may run.
///
/// A slot takes the queues and services at its start, Q(t) and f(t), to those at the start of the next slot:
///
///   observe   What every decision of the slot reads: Q(t), the tasks in execution, the policy's counters.
///   arrive    Tasks arrive by the arrival law. `truncation total` rejects all of them when the cap would be exceeded.
///   route     Each task chooses a queue by the policy's `route`: on Q(t) (`routing batch`), or on Q(t) and the tasks
///   of
///             the slot before it (`routing sequential`). `truncation queue` rejects a task whose queue is full.
///   schedule  Each idle server chooses a queue by the policy's `serve`, all simultaneously and on Q(t).
///   match     Routed tasks join their queues, in a listing queue in an order each equally likely. Each queue hands
///             its waiting tasks to the servers that chose it; `scarcity` says to which, `common-rate` and `reveal` at
///             which level. `unmatched` says what becomes of a server that gets none.
///   serve     Every matched or busy server works for one slot; its task ends with the probability of its level.
///             Deficit counters grow and are charged.
///   depart    Tasks that ended leave their queues; their servers are idle in the next slot.
///
/// Of the options, `counting` and `empty-target` change what the policy's questions see in `observe`; the others are
/// named above (options.hpp).
///
/// Shared by the exact kernel (kernel.hpp) and the simulators in slots (experiments/simulators/slotted): the policies
/// with their comparisons, this contract, and `run_phases`. Not shared, but checked equal: the bodies of the phases.
/// The kernel goes over every server and queue on any number; a simulator touches only what changes, and may run phases
/// in another admissible order. That the laws agree after some slots is tested for every policy and every option
/// (tests/experiments/slotted_queueing_test.cpp, slotted_law_test.cpp).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

namespace schedproof::queueing {

enum class Phase : std::uint8_t { observe, arrive, route, schedule, match, serve, depart };
inline constexpr std::array<std::string_view, 7> phase_names{"observe", "arrive", "route", "schedule",
                                                             "match",   "serve",  "depart"};

/// What phases hand to one another, as bits.
namespace data {
inline constexpr unsigned state = 1U << 0U;     ///< Q(t), f(t), counters
inline constexpr unsigned observed = 1U << 1U;  ///< what the policy is shown
inline constexpr unsigned arrivals = 1U << 2U;  ///< tasks of the slot
inline constexpr unsigned joining = 1U << 3U;   ///< which queue each of them joins
inline constexpr unsigned targets = 1U << 4U;   ///< which queue each idle server chose
inline constexpr unsigned services = 1U << 5U;  ///< who serves what during the slot
inline constexpr unsigned ended = 1U << 6U;     ///< which services end with the slot
}  // namespace data

struct PhaseAccess {
    unsigned reads, writes;
};
/// By phase.
inline constexpr std::array<PhaseAccess, 7> phase_access{{
    {data::state, data::observed},                                   // observe
    {data::state, data::arrivals},                                   // arrive
    {data::state | data::observed | data::arrivals, data::joining},  // route
    {data::state | data::observed, data::targets},                   // schedule
    {data::state | data::joining | data::targets, data::services},   // match
    {data::state | data::services, data::ended | data::state},       // serve: counters are state
    {data::joining | data::services | data::ended, data::state},     // depart
}};

/// Whether these steps make one slot: every phase occurs, perhaps in several parts, and of two phases of which one
/// writes what the other reads or writes, all parts of the earlier precede all parts of the later. The phases' random
/// choices are independent, so every admissible order gives the same law.
template <std::size_t n>
[[nodiscard]] constexpr bool admissible(const std::array<Phase, n>& steps) {
    for (std::size_t p = 0; p < phase_access.size(); ++p) {
        bool occurs = false;
        for (const Phase step : steps) occurs = occurs || step == static_cast<Phase>(p);
        if (!occurs) return false;
    }
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = i + 1; j < n; ++j) {
            const PhaseAccess& first = phase_access[static_cast<std::size_t>(steps[i])];
            const PhaseAccess& then = phase_access[static_cast<std::size_t>(steps[j])];
            const bool conflict = (first.writes & (then.reads | then.writes)) != 0 || (first.reads & then.writes) != 0;
            if (conflict && steps[j] < steps[i]) return false;
        }
    return true;
}

/// A phase, or a part of one, with the code that runs it.
template <Phase p, class Body>
struct PhaseStep {
    static constexpr Phase phase = p;
    Body body;
};
template <Phase p, class Body>
[[nodiscard]] constexpr PhaseStep<p, Body> phase(Body body) {
    return {std::move(body)};
}

/// Runs one slot: the steps as listed. Does not compile unless they are admissible.
template <class... Steps>
[[gnu::always_inline]] inline void run_phases(Steps&&... steps) {
    static_assert(admissible(std::array{std::remove_cvref_t<Steps>::phase...}),
                  "these steps are no slot: a phase is missing or runs before what it reads");
    (steps.body(), ...);
}

}  // namespace schedproof::queueing
