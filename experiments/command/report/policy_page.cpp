/// The page of a policy: its source as it was compiled, what is known of it, and every claim about it.
#include <fmt/core.h>

#include <algorithm>

#include "experiments/command/core/policy_file.hpp"
#include "experiments/command/core/policy_place.hpp"
#include "experiments/command/report/assets.hpp"
#include "experiments/command/report/curves.hpp"
#include "experiments/command/report/pages.hpp"
#include "model/base/split.hpp"
#include "model/base/text.hpp"

namespace schedproof::cli::site {

namespace {

/// The lines of a source, each with its number as a mark to link to.
Html listing(std::string_view text, std::size_t marked) {
    std::vector<std::string_view> lines = base::split(text, '\n');
    if (!lines.empty() && lines.back().empty()) lines.pop_back();
    Html out;
    for (std::size_t i = 0; i < lines.size(); ++i)
        out += element("span", {{"id", fmt::format("L{}", i + 1)}, {"class", i + 1 == marked ? "line here" : "line"}},
                       lines[i]) +
               "\n";
    return element("pre", {{"class", "source"}, {"tabindex", "0"}}, element("code", out));
}

/// A row for each claim: what all instances together came to.
Html claim_rows(const Site& site, const std::string& path, const Policy& policy) {
    std::map<std::string, std::vector<const Checked*>> by_claim;
    for (const Checked* row : site.rows_of_policy(policy)) by_claim[row->claim].push_back(row);
    Html out;
    for (const auto& [claim, rows] : by_claim)
        out += element("tr", element("th", {{"scope", "row"}}, link(relative(path, claim_page(claim)), claim)) +
                                 element("td", {{"class", "said"}}, site.claim(claim)->statement) +
                                 element("td", tally(rows)));
    return out;
}

/// The stationary means of the policy that certificates hold in an interval.
Html means(const Site& site, const std::string& path, const Policy& policy) {
    Html rows;
    for (const CertifiedMean& mean : site.means)
        if (mean.policy == policy.id && policy.family == family_of(mean.claim))
            rows +=
                element("tr", element("th", {{"scope", "row"}}, mean.instance) + element("td", mean.quantity) +
                                  element("td", {{"class", "interval"}}, "[" + mean.lower + ", " + mean.upper + "]") +
                                  element("td", link(relative(path, claim_page(mean.claim)), mean.claim)) +
                                  element("td", code("schedproof certify " + mean.evidence)));
    if (rows.empty()) return {};
    return element("h2", "Certified means") +
           paragraph("Stationary means without truncation, by certificates: exact intervals, not estimates.") +
           table("Certified means of " + policy.id, {"Cluster", "Mean of", "Lies in", "Claim", "Checked by"}, rows,
                 {{"class", "cards"}});
}

/// The figures in which the policy runs, each small, with what came of the paper's words about it.
Html curves(const Site& site, const std::string& path, const Policy& policy) {
    Html items;
    for (const Figure& figure : site.figures) {
        const auto shown = policies_of(figure);
        if (std::find(shown.begin(), shown.end(), std::pair(policy.family, policy.id)) == shown.end()) continue;
        const std::string file = picture_of(figure);
        Html picture, verdicts;
        if (!file.empty())
            picture = void_element("img", {{"src", relative(path, "figures/" + figure.id + "/" + file)},
                                           {"alt", number_of(figure) + ": " + figure.title},
                                           {"loading", "lazy"}});
        for (const FigureClaim& claim : figure.claims) verdicts += badge(claim.verdict) + " ";
        items +=
            element("li", link(relative(path, figure_page(figure.id)),
                               picture + element("b", figure.paper + ", " + number_of(figure)) + " " + figure.title) +
                              element("span", {{"class", "tally"}}, verdicts));
    }
    return items.empty() ? items : element("h2", "Curves") + element("ul", {{"class", "thumbnails"}}, items);
}

void add_policy(const Site& site, const Policy& policy, Files& files) {
    Page page{policy_page(policy.family, policy.id), policy.id, "Policies", {}};
    page.above = element("p", {{"class", "kind"}}, "Policy of the " + policy.family + " family");
    page.main = element("p", {{"class", "statement"}}, policy.summary) +
                element("dl", {{"class", "about"}},
                        described("Source", source_text(site, page.path, policy.source)) +
                            described("Verdicts", tally(site.rows_of_policy(policy))));
    const Html claims = claim_rows(site, page.path, policy);
    page.main += element("h2", "Claims");
    if (claims.empty())
        page.main += paragraph(fmt::format(
            "None of the {} claims of this site speaks of this policy. A site of all claims may: `schedproof report`.",
            site.claims.size()));
    else
        page.main +=
            table("Claims about " + policy.id, {"Claim", "Statement", "Verdicts"}, claims, {{"class", "cards"}});
    page.main +=
        means(site, page.path, policy) + curves(site, page.path, policy) + policy_picture(policy, page.scripts);
    const PolicyPlace place = policy_place(policy.family, policy.id, "");
    const PolicyFile* own = find_policy_file(policy.id);
    const std::string text = own != nullptr ? base::read_file(own->path) : std::string(asset(place.file));
    if (!text.empty())
        page.main +=
            element("h2", "The code") +
            paragraph(Html("This source is simulated, enumerated and proved about: ") +
                      link(fmt::format("#L{}", place.line), code(fmt::format("{}:{}", place.file, place.line)))) +
            listing(text, place.line);
    files[page.path] = document(page);
}

}  // namespace

void add_policies(const Site& site, Files& files) {
    Html rows;
    for (const Policy& policy : site.policies) {
        add_policy(site, policy, files);
        rows +=
            element("tr", element("th", {{"scope", "row"}}, link(policy_page(policy.family, policy.id), policy.id)) +
                              element("td", policy.family) + element("td", {{"class", "said"}}, policy.summary) +
                              element("td", tally(site.rows_of_policy(policy))));
    }
    Page page{
        "policies.html", "Policies", "Policies",
        element("p", {{"class", "lede"}},
                "One source each, for simulation, exact enumeration and proof. A page shows it, with every claim "
                "about it.") +
            table("Policies", {"Policy", "Family", "What it does", "Verdicts"}, rows, {{"class", "sortable cards"}})};
    page.scripts = {"assets/table.js"};
    files[page.path] = document(page);
}

}  // namespace schedproof::cli::site
