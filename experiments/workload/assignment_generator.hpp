/// The paper's generator of assignment problems: random initial loads, random replicas, one cost function.
///
/// Core m stands on server floor(m / cores); its load is uniform on [0, alpha floor(m / cores) + beta]. Each task has
/// its block on `replicas` different servers, every ordered choice equally likely. g(n) = 1 + theta min(n, cores).
/// The random numbers of a core, and those of a task, are a stream of their own. So any core or task can be generated
/// alone, and a workload cut into shards has the bytes of the whole.
/// Source: [jin2018], Section 6.1.1.
/// Deviation: loads are drawn in whole ticks, both ends included, where the paper draws reals.
/// Deviation: the paper's f_init is misprinted; the division is read from its mapping of cores to servers, and that
/// the servers of a task differ is assumed (docs/models/assignment.md, Interpretations A17, A18).
#pragma once

#include <cstdint>
#include <vector>

#include "model/assignment/problem.hpp"

namespace schedproof::workload {

/// The paper's parameters; times are in parts of a local task's cost.
struct AssignmentWorkload {
    std::size_t tasks = 100;
    std::size_t servers = 50;
    std::uint32_t cores = 40;        ///< per server
    std::uint32_t replicas = 3;      ///< per task, at most `servers`
    Rational alpha{0};               ///< skew: how much the largest load grows from server to server
    Rational beta{100};              ///< largest load of the first server
    Rational theta{1};               ///< network factor
    std::int64_t ticks = 1'000'000;  ///< of one local task
    std::uint64_t seed = 1;
};

/// Draws parts of a workload, in any order. Throws InputError when a parameter has no meaning: no server, no core, no
/// tick, more replicas than servers, theta that is not positive or no whole number of ticks, negative loads.
/// Throws LimitExceeded when a time exceeds 64-bit ticks.
class AssignmentGenerator {
  public:
    explicit AssignmentGenerator(AssignmentWorkload workload);

    [[nodiscard]] const AssignmentWorkload& workload() const { return workload_; }
    /// In ticks. Requires a core of the workload.
    [[nodiscard]] CheckedInt load(CoreId p) const;
    /// Sets `servers` to the replicas of t, in the order drawn. Requires a task of the workload.
    void replicas(TaskId t, std::vector<ServerId>& servers) const;
    [[nodiscard]] const assignment::CostFunction<CheckedInt>& cost() const { return cost_; }

  private:
    AssignmentWorkload workload_;
    std::vector<std::uint64_t> choices_;  // by server: how many loads a core of it may have
    assignment::CostFunction<CheckedInt> cost_;
};

/// The whole workload as a problem in ticks. Throws as the generator does. Cost: O(cores + replicas).
[[nodiscard]] assignment::Problem<CheckedInt> generate(const AssignmentWorkload& workload);

}  // namespace schedproof::workload
