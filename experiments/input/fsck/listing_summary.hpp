/// The lines of a listing that are neither path nor block, and the comparison of its summary with what was read.
/// Private to the reader; use reader.hpp.
#pragma once

#include <optional>
#include <string_view>

#include "experiments/input/fsck/listing.hpp"

namespace schedproof::input::fsck {

/// The line's kind, told by how it begins. Requires a trimmed line that is neither path nor block.
[[nodiscard]] SkippedLine classify(std::string_view line);

/// The trouble that a note tells of, if any.
[[nodiscard]] std::optional<Trouble> trouble_of(std::string_view note);

/// Takes over what a summary line announces. False when its number is out of range.
[[nodiscard]] bool read_announcement(std::string_view line, Announced& announced);

/// Fills `differences`.
void compare_with_announced(ImportSummary& summary);

}  // namespace schedproof::input::fsck
