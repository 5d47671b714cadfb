/// Fields of CSV files.
#pragma once

#include <string>

namespace schedproof::cli {

/// The text, in quotes where it needs them (RFC 4180).
[[nodiscard]] std::string csv_field(const std::string& text);

}  // namespace schedproof::cli
