/// What `schedproof reproduce` asks for, and what becomes of a figure.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "experiments/command/core/output.hpp"
#include "experiments/command/reproduce/declaration.hpp"
#include "experiments/figures/plot.hpp"
#include "experiments/reproduction/measurements.hpp"
#include "experiments/runs/study_report.hpp"

namespace schedproof::cli {

struct ReproduceRequest {
    std::vector<std::string> figures;
    bool all = false, list = false, quick = false, full = false;
    std::string out = "reproduced";
    std::vector<std::string>
        formats;                ///< csv, svg, pdf, png, tikz, markdown; json for the answer. None: the first four
    double width = 88;          ///< of a picture. Unit: millimetre
    double font_size = 8;       ///< Unit: point
    bool title = false;         ///< above the picture
    std::string network;        ///< cost-functions or fluid; empty: fluid where it can be
    std::uint64_t threads = 0;  ///< 0: one per core
    std::string shard;

    [[nodiscard]] bool wants(std::string_view format) const;
};

/// A schedule as a figure draws it: what runs on which core, and when.
struct ShownBar {
    enum class What { load, local, remote };
    std::size_t core;
    double from, to;
    What what;
    std::string task;  ///< empty for an initial load
};
struct ShownSchedule {
    std::string curve;
    std::vector<std::string> cores;
    std::vector<ShownBar> bars;
};

/// What was measured with one choice of what the paper leaves out.
struct MeasuredSetting {
    const Alternative* alternative = nullptr;  ///< null: with the values taken
    std::string assumption;                    ///< parameter of the alternative
    reproduction::Measurements measurements;
    std::vector<std::string> curves;  ///< in the order asked for
    std::size_t replications = 0;
    std::string time_unit;
    std::vector<runs::PointReport> reports;  ///< of the points, for distributions and series
    std::vector<ShownSchedule> schedules;    ///< of the curves, for schedules
};

/// Runs what is missing and measures; the values taken first. `done` is told the part that is done, 0 to 1.
/// With a shard nothing is read back, and the result is empty. Throws InputError with file, line and key.
[[nodiscard]] std::vector<MeasuredSetting> measure_figure(const FigureDeclaration& figure,
                                                          const ReproduceRequest& request,
                                                          const std::function<void(double)>& done);

/// A claim, assessed.
struct AssessedClaim {
    const FigureClaim* claim = nullptr;
    reproduction::Verdict verdict = reproduction::Verdict::inconclusive, expected = verdict;
    reproduction::Assessment assessment;  ///< with the values taken, of all statements
    struct Other {
        std::string parameter, taken;
        reproduction::Assessment assessment;
    };
    std::vector<Other> others;  ///< with each alternative whose runs the claim speaks of
    [[nodiscard]] bool as_expected() const { return verdict == expected; }
};

struct ReproducedFigure {
    FigureDeclaration figure;
    std::vector<MeasuredSetting> settings;
    std::vector<AssessedClaim> claims;
    std::vector<std::string> files;
    double seconds = 0;
};

/// Throws InputError at the claim's line for one that speaks of what the figure does not show.
[[nodiscard]] std::vector<AssessedClaim> assess_claims(const FigureDeclaration& figure,
                                                       const std::vector<MeasuredSetting>& settings, bool quick);

/// Writes pictures, table and claims.json, and names them in `files`.
void write_figure(ReproducedFigure& figure, const ReproduceRequest& request);

/// The picture of the values taken.
[[nodiscard]] figures::Plot plot_of(const FigureDeclaration& figure, const MeasuredSetting& setting);

/// The folder of a figure's files.
[[nodiscard]] std::string folder_of(const FigureDeclaration& figure, const std::string& out);

}  // namespace schedproof::cli
