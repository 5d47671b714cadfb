/// What `reproduce` says of a figure.
#pragma once

#include <string>

#include "experiments/command/core/json.hpp"
#include "experiments/command/reproduce/reproduce.hpp"

namespace schedproof::cli {

/// The content of claims.json: the figure, its assumptions, and its claims with verdicts and what they rest on.
[[nodiscard]] Json to_json(const ReproducedFigure& figure, const ReproduceRequest& request);

/// A paragraph for people.
[[nodiscard]] std::string to_text(const ReproducedFigure& figure, const ReproduceRequest& request);

/// A figure of the catalogue, its claims with the verdicts expected.
[[nodiscard]] Json to_json(const FigureDeclaration& figure);
[[nodiscard]] std::string to_text(const FigureDeclaration& figure);

/// A comparison that shows a assessment: the first that comes out as the whole does.
[[nodiscard]] const reproduction::Comparison& telling(const reproduction::Assessment& assessment);
/// An estimate with its interval and what it is held against: `fair+r over srpt+r at 2.5: 1.4 +- 0.2, to be above 1.5`.
[[nodiscard]] std::string to_text(const reproduction::Comparison& comparison);

}  // namespace schedproof::cli
