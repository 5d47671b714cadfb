/// The frame of every page: one heading, one navigation, one style, and scripts that only add to what is there.
#include <fmt/core.h>

#include "experiments/command/core/commit.hpp"
#include "experiments/command/report/site.hpp"

namespace schedproof::cli::site {

namespace {

struct Entry {
    const char* name;
    const char* page;
};
constexpr Entry navigation[] = {{"Claims", "index.html"},    {"Policies", "policies.html"},
                                {"Papers", "papers.html"},   {"Figures", "figures.html"},
                                {"Arguments", "graph.html"}, {"Benchmarks", "benchmarks.html"},
                                {"Trust", "trust.html"}};

Html head(const Page& page) {
    Html scripts;
    for (const std::string& script : page.scripts)
        scripts += element("script", {{"src", relative(page.path, script)}, {"defer", ""}}, {});
    return element(
        "head", void_element("meta", {{"charset", "utf-8"}}) +
                    void_element("meta", {{"name", "viewport"}, {"content", "width=device-width"}}) +
                    void_element("meta", {{"name", "color-scheme"}, {"content", "light dark"}}) +
                    element("title", page.title + " · schedproof") +
                    void_element("link", {{"rel", "icon"}, {"href", "data:,"}}) +
                    void_element("link", {{"rel", "stylesheet"}, {"href", relative(page.path, "assets/style.css")}}) +
                    scripts);
}

Html banner(const Page& page) {
    Html entries;
    for (const Entry& entry : navigation) {
        Attributes attributes{{"href", relative(page.path, entry.page)}};
        if (page.part == entry.name) attributes.emplace_back("aria-current", page.path == entry.page ? "page" : "true");
        entries += element("li", element("a", attributes, entry.name));
    }
    return element("header", {{"class", "top"}},
                   element("a", {{"class", "name"}, {"href", relative(page.path, "index.html")}}, "schedproof") +
                       element("nav", {{"aria-label", "Site"}}, element("ul", entries)));
}

}  // namespace

std::string document(const Page& page) {
    const Html body =
        element("a", {{"class", "skip"}, {"href", "#main"}}, "Skip to the content") + banner(page) +
        element("main", {{"id", "main"}}, page.above + element("h1", page.title) + page.main) +
        element("footer", fmt::format("schedproof {}. Made by schedproof report; nothing on these pages is loaded "
                                      "from elsewhere.",
                                      version_and_commit()));
    return "<!DOCTYPE html>\n" + element("html", {{"lang", "en"}}, head(page) + element("body", body)).markup() + "\n";
}

}  // namespace schedproof::cli::site
