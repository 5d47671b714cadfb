/// Independent replications of an experiment.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "experiments/simulators/core/observation.hpp"

namespace schedproof::runs {

/// Called from any thread, one call at a time, with the number of replications done so far, parts included.
using Progress = std::function<void(double)>;

/// Adds up what several runs report of themselves.
class Together {
  public:
    /// Requires `runs` >= 1. `progress` may be empty.
    Together(std::size_t runs, Progress progress);
    ~Together();
    Together(const Together&) = delete;
    Together& operator=(const Together&) = delete;

    /// For run number i; may be called concurrently for different runs.
    [[nodiscard]] simulation::Done of(std::size_t i);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// A replication of an experiment, which is borrowed.
struct PlannedRun {
    const simulation::Experiment* experiment;
    statistics::Replication replication;
};

/// Makes all of these runs, those of one experiment side by side where it can. `take(i, observation)` is called once
/// for each, concurrently. Which runs are side by side depends on the number of threads, and what they observe does
/// not. Throws what a run throws. Requires threads >= 1.
void run_all(std::span<const PlannedRun> runs, unsigned threads, const Progress& progress,
             const std::function<void(std::size_t, simulation::Observation)>& take);

/// Replications first, ..., first + count - 1, in this order: the same whatever the number of threads.
/// Throws what a run throws. Requires threads >= 1.
[[nodiscard]] std::vector<simulation::Observation> replicate(const simulation::Experiment& experiment,
                                                             const statistics::Replication& first, std::size_t count,
                                                             unsigned threads, const Progress& progress = {});

}  // namespace schedproof::runs
