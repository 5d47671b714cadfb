#include <gtest/gtest.h>

#include "checks/assignment/properties/properties.hpp"
#include "checks/assignment/witnesses.hpp"
#include "checks/assignment/worked_example.hpp"

namespace schedproof::checks {
namespace {

using assignment::ScheduleResult;

Rational makespan(const AssignmentProblem& problem, const assignment::Assignment& a) {
    return *totals(problem, a).makespan;
}
std::string said(std::string_view property, std::string_view witness) {
    return dyndloff_property(property).violation(assignment_witness(witness).problem);
}
bool has(const std::string& text, const std::string& what) { return text.find(what) != std::string::npos; }

TEST(AssignmentWitnesses, Table2Offline) {
    const AssignmentProblem problem = assignment_witness("table-2").problem;
    const RunFacts run = dyndloff().run(problem);
    EXPECT_EQ(makespan(problem, run.balanced.assignment).to_string(), "13/4");
    EXPECT_EQ(makespan(problem, run.taken.assignment), Rational(3));
    EXPECT_EQ(Exhaustive(problem).optimum(), Rational(3));
}

TEST(AssignmentWitnesses, WorkedExampleOnline) {
    EXPECT_EQ(worked_example_violation(), "");
    // Mutants: delay scheduling instead of DynDLOn; a wait that is not the stated one.
    EXPECT_TRUE(has(worked_example_violation([](std::string_view name, const Rational& wait, const auto& problem) {
                        return run_registered(name == "dyndlon" ? "delay" : name, wait, problem);
                    }),
                    "dyndlon with W = 1/8"));
    EXPECT_TRUE(has(worked_example_violation([](std::string_view name, const Rational& wait, const auto& problem) {
                        return run_registered(name, wait + wait, problem);
                    }),
                    "delay with W = 1/8"));
}

TEST(AssignmentWitnesses, SayThePrintedNumbers) {
    EXPECT_EQ(said("property-1.2:constraint-2", "property-1.2"),
              "t0 on p0.1, t1 on p0.0 satisfies Constraints 1 and 2 with makespan 2; the best local makespan is 3/2");
    for (const auto& [witness, numbers] :
         {std::pair{"property-1.2-integers", "with makespan 2; the best local makespan is 1"},
          std::pair{"property-1.2-single-cores", "with makespan 3; the best local makespan is 2"},
          std::pair{"property-1.2-one-load", "with makespan 2; the best local makespan is 1"}})
        EXPECT_TRUE(has(said("property-1.2:constraint-2", witness), numbers)) << witness;
    EXPECT_TRUE(has(said("constraint-2:max-over-all-cores", "all-core-maximum"), "would finish at 1 on"));
    EXPECT_EQ(said("strict-same-makespan", "strict-capacity"),
              "the output has makespan 11/4, and 5/2 in the interpretation that holds");
    EXPECT_EQ(said("theorem-1:all-cores", "all-core-room"),
              "at server s0 and deadline 5/2 (room 3/4 on 2 cores) rmax is 1, more than gamma = 0");
    EXPECT_EQ(said("max-min-same-makespan", "max-min-not-least"),
              "the output has makespan 8, and 7 in the interpretation that holds");
    EXPECT_TRUE(has(said("monotone:max-min", "max-min-not-monotone"), "fall from 9 to 8"));
    EXPECT_EQ(said("k-or-next-remote:levels", "neither-k-nor-k+1"), "k is 0, and the output has 2 remote tasks");
    EXPECT_TRUE(has(said("theorem-4:constraint-2", "theorem-4-of-constraint-2"), "A_0 has makespan 4"));
    EXPECT_TRUE(has(said("theorem-4:constraint-2", "theorem-4-of-constraint-2"), "remote tasks has 3"));
    EXPECT_EQ(said("theorem-4:output", "theorem-4-of-the-output"),
              "the output has makespan 7 on a core with local tasks only; the optimum is 6");
    EXPECT_TRUE(has(said("theorem-4:moved-are-local", "theorem-4-with-moved-local"), "A_1 has 0 remote tasks and "));
    EXPECT_EQ(said("optimal", "not-optimal"), "the output has makespan 5/2; the optimum is 2");
    EXPECT_EQ(said("optimal", "ratio-two"), "the output has makespan 5; the optimum is 3");
}

TEST(AssignmentWitnesses, NothingSmallerBreaksProperty12) {
    // One task, or two servers of one core and up to three tasks: on no problem of a grid of loads.
    const NamedProperty property = dyndloff_property("property-1.2:constraint-2");
    for (const char* a : {"0", "1/2", "1", "3/2", "2", "3"})
        for (const char* b : {"0", "1/2", "1", "3/2", "2", "3"}) {
            EXPECT_EQ(property.violation(problem_of({std::string(a) + " " + b, "1"}, {{0, 1}}, {"2"})), "");
            EXPECT_EQ(property.violation(problem_of({a, b}, {{0, 1}, {0, 1}, {0}}, {"2"})), "");
            EXPECT_EQ(property.violation(problem_of({a, b}, {{0, 1}, {0}, {1}}, {"2"})), "");
            EXPECT_EQ(property.violation(problem_of({a, b}, {{0, 1}, {0, 1}, {0, 1}}, {"2"})), "");
        }
}

TEST(AssignmentWitnesses, RatioApproachesTwo) {
    // The optimum is n: the remote task costs n on server 0 and more on server 1, and with it on the free core and the
    // others on one core each, all end at n.
    for (const std::size_t n : {2u, 3u, 10u, 101u}) {
        const AssignmentProblem problem = ratio_two_problem(n);
        assignment::Assignment best;
        for (std::size_t i = 1; i < n; ++i) best.emplace_back(i);
        best.emplace_back(0);
        EXPECT_EQ(makespan(problem, best), Rational(n));
        const Rational output = makespan(problem, dyndloff().run(problem).taken.assignment);
        EXPECT_EQ(output / Rational(n), Rational(2 * n - 1) / Rational(n));
    }
    EXPECT_EQ((Rational(201) / Rational(101)).to_string(), "201/101");
}

TEST(AssignmentWitnesses, AreWellFormedAndNamedOnce) {
    for (const AssignmentWitness& witness : assignment_witnesses()) {
        EXPECT_NO_THROW(assignment::validate(witness.problem)) << witness.name;
        EXPECT_EQ(assignment_witness(witness.name).shows, witness.shows);
    }
    EXPECT_THROW((void)assignment_witness("no such"), ContractViolation);
    EXPECT_THROW((void)problem_of({"x"}, {{0}}, {"2"}), ContractViolation);
    EXPECT_THROW((void)problem_of({"1"}, {{0}}, {"1"}), InputError);
}

}  // namespace
}  // namespace schedproof::checks
