/// How the policies of this family spend machines on the jobs they serve: copies when there are few jobs, shares when
/// there are many.
///
/// Source: [xu2017], Algorithms 1 to 3; docs/models/redundancy.md, Policies.
#pragma once

#include "model/redundancy/allocation.hpp"

namespace schedproof::redundancy {

/// Which of the served jobs takes the machines that M div z leaves over.
enum class Leftover { first, last };

/// Ranks first..last-1, fewer than machines: M div z copies each, and the leftover ones for the first or the last.
[[nodiscard]] constexpr Allocation copies_for_all(std::size_t first, std::size_t last, std::size_t machines,
                                                  Leftover leftover) {
    const std::size_t z = last - first, q = machines / z;
    const Grant each{q, 1}, lucky{machines - (z - 1) * q, 1};
    Allocation allocation;
    if (leftover == Leftover::first) {
        grant(allocation, first, first + 1, lucky);
        grant(allocation, first + 1, last, each);
    } else {
        grant(allocation, first, last - 1, each);
        grant(allocation, last - 1, last, lucky);
    }
    return allocation;
}

/// The z latest of n jobs, z >= machines, in whole rounds: k = z div M, and the kM latest share, k to a machine; the
/// other z mod M of them wait.
[[nodiscard]] constexpr Allocation shares_for_latest(std::size_t n, std::size_t z, std::size_t machines) {
    const std::size_t k = z / machines;
    Allocation allocation;
    grant(allocation, n - k * machines, n, {1, k});
    return allocation;
}

}  // namespace schedproof::redundancy
