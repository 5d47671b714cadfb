/// Errors as exit codes.
#pragma once

#include <functional>

namespace schedproof::cli {

/// What the body returns; or, with a line on standard error, the exit code of the error that it throws.
[[nodiscard]] int exit_code_of(const std::function<int()>& body);

}  // namespace schedproof::cli
