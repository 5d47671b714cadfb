/// Where tasks may run locally: servers with their cores, tasks with their replica sets.
///
/// What a policy of the assignment family knows before any number: loads and costs are `Problem`'s (problem.hpp).
/// A statement "for all loads" is made shape by shape.
/// Source: [jin2018], Section 3.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/core/ids.hpp"

namespace schedproof::assignment {

/// Replica sets of all tasks in two flat arrays, which is how ten million of them fit in memory.
class Replicas {
  public:
    Replicas() { begin_.push_back(0); }
    /// Appends the next task. Duplicates are kept: `Shape` refuses them.
    void add(std::span<const ServerId> servers) {
        servers_.insert(servers_.end(), servers.begin(), servers.end());
        begin_.push_back(servers_.size());
    }
    void reserve(std::size_t tasks, std::size_t replicas) {
        begin_.reserve(tasks + 1);
        servers_.reserve(replicas);
    }
    [[nodiscard]] std::size_t tasks() const { return begin_.size() - 1; }
    [[nodiscard]] std::size_t total() const { return servers_.size(); }
    [[nodiscard]] std::span<const ServerId> of(TaskId t) const {
        return {servers_.data() + begin_[t.index()], begin_[t.index() + 1] - begin_[t.index()]};
    }
    friend bool operator==(const Replicas&, const Replicas&) = default;

  private:
    std::vector<std::uint64_t> begin_;
    std::vector<ServerId> servers_;
};

class Shape {
  public:
    Shape() = default;
    /// `cores` is the number of cores per server, `jobs` the job of each task, in ascending order from 0; empty for
    /// one job. Throws InputError for a server without cores, and for a task with no replica, an unknown one or one
    /// given twice.
    Shape(const std::vector<std::uint32_t>& cores, Replicas replicas, std::vector<JobId> jobs = {});

    [[nodiscard]] IdRange<ServerId> servers() const { return IdRange<ServerId>(first_core_.size() - 1); }
    [[nodiscard]] IdRange<CoreId> cores() const { return IdRange<CoreId>(server_of_.size()); }
    [[nodiscard]] IdRange<TaskId> tasks() const { return IdRange<TaskId>(replicas_.tasks()); }

    [[nodiscard]] std::size_t cores_of(ServerId s) const { return first_core_[s.index() + 1] - first_core_[s.index()]; }
    /// The i-th core of server s, from 0: cores of a server have consecutive ids.
    [[nodiscard]] CoreId core(ServerId s, std::size_t i) const { return CoreId(first_core_[s.index()] + i); }
    [[nodiscard]] ServerId server_of(CoreId p) const { return server_of_[p.index()]; }

    [[nodiscard]] const Replicas& replicas() const { return replicas_; }
    /// DL(t): the servers that hold the task's block, as given; never empty.
    [[nodiscard]] std::span<const ServerId> replicas(TaskId t) const { return replicas_.of(t); }
    [[nodiscard]] bool is_local(TaskId t, ServerId s) const;

    [[nodiscard]] std::size_t jobs() const { return jobs_.empty() ? 1 : jobs_.back().index() + 1; }
    [[nodiscard]] JobId job_of(TaskId t) const { return jobs_.empty() ? JobId(0) : jobs_[t.index()]; }

    friend bool operator==(const Shape&, const Shape&) = default;

  private:
    std::vector<std::uint32_t> first_core_{0};  // by server, then the number of cores
    std::vector<ServerId> server_of_;           // by core
    Replicas replicas_;
    std::vector<JobId> jobs_;
};

}  // namespace schedproof::assignment
