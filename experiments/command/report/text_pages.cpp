/// Pages that are texts of the documentation: benchmarks, and what a verdict rests on. Each text stands once, there.
#include <algorithm>

#include "experiments/command/report/assets.hpp"
#include "experiments/command/report/pages.hpp"

namespace schedproof::cli::site {

namespace {

/// A text without its first heading, which the page has as its own.
std::string_view below_heading(std::string_view text) {
    return text.starts_with("# ") ? text.substr(std::min(text.find('\n'), text.size())) : text;
}

std::string heading_of(std::string_view text) {
    return text.starts_with("# ") ? std::string(text.substr(2, text.find('\n') - 2)) : std::string();
}

/// How many verdicts of a kind there are, and how many of them have evidence in a file.
Html kind_rows(const Site& site) {
    Html out;
    for (const char* kind : {"Proved", "Exhausted", "Survived", "Refuted", "Unknown"}) {
        std::size_t number = 0, files = 0;
        for (const Checked& row : site.verdicts.rows)
            for (const Finding& finding : row.findings) {
                number += finding.verdict == kind ? 1 : 0;
                files += finding.verdict == kind && !finding.evidence.empty() ? 1 : 0;
            }
        out += element("tr", element("th", {{"scope", "row"}}, badge(kind)) + element("td", std::to_string(number)) +
                                 element("td", std::to_string(files)));
    }
    return out;
}

Html trust(const Site& site) {
    const std::string seed = std::to_string(site.verdicts.seed), cases = std::to_string(site.verdicts.cases);
    Html main = element("p", {{"class", "lede"}},
                        "Every verdict here was found by schedproof " + site.verdicts.version + ", with seed " + seed +
                            " and " + cases +
                            " random cases for each claim, policy and instance. Certificates are "
                            "checked again by a program without a solver, counterexamples by exact enumeration.") +
                table("Verdicts of this site", {"Verdict", "Number", "With a certificate or bundle"}, kind_rows(site));
    for (const char* file : {"docs/verdicts.md", "docs/trusted-base.md"})
        if (const std::string_view text = asset(file); !text.empty())
            main += element("h2", heading_of(text)) + markdown(below_heading(text), references(site, "trust.html"), 2);
    return main;
}

}  // namespace

void add_texts(const Site& site, Files& files) {
    files["benchmarks.html"] =
        document({"benchmarks.html", "Benchmarks", "Benchmarks",
                  markdown(below_heading(asset("docs/gallery/performance.md")), references(site, "benchmarks.html"))});
    files["trust.html"] = document({"trust.html", "What a verdict rests on", "Trust", trust(site)});
}

}  // namespace schedproof::cli::site
