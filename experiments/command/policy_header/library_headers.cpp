#include "experiments/command/policy_header/library_headers.hpp"

#include <system_error>

namespace schedproof::cli::policy_header {

namespace fs = std::filesystem;

namespace {

fs::path& command_header_path() {
    static fs::path path;
    return path;
}

}  // namespace

void compiled_with(const fs::path& command_header) { command_header_path() = command_header; }

std::optional<fs::path> library_headers() {
    std::error_code error;
    const fs::path bin = fs::read_symlink("/proc/self/exe", error).parent_path();
    const fs::path in_root("experiments/command/command.hpp");
    for (const fs::path& root : {bin / "../include/schedproof", bin / "../../..",
                                 command_header_path().parent_path().parent_path().parent_path()})
        if (fs::exists(root / in_root, error)) return fs::weakly_canonical(root, error);
    return {};
}

}  // namespace schedproof::cli::policy_header
