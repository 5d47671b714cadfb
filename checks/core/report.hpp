/// Reports of a run in the forms that people and tools read. JSON forms are the command's business.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "checks/core/run.hpp"

namespace schedproof::checks {

/// Findings of one claim, policy and oracle that came out alike, on one instance or several.
struct TableLine {
    const Claim* claim = nullptr;
    std::string policy;
    std::string oracle;
    std::string verdict;  ///< kind with its numbers; of several instances the kind, and the numbers added up
    std::vector<std::string> instances;
    Expectation expectation = Expectation::holds;
    Row::Outcome outcome = Row::Outcome::expected;
    std::vector<std::string> evidence;
    std::string example;  ///< of a refutation or an Unknown what the first of them said; of exhaustions their bounds
    double seconds = 0;
    bool refuted = false;
};

/// Where the evidence of a finding lies, by the position of its row and its oracle.
using EvidenceFiles = std::map<std::pair<std::size_t, std::string>, std::string>;

/// A range of the rows of a report.
struct Rows {
    std::size_t first = 0, last = 0;  ///< from the first up to the last, which is not among them
};
[[nodiscard]] std::vector<TableLine> table(const Report& report, const EvidenceFiles& evidence, Rows rows);
/// Of all rows.
[[nodiscard]] std::vector<TableLine> table(const Report& report, const EvidenceFiles& evidence);

/// `97 Proved, 12 Exhausted, ...; all as expected`. Where claims were not asked of the selected policy it says so.
[[nodiscard]] std::string totals(const Report& report, const Settings& settings);

/// A Markdown table of claims by policies for each family. A cell holds the initials of the verdicts found there, each
/// once: Proved, Exhausted, Survived, Refuted, Unknown; with `!` where one is not as expected.
[[nodiscard]] std::string matrix(const Report& report);

/// A section of the text for each claim of the rows.
[[nodiscard]] std::string claims_text(const Report& report, const EvidenceFiles& evidence, Rows rows);
/// All claims, then what stands below them.
[[nodiscard]] std::string text_report(const Report& report, const EvidenceFiles& evidence, const Settings& settings);
/// What stands below the claims.
[[nodiscard]] std::string closing_text(const Report& report, const Settings& settings);
/// The matrix, then every line.
[[nodiscard]] std::string markdown_report(const Report& report, const EvidenceFiles& evidence,
                                          const Settings& settings);
/// What a finding says, without the name of the instance where that is all there is to say of the problem.
[[nodiscard]] std::string said(const Row& row, const Finding& finding);

}  // namespace schedproof::checks
