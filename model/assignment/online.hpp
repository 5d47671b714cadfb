/// The event loop of online policies: cores become free, take local tasks at once and remote ones after a delay.
///
/// At an event, the earliest end of a task (or of an initial load) or of a delay, this happens, in this order:
///  1. every core whose task ends now becomes idle;
///  2. local round: idle cores, by the time they became idle and then by id, take a local task if there is one;
///  3. remote round: in the same order, one core at a time, a core takes a remote task if it has been idle for at least
///     its delay. The delay depends on how many remote tasks its server runs at that moment, so it is read anew for
///     each core and at each event, never frozen.
/// Re-pricing works backwards: when a server comes to run n remote tasks, each of them lasts max(what it lasted, g(n)),
/// counted from its own start. An end of a remote task shortens no other one, and no end ever lies in the past.
///
/// Two facts keep an event cheap. A core that is idle has no local task left on its server and never will have, so the
/// local round concerns only cores that become idle now. And a core is only passed over for reasons that its own
/// server, or its delay, can change; so the remote round looks at servers where a core became idle, a remote task
/// ended, or a delay ends now.
/// It always ends, even if a rule lets no core take remote tasks: every task is local somewhere, and there a core
/// becomes free at last.
///
/// Model and simulator are one in this family: the same loop runs on ticks, on rationals and on symbolic loads. It is
/// checked equal to a naive loop, schedule by schedule, and the law of random picks exactly
/// (tests/model/assignment_online_test.cpp).
///
/// All jobs are present from time 0 and share one rule, so a job has waited for a core as long as the core has been
/// idle: the delays of all (job, core) pairs of a core expire together, and the order of the jobs decides.
/// Source: [jin2018], Section 4, Algorithm 1; docs/models/assignment.md, Interpretations A2, A3, A4.
/// Long: the four steps of an event share one state.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

#include "model/assignment/policy.hpp"
#include "model/core/least_first.hpp"

namespace schedproof::assignment {

/// How long an idle core of a server with cost g, which runs this many remote tasks, has to wait for one more; none
/// when it may not take one at all.
template <class D, class N>
concept DelayRule = Number<N> && requires(const D& delay, std::size_t running, const CostFunction<N>& g) {
    { delay(running, g) } -> std::same_as<std::optional<N>>;
};

/// What offers tasks to free cores. Requires: a server that once has no local task never has one again, and
/// `take_remote` turns from none to some only when the number of remote tasks on that server falls.
template <class S>
concept TaskSource = requires(S& source, ServerId s, std::size_t running, TaskId t) {
    { source.left() } -> std::convertible_to<std::size_t>;
    { source.take_local(s) } -> std::same_as<std::optional<TaskId>>;
    { source.take_remote(s, running) } -> std::same_as<std::optional<TaskId>>;
    source.finished(t);
};

/// From when a core counts its waiting time: from when it became idle, or (Interpretation A3, as printed) from the
/// start of its last task, so that the time it ran counts as waiting.
enum class WaitFrom { idle, last_start };

/// One run of the event loop; see `run_online`.
template <Number N, DelayRule<N> Delay, TaskSource Source>
class OnlineRun {
  public:
    OnlineRun(const Problem<N>& problem, const Delay& delay, Source& source, WaitFrom wait_from)
        : problem_(problem),
          shape_(*problem.shape),
          delay_(delay),
          source_(source),
          wait_from_(wait_from),
          ends_(problem.initial),
          wakes_(shape_.servers().size()),
          last_(shape_.cores().size(), none),
          remote_(shape_.servers().size()),
          idle_(shape_.servers().size()),
          touched_(shape_.servers().size(), false) {
        executions_.reserve(shape_.tasks().size());
    }

    ScheduleResult<N> run() && {
        while (source_.left() > 0) {
            const N now = next_event();
            complete(now);
            local_round(now);
            remote_round(now);
            for (const ServerId s : affected_) set_wake(s, now);
            affected_.clear();
        }
        ScheduleResult<N> outcome;
        outcome.assignment.resize(executions_.size());
        for (const Execution<N>& e : executions_) {
            outcome.assignment[e.task.index()] = e.core;
            if (!outcome.event_makespan || *outcome.event_makespan < e.finish) outcome.event_makespan = e.finish;
        }
        outcome.executions = std::move(executions_);
        return outcome;
    }

  private:
    static constexpr std::size_t none = static_cast<std::size_t>(-1);
    struct IdleCore {
        std::uint64_t order;  // ascends by (time of becoming idle, id)
        CoreId core;
        N waits_from;
    };

    N next_event() {
        const bool end = !ends_.empty(), wake = !wakes_.empty();
        require(end || wake, "a task is local somewhere, so there is an event as long as one is left");
        return !wake || (end && !(wakes_.least() < ends_.least())) ? ends_.least() : wakes_.least();
    }

    void complete(const N& now) {
        freed_.clear();
        while (!ends_.empty() && !(now < ends_.least())) {
            const CoreId p(ends_.pop());
            freed_.push_back(p);
            if (last_[p.index()] == none) continue;
            const Execution<N>& e = executions_[last_[p.index()]];
            source_.finished(e.task);
            if (e.local) continue;
            const ServerId s = shape_.server_of(p);
            std::erase(remote_[s.index()], last_[p.index()]);
            touch(s);
        }
        std::sort(freed_.begin(), freed_.end());
        while (!wakes_.empty() && !(now < wakes_.least())) touch(ServerId(wakes_.pop()));
    }

    void local_round(const N& now) {
        for (const CoreId p : freed_) {
            const ServerId s = shape_.server_of(p);
            if (const auto t = source_.take_local(s)) {
                start(p, *t, now);
                continue;
            }
            const std::size_t last = last_[p.index()];
            const N from = wait_from_ == WaitFrom::idle ? now : last == none ? N(0) : executions_[last].start;
            idle_[s.index()].push_back({order_++, p, from});
            touch(s);
        }
    }

    void remote_round(const N& now) {
        using Offer = std::pair<std::uint64_t, std::pair<ServerId, std::size_t>>;  // order of a core; where it is idle
        std::priority_queue<Offer, std::vector<Offer>, std::greater<>> offers;
        const auto offer = [&](ServerId s, std::size_t i) {
            if (i < idle_[s.index()].size()) offers.push({idle_[s.index()][i].order, {s, i}});
        };
        for (const ServerId s : affected_) offer(s, 0);
        while (!offers.empty() && source_.left() > 0) {
            const auto [s, i] = offers.top().second;
            offers.pop();
            auto& idle = idle_[s.index()];
            const auto delay = delay_(remote_[s.index()].size(), problem_.cost(s));
            if (!delay || now < idle[i].waits_from + *delay) {
                // A core that became idle later has waited less, unless running counts as waiting.
                if (wait_from_ == WaitFrom::last_start) offer(s, i + 1);
            } else if (const auto t = source_.take_remote(s, remote_[s.index()].size())) {
                start(idle[i].core, *t, now);
                idle.erase(idle.begin() + static_cast<std::ptrdiff_t>(i));
                offer(s, i);
            }
        }
    }

    void start(CoreId p, TaskId t, const N& now) {
        const ServerId s = shape_.server_of(p);
        const bool local = shape_.is_local(t, s);
        const N cost = local ? problem_.local : problem_.cost(s)(remote_[s.index()].size() + 1);
        last_[p.index()] = executions_.size();
        executions_.push_back({t, p, now, now + cost, local});
        ends_.set(p.index(), now + cost);
        if (local) return;
        for (const std::size_t other : remote_[s.index()]) {
            Execution<N>& e = executions_[other];
            if (!(e.finish < e.start + cost)) continue;
            e.finish = e.start + cost;
            ends_.set(e.core.index(), e.finish);
        }
        remote_[s.index()].push_back(last_[p.index()]);
    }

    /// When the next idle core of a server will have waited long enough, unless something happens there before.
    void set_wake(ServerId s, const N& now) {
        touched_[s.index()] = false;
        wakes_.cancel(s.index());
        const auto delay = delay_(remote_[s.index()].size(), problem_.cost(s));
        std::optional<N> wake;
        for (const IdleCore& core : idle_[s.index()]) {
            if (!delay) break;
            const N end = core.waits_from + *delay;
            if (now < end && (!wake || end < *wake)) wake = end;
            if (wait_from_ == WaitFrom::idle) break;
        }
        if (wake) wakes_.set(s.index(), *wake);
    }

    void touch(ServerId s) {
        if (touched_[s.index()]) return;
        touched_[s.index()] = true;
        affected_.push_back(s);
    }

    const Problem<N>& problem_;
    const Shape& shape_;
    const Delay& delay_;
    Source& source_;
    WaitFrom wait_from_;
    std::vector<Execution<N>> executions_;
    LeastFirst<N> ends_;                            // of what the cores do
    LeastFirst<N> wakes_;                           // of the servers: when a delay ends
    std::vector<std::size_t> last_;                 // by core: its last execution
    std::vector<std::vector<std::size_t>> remote_;  // by server: executions of remote tasks that run
    std::vector<std::vector<IdleCore>> idle_;       // by server, in order
    std::uint64_t order_ = 0;
    std::vector<CoreId> freed_;       // at this event
    std::vector<ServerId> affected_;  // at this event
    std::vector<bool> touched_;       // by server: whether it is affected
};

/// Runs the tasks of `source`, which must be the problem's, on the problem's cores.
/// Throws LimitExceeded when a time exceeds the number. Cost: O(log cores) an event and O(cores of a server) for each
/// remote start; events are as many as cores, tasks, re-pricings and ends of delays.
template <Number N, DelayRule<N> Delay, TaskSource Source>
[[nodiscard]] ScheduleResult<N> run_online(const Problem<N>& problem, const Delay& delay, Source&& source,
                                           WaitFrom wait_from = WaitFrom::idle) {
    return OnlineRun<N, Delay, std::remove_reference_t<Source>>(problem, delay, source, wait_from).run();
}

}  // namespace schedproof::assignment
