/// Reports of a study as text, tables for papers, JSON and CSV.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "experiments/command/core/answer_fields.hpp"
#include "experiments/runs/study_report.hpp"

namespace schedproof::cli {

/// How a warm-up was found: MSER-5, MSER (of batches too few for groups of five), given or none.
[[nodiscard]] std::string method_of(const runs::Cut& cut);
/// `tasks in system under POLICY`. Requires a point with a known mean.
[[nodiscard]] std::string name_of_known(const runs::StudyPoint& point);

/// `slots`; a unit that an instance names, such as s, stays as it is.
[[nodiscard]] std::string in_plural(const std::string& unit);
/// A variable's value for people: of a file its name alone.
[[nodiscard]] std::string shown_value(const std::string& value);
/// The label of a policy without the values of these variables: `gate:abs=8,rel=2` becomes `gate:rel=2`.
[[nodiscard]] std::string label_without(const std::string& label,
                                        const std::vector<std::pair<std::string, std::string>>& variables);

[[nodiscard]] std::string simulation_text(const runs::Study& study, const std::vector<runs::PointReport>& reports);
/// As `as_tables`. Of one point what its text shows; of several a table for each quantity, points by policies, or for
/// the one that is named.
[[nodiscard]] std::string simulation_tables(const std::string& format, const std::string& quantity,
                                            const runs::Study& study, const std::vector<runs::PointReport>& reports);
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

/// In the form and to the place that were asked for; tables of the quantity that is named, or of all.
void write_simulation(const Destination& to, const std::string& quantity, const runs::Study& study,
                      const std::vector<runs::PointReport>& reports);

}  // namespace schedproof::cli
