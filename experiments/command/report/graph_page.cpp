/// Which claims the argument for a claim uses: as a picture, and as a list for those who do not see it.
#include <fmt/core.h>

#include <set>

#include "checks/pictures/dot.hpp"
#include "checks/pictures/render.hpp"
#include "experiments/command/report/arguments.hpp"
#include "experiments/command/report/pages.hpp"
#include "experiments/command/report/svg.hpp"

namespace schedproof::cli::site {

namespace {

/// What was found of a claim, in one word: refuted where anything is, else proved where anything is, else tested.
std::string state_of(const Site& site, std::string_view id) {
    bool proved = false, any = false;
    for (const Checked* row : site.rows_of_claim(id))
        for (const Finding& finding : row->findings) {
            if (finding.verdict == "Refuted") return "refuted";
            proved = proved || finding.verdict == "Proved";
            any = true;
        }
    return proved ? "proved" : any ? "tested" : "not asked";
}

/// The arguments between claims of the site.
std::vector<std::pair<std::string, std::string>> edges(const Site& site) {
    std::vector<std::pair<std::string, std::string>> all;
    for (const Argument& argument : arguments())
        for (const std::string_view used : argument.rests_on)
            if (site.claim(argument.claim) != nullptr && site.claim(used) != nullptr)
                all.emplace_back(argument.claim, used);
    return all;
}

std::string dot(const Site& site) {
    std::string text =
        "digraph arguments {\n  rankdir=LR; nodesep=0.15; ranksep=0.6; bgcolor=white;\n  node [shape=box, "
        "style=\"rounded,filled\", fillcolor=white, fontname=\"Helvetica\", fontsize=11, margin=\"0.12,0.06\"];\n"
        "  edge [color=\"#555555\", arrowsize=0.7];\n";
    std::set<std::string> nodes;
    for (const auto& [claim, used] : edges(site)) nodes.insert({claim, used});
    for (const std::string& id : nodes) {
        const std::string state = state_of(site, id);
        const char* fill = state == "proved" ? "#DDEEF8" : state == "refuted" ? "#FBE3D6" : "white";
        text += fmt::format("  \"{0}\" [label=\"{1}\\n{2}\", URL=\"{3}\", fillcolor=\"{4}\", penwidth={5}];\n", id,
                            graph::escape_label(id), state, claim_page(id), fill, state == "proved" ? "2" : "1");
    }
    for (const auto& [claim, used] : edges(site)) text += fmt::format("  \"{}\" -> \"{}\";\n", claim, used);
    return text + "}\n";
}

Html list(const Site& site) {
    Html rows;
    for (const Argument& argument : arguments()) {
        Html used;
        for (const std::string_view id : argument.rests_on)
            if (site.claim(id) != nullptr)
                used += element("li", link(claim_page(id), id) + " " + tally(site.rows_of_claim(id)));
        if (site.claim(argument.claim) == nullptr || used.empty()) continue;
        rows += element("tr", element("th", {{"scope", "row"}}, link(claim_page(argument.claim), argument.claim)) +
                                  element("td", tally(site.rows_of_claim(argument.claim))) +
                                  element("td", element("ul", {{"class", "plain"}}, used)));
    }
    return table("Arguments", {"Claim", "Verdicts", "Its argument uses"}, rows, {{"class", "cards"}});
}

}  // namespace

void add_graph(const Site& site, Files& files) {
    Page page{"graph.html", "Which claim rests on which", "Arguments",
              element("p", {{"class", "lede"}},
                      "An arrow leads from a claim to one that its argument uses, in the papers or in this project. No "
                      "verdict depends on it: every claim is checked by itself.")};
    if (edges(site).empty()) {
        page.main +=
            element("p",
                    "No claim of this report is used in the argument for another one of it. A report of all claims "
                    "shows which are.");
    } else {
        if (const auto svg = inline_svg(graph::picture(dot(site), graph::PictureFormat::svg), "arguments-"))
            page.main +=
                element("figure", element("div", {{"class", "plate"}, {"tabindex", "0"}, {"data-picture", "arguments"}},
                                          Html::raw(*svg)) +
                                      element("figcaption",
                                              "Blue with a thick border: proved of some policies "
                                              "and refuted of none. Red: refuted of some."));
        page.main += list(site);
    }
    page.scripts = {"assets/picture.js"};
    files[page.path] = document(page);
}

}  // namespace schedproof::cli::site
