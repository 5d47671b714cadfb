/// Cases of the sharing family as JSON files: `case.json` of a bundle.
#pragma once

#include <string>

#include "checks/sharing/case.hpp"
#include "model/base/record.hpp"

namespace schedproof::cli {

/// What the file holds.
[[nodiscard]] base::Form sharing_case_form();
/// Writes the case by its schema, `sharing-case`.
void write_sharing_case(const std::string& path, const checks::SharingCase& c);
/// Throws InputError, naming the member, unless the file holds such a case. What a claim asks of it besides is checked
/// by the claim.
[[nodiscard]] checks::SharingCase read_sharing_case(const std::string& path);
/// The line of a member, by its keys: `state.slots`. Requires a file that holds a case.
[[nodiscard]] std::size_t sharing_case_line(const std::string& path, const std::string& key);

}  // namespace schedproof::cli
