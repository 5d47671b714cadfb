/// The least makespan of an assignment problem, with an assignment that attains it, in three ways.
///
/// Finding it is NP-hard, and a proof of it is a refutation: no assignment does better. The three ways refute in three
/// manners and share nothing but the model, so that where they agree a fault would have to stand in each:
///  - maps: every map from tasks to cores is evaluated;
///  - servers: every division of the tasks among servers, where M_s(l, r), the least makespan of l local and r remote
///    tasks on server s, is made core by core. Tasks with the same replicas are interchangeable, and M_s never falls as
///    tasks are added, so a part whose M_s is no better than the best value known is not completed;
///  - solver: Z3 on integers: tasks choose servers, servers divide counts among cores,
///    and a guard per number of remote tasks fixes their price. Values descend, and the last question, whether
///    anything is better than the value returned, is asked afresh of another solver.
/// All of them return what `evaluate` says of their witness, or throw OracleConflict.
/// The same three ways find the optimum among local assignments, and the fewest remote tasks within a deadline.
/// Source: [jin2018], Section 3; docs/models/assignment.md, Model.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "model/assignment/assignment.hpp"

namespace schedproof::assignment {

/// Which assignments compete.
enum class Among { all, local };

/// Why nothing better exists.
enum class Established {
    every_map,       ///< every map from tasks to cores has been evaluated
    every_division,  ///< every division among servers has been, or a part of it was no better already
    refuted,         ///< the solver found that nothing is better, asked afresh
    nothing,         ///< a budget ended: the value is attained, and may not be the least
};
[[nodiscard]] std::string_view to_string(Established established);

/// The least value of an objective.
template <class V>
struct Best {
    std::optional<V> value;  ///< none when no assignment qualifies, or when there is no task to have a makespan
    Assignment witness;      ///< attains the value
    Established established = Established::nothing;
    std::uint64_t cases = 0;  ///< maps or divisions looked at, or questions to the solver
    std::string ended;        ///< which budget ended it; empty unless `established` is `nothing`
};

/// Requires a valid problem. Throws LimitExceeded when there are more than `limit` maps. Cost: T + P steps per map.
template <Number N>
[[nodiscard]] Best<N> optimum_by_maps(const Problem<N>& problem, Among among = Among::all,
                                      std::uint64_t limit = 3'000'000);
/// Requires a valid problem. Throws LimitExceeded beyond `limit` divisions.
template <Number N>
[[nodiscard]] Best<N> optimum_by_servers(const Problem<N>& problem, Among among = Among::all,
                                         std::uint64_t limit = 20'000'000);

/// Fewest remote tasks of an assignment whose makespan is at most the deadline. Otherwise as above.
template <Number N>
[[nodiscard]] Best<std::size_t> fewest_remote_by_maps(const Problem<N>& problem, const N& deadline,
                                                      std::uint64_t limit = 3'000'000);
template <Number N>
[[nodiscard]] Best<std::size_t> fewest_remote_by_servers(const Problem<N>& problem, const N& deadline,
                                                         std::uint64_t limit = 20'000'000);

/// The solver's limits: the same ones end the same search at the same place.
struct SolverBudget {
    std::uint32_t resources = 300'000'000;  ///< Z3's units per question, about a minute
    std::uint32_t questions = 10'000;
};
/// Requires a valid problem. `start`: an assignment to descend from, such as a policy's.
[[nodiscard]] Best<Rational> optimum_by_solver(const Problem<Rational>& problem, Among among = Among::all,
                                               const SolverBudget& budget = {},
                                               const std::optional<Assignment>& start = {});
[[nodiscard]] Best<std::size_t> fewest_remote_by_solver(const Problem<Rational>& problem, const Rational& deadline,
                                                        const SolverBudget& budget = {});

/// The question behind `refuted`, for any other solver to repeat: whether an assignment has a makespan below `value`,
/// as SMT-LIB 2 text in QF_LIA, a comment before each assertion. Unsatisfiable for the optimum.
/// Unit of its numbers: the `least_ticks` that make all loads, costs and the value whole.
[[nodiscard]] std::string better_smtlib(const Problem<Rational>& problem, const Rational& value,
                                        Among among = Among::all);

}  // namespace schedproof::assignment
