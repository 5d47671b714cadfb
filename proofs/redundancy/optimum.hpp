/// The least total flowtime of a small problem, by looking at every schedule.
///
/// OPT of the paper: speed 1, no multitasking, whole copies, decisions exactly at arrivals and departures. The search
/// branches on every choice of copies at every decision (redundancy_choices.hpp) and leaves out what cannot be better
/// than the best schedule found: the k-th of the active jobs to end needs at least the time in which the best
/// allocation does the work of the k smallest, and the best speedup the work of the k-th; a job still to come needs its
/// size over the best speedup. Rational throughout; the value is that of the schedule returned. Source:
/// [xu2017], Section 4 (OPT); docs/models/redundancy.md, Interpretation R11.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/redundancy/history.hpp"

namespace schedproof::redundancy {

/// From one event to the next.
struct Decision {
    Rational start;
    Rational length;
    std::vector<std::uint32_t> copies;  ///< by job; 0 for those that wait or are not there
};

struct Optimum {
    Rational value;                    ///< sum_j (c_j - a_j)
    std::vector<Decision> schedule;    ///< from the first arrival to the last completion
    std::vector<Rational> completion;  ///< by job
    std::uint64_t decisions = 0;       ///< looked at
};

/// Requires a linear service, and jobs without fault. Throws LimitExceeded beyond `limit` decisions: about 10 s.
/// Cost: exponential; milliseconds for three jobs on three machines.
[[nodiscard]] Optimum optimum(const Problem<Rational>& problem, std::uint64_t limit = 2'000'000);

/// A best schedule if its value is below `bound`; otherwise nothing, found at less cost.
[[nodiscard]] std::optional<Optimum> optimum_below(const Problem<Rational>& problem, const Rational& bound,
                                                   std::uint64_t limit = 2'000'000);

}  // namespace schedproof::redundancy
