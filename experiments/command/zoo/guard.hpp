/// A rule kept near the worker of least work: the repair of any rule, with its proof.
#pragma once

#include <cstdint>
#include <string>

#include "experiments/command/zoo/zoo.hpp"

namespace schedproof::cli {

/// The text with what it would join taken only where the work over the rate exceeds the least of all workers by at most
/// so many requests; else the worker of least work is joined. Its regret is bounded (bounded_regret.hpp), so it is
/// throughput optimal on every cluster. Throws InputError when the rule keeps other queues than per server and level.
[[nodiscard]] std::string guarded(const ZooRule& rule, std::uint64_t requests);

}  // namespace schedproof::cli
