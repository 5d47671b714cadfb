#include "experiments/command/core/commit.hpp"

#include <fmt/core.h>

namespace schedproof::cli {

namespace {

constexpr std::string_view described_commit =
#include "experiments/commit.inc"
    ;

}  // namespace

std::string_view commit() { return described_commit; }

std::string version_and_commit() {
    return commit().empty() ? SCHEDPROOF_VERSION : fmt::format("{} (commit {})", SCHEDPROOF_VERSION, commit());
}

}  // namespace schedproof::cli
