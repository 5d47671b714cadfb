/// All shapes of a range of sizes, in every order of servers and of tasks.
///
/// Renaming servers and tasks changes no optimum, but a policy may go by names: ties go by id, and some take tasks in
/// their order. No symmetry is assumed of any policy. It is a function of its problem, so the orders that it can tell
/// apart are those with different problems, and each of them is a shape of its own here. Exchanging two tasks with the
/// same replica set, or two cores of a server (whose loads are symbols), gives a problem that is there already.
/// A task's replicas are listed in the order of the servers.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "model/assignment/shape.hpp"

namespace schedproof::assignment {

struct Between {
    std::uint32_t least = 1, most = 1;
};
struct ShapeRange {
    Between servers, cores /* of each server */, tasks, replicas /* of each task */;
};

/// Reads `servers=2 cores=1..2 tasks=3 replicas=1..2`, keys in any order; replicas may be left out: any number.
/// Throws InputError with what was expected.
[[nodiscard]] ShapeRange parse_shape_range(std::string_view text);

/// The one spelling of a range, which `parse_shape_range` reads.
[[nodiscard]] std::string name(const ShapeRange& range);

/// Throws LimitExceeded beyond `limit` shapes.
[[nodiscard]] std::vector<std::shared_ptr<const Shape>> shapes(const ShapeRange& range,
                                                               std::uint64_t limit = 1'000'000);

}  // namespace schedproof::assignment
