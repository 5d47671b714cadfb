/// What the readers of other programs' files have found, as a policy's text and as notes.
#pragma once

#include <string>

#include "experiments/input/routers/imported_rule.hpp"

namespace schedproof::cli {

/// Lower-case words with dashes, which a policy's name may be. What does not begin with a letter gets `head` before it.
[[nodiscard]] std::string dashed_name(const std::string& name, const std::string& head);

/// The rule as a text that can be read, with the notes in comments; `head` as above. Throws InputError where the policy
/// language does not take it.
[[nodiscard]] std::string policy_text(const input::ImportedRule& rule, const std::string& file,
                                      const std::string& head = "router");

/// On standard error.
void print_notes(const input::ImportedRule& rule, const std::string& file);

}  // namespace schedproof::cli
