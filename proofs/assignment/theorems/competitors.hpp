/// The assignments that can be the best of a shape, whatever loads and costs.
///
/// What an assignment comes to depends only on how many local and how many remote tasks each core carries, so one
/// assignment per such table is enough. Of two tables with the same number of tasks on every core, the one that has on
/// no core more remote tasks is at least as good: it has no more on any server either, costs do not fall with their
/// number, and a local task costs less than a remote one. So only tables that no other undercuts are kept.
/// Cores of one server are not interchangeable here: their loads are symbols, and may differ.
#pragma once

#include <cstdint>
#include <vector>

#include "model/assignment/assignment.hpp"

namespace schedproof::assignment {

/// Throws LimitExceeded when the shape has more than `limit` tables.
[[nodiscard]] std::vector<Assignment> competitors(const Shape& shape, std::uint64_t limit = 100'000);

}  // namespace schedproof::assignment
