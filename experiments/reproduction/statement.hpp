/// Statements of papers about curves, and whether measurements decide them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/reproduction/measurements.hpp"
#include "experiments/statistics/sample.hpp"

namespace schedproof::reproduction {

enum class StatementKind {
    ordering,  ///< each curve below the next one
    ratio,     ///< the first curve over the second, or over itself at another place
    band,      ///< the values of curves
    monotone,  ///< a curve rises, or falls, from place to place
    crossing,  ///< the first curve below the second up to `from`, above it from `to` on
    minimum    ///< a curve is least at a place between `from` and `to`, both included
};

/// The kind of this name, such as `ordering`; none for another word.
[[nodiscard]] std::optional<StatementKind> kind_of(std::string_view name);
[[nodiscard]] std::string_view name_of(StatementKind kind);

struct Statement {
    StatementKind kind = StatementKind::band;
    std::string measure;
    std::vector<std::string> curves;     ///< as many as the kind speaks of; of a band at least one
    std::vector<double> at;              ///< places; empty: wherever all its curves have values
    std::optional<double> over_at;       ///< of a ratio: the place of the second value
    std::optional<double> above, below;  ///< of a ratio or a band: strictly; at least one of them
    std::optional<double> from, to;      ///< of a crossing or a minimum
    bool rising = true;                  ///< of a monotone curve
};

enum class Truth { holds, fails, open };

/// One statistic against its bounds. It holds when the whole interval lies strictly between them, fails when the whole
/// interval lies on or beyond one of them, and is open otherwise, as it is without interval.
struct Comparison {
    std::string what;  ///< such as `fair+r minus srpt+r at 2.5`
    statistics::Estimate estimate;
    std::optional<double> above, below;
    Truth truth = Truth::open;
};

/// What measurements say of a statement. The intervals of all comparisons hold at once with the confidence asked for.
struct Assessment {
    Truth truth = Truth::open;
    std::vector<Comparison> comparisons;  ///< at least one
};

/// Requires 0 < confidence < 1. Throws InputError with the key of the statement (`curves`, `at`, `measure`, ...) for a
/// curve or a place that the figure does not have, with the nearest name.
[[nodiscard]] Assessment assess(const Statement& statement, const Measurements& measurements, double confidence);

/// An estimate against bounds, as in Comparison.
[[nodiscard]] Truth decide(const statistics::Estimate& estimate, const std::optional<double>& above,
                           const std::optional<double>& below);

}  // namespace schedproof::reproduction
