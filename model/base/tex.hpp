/// Text for LaTeX.
#pragma once

#include <string>
#include <string_view>

namespace schedproof::base {

/// The text with every character escaped that LaTeX would read as a command.
[[nodiscard]] std::string tex(std::string_view text);

}  // namespace schedproof::base
