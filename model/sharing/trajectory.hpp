/// The events of a trajectory: submit, offer, launch, complete, reclaim. Each is a function from state to state.
///
///   submit     A job becomes present. Under a policy that routes, its tasks join queues one after another: a
///              task sees those that were routed before it, or, in a batch, none of those that came at this tick. Tied
///              queues are chosen among at random.
///   offer      A free slot is offered to the policy, which counts skips and may launch a task there.
///   launch     The task named by an offer runs on the slot from now on; part of `offer`.
///   complete   The task of a busy slot ends, and the slot is free.
///   reclaim    A policy that kills takes slots back, one by one; each is offered at once.
///
/// The policy decides, a source of randomness picks one of tied queues, and time moves when the caller moves it. Which
/// slot is offered when, and how long a task runs, is the caller's choice: a heartbeat, a slot of time, or an
/// adversary.
///
/// Shared with the simulator (experiments/simulators/sharing/simulator.hpp): the policies with their comparisons, and
/// the names of the events. Not shared, but checked equal: the events themselves, which the simulator carries out on
/// indexes. tests/experiments/sharing_law_test.cpp compares whole runs event for event under every policy,
/// sharing_view_test.cpp every answer of every view.
#pragma once

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "model/core/randomness.hpp"
#include "model/sharing/scanning_view.hpp"

namespace schedproof::sharing {

/// A task that was launched on a slot.
struct Started {
    SlotId slot;
    JobId job;
    std::uint32_t task = 0;
    Locality level = Locality::local;
    friend auto operator<=>(const Started&, const Started&) = default;
};

/// What an offer comes to; the state changes even when nothing is launched, for skips are counted.
template <class Count>
struct OfferedOf {
    StateOf<Count> next;
    std::optional<Started> started;
    friend auto operator<=>(const OfferedOf&, const OfferedOf&) = default;
};
using Offered = OfferedOf<Ticks>;

/// Submits a job at state.now. Requires that it was not submitted before.
template <SharingPolicy P, Randomness R>
[[nodiscard]] State submit(const Setting& setting, State state, const P& policy, JobId j, R& randomness) {
    const Job& job = setting.jobs[j.index()];
    JobState& submitted = state.jobs[j.index()];
    require(submitted.tasks.empty(), "a job is submitted once");
    if constexpr (RoutingPolicy<P>) {
        for (const Replicas& data : job.tasks) {
            const ScanningView now(setting, state);
            const Queues tied = ask_route(policy, now, data);
            const QueueId joined = tied[randomness.uniform(tied.size())];
            submitted.tasks.push_back(Stage::unlaunched);
            submitted.queue.push_back(joined);
        }
    }
    submitted.tasks.assign(job.tasks.size(), Stage::unlaunched);
    submitted.reserved = job.probes;
    return state;
}

/// The tasks that a launch may mean: the job's nearest unlaunched ones, if they are at that level; under policies that
/// route, those in the queue of that level, the node's own or the common one.
template <SharingPolicy P, class Count>
[[nodiscard]] std::vector<std::uint32_t> launchable(const SettingOf<Count>& setting, const StateOf<Count>& state,
                                                    NodeId n, const JobLaunch& launch) {
    const JobOf<Count>& job = setting.jobs[launch.job.index()];
    const JobStateOf<Count>& now = state.jobs[launch.job.index()];
    const QueueId queue(launch.level == Locality::local ? n.index() : setting.cluster.nodes());
    std::vector<std::uint32_t> tasks;
    for (std::size_t t = 0; t < now.tasks.size(); ++t) {
        if (now.tasks[t] != Stage::unlaunched) continue;
        const Locality level = RoutingPolicy<P> ? launch.level : setting.cluster.locality(n, job.tasks[t]);
        if (level < launch.level) return {};
        const bool meant = RoutingPolicy<P> ? now.queue[t] == queue : level == launch.level;
        if (meant) tasks.push_back(static_cast<std::uint32_t>(t));
    }
    return RoutingPolicy<P> && launch.level == Locality::rack_local ? std::vector<std::uint32_t>() : tasks;
}

/// Offers a free slot. Of a job's equally near unlaunched tasks the first is launched: where blocks are placed alike,
/// which one makes no difference to any law.
/// Throws ContractViolation when the slot is busy or the policy names a job without such a task.
template <SharingPolicy P, class Count>
[[nodiscard]] OfferedOf<Count> offer(const SettingOf<Count>& setting, StateOf<Count> state, const P& policy,
                                     SlotId slot) {
    require(!state.slots[slot.index()].busy, "a busy slot is not offered");
    const NodeId n = setting.cluster.node_of(slot);
    ScanningViewOf<Count> now(setting, state, slot);
    const std::optional<JobLaunch> launch = ask_offer(policy, now, n);
    if (!launch) return {std::move(state), {}};
    const auto tasks = launchable<P>(setting, state, n, *launch);
    require(!tasks.empty(), "a policy launches a task that there is");
    const std::uint32_t task = tasks.front();
    JobStateOf<Count>& job = state.jobs[launch->job.index()];
    job.tasks[task] = Stage::running;
    if (const auto used = std::find(job.reserved.begin(), job.reserved.end(), n); used != job.reserved.end())
        job.reserved.erase(used);
    state.slots[slot.index()] = {true, state.now, launch->job, task, launch->level};
    return {std::move(state), Started{slot, launch->job, task, launch->level}};
}

/// Ends the task of a busy slot at state.now; the slot is free from then on.
template <class Count>
[[nodiscard]] StateOf<Count> complete(StateOf<Count> state, SlotId slot, Stage left = Stage::done) {
    SlotStateOf<Count>& s = state.slots[slot.index()];
    require(s.busy, "a free slot completes nothing");
    state.jobs[s.job.index()].tasks[s.task] = left;
    s = {false, state.now, JobId(), 0, Locality::local};
    return state;
}

/// The slot of the job's task that was launched last, ties by the largest slot. Requires a running task.
template <class Count>
[[nodiscard]] SlotId launched_last(const StateOf<Count>& state, JobId j) {
    std::optional<std::size_t> last;
    for (std::size_t s = 0; s < state.slots.size(); ++s) {
        if (!state.slots[s].busy || state.slots[s].job != j) continue;
        if (!last || state.slots[s].since >= state.slots[*last].since) last = s;
    }
    require(last.has_value(), "only a running task can be killed");
    return SlotId(*last);
}

/// Kills as long as the policy wants, each time offering the slot at once: the tasks launched on the way.
/// A killed task loses its work and is unlaunched again. Nothing happens under policies that do not kill.
/// Throws ContractViolation when a policy kills more tasks than there are slots, which fair sharing never needs, or
/// does not use a slot that it took back.
template <SharingPolicy P, class Count>
[[nodiscard]] std::pair<StateOf<Count>, std::vector<Started>> reclaim(const SettingOf<Count>& setting,
                                                                      StateOf<Count> state, const P& policy) {
    std::vector<Started> started;
    if constexpr (ReclaimingPolicy<P>) {
        while (const auto poorer = ask_reclaim(policy, ScanningViewOf<Count>(setting, state))) {
            require(started.size() < state.slots.size(), kills_without_end);
            const SlotId slot = launched_last(state, *poorer);
            OfferedOf<Count> after = offer(setting, complete(std::move(state), slot, Stage::unlaunched), policy, slot);
            state = std::move(after.next);
            require(after.started.has_value(), "a slot that was taken back is used");
            started.push_back(*after.started);
        }
    }
    return {std::move(state), std::move(started)};
}

}  // namespace schedproof::sharing
