#include "checks/assignment/witnesses.hpp"

#include <sstream>
#include <utility>

namespace schedproof::checks {

using namespace assignment;

namespace {

Rational number(const std::string& text) {
    auto value = Rational::parse(text);
    require(value.has_value(), "a problem of one line per thing holds numbers");
    return *value;
}

CostFunction<Rational> cost_of(const std::string& text) {
    std::vector<Rational> values;
    Rational slope;
    std::istringstream words(text);
    for (std::string word; words >> word;) {
        if (word.front() == '+')
            slope = number(word.substr(1));
        else
            values.push_back(number(word));
    }
    return CostFunction<Rational>(std::move(values), slope);
}

}  // namespace

Problem<Rational> problem_of(const std::vector<std::string>& loads,
                             const std::vector<std::vector<std::size_t>>& replicas,
                             const std::vector<std::string>& costs) {
    Problem<Rational> problem;
    std::vector<std::uint32_t> cores;
    for (const std::string& server : loads) {
        cores.push_back(0);
        std::istringstream words(server);
        for (std::string word; words >> word; ++cores.back()) problem.initial.push_back(number(word));
    }
    Replicas sets;
    for (const std::vector<std::size_t>& task : replicas) {
        std::vector<ServerId> servers;
        for (const std::size_t s : task) servers.emplace_back(s);
        sets.add(servers);
    }
    problem.shape = std::make_shared<const Shape>(cores, std::move(sets));
    for (const std::string& g : costs) problem.costs.push_back(cost_of(g));
    if (costs.size() > 1)
        for (std::uint32_t s = 0; s < costs.size(); ++s) problem.cost_of.push_back(s);
    validate(problem);
    return problem;
}

std::vector<AssignmentWitness> assignment_witnesses() {
    constexpr std::string_view paper = "[jin2018]";
    constexpr std::string_view here = "[schedproof], docs/models/assignment.md";
    return {
        {"table-2", "[jin2018], Table 2 and Example 1",
         "Hadoop 7/2, delay scheduling and DynDLOn 13/4 with 2 and 1 remote tasks, DynDLOff 3",
         problem_of({"3/4 1/2", "1/4 2", "9/4 14", "5/2 15/4"}, {{0, 1}, {1, 3}, {1, 2}, {1, 2}, {2, 3}},
                    {"3/2 +1/2"})},
        {"property-1.2", paper, "Constraint 2 holds at makespan 2, the best local makespan is 3/2",
         problem_of({"0 1", "1/2"}, {{0}, {0, 1}}, {"4"})},
        {"property-1.2-integers", paper, "the same in integers: 2, and 1",
         problem_of({"0 1", "0"}, {{0}, {0, 1}}, {"4"})},
        {"property-1.2-single-cores", paper, "the same with a core per server: 3, and 2",
         problem_of({"2", "1", "1"}, {{0, 1}, {1, 2}}, {"4"})},
        {"property-1.2-one-load", paper, "the same with one positive load: 2, and 1",
         problem_of({"1", "0", "0"}, {{0, 1}, {1, 2}}, {"4"})},
        {"all-core-maximum", "[jin2018], Algorithm 2, line 8",
         "the largest load over idle cores too: Phase I leaves the task at 2, against Constraint 2; it is 1 otherwise",
         problem_of({"1 6", "6 0"}, {{0, 1}}, {"2"})},
        {"strict-capacity", "[jin2018], Section 5.2",
         "the printed > for >= rejects the last task that fits: 11/4, and 5/2",
         problem_of({"1/2", "7/4 2", "5/4"}, {{1}, {1}}, {"2", "5/2 3", "5/4 2"})},
        {"all-core-room", "[jin2018], Theorem 1",
         "room summed over all cores is 3/4 at deadline 5/2, so gamma is 0, but one remote task fits on server 0",
         problem_of({"15/4 1/2", "3/2"}, {{1}}, {"3/2"})},
        {"max-min-not-least", "[jin2018], Section 5.2", "max-min placement ends at 8, the exact one at 7, the optimum",
         problem_of({"9", "0 2", "5"}, {{0}, {0}, {0}}, {"2", "3/2 3/2 4", "2"})},
        {"max-min-not-monotone", "[jin2018], Section 5.2", "with max-min placement A_i falls from 9 to 8 beyond k + 1",
         problem_of({"0 4", "3"}, {{0}, {0, 1}, {0, 1}, {1}, {1}}, {"2 +1", "5/2"})},
        {"neither-k-nor-k+1", "[jin2018], Section 5.2", "counted by levels k is 0, and the output has 2 remote tasks",
         problem_of({"0", "2 2"}, {{1}, {1}}, {"5/4"})},
        {"theorem-4-of-constraint-2", "[jin2018], Theorem 4",
         "from an assignment that meets only Constraint 2, A_0 is 4 and the optimum 3",
         problem_of({"2", "2 3"}, {{1}, {0, 1}}, {"9"})},
        {"theorem-4-of-the-output", "[jin2018], Theorem 4",
         "the output's largest core is local only at 7, the optimum is 6",
         problem_of({"6", "4 5"}, {{0, 1}, {0}}, {"9", "2 3"})},
        {"theorem-4-with-moved-local", here,
         "A_1 moves its task to where it is local, and is 5/2; an optimum with 1 remote task is 2",
         problem_of({"3/2", "0 1"}, {{1}, {0}}, {"3/2", "2"})},
        {"not-optimal", here, "DynDLOff 5/2, the optimum 2", problem_of({"1 1/2", "4"}, {{0}, {1}}, {"3/2 2"})},
        {"ratio-two", here, "of the family that approaches twice the optimum: output 5, optimum 3",
         ratio_two_problem(3)},
    };
}

AssignmentWitness assignment_witness(std::string_view name) {
    for (AssignmentWitness& witness : assignment_witnesses())
        if (witness.name == name) return witness;
    throw ContractViolation("no assignment problem is named so");
}

Problem<Rational> ratio_two_problem(std::size_t n) {
    require(n >= 2, "the family begins at two");
    const std::string price = std::to_string(n);
    std::string loads = "0";
    for (std::size_t i = 1; i < n; ++i) loads += " " + std::to_string(n - 1);
    std::vector<std::vector<std::size_t>> replicas(n - 1, {0});
    replicas.push_back({1});
    return problem_of({loads, std::to_string(3 * n)}, replicas, {price});
}

}  // namespace schedproof::checks
