/// Smaller cases on which a claim still fails.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "checks/sharing/case.hpp"

namespace schedproof::checks {

struct ShrunkCase {
    SharingCase found;
    std::size_t tried = 0;  ///< cases judged on the way
};
/// Drops jobs and tasks that do not run, and nodes and slots where nothing runs, forgets racks, and lowers skip counts,
/// parameters and times, one at a time and the first that still fails, until none does or `limit` cases were judged.
/// Deterministic.
[[nodiscard]] ShrunkCase shrink(SharingCase found, const std::function<std::string(const SharingCase&)>& complaint,
                                std::size_t limit = 2000);

}  // namespace schedproof::checks
