/// Policies beside each other on the same random numbers, in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "experiments/runs/study_report.hpp"

namespace schedproof::runs {

struct CompareOptions {
    std::uint64_t seed = 1;
    std::uint64_t replications = 5;
    double confidence = 0.95;
    std::optional<double> warm_up = {};  ///< as that of SummaryOptions
    unsigned threads = 1;
    std::function<void(double, double)> progress = {};  ///< as that of PointRun
};

/// An experiment with the name of its policy. Borrows the experiment.
struct Contender {
    std::string label;
    const simulation::Experiment* experiment = nullptr;
};

/// Differences are those from the first contender. Requires at least one, and experiments with the same quantities.
/// Throws InputError as `report`, and what a run throws.
[[nodiscard]] PointReport compare(const std::vector<Contender>& contenders, const CompareOptions& options);

/// The index of a quantity, under every policy of the report. Throws InputError when there is none of this name.
[[nodiscard]] std::size_t quantity_named(const PointReport& report, const std::string& name);
/// What became of it under the policy of this index. Throws as quantity_named.
[[nodiscard]] const QuantitySummary& summary_of(const PointReport& report, const std::string& name,
                                                std::size_t policy = 0);

}  // namespace schedproof::runs
