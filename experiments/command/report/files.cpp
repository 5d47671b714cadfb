#include "experiments/command/report/assets.hpp"
#include "experiments/command/report/pages.hpp"

namespace schedproof::cli::site {

Files files_of(const Site& site) {
    constexpr std::string_view folder = "experiments/site/";
    Files files;
    for (const Asset& asset : assets())
        if (asset.path.starts_with(folder) && !asset.path.ends_with(".md"))
            files["assets/" + std::string(asset.path.substr(folder.size()))] = asset.text;
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
