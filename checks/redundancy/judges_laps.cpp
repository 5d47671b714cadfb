#include <fmt/core.h>

#include "checks/redundancy/judges.hpp"
#include "checks/redundancy/potential.hpp"

namespace schedproof::checks::run_judging {

using namespace redundancy;

namespace {

/// Against the optimum where the problem is small enough for it, and against others.
std::string against_all(const RunSubject& subject, const Problem& problem, const Rational& speed, const Drift& drift) {
    const WorkPath own = work_path(subject.schedule(problem, speed), problem, speed);
    std::vector<WorkPath> others = competitors(problem, 3);
    if (problem.jobs.size() <= 3 && problem.machines <= 3) others.push_back(work_path(optimum(problem), problem));
    for (const WorkPath& other : others)
        if (std::string wrong = potential_violation(own, other, problem, drift); !wrong.empty()) return wrong;
    return "";
}

}  // namespace

std::string drift(const RunSubject& subject, const Problem& problem, const Rational& speed) {
    const Rational b = std::get<LapsR>(subject.policy).beta.value(), two(2);
    const Rational e = (speed - two - two * b) / two;
    if (e.sign() <= 0) return "";
    const Rational gamma = two / (b * e);
    return against_all(subject, problem, speed, {b, gamma, gamma * (problem.service.peak() + speed)});
}

std::string drift_strengthened(const RunSubject& subject, const Problem& problem, const Rational& speed) {
    const auto& laps = std::get<LapsR>(subject.policy);
    const Rational b = laps.beta.value(), two(2), four(4), e = speed - Rational(1) - b, peak = problem.service.peak();
    if (e.sign() <= 0) return "";
    if (laps.crowded == Crowded::rounds) {
        const Rational gamma = two / (b * e);
        return against_all(subject, problem, speed, {b, gamma, gamma * (peak + two * speed)});
    }
    const Rational gamma = four / (b * e);
    return against_all(subject, problem, speed, {b, gamma, gamma * (peak * (Rational(1) + four / e) + speed)});
}

}  // namespace schedproof::checks::run_judging
