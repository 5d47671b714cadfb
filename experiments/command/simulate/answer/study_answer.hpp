/// Reports of a study as a table for people, JSON and CSV.
#pragma once

#include <string>
#include <vector>

#include "experiments/command/core/answer_fields.hpp"
#include "experiments/runs/study_report.hpp"

namespace schedproof::cli {

/// How a warm-up was found: MSER-5, MSER (of batches too few for groups of five), given or none.
[[nodiscard]] std::string method_of(const runs::Cut& cut);
/// `tasks in system under POLICY`. Requires a point with a known mean.
[[nodiscard]] std::string name_of_known(const runs::StudyPoint& point);

[[nodiscard]] std::string simulation_text(const runs::Study& study, const std::vector<runs::PointReport>& reports);
/// Two lines or more that begin with # (version, command, fingerprints of the inputs), a line of column names with
/// their units, and a row per policy of each point.
[[nodiscard]] std::string simulation_csv(const runs::Study& study, const std::vector<runs::PointReport>& reports);
/// A row per batch and policy: the time at which the batch ends, means of all replications together.
[[nodiscard]] std::string series_csv(const runs::Study& study, const std::vector<runs::PointReport>& reports);

struct SimulationAnswer {
    const runs::Study& study;
    const std::vector<runs::PointReport>& reports;
};
[[nodiscard]] const Answer<SimulationAnswer>& simulation_answer();

/// In the form and to the place that were asked for.
void write_simulation(const Destination& to, const runs::Study& study, const std::vector<runs::PointReport>& reports);

}  // namespace schedproof::cli
