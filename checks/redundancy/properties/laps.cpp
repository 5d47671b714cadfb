#include <fmt/core.h>

#include "checks/redundancy/potential.hpp"
#include "checks/redundancy/properties/properties.hpp"

namespace schedproof::checks::redundancy_properties {

using namespace redundancy;

namespace {

/// potential_violation or drift_violation.
using Condition = std::string(const WorkPath&, const WorkPath&, const RedundancyProblem&, const Drift&);

/// Against the optimum where the problem is small enough for it, and against others.
std::string against_all(const PolicyUnderTest& under_test, const RedundancyProblem& problem, const Rational& speed,
                        const Drift& drift, Condition& condition) {
    const WorkPath own = work_path(under_test.schedule(problem, speed), problem, speed);
    std::vector<WorkPath> others = competitors(problem, 3);
    if (problem.jobs.size() <= 3 && problem.machines <= 3) others.push_back(work_path(optimum(problem), problem));
    for (const WorkPath& other : others)
        if (std::string wrong = condition(own, other, problem, drift); !wrong.empty()) return wrong;
    return "";
}

std::string as_stated(const PolicyUnderTest& under_test, const RedundancyProblem& problem, const Rational& speed,
                      Condition& condition) {
    const Rational b = laps_r(under_test.policy).beta.value(), two(2);
    const Rational e = (speed - two - two * b) / two;
    if (e.sign() <= 0) return "";
    const Rational gamma = two / (b * e);
    return against_all(under_test, problem, speed, {b, gamma, gamma * (problem.service.peak() + speed)}, condition);
}

std::string strengthened(const PolicyUnderTest& under_test, const RedundancyProblem& problem, const Rational& speed,
                         Condition& condition) {
    const auto& laps = laps_r(under_test.policy);
    const Rational b = laps.beta.value(), two(2), four(4), e = speed - Rational(1) - b, peak = problem.service.peak();
    if (e.sign() <= 0) return "";
    if (laps.crowded == Crowded::rounds) {
        const Rational gamma = two / (b * e);
        return against_all(under_test, problem, speed, {b, gamma, gamma * (peak + two * speed)}, condition);
    }
    const Rational gamma = four / (b * e);
    const Rational c = gamma * (peak * (Rational(1) + four / e) + speed);
    return against_all(under_test, problem, speed, {b, gamma, c}, condition);
}

}  // namespace

std::string potential(const PolicyUnderTest& under_test, const RedundancyProblem& problem, const Rational& speed) {
    return as_stated(under_test, problem, speed, potential_violation);
}
std::string potential_strengthened(const PolicyUnderTest& under_test, const RedundancyProblem& problem,
                                   const Rational& speed) {
    return strengthened(under_test, problem, speed, potential_violation);
}
std::string drift(const PolicyUnderTest& under_test, const RedundancyProblem& problem, const Rational& speed) {
    return as_stated(under_test, problem, speed, drift_violation);
}
std::string drift_strengthened(const PolicyUnderTest& under_test, const RedundancyProblem& problem,
                               const Rational& speed) {
    return strengthened(under_test, problem, speed, drift_violation);
}

}  // namespace schedproof::checks::redundancy_properties
