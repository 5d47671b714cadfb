/// All shapes of a range of sizes, one of each kind.
///
/// Two shapes are of one kind when renaming servers and tasks turns one into the other. An optimum does not see names;
/// a policy may, for ties go by id and some take tasks in their order. So what is said of a representative with all
/// its loads need not hold for another shape of its kind.
#pragma once

#include <cstdint>
#include <memory>
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

/// Servers with more cores come first. Throws LimitExceeded beyond `limit` candidates.
[[nodiscard]] std::vector<std::shared_ptr<const Shape>> shapes(const ShapeRange& range,
                                                               std::uint64_t limit = 1'000'000);

}  // namespace schedproof::assignment
