/// Exhaustive answers about small assignment problems, from the definitions alone.
///
/// The properties compare what DynDLOff says with this. Nothing here calls a policy, an evaluation or a position of
/// theirs: loads are summed again, deadlines counted again, and optima found by looking at every way to spread tasks
/// over servers. What is used besides is that all tasks are alike: of a server only the numbers of its local and its
/// remote tasks matter, and local tasks of equal length are best placed one by one on the core of least load.
/// Source: [jin2018], Sections 3 and 5.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "model/assignment/assignment.hpp"

namespace schedproof::checks {

using AssignmentProblem = assignment::Problem<Rational>;

/// What an assignment comes to, summed once more.
struct Totals {
    std::vector<Rational> load;        ///< by core
    std::vector<std::size_t> local;    ///< by core: number of local tasks
    std::vector<std::size_t> remote;   ///< by core: number of remote tasks
    std::size_t remote_tasks = 0;      ///< of all cores
    std::optional<Rational> makespan;  ///< over cores with a task; none without tasks
};
[[nodiscard]] Totals totals(const AssignmentProblem& problem, const assignment::Assignment& assignment);

/// Optima of a problem of at most 12 tasks and 5 servers. Throws LimitExceeded beyond.
/// Cost: one look at each way to count local and remote tasks by server that some assignment has.
class Exhaustive {
  public:
    explicit Exhaustive(const AssignmentProblem& problem);

    /// The least makespan of assignments with exactly n remote tasks; none when there is no such assignment.
    [[nodiscard]] const std::optional<Rational>& with_remote(std::size_t n) const { return best_[n].makespan; }
    /// The least makespan. Requires a task.
    [[nodiscard]] const Rational& optimum() const;
    /// The least makespan of assignments whose tasks are all local. Requires a task.
    [[nodiscard]] const Rational& local_optimum() const { return *best_[0].makespan; }
    /// An assignment of least makespan, and one with exactly n remote tasks. Requires that there is one.
    [[nodiscard]] assignment::Assignment optimal() const;
    [[nodiscard]] assignment::Assignment optimal_with(std::size_t n) const;
    /// The numbers of remote tasks that optimal assignments have, ascending.
    [[nodiscard]] std::vector<std::size_t> remote_of_optima() const;

  private:
    using Count = std::pair<std::uint8_t, std::uint8_t>;  // local and remote tasks of a server
    using Counts = std::vector<Count>;                    // by server
    struct Best {
        std::optional<Rational> makespan;
        Counts counts;
    };
    /// M_s(l, r): the least makespan of l local and r remote tasks on a server.
    const std::optional<Rational>& least(ServerId s, Count count);

    const AssignmentProblem& problem_;
    std::map<std::pair<ServerId, Count>, std::optional<Rational>> least_;
    std::vector<Best> best_;  // by number of remote tasks
};

/// Calls `visit` with the server of each task, for each way to make all tasks local.
void for_each_local_map(const AssignmentProblem& problem,
                        const std::function<void(const std::vector<ServerId>&)>& visit);

/// The finish times of n local tasks spread evenly over the cores of a server: the n smallest Linit(p) + j, ascending.
[[nodiscard]] std::vector<Rational> even_finishes(const AssignmentProblem& problem, ServerId s, std::size_t n);

/// The tasks of each server spread evenly over its cores, lower ids first.
[[nodiscard]] assignment::Assignment spread(const AssignmentProblem& problem, const std::vector<ServerId>& server_of);

/// An assignment with these servers that satisfies Constraint 2: no task would finish earlier as the last one on
/// another core that it prefers. None when there is no such assignment.
[[nodiscard]] std::optional<assignment::Assignment> with_constraint_2(const AssignmentProblem& problem,
                                                                      const std::vector<ServerId>& server_of);

/// An alternating path from a server to another that holds the block of its last task.
struct ShiftablePath {
    std::vector<ServerId> servers;
    std::vector<TaskId> tasks;
    Rational from;  ///< MAX of the first server: the largest load of its cores that have tasks
    Rational to;    ///< MIN of the last one: the least load of its cores
};
/// A path along which work can be shifted to an earlier finish, MAX - MIN > 1; found by plain search. None when there
/// is none. Requires that all tasks are local.
[[nodiscard]] std::optional<ShiftablePath> shiftable_path(const AssignmentProblem& problem,
                                                          const assignment::Assignment& assignment);

/// The least largest finish of n remote tasks put on top of the loads `base`, by core; none for n = 0.
[[nodiscard]] std::optional<Rational> least_remote_finish(const AssignmentProblem& problem,
                                                          const std::vector<Rational>& base, std::size_t n);

/// How many remote tasks of length g each fit between the loads of a server's cores and d.
[[nodiscard]] std::size_t fitting(const AssignmentProblem& problem, const std::vector<Rational>& load, ServerId s,
                                  const Rational& g, const Rational& d);
/// The most remote tasks, up to all tasks, that a server with these loads can finish by d: every number is tried.
[[nodiscard]] std::size_t most_remote_by(const AssignmentProblem& problem, const std::vector<Rational>& load,
                                         ServerId s, const Rational& d);

}  // namespace schedproof::checks
