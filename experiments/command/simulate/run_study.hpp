/// From requests of `simulate` to a study, and from a study in memory or on disk to reports.
#pragma once

#include <string>
#include <vector>

#include "experiments/command/simulate/simulate.hpp"
#include "experiments/runs/study_report.hpp"

namespace schedproof::cli {

/// What a request says about replications, precision, confidence and warm-up, with the setting's words and inputs.
/// Throws InputError that names the option.
[[nodiscard]] runs::StudyPoint study_point(const SimulateRequest& request, const SimulationSetting& setting);

/// The arguments of the command that asks for this, options of presentation left out.
[[nodiscard]] std::vector<std::string> request_command(const SimulateRequest& request);

/// The runs of a study for people: the file of each and the command that makes it alone, a line each. Of a study with
/// a precision, the runs that it begins with.
[[nodiscard]] std::string runs_of(const runs::Study& study);

/// A report of the point before anything has run: policies and quantities without figures, by which a picture's axes
/// can be checked.
[[nodiscard]] runs::PointReport outline(const runs::StudyPoint& point, const SimulationSetting& setting);

/// For people: how many runs there are, on how many threads, and of what.
[[nodiscard]] std::string plan_of(const runs::StudyPoint& point, unsigned threads);
/// For people: the first quantity under a policy, and the first without a distribution, by one replication.
[[nodiscard]] std::string preliminary_line(const runs::StudyPoint& point, std::size_t policy,
                                           const std::vector<simulation::Quantity>& quantities,
                                           const runs::Summary& summary);

/// Puts study.json into the directory, or finds it there; one of the same runs, more or fewer of them or evaluated in
/// another way, is replaced. Throws InputError when the directory is that of another study, or of this one with other
/// inputs.
void claim_folder(const runs::Folder& folder, const runs::Study& study);
/// The same, without writing: also when the directory has no study.json.
void expect_claimed(const runs::Folder& folder, const runs::Study& study);

/// Runs one point, in memory. On a terminal the plan is said first (of a study of one point), then progress, and when
/// the point takes more than a few seconds what the first replication of each policy comes to.
[[nodiscard]] std::vector<runs::KeptRuns> run_in_memory(const runs::Study& study, std::size_t point,
                                                        const SimulationSetting& setting, std::uint64_t threads);
/// The same for a shard, into a directory.
void run_into(const runs::Folder& folder, const runs::Study& study, std::size_t point, const SimulationSetting& setting,
              std::uint64_t threads, const runs::Shard& shard);

/// Reads the whole study from directories. Throws InputError that lists what is missing or damaged, OracleConflict
/// when two copies of a unit differ.
[[nodiscard]] std::vector<runs::PointReport> read_reports(const runs::Study& study,
                                                          const std::vector<runs::Folder>& folders);

/// Picture, series and answer, each where it was asked for. The command's exit code: 3 when a precision was not
/// reached.
[[nodiscard]] int write_answers(const FigureRequest& figure, const std::string& series, const Destination& to,
                                const runs::Study& study, const std::vector<runs::PointReport>& reports);

/// Units of the points before this one.
[[nodiscard]] std::size_t units_before(const runs::Study& study, std::size_t point);

/// A disk that is full, or a file that reaches its limit, is then an error of the write and no signal.
void expect_full_disks();

/// Warnings of the points, once each, on standard error.
void print_warnings(const runs::Study& study);

}  // namespace schedproof::cli
