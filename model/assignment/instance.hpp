/// A named assignment problem, as files describe it: servers, tasks and jobs have names, costs have kinds.
///
/// The numbers are exact, in parts of a local task's cost. Names are optional, since ten million tasks would carry
/// more text than numbers: without, servers are s0, s1, ..., tasks t0, t1, ..., jobs j0, j1, .... An instance has one
/// representation: names that are the default ones are dropped, equal costs are one, in the order of their first
/// server. So two instances are equal exactly when their parts are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "model/assignment/cost.hpp"
#include "model/assignment/problem.hpp"

namespace schedproof::assignment {

/// What an instance is made of.
struct InstanceData {
    std::string name;
    std::string source;                  ///< where it comes from; may be empty
    std::vector<std::string> servers;    ///< names; empty: the default ones
    std::vector<std::string> racks;      ///< by server, such as `/dc1/rack2`; empty: not known
    std::vector<std::uint32_t> cores;    ///< by server
    std::vector<Rational> loads;         ///< by core, server by server
    Replicas replicas;                   ///< by task
    std::vector<std::string> tasks;      ///< names; empty: the default ones
    std::vector<JobId> jobs;             ///< by task, ascending from 0; empty: one job
    std::vector<std::string> job_names;  ///< empty: the default ones
    std::vector<Cost> costs;
    std::vector<std::uint32_t> cost_of;  ///< by server: position in `costs`; empty: all have the first
};

/// Gives all servers this cost; an open cap becomes the number of each server's cores. Requires `cores`.
void give_cost(InstanceData& data, const CostText& cost);

class Instance {
  public:
    /// Throws InputError when sizes do not match, a name is empty or stands twice, a cost has a fault, or `Shape` or
    /// `validate` (problem.hpp) complain.
    explicit Instance(InstanceData data);

    [[nodiscard]] const std::string& name() const { return data_.name; }
    [[nodiscard]] const std::string& source() const { return data_.source; }
    [[nodiscard]] const Shape& shape() const { return *problem_.shape; }
    [[nodiscard]] const Problem<Rational>& problem() const { return problem_; }
    /// The problem in the fewest ticks of which every value, and each of `times`, is a whole number.
    /// Throws LimitExceeded when 64 bits do not suffice for a value or for a makespan that they may add up to.
    [[nodiscard]] Problem<CheckedInt> ticks(const std::vector<Rational>& times = {}) const;

    [[nodiscard]] std::string server_name(ServerId s) const { return named(data_.servers, 's', s.index()); }
    [[nodiscard]] std::string task_name(TaskId t) const { return named(data_.tasks, 't', t.index()); }
    [[nodiscard]] std::string job_name(JobId j) const { return named(data_.job_names, 'j', j.index()); }
    [[nodiscard]] bool has_server_names() const { return !data_.servers.empty(); }
    [[nodiscard]] bool has_task_names() const { return !data_.tasks.empty(); }
    [[nodiscard]] bool has_jobs() const { return shape().jobs() > 1 || !data_.job_names.empty(); }
    [[nodiscard]] const std::vector<std::string>& racks() const { return data_.racks; }

    [[nodiscard]] const std::vector<Cost>& costs() const { return data_.costs; }
    [[nodiscard]] const Cost& cost(ServerId s) const {
        return data_.costs[problem_.cost_of.empty() ? 0 : problem_.cost_of[s.index()]];
    }

    friend bool operator==(const Instance& a, const Instance& b);

  private:
    static std::string named(const std::vector<std::string>& names, char letter, std::size_t i) {
        return names.empty() ? letter + std::to_string(i) : names[i];
    }
    InstanceData data_;  // without what `problem_` holds
    Problem<Rational> problem_;
};

/// A problem as an instance with default names and costs in tables. Requires a local task's cost of 1.
[[nodiscard]] Instance instance_of(const Problem<Rational>& problem, std::string name, std::string source);

}  // namespace schedproof::assignment
