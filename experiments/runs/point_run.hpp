/// The units of one point of a study: made, kept, read back.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "experiments/runs/folder.hpp"
#include "experiments/runs/study.hpp"

namespace schedproof::runs {

struct PointRun {
    const Study* study = nullptr;
    std::size_t point = 0;
    std::vector<const simulation::Experiment*> experiments;  ///< by policy
    unsigned threads = 1;
    /// Called with the number of units done, parts included, and of all; one call at a time, from any thread.
    std::function<void(double, double)> progress = {};
    /// Told of the first replication of each policy when it ends: the policy's index, and what this one comes to alone.
    /// One call at a time, from any thread.
    std::function<void(std::size_t, const Summary&)> first = {};
    /// Told of a unit in the folder that is not taken: its file, and why.
    std::function<void(const std::string&, const std::string&)> discarded = {};
};

/// Runs the point in memory, replication by replication of all policies. What a run observed is let go when it ends,
/// unless the warm-up is to be found, which takes all of them.
[[nodiscard]] std::vector<KeptRuns> run_point(const PointRun& run);

/// Runs those units of the point that are the shard's and not yet in the folder, each written when it ends; a unit that
/// is damaged or of something else is made again. `before` is how many units of the study stand before the point's.
/// Throws what a run or the folder throws; units that have ended by then stay. Requires no precision unless the shard
/// is the whole.
void run_point(const PointRun& run, const Folder& folder, const Shard& shard, std::size_t before);

/// What is wrong with the units of a point.
struct Faults {
    std::vector<std::string> missing;  ///< files, with the command that makes each
    std::vector<std::string> damaged;  ///< files, with what is wrong
    [[nodiscard]] bool none() const { return missing.empty() && damaged.empty(); }
};

/// Reads a point's units from the first folder that has each, into `results`; a copy in another folder must have the
/// same bytes. Throws OracleConflict when it has not.
[[nodiscard]] Faults read_point(const Study& study, std::size_t point, const std::vector<Folder>& folders,
                                std::vector<PolicyResults>& results);

}  // namespace schedproof::runs
