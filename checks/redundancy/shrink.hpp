/// Smaller counterexamples of the redundancy family: fewer jobs and machines, then a plainer service and numbers.
///
/// Greedy: candidates are tried in a fixed order, and the first about which the same judge still complains becomes the
/// new instance; until none does. Deterministic and bounded. Speed and beta stay: a claim speaks of them.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "model/redundancy/instance.hpp"

namespace schedproof::checks {

struct ShrunkInstance {
    redundancy::Instance instance;
    std::size_t tried = 0;  ///< candidates looked at
};

/// Requires an instance about which `complaint` (empty when fine) complains; so does it about the result.
/// Cost: at most `limit` complaints.
[[nodiscard]] ShrunkInstance shrink(redundancy::Instance instance,
                                    const std::function<std::string(const redundancy::Instance&)>& complaint,
                                    std::size_t limit = 2'000);

}  // namespace schedproof::checks
