/// Reports of a run as text and Markdown.
///
/// Findings that came out alike on several instances share a line: the kind of the verdict, the oracle, the outcome and
/// the expectation must agree, cases and cells are added up. Kinds are never merged: a cell of the matrix with P and S
/// says that both were found.
#include "checks/core/report.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

namespace schedproof::checks {

namespace {

std::uint64_t cases_of(const Verdict& verdict) {
    if (const auto* exhausted = std::get_if<Exhausted>(&verdict)) return exhausted->cases;
    if (const auto* survived = std::get_if<Survived>(&verdict)) return survived->cases;
    if (const auto* proved = std::get_if<Proved>(&verdict)) return proved->cells;
    return 0;
}

std::string verdict_text(const std::string& kind, std::uint64_t cases, std::uint64_t seed) {
    if (kind == "Proved") return fmt::format("Proved ({} cells)", cases);
    if (kind == "Exhausted") return fmt::format("Exhausted ({} case{})", cases, cases == 1 ? "" : "s");
    if (kind == "Survived") return fmt::format("Survived ({} cases, seed {})", cases, seed);
    return kind;
}

std::string instances_text(const TableLine& line) {
    return line.instances.size() == 1 ? line.instances.front() : fmt::format("{} instances", line.instances.size());
}

std::string outcome_text(const TableLine& line) {
    switch (line.outcome) {
        case Row::Outcome::expected:
            switch (line.expectation) {
                case Expectation::holds:
                    return "as expected";
                case Expectation::fails:
                    return "as expected (false as stated)";
                case Expectation::open:
                    return "as expected (open)";
                case Expectation::unstated:
                    return "no expectation";
                case Expectation::feared:
                    return "as expected (not shown)";
            }
            break;
        case Row::Outcome::unexpected:
            return line.expectation == Expectation::feared || line.expectation == Expectation::unstated
                       ? "SPEAKS AGAINST THE POLICY"
                       : "NOT AS EXPECTED";
        case Row::Outcome::unsettled:
            return "NOT SETTLED";
        case Row::Outcome::vacuous:
            return "VACUOUS";
    }
    return "";
}

std::string evidence_text(const TableLine& line) {
    if (line.evidence.empty()) return "";
    return line.evidence.size() == 1 ? line.evidence.front()
                                     : fmt::format("{} and {} more", line.evidence.front(), line.evidence.size() - 1);
}

/// Without the blanks at its end.
std::string without_margin(std::string line) {
    line.erase(line.find_last_not_of(' ') + 1);
    return line;
}

}  // namespace

std::string said(const Row& row, const Finding& finding) {
    const auto* refuted = std::get_if<Refuted>(&finding.verdict);
    return refuted && refuted->counterexample.place == row.instance_name() ? refuted->counterexample.violation
                                                                           : explanation(finding.verdict);
}

std::vector<TableLine> table(const Report& report, const EvidenceFiles& evidence) {
    return table(report, evidence, {0, report.rows.size()});
}

std::vector<TableLine> table(const Report& report, const EvidenceFiles& evidence, Rows rows) {
    std::vector<TableLine> lines;
    std::vector<std::uint64_t> cases, seeds;
    std::vector<std::string> kinds;
    for (std::size_t r = rows.first; r < rows.last; ++r) {
        const Row& row = report.rows[r];
        for (const Finding& finding : row.findings) {
            const std::string found(kind(finding.verdict));
            std::size_t at = 0;
            while (at < lines.size() &&
                   !(lines[at].claim == row.claim && lines[at].policy == row.line.policy &&
                     lines[at].oracle == finding.oracle && kinds[at] == found && lines[at].outcome == row.outcome &&
                     lines[at].expectation == row.line.expectation))
                ++at;
            if (at == lines.size()) {
                lines.push_back({row.claim,
                                 row.line.policy,
                                 finding.oracle,
                                 "",
                                 {},
                                 row.line.expectation,
                                 row.outcome,
                                 {},
                                 "",
                                 0,
                                 false});
                cases.push_back(0);
                seeds.push_back(0);
                kinds.push_back(found);
            }
            TableLine& line = lines[at];
            line.instances.push_back(row.instance_name());
            line.seconds += finding.seconds;
            cases[at] += cases_of(finding.verdict);
            if (const auto* survived = std::get_if<Survived>(&finding.verdict)) seeds[at] = survived->seed;
            if (!affirms(finding.verdict) && line.example.empty())
                line.example = row.instance_name() + ": " + said(row, finding);
            if (const std::string bounds = explanation(finding.verdict);
                std::holds_alternative<Exhausted>(finding.verdict) && line.example.find(bounds) == std::string::npos)
                line.example += (line.example.empty() ? "" : " ") + bounds;
            line.refuted = line.refuted || kind_of(finding.verdict) == VerdictKind::refuted;
            if (const auto file = evidence.find({r, finding.oracle}); file != evidence.end())
                line.evidence.push_back(file->second);
        }
    }
    for (std::size_t i = 0; i < lines.size(); ++i) lines[i].verdict = verdict_text(kinds[i], cases[i], seeds[i]);
    return lines;
}

std::string totals(const Report& report, const Settings& settings) {
    std::map<std::string, std::size_t> kinds;
    std::size_t findings = 0;
    std::set<const Claim*> claims;
    for (const Row& row : report.rows) {
        claims.insert(row.claim);
        for (const Finding& finding : row.findings) {
            ++kinds[std::string(kind(finding.verdict))];
            ++findings;
        }
    }
    std::string text = fmt::format("{} claim{}, {} verdicts:", claims.size(), claims.size() == 1 ? "" : "s", findings);
    for (const char* name : {"Proved", "Exhausted", "Survived", "Refuted", "Unknown"})
        text += fmt::format("{} {} {}", name == std::string("Proved") ? "" : ",", kinds[name], name);
    // Where nothing was expected, only what speaks against the policy is no row without an expectation.
    const auto unstated =
        static_cast<std::size_t>(std::count_if(report.rows.begin(), report.rows.end(), [](const Row& row) {
            return row.line.expectation == Expectation::unstated && row.outcome == Row::Outcome::expected;
        }));
    const std::size_t expected = report.count(Row::Outcome::expected) - unstated, asked = report.rows.size() - unstated;
    if (expected == asked)
        text += report.not_asked.empty() ? "; all as expected" : "; what was asked as expected";
    else
        text += fmt::format("; {} of {} as expected, {} not, {} not settled, {} vacuous", expected, asked,
                            report.count(Row::Outcome::unexpected), report.count(Row::Outcome::unsettled),
                            report.count(Row::Outcome::vacuous));
    if (unstated > 0) text += fmt::format(", {} without an expectation", unstated);
    if (!report.not_asked.empty())
        text += fmt::format("; {} claim{} not asked of the policy", report.not_asked.size(),
                            report.not_asked.size() == 1 ? "" : "s");
    if (!report.outside.empty()) text += fmt::format("; {} left out", report.outside.size());
    if (!report.conflicts.empty()) text += fmt::format("; {} ORACLE CONFLICTS", report.conflicts.size());
    return text + fmt::format("; seed {}", settings.seed);
}

std::string claims_text(const Report& report, const EvidenceFiles& evidence, Rows rows) {
    std::string text;
    const Claim *claim = nullptr, *stated = nullptr;
    for (const TableLine& line : table(report, evidence, rows)) {
        if (line.claim != claim) text += fmt::format("{}{}\n", claim != nullptr ? "\n" : "", line.claim->id);
        claim = line.claim;
        text += without_margin(fmt::format("  {:<28} {:<11} {:<32} {:<19} {:<30}{}{}", line.policy, line.oracle,
                                           line.verdict, instances_text(line), outcome_text(line),
                                           report.timed ? fmt::format(" {:>7.2f} s", line.seconds) : "",
                                           line.evidence.empty() ? "" : "  " + evidence_text(line))) +
                "\n";
        if (!line.example.empty()) text += fmt::format("    {}\n", line.example);
        if (line.refuted && line.claim != stated) text += fmt::format("    claimed: {}\n", line.claim->statement);
        if (line.refuted) stated = line.claim;
    }
    return text;
}

std::string closing_text(const Report& report, const Settings& settings) {
    std::string text;
    if (!report.not_asked.empty()) text += "\nnot asked of the policy:\n";
    for (const NotAsked& left : report.not_asked) text += fmt::format("  {}: {}\n", left.claim->id, left.why);
    for (const std::string& conflict : report.conflicts) text += "\nORACLE CONFLICT: " + conflict + "\n";
    return text + "\n" + totals(report, settings) + "\n";
}

std::string text_report(const Report& report, const EvidenceFiles& evidence, const Settings& settings) {
    return claims_text(report, evidence, {0, report.rows.size()}) + closing_text(report, settings);
}

namespace {

/// What the cells of a matrix hold: initials of verdicts, and whether one is not as expected.
struct Cell {
    std::set<char> kinds;
    bool unexpected = false;

    [[nodiscard]] std::string text() const {
        std::string initials;
        for (const char initial : std::string("PESRU"))
            if (kinds.contains(initial)) initials += (initials.empty() ? "" : " ") + std::string(1, initial);
        return initials + (unexpected ? " !" : "");
    }
};

/// The matrix of one family. Requires a row of it.
std::string matrix(const Report& report, const Family& family) {
    std::map<const Claim*, std::map<std::string, Cell>> cells;
    std::vector<const Claim*> claims;
    std::set<std::string> present;
    for (const Row& row : report.rows) {
        if (&row.claim->family() != &family) continue;
        if (claims.empty() || claims.back() != row.claim) claims.push_back(row.claim);
        present.insert(row.line.policy);
        Cell& cell = cells[row.claim][row.line.policy];
        for (const Finding& finding : row.findings) cell.kinds.insert(kind(finding.verdict).front());
        cell.unexpected = cell.unexpected || row.outcome != Row::Outcome::expected;
    }
    std::vector<std::string> policies;  // in the order of the registry
    for (const PolicyEntry& policy : family.policies())
        if (present.contains(std::string(policy.id))) policies.emplace_back(policy.id);
    std::string text = "| claim |", rule = "|---|";
    for (const std::string& policy : policies) {
        text += " " + policy + " |";
        rule += "---|";
    }
    text += "\n" + rule + "\n";
    for (const Claim* claim : claims) {
        text += "| `" + claim->id + "` |";
        for (const std::string& policy : policies) text += " " + cells[claim][policy].text() + " |";
        text += "\n";
    }
    return text;
}

}  // namespace

std::string matrix(const Report& report) {
    std::string text;
    std::map<std::string_view, const Family*> families;
    for (const Row& row : report.rows) families.emplace(row.claim->family().id(), &row.claim->family());
    for (const auto& [id, family] : families) text += (text.empty() ? "" : "\n") + matrix(report, *family);
    return text;
}

std::string markdown_report(const Report& report, const EvidenceFiles& evidence, const Settings& settings) {
    std::string text =
        matrix(report) +
        "\nP proved with a certificate, E exhausted, S survived random cases, R refuted and replayed, U unknown; ! not "
        "as expected.\n\n";
    text += fmt::format(
        "| claim | policy | oracle | verdict | on | expectation |{} evidence |\n|---|---|---|---|---|---|{}---|\n",
        report.timed ? " time |" : "", report.timed ? "---|" : "");
    for (const TableLine& line : table(report, evidence))
        text += fmt::format("| `{}` | `{}` | {} | {} | {} | {} |{} {} |\n", line.claim->id, line.policy, line.oracle,
                            line.verdict, instances_text(line), outcome_text(line),
                            report.timed ? fmt::format(" {:.2f} s |", line.seconds) : "", evidence_text(line));
    for (const NotAsked& claim : report.not_asked)
        text += fmt::format("\nNot asked of the policy: `{}`: {}.\n", claim.claim->id, claim.why);
    for (const std::string& conflict : report.conflicts) text += "\n**Oracle conflict:** " + conflict + "\n";
    return text + "\n" + totals(report, settings) + "\n";
}

}  // namespace schedproof::checks
