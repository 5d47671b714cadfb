/// What the pages of the site share: where each page is, how texts refer to pages, and the small parts of tables.
///
/// Pages lie in the site's folder or in one folder below it, never deeper, so that a link from one to another is the
/// path with at most one step up before it. Ids of claims and policies become names of files as they do for evidence.
#include "experiments/command/report/site.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "checks/families.hpp"
#include "experiments/command/families/bundle_text.hpp"
#include "experiments/command/report/assets.hpp"

namespace schedproof::cli::site {

void Site::keep_alone(const std::string& policy) {
    std::erase_if(policies, [&](const Policy& other) { return other.id != policy; });
    about = policy;
}

const checks::Claim* Site::claim(std::string_view id) const {
    const auto found = std::find_if(claims.begin(), claims.end(), [&](const checks::Claim& c) { return c.id == id; });
    return found == claims.end() ? nullptr : &*found;
}

std::vector<const Checked*> Site::rows_of_claim(std::string_view id) const {
    std::vector<const Checked*> rows;
    for (const Checked& row : verdicts.rows)
        if (row.claim == id) rows.push_back(&row);
    return rows;
}

std::vector<const Checked*> Site::rows_of_policy(const Policy& policy) const {
    std::vector<const Checked*> rows;
    for (const Checked& row : verdicts.rows)
        if (row.policy == policy.id && family_of(row.claim) == policy.family) rows.push_back(&row);
    return rows;
}

const Section* Site::section(std::string_view key) const {
    for (const Section& section : ledger)
        if (std::find(section.keys.begin(), section.keys.end(), key) != section.keys.end()) return &section;
    return nullptr;
}

Site read_site(std::vector<checks::Claim> claims, Verdicts verdicts, const std::string& reproduced) {
    Site site{std::move(claims),
              std::move(verdicts),
              {},
              works(asset("docs/bibliography.md")),
              sections(asset("docs/ledger.md")),
              read_figures(reproduced),
              {},
              reproduced};
    std::erase_if(site.verdicts.rows, [&](const Checked& row) { return site.claim(row.claim) == nullptr; });
    site.means = certified_means(site.verdicts);
    for (const checks::Family* family : checks::families())
        for (const checks::PolicyEntry& policy : family->policies())
            site.policies.push_back({std::string(family->id()), std::string(policy.id), std::string(policy.summary),
                                     std::string(policy.source)});
    return site;
}

std::string claim_page(std::string_view id) { return "claims/" + file_name(std::string(id)) + ".html"; }

std::string policy_page(std::string_view family, std::string_view id) {
    return fmt::format("policies/{}-{}.html", family, file_name(std::string(id)));
}

std::string figure_page(std::string_view id) { return "figures/" + file_name(std::string(id)) + ".html"; }

std::string paper_page(const Section& section) { return "papers/" + file_name(section.keys.front()) + ".html"; }

std::string family_of(std::string_view claim) { return std::string(claim.substr(0, claim.find('.'))); }

std::string relative(std::string_view from, std::string_view to) {
    const bool below = from.find('/') != std::string_view::npos;
    return (below ? "../" : "") + std::string(to);
}

References references(const Site& site, const std::string& from) {
    const auto page = [&site, from](std::string_view target) -> std::optional<std::string> {
        const std::size_t hash = std::min(target.find('#'), target.size());
        const std::string_view file = target.substr(0, hash);
        if (file.ends_with("verdicts.md") || file.ends_with("trusted-base.md")) return relative(from, "trust.html");
        if (file.ends_with("performance.md")) return relative(from, "benchmarks.html");
        if (file.ends_with("ledger.md")) return relative(from, "papers.html");
        if (const Section* section = site.section(target.substr(std::min(hash + 1, target.size()))))
            return relative(from, paper_page(*section));
        return {};
    };
    const auto name = [&site, from](std::string_view text) -> std::optional<std::string> {
        if (site.claim(text) == nullptr) return {};
        return relative(from, claim_page(text));
    };
    return {page, name};
}

Html source_text(const Site& site, const std::string& from, std::string_view source) {
    Html out;
    while (!source.empty()) {
        const std::size_t open = std::min(source.find('['), source.size());
        out += source.substr(0, open);
        source.remove_prefix(open);
        const std::size_t close = source.find(']');
        if (source.empty() || close == std::string_view::npos) break;
        const std::string key(source.substr(1, close - 1));
        const Section* section = site.section(key);
        out += section == nullptr ? Html("[" + key + "]") : link(relative(from, paper_page(*section)), "[" + key + "]");
        source.remove_prefix(close + 1);
    }
    return out + Html(source);
}

Html badge(std::string_view verdict, std::optional<std::size_t> number) {
    std::string kind(verdict);
    std::transform(kind.begin(), kind.end(), kind.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; });
    std::replace(kind.begin(), kind.end(), ' ', '-');
    const Html text = number ? Html(verdict) + " " + element("i", std::to_string(*number)) : Html(verdict);
    return element("span", {{"class", "v " + kind}}, text);
}

std::string outcome_of(const Checked& row) {
    return row.outcome == "unexpected" && row.expectation == "feared" ? "speaks against the policy" : row.outcome;
}

Html outcome_badge(std::string_view outcome) {
    if (outcome == "expected") return element("span", {{"class", "o good"}}, "as expected");
    const std::string_view text = outcome == "unexpected" ? "not as expected" : outcome;
    return element("span", {{"class", "o bad"}}, text);
}

std::string duration(const std::optional<double>& seconds) {
    if (!seconds) return "";
    if (*seconds < 0.001) return "< 1 ms";
    return *seconds < 1 ? fmt::format("{:.0f} ms", 1000 * *seconds) : fmt::format("{:.3g} s", *seconds);
}

Html tally(const std::vector<const Checked*>& rows) {
    std::map<std::string, std::size_t> counts;
    for (const Checked* row : rows)
        for (const Finding& finding : row->findings) ++counts[finding.verdict];
    Html out;
    for (const char* kind : {"Proved", "Exhausted", "Survived", "Refuted", "Unknown"}) {
        if (!counts.contains(kind)) continue;
        if (!out.empty()) out += " ";
        out += badge(kind, counts[kind]);
    }
    return out;
}

namespace {

/// The rows, each cell of data with the head of its column, which stands before it where columns have no room.
Html labelled(const std::vector<std::string>& head, const Html& rows) {
    std::string out;
    std::string_view rest = rows.markup();
    std::size_t column = 0;
    for (std::size_t at = rest.find("<t"); at != std::string_view::npos; at = rest.find("<t")) {
        out += rest.substr(0, at + 3);
        rest.remove_prefix(at);
        if (rest.starts_with("<tr")) column = 0;
        const bool data = rest.starts_with("<td");
        if (data && column < head.size()) out += fmt::format(" data-label=\"{}\"", Html(head[column]).markup());
        if (data || rest.starts_with("<th")) ++column;
        rest.remove_prefix(3);
    }
    return Html::raw(out + std::string(rest));
}

}  // namespace

Html table(const std::string& caption, const std::vector<std::string>& head, const Html& rows,
           const Attributes& attributes) {
    Html columns;
    for (const std::string& name : head) columns += element("th", {{"scope", "col"}}, name);
    return element("div", {{"class", "scroll"}, {"tabindex", "0"}, {"role", "region"}, {"aria-label", caption}},
                   element("table", attributes,
                           element("caption", caption) + element("thead", element("tr", columns)) +
                               element("tbody", labelled(head, rows))));
}

Html described(std::string_view term, const Html& what) { return element("dt", term) + element("dd", what); }

}  // namespace schedproof::cli::site
