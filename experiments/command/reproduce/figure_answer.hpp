/// What `reproduce` says of a figure.
#pragma once

#include <string>
#include <vector>

#include "experiments/command/core/answer_fields.hpp"
#include "experiments/command/reproduce/reproduce.hpp"
#include "experiments/statistics/sample.hpp"

namespace schedproof::cli {

/// A figure that was run. The content of claims.json: the figure, its assumptions, and its claims with verdicts and
/// what they rest on.
struct FigureOf {
    const ReproducedFigure& reproduced;
    const ReproduceRequest& request;
};
[[nodiscard]] const Answer<FigureOf>& figure_file();

/// All figures of a run.
struct ReproduceAnswer {
    std::vector<FigureOf> figures;
    std::string folder, summary;
};
[[nodiscard]] const Answer<ReproduceAnswer>& reproduce_answer();

/// A figure of the catalogue, its claims with the verdicts expected.
struct FigureList {
    std::vector<FigureDeclaration> figures;
};
[[nodiscard]] const Answer<FigureList>& figure_list();

/// What a paper leaves out, as every answer about figures has it.
[[nodiscard]] const Record<Assumption>& assumption_record();
/// The words for verdicts on what is said of a figure.
[[nodiscard]] const std::vector<std::string>& figure_verdict_names();

/// A paragraph for people.
[[nodiscard]] std::string to_text(const ReproducedFigure& figure, const ReproduceRequest& request);
[[nodiscard]] std::string to_text(const FigureDeclaration& figure);

/// The figure as a page in Markdown, beside its picture.
[[nodiscard]] std::string page_of(const ReproducedFigure& figure, const ReproduceRequest& request);

/// `holds`, `fails` or `open`.
[[nodiscard]] const char* word(reproduction::Truth truth);
/// A comparison that shows an assessment: the first that comes out as the whole does.
[[nodiscard]] const reproduction::Comparison& telling(const reproduction::Assessment& assessment);
/// The choices with which a claim comes out otherwise than with the values taken; where it depends, those that decide.
[[nodiscard]] std::vector<const AssessedClaim::Other*> otherwise(const AssessedClaim& claim);
/// The mean to the digits that its interval supports, with it: `1.4 +- 0.2`; a mean alone where there is none.
[[nodiscard]] std::string to_text(const statistics::Estimate& estimate);
/// An estimate with its interval and what it is held against: `fair+r over srpt+r at 2.5: 1.4 +- 0.2, to be above 1.5`.
[[nodiscard]] std::string to_text(const reproduction::Comparison& comparison);

}  // namespace schedproof::cli
