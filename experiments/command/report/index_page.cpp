/// The first page. Its table has a row for each claim and policy: what the oracles said of all instances together. It
/// is plain, since it is long: the page stays below 300 kB.
#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "checks/families.hpp"
#include "experiments/command/report/pages.hpp"

namespace schedproof::cli::site {

namespace {

/// What was found of one claim and policy.
struct Cell {
    const Checked* first = nullptr;
    std::vector<const Checked*> rows;
};

std::vector<Cell> by_claim_and_policy(const Site& site) {
    std::vector<Cell> all;
    for (const Checked& row : site.verdicts.rows) {
        if (all.empty() || all.back().first->claim != row.claim || all.back().first->policy != row.policy)
            all.push_back({&row, {}});
        all.back().rows.push_back(&row);
    }
    return all;
}

/// The worst outcome of some rows.
std::string outcome_of(const std::vector<const Checked*>& rows) {
    for (const char* outcome : {"unexpected", "vacuous", "unsettled"})
        for (const Checked* row : rows)
            if (row->outcome == outcome) return outcome_of(*row);
    return "expected";
}

std::string expected_of(const std::vector<const Checked*>& rows) {
    std::set<std::string> expected;
    for (const Checked* row : rows)
        for (const Finding& finding : row->findings) expected.insert(finding.expected);
    std::string text;
    for (const char* kind : {"Proved", "Exhausted", "Survived", "Refuted", "Unknown"})
        if (expected.contains(kind)) text += (text.empty() ? "" : ", ") + std::string(kind);
    // Without a kind, what the line says: that the claim holds, fails or is open.
    if (!text.empty()) return text;
    for (const Checked* row : rows)
        if (row->expectation != "unstated") return row->expectation;
    return "none stated";
}

/// A policy of which nothing was expected does nothing as expected.
Html outcome_cell(const std::string& outcome, const std::string& expected) {
    if (outcome != "expected") return outcome_badge(outcome);
    return expected == "none stated" ? "no expectation" : "as expected";
}

std::optional<double> seconds_of(const std::vector<const Checked*>& rows) {
    std::optional<double> sum;
    for (const Checked* row : rows)
        for (const Finding& finding : row->findings)
            if (finding.seconds) sum = sum.value_or(0) + *finding.seconds;
    return sum;
}

Html row_of(const Cell& cell) {
    const std::string& claim = cell.first->claim;
    const std::optional<double> seconds = seconds_of(cell.rows);
    const std::string expected = expected_of(cell.rows);
    return element("tr",
                   element("th", {{"scope", "row"}}, link(claim_page(claim), claim)) +
                       element("td", link(policy_page(family_of(claim), cell.first->policy), cell.first->policy)) +
                       element("td", tally(cell.rows)) + element("td", expected) +
                       element("td", outcome_cell(outcome_of(cell.rows), expected)) +
                       element("td", {{"data-v", fmt::format("{:.4g}", seconds.value_or(0))}}, duration(seconds)));
}

/// Numbers at a glance.
Html totals(const Site& site) {
    std::size_t findings = 0, unexpected = 0;
    std::map<std::string, std::size_t> kinds;
    for (const Checked& row : site.verdicts.rows) {
        unexpected += row.outcome == "expected" ? 0 : 1;
        for (const Finding& finding : row.findings) {
            ++findings;
            ++kinds[finding.verdict];
        }
    }
    Html list;
    for (const char* kind : {"Proved", "Exhausted", "Survived", "Refuted", "Unknown"})
        list += element("li", element("b", std::to_string(kinds[kind])) + " " + badge(kind));
    const auto unstated = std::count_if(site.verdicts.rows.begin(), site.verdicts.rows.end(),
                                        [](const Checked& row) { return row.expectation == "unstated"; });
    const std::string all =
        unexpected == 0 ? unstated == 0
                              ? std::string("All are as expected.")
                              : fmt::format("Of {} rows nothing was expected, the others are as expected.", unstated)
                        : fmt::format("{} of {} rows {} not as expected.", unexpected, site.verdicts.rows.size(),
                                      unexpected == 1 ? "is" : "are");
    const Html lede =
        site.about.empty()
            ? Html(
                  fmt::format("{} claims about cluster schedulers, {} verdicts. {} A claim that is false as printed is "
                              "expected to be refuted, and stands beside its repaired form. ",
                              site.claims.size(), findings, all))
            : Html(fmt::format("{} claims were asked of ", site.claims.size())) +
                  link(policy_page(site.policies.front().family, site.about), site.about) +
                  fmt::format("; there are {} verdicts. {} ", findings, all);
    return element("p", {{"class", "lede"}}, lede + link("trust.html", "What a verdict rests on") + ".") +
           element("ul", {{"class", "totals"}}, list);
}

Html filters() {
    const auto choice = [](const char* id, const char* label, const std::vector<std::string>& values) {
        Html options = element("option", {{"value", ""}}, "all");
        for (const std::string& value : values) options += element("option", value);
        return element("span", element("label", {{"for", id}}, label) + element("select", {{"id", id}}, options));
    };
    return element("form", {{"class", "filters"}, {"hidden", ""}, {"role", "search"}},
                   element("label", {{"for", "find"}}, "Claim or policy") +
                       void_element("input", {{"id", "find"}, {"type", "search"}, {"autocomplete", "off"}}) +
                       choice("family", "Family", checks::family_ids()) +
                       choice("verdict", "Verdict", {"Proved", "Exhausted", "Survived", "Refuted", "Unknown"}) +
                       choice("outcome", "Outcome", {"as expected", "not as expected", "no expectation"}) +
                       element("output", {{"id", "shown"}, {"for", "find family verdict outcome"}}, ""));
}

}  // namespace

void add_index(const Site& site, Files& files) {
    Html rows, conflicts;
    for (const Cell& cell : by_claim_and_policy(site)) rows += row_of(cell) + Html("\n");
    for (const std::string& conflict : site.verdicts.conflicts) conflicts += element("li", conflict);
    Page page{"index.html", "What is proved, refuted and measured" + (site.about.empty() ? "" : " of " + site.about),
              "Claims", totals(site)};
    if (!conflicts.empty()) page.main += element("h2", "Oracles that contradict each other") + element("ul", conflicts);
    page.main +=
        filters() + table("Claims and policies", {"Claim", "Policy", "Verdicts", "Expected", "Outcome", "Time"}, rows,
                          {{"id", "claims"}, {"class", "sortable cards"}});
    page.scripts = {"assets/table.js"};
    files[page.path] = document(page);
}

}  // namespace schedproof::cli::site
