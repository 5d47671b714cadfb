/// Random and reachable states of the queueing family.
///
/// What breaks claims are empty queues, equal queues and queues of very different length; so a length is drawn from
/// these kinds and not uniformly. Servers then take tasks that are there, so that every state is valid; it need not be
/// reachable, since invariants and drift are claimed of all valid states. In continuous time they are claimed of
/// settled states, so idle servers are offered what waits before the state is used. The exhaustive search is of
/// reachable states: from the empty one, by the moves of the kernel, up to a number of tasks.
#include "checks/queueing/sampling.hpp"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <vector>

#include "model/core/errors.hpp"

namespace schedproof::checks {

using namespace queueing;

namespace {

std::int64_t below(Sampler& randomness, std::int64_t bound) {
    return static_cast<std::int64_t>(randomness.below(static_cast<std::uint64_t>(bound)));
}

/// Whether server m ever takes tasks of the queue.
bool may_serve(const Layout& layout, QueueId q, ServerId m) {
    const Arrangement a = layout.arrangement();
    const bool anyone = a == Arrangement::per_server || a == Arrangement::per_type || layout.is_shared(q);
    return anyone || layout.owner(q) == m;
}

/// Puts server m to work on a task of some queue that still has one, or leaves it idle.
void occupy(const ExactSystem& system, ServerId m, Sampler& randomness, const Statuses* allowed,
            std::vector<std::int64_t>& free, ExactState& state) {
    const Layout& layout = system.layout();
    std::vector<QueueId> open;
    for (const QueueId q : IdRange<QueueId>(free.size()))
        if (free[q.index()] > 0 && may_serve(layout, q, m) && layout.serves(system.instance(), m, q)) open.push_back(q);
    if (open.empty() || randomness.below(3) == 0) return;
    const QueueId q = open[randomness.uniform(open.size())];
    Level level;
    if (layout.tracking(q) == Tracking::counted)
        level = layout.service_level(system.instance(), q, m);
    else
        level = system.instance().level(TaskTypeId(randomness.uniform(system.instance().types().size())), m);
    const Service service{Service::Status::busy, level, q};
    if (allowed) {
        const auto& own = (*allowed)[m.index()];
        if (std::find(own.begin(), own.end(), service) == own.end()) return;
    }
    --free[q.index()];
    state.serving[m.index()] = service;
}

}  // namespace

Sampler sampler(const Settings& settings, std::uint64_t which) { return Sampler({settings.seed, which, 0}); }

ExactState random_state(const ExactSystem& system, Sampler& randomness, std::int64_t largest, const Statuses* allowed) {
    ExactState state = system.initial();
    const bool listing = system.layout().lists_tasks();
    const std::int64_t common = below(randomness, largest + 1);
    std::vector<std::int64_t> free(state.length.size());
    for (std::int64_t& n : free) {
        const std::uint64_t kind = randomness.below(5);
        n = kind == 0 ? 0 : kind == 1 ? below(randomness, 4) : kind == 2 ? common : below(randomness, largest + 1);
        if (listing) n = n % 5;
    }
    for (std::size_t q = 0; q < free.size(); ++q) state.length[q] = CheckedInt(free[q]);
    if (!system.instance().preemptive())
        for (const ServerId m : system.instance().servers()) occupy(system, m, randomness, allowed, free, state);
    for (const QueueId q : IdRange<QueueId>(free.size()))
        if (system.layout().tracking(q) == Tracking::listed)
            for (std::int64_t i = 0; i < free[q.index()]; ++i)
                state.waiting[q.index()].emplace_back(randomness.uniform(system.instance().types().size()));
    for (CheckedInt& counter : state.memory) counter = CheckedInt(below(randomness, 7) - 3);
    return system.instance().continuous() ? system.settled(state, randomness) : state;
}

Verdict sample(const System& system, const Settings& settings, const queueing_claims::StateProperty& property,
               std::int64_t largest, const Statuses* allowed) {
    for (std::uint64_t i = 0; i < settings.cases; ++i) {
        Sampler randomness = sampler(settings, i);
        ExactState state =
            random_state(system.exact, randomness, i % 2 == 0 ? std::min<std::int64_t>(9, largest) : largest, allowed);
        if (!property(system, state).empty()) return queueing_claims::refuted_at(system, std::move(state));
    }
    return Survived{settings.cases, settings.seed};
}

namespace {

/// How far counters may be from 0 in what is exhausted: what three slots of a task change them by; 0 without counters.
std::int64_t most_behind(const System& system) {
    Rational largest(0);
    if (const PlanData* plan = system.exact.plan())
        for (const DeficitCounter& counter : plan->counters) largest = std::max(largest, counter.charge);
    return NumberTraits<CheckedInt>::coefficient(largest * Rational(3)).value();
}

std::int64_t tasks_of(const ExactState& state) {
    std::int64_t tasks = 0;
    for (const CheckedInt n : state.length) tasks += n.value();
    return tasks;
}

}  // namespace

Verdict exhaust(const System& system, const queueing_claims::StateProperty& property, std::int64_t cap) {
    const std::int64_t behind = most_behind(system);
    const auto is_within = [&](const ExactState& state) {
        return tasks_of(state) <= cap && std::all_of(state.memory.begin(), state.memory.end(), [&](CheckedInt counter) {
                   return std::abs(counter.value()) <= behind;
               });
    };
    std::set<ExactState> seen{system.exact.initial()};
    std::vector<ExactState> open{system.exact.initial()};
    while (!open.empty()) {
        const ExactState state = std::move(open.back());
        open.pop_back();
        if (!property(system, state).empty()) return queueing_claims::refuted_at(system, state);
        for (Move& move : system.moves(state)) {
            if (!is_within(move.slot.next) || !seen.insert(move.slot.next).second) continue;
            if (seen.size() > 200'000) throw LimitExceeded("states", "more than 200000 states to exhaust");
            open.push_back(std::move(move.slot.next));
        }
    }
    return Exhausted{seen.size(),
                     "every state that the empty one reaches without ever holding more than " + std::to_string(cap) +
                         " tasks" +
                         (behind > 0 ? ", or a counter farther than " + std::to_string(behind) + " from 0" : "")};
}

}  // namespace schedproof::checks
