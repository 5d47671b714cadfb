/// Cases of the sharing family as JSON files: `case.json` of a bundle.
#pragma once

#include <string>

#include "checks/sharing/outside.hpp"

namespace schedproof::command {

/// Writes the case by its schema, `sharing-case`.
void write_sharing_case(const std::string& path, const checks::SharingCase& c);
/// Throws InputError, naming the member, unless the file holds such a case, and one of which a claim that looks at this
/// part speaks under the policy.
[[nodiscard]] checks::SharingCase read_sharing_case(const std::string& path, checks::SharingPart part,
                                                    const std::string& policy);

}  // namespace schedproof::command
