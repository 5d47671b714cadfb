/// The named problems of the assignment family: the paper's example and the smallest witnesses against what is false.
///
/// What each comes to is said by the properties (properties.hpp) and asserted, number by number, by the tests.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/assignment/problem.hpp"

namespace schedproof::checks {

/// A small problem in one line per thing. `loads`: per server the initial loads of its cores, `3/4 1/2`.
/// `replicas`: per task the servers that hold its block. `costs`: one cost function for all servers or one for each:
/// its first values and, after a plus, its slope: `3/2 +1/2` is 1 + n/2.
/// Throws ContractViolation for text that is no number, InputError for what no problem may be.
[[nodiscard]] assignment::Problem<Rational> problem_of(const std::vector<std::string>& loads,
                                                       const std::vector<std::vector<std::size_t>>& replicas,
                                                       const std::vector<std::string>& costs);

struct AssignmentWitness {
    std::string_view name;
    std::string_view source;  ///< where it is printed
    std::string_view shows;   ///< one sentence with its numbers
    assignment::Problem<Rational> problem;
};

/// All of them, in the order of the paper.
[[nodiscard]] std::vector<AssignmentWitness> assignment_witnesses();

/// Throws ContractViolation for an unknown name.
[[nodiscard]] AssignmentWitness assignment_witness(std::string_view name);

/// Of the family on which DynDLOff comes ever closer to twice the optimum: the optimum is n, its output 2n - 1.
///
/// One server has a free core and n - 1 that are free at n - 1, and all data of n - 1 tasks; a remote task costs n
/// there. One more task is at home on a second server, free at 3n only. The balanced assignment fills the free core,
/// and no core is left below n - 1; the optimum leaves that core to the remote task. Requires n >= 2.
[[nodiscard]] assignment::Problem<Rational> ratio_two_problem(std::size_t n);

}  // namespace schedproof::checks
