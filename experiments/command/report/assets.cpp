#include "experiments/command/report/assets.hpp"

#include <algorithm>

namespace schedproof::cli::site {

namespace {

/// Without lengths: to count the letters of all texts is more than a compiler may do.
struct EmbeddedAsset {
    const char* path;
    const char* text;
};

constexpr EmbeddedAsset embedded[] = {
#include "experiments/site.inc"
};

}  // namespace

const std::vector<Asset>& assets() {
    static const std::vector<Asset> all = [] {
        std::vector<Asset> list;
        for (const EmbeddedAsset& one : embedded) list.push_back({one.path, one.text});
        return list;
    }();
    return all;
}

std::string_view asset(std::string_view path) {
    const auto found = std::find_if(assets().begin(), assets().end(), [&](const Asset& a) { return a.path == path; });
    return found == assets().end() ? std::string_view() : found->text;
}

}  // namespace schedproof::cli::site
