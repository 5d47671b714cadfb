/// Which program this is.
#pragma once

#include <string>
#include <string_view>

namespace schedproof::cli {

/// The commit that the program was built from, as `git describe --always` names it; empty where the sources
/// were in no repository.
[[nodiscard]] std::string_view commit();

/// `0.2.0`, and with a known commit `0.2.0 (commit 1a2b3c4)`.
[[nodiscard]] std::string version_and_commit();

}  // namespace schedproof::cli
