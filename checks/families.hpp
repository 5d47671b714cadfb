/// Every family, explicitly: the one list that a new family is added to.
///
/// NAME in the list stands for `checks::NAME_family()`, declared here and defined in checks/NAME/family.cpp, and for
/// `cli::NAME_files()`, defined in experiments/command/families/NAME.cpp.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "checks/core/claim.hpp"

/// In the order in which they are listed to users.
#define SCHEDPROOF_FAMILIES(FAMILY) FAMILY(assignment) FAMILY(queueing) FAMILY(redundancy) FAMILY(sharing)

namespace schedproof::checks {

#define SCHEDPROOF_DECLARE_FAMILY(NAME) [[nodiscard]] const Family& NAME##_family();
SCHEDPROOF_FAMILIES(SCHEDPROOF_DECLARE_FAMILY)
#undef SCHEDPROOF_DECLARE_FAMILY

[[nodiscard]] std::span<const Family* const> families();

[[nodiscard]] std::vector<std::string> family_ids();

/// Every claim of every family, sorted by id.
[[nodiscard]] std::vector<Claim> all_claims();
/// One of them. Throws InputError when there is none of that id.
[[nodiscard]] Claim claim_named(std::string_view id);

}  // namespace schedproof::checks
