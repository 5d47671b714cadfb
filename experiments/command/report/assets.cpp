#include "experiments/command/report/assets.hpp"

#include <algorithm>

namespace schedproof::cli::site {

namespace {

constexpr Asset embedded[] = {
#include "experiments/site.inc"
};

}  // namespace

const std::vector<Asset>& assets() {
    static const std::vector<Asset> all(std::begin(embedded), std::end(embedded));
    return all;
}

std::string_view asset(std::string_view path) {
    const auto found = std::find_if(assets().begin(), assets().end(), [&](const Asset& a) { return a.path == path; });
    return found == assets().end() ? std::string_view() : found->text;
}

}  // namespace schedproof::cli::site
