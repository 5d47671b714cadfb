/// The pages of the documentation that say what all claims came to: the ledger of the papers' statements, and the
/// policies by kind of evidence.
///
/// What a person writes of a statement stays; what was found of it is counted anew from the evidence that a test of the
/// suite leaves behind, and the rows about figures are made of their declarations. With SCHEDPROOF_UPDATE_DOCS=1 in the
/// environment the pages are written anew, for a person to look at.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "checks/families.hpp"
#include "experiments/command/report/assets.hpp"
#include "experiments/command/report/evidence.hpp"
#include "experiments/command/report/library.hpp"
#include "experiments/command/report/markdown.hpp"
#include "experiments/command/reproduce/catalogue.hpp"
#include "model/base/output_file.hpp"
#include "model/base/split.hpp"
#include "model/base/text.hpp"

namespace schedproof::cli::site {

namespace {

constexpr std::size_t most_bytes = std::size_t{1} << 20U;

std::string ledger_page() { return base::read_text(SCHEDPROOF_SOURCE_DIR "/docs/ledger.md", most_bytes); }

/// What a test of the suite before these has found, which ran all claims.
Verdicts found_verdicts() {
    const char* evidence = std::getenv("SCHEDPROOF_EVIDENCE");
    if (evidence == nullptr) throw InputError("expected the directory of `schedproof check --evidence`");
    return read_verdicts(verdicts_file(evidence));
}

void expect_page(const std::string& name, const std::string& text) {
    const std::string path = SCHEDPROOF_SOURCE_DIR "/docs/" + name;
    if (std::getenv("SCHEDPROOF_UPDATE_DOCS") != nullptr) base::write_file(path, text);
    EXPECT_EQ(base::read_text(path, most_bytes), text);
}

/// The claims that some line is expected to refute.
std::set<std::string> failing_claims() {
    std::set<std::string> failing;
    for (const checks::Claim& claim : checks::all_claims())
        for (const checks::Line& line : claim.lines)
            if (line.expectation == checks::Expectation::fails) failing.insert(claim.id);
    return failing;
}

TEST(ReportLibrary, TheLedgerSpeaksOfClaimsAndWorks) {
    std::set<std::string> keys, ids, policies;
    for (const Work& work : works(asset("docs/bibliography.md"))) {
        EXPECT_FALSE(work.text.empty()) << work.key;
        EXPECT_TRUE(keys.insert(work.key).second);
    }
    for (const checks::Claim& claim : checks::all_claims()) ids.insert(claim.id);
    for (const checks::Family* family : checks::families())
        for (const checks::PolicyEntry& policy : family->policies()) policies.emplace(policy.id);
    const std::set<std::string> failing = failing_claims();
    const std::vector<Section> ledger = sections(asset("docs/ledger.md"));
    EXPECT_GE(ledger.size(), 5U);
    std::size_t rows = 0;
    for (const Section& section : ledger) {
        for (const std::string& key : section.keys) EXPECT_TRUE(keys.contains(key)) << key;
        for (const LedgerRow& row : section.rows) {
            ++rows;
            for (const std::string& id : row.ids) EXPECT_TRUE(ids.contains(id)) << id;
            for (const std::string& policy : row.policies) EXPECT_TRUE(policies.contains(policy)) << policy;
            // What the ledger says fails, `check` expects to be refuted somewhere.
            if (row.printed == "fails") {
                EXPECT_TRUE(std::any_of(row.ids.begin(), row.ids.end(), [&](const std::string& id) {
                    return failing.contains(id);
                })) << row.statement;
            }
        }
    }
    EXPECT_GE(rows, 80U);
    EXPECT_EQ(cited("[wang2013], Section II; [kavousi] and [wang2013], (3)"),
              (std::vector<std::string>{"wang2013", "kavousi"}));
}

TEST(ReportLibrary, TheLedgerNamesEveryClaim) {
    const std::string_view ledger = asset("docs/ledger.md");
    for (const checks::Claim& claim : checks::all_claims())
        EXPECT_NE(ledger.find("`" + claim.id + "`"), std::string_view::npos) << claim.id << " is in no row";
}

TEST(ReportLibrary, ARowSpeaksOfThePoliciesThatItNames) {
    const auto row = [](const std::string& claims) {
        return sections("## x\n| s | " + claims + " | | holds | |\n").front().rows.front();
    };
    const LedgerRow all = row("`queueing.a`, `queueing.b.m2-half`"), some = row("`sharing.a` of `delay`, `delay:keep`");
    EXPECT_EQ(all.ids, (std::vector<std::string>{"queueing.a", "queueing.b.m2-half"}));
    EXPECT_TRUE(all.policies.empty() && all.speaks_of("fifo"));
    EXPECT_EQ(some.ids, std::vector<std::string>{"sharing.a"});
    EXPECT_EQ(some.policies, (std::vector<std::string>{"delay", "delay:keep"}));
    EXPECT_TRUE(some.speaks_of("delay:keep"));
    EXPECT_FALSE(some.speaks_of("fifo"));
}

/// The row of a sentence about a figure: what came out at the scale at which the figure's page was made.
std::string row_of(const FigureDeclaration& figure, const cli::FigureClaim& claim, bool quick) {
    return fmt::format("| {} ({}) | [{}](reproduced/{}/figure.md) | simulated | {} at {} scale |{}{} |\n", claim.says,
                       claim.place, figure.number, figure.id, name_of(figure.expected(claim, quick)),
                       quick ? "quick" : "full", claim.interpretation.empty() ? "" : " ", claim.interpretation);
}

/// A row for every sentence of the works of these keys of which a figure's declaration makes a claim; empty: none.
std::string figure_rows(const std::vector<std::string>& keys) {
    std::string rows;
    for (const FigureDeclaration& figure : catalogue()) {
        if (std::find(keys.begin(), keys.end(), figure.paper) == keys.end()) continue;
        const std::string page =
            base::read_text(SCHEDPROOF_SOURCE_DIR "/docs/reproduced/" + figure.id + "/figure.md", most_bytes * 4);
        const bool quick = page.find("\nRun at quick scale") != std::string::npos;
        for (const cli::FigureClaim& claim : figure.claims)
            if (claim.place != "this project") rows += row_of(figure, claim, quick);
    }
    return rows;
}

/// What the section of a ledger is without its rows about figures, with one empty line at its end.
std::string without_figures(std::string_view section, std::string_view heading) {
    return std::string(base::trimmed(section.substr(0, section.find(heading)), "\n")) + "\n";
}

/// The ledger with its rows about figures made anew.
std::string with_figure_rows(const std::string& ledger) {
    static constexpr std::string_view heading = "\n### Sentences about figures";
    std::string text;
    for (std::size_t at = 0, next = 0; at != std::string::npos; at = next) {
        next = ledger.find("\n## ", at + 1);
        const std::string section = without_figures(std::string_view(ledger).substr(at, next - at), heading);
        text += (text.empty() ? "" : "\n") + section;
        const std::vector<Section> read = sections(section);
        const std::string rows = read.empty() ? "" : figure_rows(read.front().keys);
        if (!rows.empty())
            text += fmt::format(
                "{}, {}\n\n| statement, place | figure | found | as printed | taken to mean "
                "|\n|---|---|---|---|---|\n{}",
                heading, read.front().keys.front(), rows);
    }
    return text;
}

TEST(ReportLibrary, TheLedgerHasARowForEverySentenceAboutAFigure) {
    expect_page("ledger.md", with_figure_rows(ledger_page()));
}

/// The verdicts of which a row speaks, counted by kind, `Proved 3, Survived 12`.
std::string counted(const LedgerRow& row, const Verdicts& verdicts) {
    std::map<std::string, std::size_t> count;
    for (const Checked& found : verdicts.rows)
        if (row.speaks_of(found.policy) && std::find(row.ids.begin(), row.ids.end(), found.claim) != row.ids.end())
            for (const Finding& finding : found.findings) ++count[finding.verdict];
    std::string text;
    for (const char* kind : {"Proved", "Exhausted", "Survived", "Measured", "Refuted", "Unknown"})
        if (count.contains(kind)) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", kind, count[kind]);
    return text;
}

/// Of each policy that a row names something was found, of one of its claims.
void expect_found(const LedgerRow& row, const Verdicts& verdicts) {
    for (const std::string& policy : row.policies)
        EXPECT_TRUE(std::any_of(verdicts.rows.begin(), verdicts.rows.end(),
                                [&](const Checked& found) {
                                    return found.policy == policy &&
                                           std::find(row.ids.begin(), row.ids.end(), found.claim) != row.ids.end();
                                }))
            << row.statement << ": nothing was found of " << policy;
}

TEST(ReportLibrary, TheLedgerSaysHowMuchWasFound) {
    const Verdicts verdicts = found_verdicts();
    std::string text;
    const std::string ledger = with_figure_rows(ledger_page());
    for (const std::string_view line : base::split(ledger, '\n')) {
        text += (text.empty() ? "" : "\n") + std::string(line);
        std::vector<std::string> cell = cells(line);
        if (!line.starts_with("| ") || line.starts_with("| statement") || cell.size() < 4) continue;
        const LedgerRow row = sections("## x\n" + std::string(line)).front().rows.front();
        if (row.ids.empty()) continue;
        expect_found(row, verdicts);
        cell[2] = counted(row, verdicts);
        text.erase(text.size() - line.size());
        for (const std::string& part : cell) text += part.empty() ? "| " : "| " + part + " ";
        text += "|";
    }
    expect_page("ledger.md", text);
}

}  // namespace

}  // namespace schedproof::cli::site
