/// Bytes as characters of the page that holds them: long texts in a script, and pictures.
#pragma once

#include <string>
#include <string_view>

namespace schedproof::cli::site {

/// The text compressed as gzip does (RFC 1952), in base64 (RFC 4648): letters, digits, `+`, `/` and `=` alone. The same
/// text gives the same bytes. Throws Error when the library refuses.
[[nodiscard]] std::string packed(std::string_view text);
/// The bytes in base64.
[[nodiscard]] std::string base64(std::string_view bytes);

}  // namespace schedproof::cli::site
