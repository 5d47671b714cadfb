/// Long texts in a script of the page that shows them.
#pragma once

#include <string>
#include <string_view>

namespace schedproof::cli::site {

/// The text compressed as gzip does (RFC 1952), in base64 (RFC 4648): letters, digits, `+`, `/` and `=` alone. The same
/// text gives the same bytes. Throws Error when the library refuses.
[[nodiscard]] std::string packed(std::string_view text);

}  // namespace schedproof::cli::site
