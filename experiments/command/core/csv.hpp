/// Fields of CSV files.
#pragma once

#include <string>

#include "model/base/json.hpp"

namespace schedproof::cli {

/// The text, in quotes where it needs them (RFC 4180).
[[nodiscard]] std::string csv_field(const std::string& text);

/// The values of an object as a line; of an exact number the fraction, nothing for null.
[[nodiscard]] std::string csv_line(const base::Json& record);

}  // namespace schedproof::cli
