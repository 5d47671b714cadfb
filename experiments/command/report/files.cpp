#include "experiments/command/report/assets.hpp"
#include "experiments/command/report/pages.hpp"

namespace schedproof::cli::site {

namespace {

/// Style and scripts. The files of a folder are one script, in the order of their names.
void add_assets(Files& files) {
    constexpr std::string_view root = "experiments/site/";
    for (const Asset& asset : assets()) {
        if (!asset.path.starts_with(root)) continue;
        const std::string_view path = asset.path.substr(root.size());
        const std::size_t slash = path.find('/');
        files["assets/" + (slash == std::string_view::npos ? std::string(path)
                                                           : std::string(path.substr(0, slash)) + ".js")] += asset.text;
    }
}

}  // namespace

Files files_of(const Site& site) {
    Files files;
    add_assets(files);
    add_index(site, files);
    add_claims(site, files);
    add_policies(site, files);
    add_figures(site, files);
    add_papers(site, files);
    add_texts(site, files);
    add_graph(site, files);
    return files;
}

}  // namespace schedproof::cli::site
