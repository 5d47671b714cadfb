/// A figure as a page in Markdown: the picture, what the paper says beside what comes out, what it leaves out, what
/// comes out with each other choice of that, and the numbers. The page names the declaration by its digest, so that a
/// stale one can be told.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "experiments/command/core/table.hpp"
#include "experiments/command/reproduce/figure_answer.hpp"

namespace schedproof::cli {

namespace {

using reproduction::Place;

std::string section(const std::string& head, const std::string& text) {
    return fmt::format("\n## {}\n\n{}", head, text);
}

/// The statements of the paper, and of each verdict the comparison that shows it.
Table verdicts_of(const ReproducedFigure& reproduced) {
    Table table{"", {{"the paper"}, {"here"}, {"such as"}}, {}};
    for (const AssessedClaim& claim : reproduced.claims) {
        std::string shown = to_text(telling(claim.assessment));
        if (const auto others = otherwise(claim); !others.empty())
            shown += fmt::format("; but with {} ({}): {}", others.front()->taken, others.front()->parameter,
                                 to_text(telling(others.front()->assessment)));
        const std::string& meaning = claim.claim->interpretation;
        table.rows.push_back({fmt::format("{} ({}){}", claim.claim->says, claim.claim->place,
                                          meaning.empty() ? "" : fmt::format(" Taken to mean: {}.", meaning)),
                              fmt::format("**{}**", name_of(claim.verdict)), shown});
    }
    return table;
}

Table assumptions_of(const FigureDeclaration& figure) {
    Table table{"", {{"left out"}, {"taken"}, {"run as well"}}, {}};
    for (const Assumption& assumption : figure.assumptions) {
        std::string others;
        for (const Alternative& other : assumption.alternatives) others += (others.empty() ? "" : "; ") + other.taken;
        if (!assumption.combined.empty())
            others = fmt::format("every other combination of: {}", fmt::join(assumption.combined, "; "));
        table.rows.push_back({assumption.parameter, assumption.taken, others});
    }
    return table;
}

/// A row for each choice that was run, a column for each statement, in the order of the table of verdicts.
Table choices_of(const ReproducedFigure& reproduced) {
    const std::vector<AssessedClaim>& claims = reproduced.claims;
    const auto cell = [](const reproduction::Assessment& assessment) {
        const statistics::Estimate& estimate = telling(assessment).estimate;
        return fmt::format("{}: {}", word(assessment.truth),
                           std::isfinite(estimate.mean) ? to_text(estimate) : "not seen");
    };
    Table table{"", {{"choice"}}, {{"as taken"}}};
    for (const AssessedClaim& claim : claims) {
        table.columns.push_back({claim.claim->id});
        table.rows.front().push_back(cell(claim.assessment));
    }
    for (const Assumption& assumption : reproduced.figure.assumptions)
        for (const Alternative& other : assumption.alternatives) {
            std::vector<std::string> row{fmt::format("{}: {}", assumption.parameter, other.taken)};
            for (const AssessedClaim& claim : claims) {
                const auto found = std::find_if(claim.others.begin(), claim.others.end(), [&](const auto& one) {
                    return one.parameter == assumption.parameter && one.taken == other.taken;
                });
                row.push_back(found == claim.others.end() ? "" : cell(found->assessment));
            }
            table.rows.push_back(std::move(row));
        }
    return table;
}

/// The mean over the replications with its interval; empty where none saw it.
std::string shown(const reproduction::Sample* sample, double confidence) {
    if (sample == nullptr) return "";
    std::vector<double> seen;
    for (const double value : sample->values)
        if (std::isfinite(value)) seen.push_back(value);
    if (seen.empty()) return "";
    statistics::Estimate estimate = statistics::estimate(seen, confidence);
    if (sample->exact) estimate.half_width.reset();
    return to_text(estimate);
}

/// A row for each place on the x axis, a column for each curve; without such an axis a row for each curve.
Table numbers_of(const ReproducedFigure& reproduced, const std::string& measure) {
    const FigureDeclaration& figure = reproduced.figure;
    const reproduction::Measurements& measured = reproduced.settings.front().measurements;
    std::vector<std::string> curves;
    std::set<double> places;
    for (const std::string& curve : reproduced.settings.front().curves)
        if (const std::vector<double> own = measured.places(measure, curve); !own.empty()) {
            curves.push_back(curve);
            places.insert(own.begin(), own.end());
        }
    const auto cell = [&](const std::string& curve, double x) {
        return shown(measured.find(Place{measure, curve, x}), figure.confidence);
    };
    Table table;
    if (figure.x.empty()) {
        table.columns = {{""}, {measure, true}};
        for (const std::string& curve : curves) table.rows.push_back({figure.shown(curve), cell(curve, 0)});
        return table;
    }
    table.columns = {{figure.x_label.empty() ? figure.x : figure.x_label, true}};
    for (const std::string& curve : curves) table.columns.push_back({figure.shown(curve), true});
    for (const double x : places) {
        std::vector<std::string> row{fmt::format("{:g}", x)};
        for (const std::string& curve : curves) row.push_back(cell(curve, x));
        table.rows.push_back(std::move(row));
    }
    return table;
}

}  // namespace

std::string page_of(const ReproducedFigure& reproduced, const ReproduceRequest& request) {
    const FigureDeclaration& figure = reproduced.figure;
    const std::size_t runs = reproduced.settings.front().replications;
    std::string text = fmt::format("# {} of [{}]: {}\n", figure.number, figure.paper, figure.title);
    if (request.wants("svg")) text += fmt::format("\n![{}](figure.svg)\n", figure.title);
    if (!figure.note.empty()) text += fmt::format("\n{}\n", figure.note);
    text += fmt::format(
        "\nRun at {} scale, {} replication{}, by schedproof {}. All intervals of a statement hold at once with {:g} "
        "%.\n"
        "Declaration: `{}`, SHA-256 `{}`.\n",
        request.full ? "full" : "quick", runs, runs == 1 ? "" : "s", SCHEDPROOF_VERSION, 100 * figure.confidence,
        figure.file.path, figure.file.sha256);
    text += section("What the paper says, and what comes out", as_markdown(verdicts_of(reproduced)));
    if (!figure.assumptions.empty()) text += section("What the paper leaves out", as_markdown(assumptions_of(figure)));
    if (std::any_of(reproduced.claims.begin(), reproduced.claims.end(),
                    [](const auto& c) { return !c.others.empty(); }))
        text += section("Each choice by itself",
                        "Whether each statement holds with each choice, and the value of the comparison that shows it; "
                        "empty where the\nruns of a choice do not show what a statement is about.\n\n" +
                            as_markdown(choices_of(reproduced)));
    std::string numbers;
    for (const reproduction::Measure& measure : figure.measures)
        if (const Table table = numbers_of(reproduced, measure.name); !table.rows.empty())
            numbers += fmt::format("{}{}:\n\n{}", numbers.empty() ? "" : "\n", measure.name, as_markdown(table));
    if (!numbers.empty())
        text += section("Means, with the choices taken", fmt::format("Each interval by itself holds with {:g} %.\n\n{}",
                                                                     100 * figure.confidence, numbers));
    return text;
}

}  // namespace schedproof::cli
