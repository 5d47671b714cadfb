/// Where the library's headers are, for policies that are compiled while the command runs.
#pragma once

#include <filesystem>
#include <optional>

namespace schedproof::cli::policy_header {

/// Says that this program was compiled with the header `command.hpp` at this path. To be called before library_headers.
void compiled_with(const std::filesystem::path& command_header);

/// The folder in which `model/`, `policies/` and so on are: that of an installation around the running program, else of
/// the source tree in whose `build/PRESET/bin` it is, else that of the headers it was compiled with. None if there are
/// none in any of them.
[[nodiscard]] std::optional<std::filesystem::path> library_headers();

}  // namespace schedproof::cli::policy_header
