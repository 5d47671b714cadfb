/// How much worse than the optimum a policy can be: the adversary.
/// The method stands at the head of worst.cpp.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "policies/redundancy/registry.hpp"
#include "proofs/explore/explorer.hpp"
#include "proofs/explore/worst_case.hpp"
#include "proofs/redundancy/optimum.hpp"
#include "proofs/redundancy/theorems/statement_shape.hpp"

namespace schedproof::redundancy {

/// A problem with its ratio, found by running the policy on it and solving it.
struct RatioWitness {
    Problem<Rational> problem;
    std::vector<Rational> completion;  ///< under the policy, by job
    Rational flowtime;                 ///< of the policy
    Optimum best;
    [[nodiscard]] Rational ratio() const { return flowtime / best.value; }
};
/// Requires a problem with a job.
[[nodiscard]] RatioWitness measure(const AnyPolicy& policy, const Rational& speed, Problem<Rational> problem);

struct Worst {
    /// What is known of the ratio.
    using Proved = explore::WorstCase;
    Proved proved = Proved::lower_bound;
    Rational ratio;
    bool attained = false;  ///< by the witness; otherwise the witness is near
    std::optional<RatioWitness> witness;
    std::uint64_t cases = 0;     ///< cells, or problems of the grid
    std::uint64_t programs = 0;  ///< linear programs solved, or optima found
    explore::Statistics statistics;
    std::string ended;  ///< which budget, of a lower bound
};

/// At the shape's speed. Its beta is not looked at: the policy has its own.
/// Cost: a cell per schedule of both; seconds for two jobs, minutes for three.
[[nodiscard]] Worst worst_over_jobs(const AnyPolicy& policy, const Shape& shape, const explore::Budget& budget = {});

struct Grid {
    std::vector<Rational> gaps;   ///< between arrivals, at least 0
    std::vector<Rational> sizes;  ///< above 0
    std::uint64_t limit = 10'000'000;
    std::function<void(std::uint64_t done, std::uint64_t all)> progress;  ///< may be empty
};
/// At the shape's speed. Throws LimitExceeded when the grid has more problems than its limit.
[[nodiscard]] Worst worst_on_grid(const AnyPolicy& policy, const Shape& shape, const Grid& grid);

}  // namespace schedproof::redundancy
