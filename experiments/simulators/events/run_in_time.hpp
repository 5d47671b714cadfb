/// A run in continuous time: the next arrival or completion, one after another, and ends of batches.
#pragma once

#include <vector>

#include "experiments/simulators/events/recorder.hpp"
#include "experiments/simulators/events/task_source.hpp"
#include "model/core/least_first.hpp"

namespace schedproof::simulation {

/// Calls `arrive(now)` for each task of the source and `complete(now)` for each end of a service, in the order of time,
/// completions first, until all `batches` of the recorder have ended; `done` hears of each. `ends` and `serving`, by
/// server, are the services under way, which the two keep up to date.
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

}  // namespace schedproof::simulation
