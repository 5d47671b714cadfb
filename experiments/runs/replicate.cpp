#include "experiments/runs/replicate.hpp"

#include <algorithm>
#include <mutex>

#include "model/base/parallel.hpp"
#include "model/core/errors.hpp"

namespace schedproof::runs {

struct Together::State {
    std::mutex guard;
    std::vector<double> done;
    double sum = 0;
    Progress progress;
};

Together::Together(std::size_t runs, Progress progress) : state_(std::make_unique<State>()) {
    state_->done.resize(runs);
    state_->progress = std::move(progress);
}

Together::~Together() = default;

simulation::Done Together::of(std::size_t i) {
    return [state = state_.get(), i](double part) {
        const std::lock_guard lock(state->guard);
        const double now = std::clamp(part, state->done[i], 1.0);
        state->sum += now - state->done[i];
        state->done[i] = now;
        if (state->progress) state->progress(state->sum);
    };
}

std::vector<simulation::Observation> replicate(const simulation::Experiment& experiment,
                                               const statistics::Replication& first, std::size_t count,
                                               unsigned threads, const Progress& progress) {
    Together together(count, progress);
    std::vector<simulation::Observation> result(count);
    base::for_each_index(count, threads, [&](std::size_t i) {
        const simulation::Done done = together.of(i);
        result[i] = experiment.run({first.seed, first.number + i}, done);
        done(1);
    });
    return result;
}

}  // namespace schedproof::runs
