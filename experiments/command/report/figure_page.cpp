/// The page of a figure: the picture that came out, and what of the paper's words about it came out with it.
#include <algorithm>
#include <filesystem>

#include "experiments/command/report/curves.hpp"
#include "experiments/command/report/pages.hpp"
#include "model/base/text.hpp"

namespace schedproof::cli::site {

namespace {

namespace fs = std::filesystem;

/// Where a file of the figure is, from its page.
std::string target(const Figure& figure, const std::string& file) { return figure.id + "/" + file; }

Html picture(const Figure& figure) {
    const std::string file = picture_of(figure);
    if (file.empty()) return {};
    return element("figure", element("div", {{"class", "plate"}},
                                     void_element("img", {{"src", target(figure, file)},
                                                          {"alt", number_of(figure) + ": " + figure.title}})));
}

/// The policies that run for it, each with its page.
Html policies(const std::string& path, const Figure& figure) {
    Html list;
    for (const auto& [family, id] : policies_of(figure))
        list += (list.empty() ? Html() : Html(", ")) + link(relative(path, policy_page(family, id)), code(id));
    return list.empty() ? list : paragraph(Html("Policies: ") + list + ".");
}

Html claim_rows(const Figure& figure) {
    Html out;
    for (const FigureClaim& claim : figure.claims) {
        Html compared, other;
        for (const Comparison& one : claim.comparisons)
            compared +=
                element("li", one.what + ": " + one.value + (one.bound.empty() ? "" : " (to be " + one.bound + ")") +
                                  (one.truth.empty() ? "" : ", " + one.truth));
        for (const auto& [choice, truth] : claim.sensitivity) other += element("li", choice + ": " + truth);
        Html found = element("ul", {{"class", "plain"}}, compared);
        if (!other.empty())
            found += element("details", element("summary", "With other values of what the paper leaves out") +
                                            element("ul", {{"class", "plain"}}, other));
        out += element("tr", element("th", {{"scope", "row"}}, claim.says) + element("td", badge(claim.verdict)) +
                                 element("td", found) + element("td", claim.place));
    }
    return out;
}

void add_figure(const Site& site, const Figure& figure, Files& files) {
    Page page{figure_page(figure.id), figure.title.empty() ? figure.id : figure.title, "Figures", {}};
    page.above = element("p", {{"class", "kind"}},
                         source_text(site, page.path, "[" + figure.paper + "]") + ", " + number_of(figure));
    if (!figure.note.empty()) page.main += element("p", {{"class", "lede"}}, figure.note);
    page.main += picture(figure) + policies(page.path, figure);
    Html downloads;
    for (const std::string& file : figure.files) downloads += element("li", link(target(figure, file), code(file)));
    page.main += element("ul", {{"class", "downloads"}}, downloads) + element("h2", "What the paper says about it");
    page.main += table("Claims about the figure", {"The paper says", "Verdict", "Measured", "Place"},
                       claim_rows(figure), {{"class", "cards"}});
    Html assumptions;
    for (const auto& [parameter, value] : figure.assumptions)
        assumptions += element("tr", element("th", {{"scope", "row"}}, parameter) + element("td", value));
    if (!assumptions.empty())
        page.main += element("h2", "What the paper leaves out") +
                     table("Assumptions", {"Parameter", "Taken here"}, assumptions, {{"class", "cards"}});
    if (!figure.scale.empty()) page.main += paragraph("Run at the scale: " + figure.scale + ".");
    for (const std::string& file : figure.files)
        files["figures/" + target(figure, file)] =
            base::read_file((fs::path(site.reproduced) / figure.id / file).string());
    files[page.path] = document(page);
}

}  // namespace

void add_figures(const Site& site, Files& files) {
    Html rows;
    for (const Figure& figure : site.figures) {
        add_figure(site, figure, files);
        Html verdicts;
        for (const FigureClaim& claim : figure.claims) verdicts += badge(claim.verdict) + " ";
        rows += element("tr", element("th", {{"scope", "row"}}, link(figure_page(figure.id), figure.id)) +
                                  element("td", source_text(site, "figures.html", "[" + figure.paper + "]")) +
                                  element("td", figure.number) + element("td", {{"class", "said"}}, figure.title) +
                                  element("td", verdicts));
    }
    Page page{"figures.html", "Figures", "Figures", {}};
    page.main =
        site.figures.empty()
            ? paragraph(Html("This site has no figures yet. Run ") + code("schedproof reproduce --quick --all") +
                        " (some minutes) and make the report again.")
            : table("Figures of the papers", {"Figure", "Paper", "Number", "Shows", "Verdicts"}, rows,
                    {{"class", "cards"}});
    files[page.path] = document(page);
}

}  // namespace schedproof::cli::site
