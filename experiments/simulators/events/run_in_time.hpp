/// A run in continuous time: the next arrival or completion, one after another, and ends of batches.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "experiments/simulators/events/recorder.hpp"
#include "experiments/simulators/events/task_source.hpp"
#include "experiments/simulators/slotted/queue_counts.hpp"
#include "model/core/least_first.hpp"
#include "model/queueing/chain.hpp"

namespace schedproof::simulation {

/// Lengths of the queues and statuses of the servers between two events, for those who look at what events do.
/// `executes(m)` is the queue of a server's task, if it has one.
template <class Executes>
[[nodiscard]] queueing::ExactState state_between_events(const std::vector<QueueCounts>& counts,
                                                        const std::vector<Serving>& serving, Executes&& executes) {
    queueing::ExactState state;
    for (const QueueCounts& queue : counts) state.length.emplace_back(static_cast<std::int64_t>(queue.live()));
    for (std::size_t m = 0; m < serving.size(); ++m) {
        const std::optional<QueueId> of = executes(m);
        state.serving.push_back(of ? queueing::Service{queueing::Service::Status::busy, Level(serving[m].level), *of}
                                   : queueing::Service{});
    }
    return state;
}

/// Records that the task is sent to server m, and returns whether it is a hit there. `random`: its replicas, where they
/// are random.
[[nodiscard]] inline Fate record_sent(EventRecorder& recorder, const queueing::Instance& instance,
                                      std::span<const ServerId> random, ServerId m, TaskTypeId type,
                                      const TaskLabel& label) {
    const std::span<const ServerId> holders = random.empty() ? std::span(instance.type(type).replicas) : random;
    const Fate fate = holders.size() == instance.servers().size()                     ? Fate::neither
                      : std::find(holders.begin(), holders.end(), m) != holders.end() ? Fate::hit
                                                                                      : Fate::miss;
    recorder.sent(m.index(), fate, label.tokens, label.saved);
    return fate;
}

/// Calls `arrive(now)` for each task or batch of the source and `complete(now)` for each end of a service, in the order
/// of time, completions first, until all `batches` of the recorder have ended; `done` hears of each. `ends` and
/// `serving`, by server, are the services under way, which the two keep up to date.
template <class Arrive, class Complete>
Observation run_in_time(const TaskSource& source, const LeastFirst<double>& ends, const std::vector<Serving>& serving,
                        EventRecorder& recorder, std::size_t batches, const Done& done, Arrive&& arrive,
                        Complete&& complete) {
    for (std::size_t ended = 0; !recorder.ended();) {
        const double end = ends.least();
        const bool arrival = source.time() < end;
        const double now = arrival ? source.time() : end;
        if (now >= recorder.batch_end()) {
            recorder.end_batch([&](auto&& visit) {
                for (std::size_t m = 0; m < serving.size(); ++m)
                    if (ends.has(m)) visit(m, serving[m]);
            });
            if (done) done(static_cast<double>(++ended) / static_cast<double>(batches));
        } else if (arrival) {
            arrive(now);
        } else {
            complete(now);
        }
    }
    return recorder.take();
}

/// How every loop of events is run: a class `Loop` derives from TimedRun<Loop>, of which it is a friend, and has
/// `arrive(now)`, for one task, and `complete(now)`. The tasks of a batch come with no completion between them.
template <class Loop>
class TimedRun {
  public:
    Observation run(const Done& done) {
        Loop& loop = static_cast<Loop&>(*this);
        return run_in_time(
            loop.source_, loop.ends_, loop.serving_, loop.recorder_, loop.plan_.settings.batches, done,
            [this](double now) { arrive_together(now); }, [&loop](double now) { loop.complete(now); });
    }
    /// The next event alone, whatever batches there are: for those who look at what events do.
    void step() {
        Loop& loop = static_cast<Loop&>(*this);
        const double end = loop.ends_.least();
        loop.source_.time() < end ? arrive_together(loop.source_.time()) : loop.complete(end);
    }

  private:
    void arrive_together(double now) {
        Loop& loop = static_cast<Loop&>(*this);
        do loop.arrive(now);
        while (loop.source_.in_batch());
    }
};

}  // namespace schedproof::simulation
