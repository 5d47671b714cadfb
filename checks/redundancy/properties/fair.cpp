/// Dual fitting of Fair+R, held against the reference schedule: what each rule for alpha must satisfy.
///
/// A rule proves a ratio in two halves. The values say that M int beta = F / s and that sum alpha is at least a
/// fraction of F, which depends on the rule; feasibility (constraints (8)) is asked with the least C that the paper
/// allows, C* = 1 - 1/M. Lemma 6 bounds alpha_j / p_j at every event, since between events its right side only grows;
/// Lemma 7 is a statement about prices alone, so it is checked for all counts of jobs up to a bound rather than along
/// schedules. The naive rule pays jobs that wait as well, and these properties must refute it. Flow times come from the
/// reference model, never from the code under test. Source: [xu2017], Lemmas 6 and 7.
#include <fmt/core.h>

#include <algorithm>

#include "checks/redundancy/properties/properties.hpp"

namespace schedproof::checks::redundancy_properties {

using namespace redundancy;

namespace {

constexpr DualRule sound[] = {DualRule::cap, DualRule::rank, DualRule::shifted};
constexpr std::size_t most_jobs = 40;

std::string of_rule(DualRule rule, const std::string& wrong) {
    return wrong.empty() ? "" : fmt::format("rule {}: {}", name(rule), wrong);
}

}  // namespace

Rational fraction_of(DualRule rule) {
    if (rule == DualRule::rank) return {Integer(3), Integer(8)};
    return Rational(1) / Rational(rule == DualRule::shifted ? 4 : 2);
}

std::string fair_value(const PolicyUnderTest& under_test, DualRule rule, const Rational& fraction,
                       const RedundancyProblem& problem, const Rational& speed) {
    const auto made = under_test.duals(rule, problem, speed);
    const Rational f = reference_schedule(FairR{}, problem, speed).flowtime(problem);
    Rational sum, price;
    for (const Rational& a : made.alpha) sum += a;
    for (std::size_t i = 0; i + 1 < made.steps.size(); ++i)
        price += made.per_job * Rational(made.steps[i].active) * (made.steps[i + 1].start - made.steps[i].start);
    if (Rational(problem.machines) * price != f / speed)
        return fmt::format("M int beta is {}, not F/s = {}", (Rational(problem.machines) * price).to_string(),
                           (f / speed).to_string());
    return sum >= fraction * f ? ""
                               : fmt::format("sum alpha = {} is less than {} of F = {}", sum.to_string(),
                                             fraction.to_string(), f.to_string());
}

std::string lemma_6(const PolicyUnderTest& under_test, DualRule rule, const RedundancyProblem& problem,
                    const Rational& speed) {
    const auto alpha = under_test.duals(rule, problem, speed).alpha;
    const ReferenceSchedule run = under_test.schedule(problem, speed);
    std::vector<Rational> times = run.completion;
    for (const auto& job : problem.jobs) times.push_back(job.arrival);
    for (const Rational& t : times) {
        const Rational crowd = std::max(Rational(1), Rational(run.active_at(problem, t)) / Rational(problem.machines));
        for (std::size_t j = 0; j < alpha.size(); ++j) {
            const auto& [arrival, size] = problem.jobs[j];
            if (arrival <= t && alpha[j] / size > (t - arrival) / size + crowd / speed)
                return fmt::format("job {} at {}: alpha/p = {} is above {} + {}", j, t.to_string(),
                                   (alpha[j] / size).to_string(), ((t - arrival) / size).to_string(),
                                   (crowd / speed).to_string());
        }
    }
    return "";
}

std::string lemma_7(const PriceRate& rate, const Rational& fraction, std::size_t machines) {
    for (std::size_t n = 1; n <= most_jobs; ++n) {
        Rational sum;
        for (std::size_t position = 1; position <= n; ++position) sum += rate(position, n, machines);
        if (sum < fraction * Rational(n))
            return fmt::format("{} jobs on {} machines: the prices sum to {}, less than {}", n, machines,
                               sum.to_string(), (fraction * Rational(n)).to_string());
    }
    return "";
}

std::string fair_feasible(const PolicyUnderTest& under_test, const RedundancyProblem& problem, const Rational& speed) {
    for (const DualRule rule : sound)
        if (std::string wrong = feasible(under_test, rule, problem, speed, c_star(problem)); !wrong.empty())
            return of_rule(rule, wrong);
    return "";
}

std::string fair_values(const PolicyUnderTest& under_test, const RedundancyProblem& problem, const Rational& speed) {
    for (const DualRule rule : sound)
        if (std::string wrong = fair_value(under_test, rule, fraction_of(rule), problem, speed); !wrong.empty())
            return of_rule(rule, wrong);
    return "";
}

std::string fair_alpha(const PolicyUnderTest& under_test, const RedundancyProblem& problem, const Rational& speed) {
    for (const DualRule rule : {DualRule::cap, DualRule::rank, DualRule::shifted, DualRule::naive}) {
        const auto made = under_test.duals(rule, problem, speed);
        const std::vector<Rational> expected = reference_alpha(rule, problem, speed);
        for (std::size_t j = 0; j < expected.size(); ++j)
            if (made.alpha[j] != expected[j])
                return fmt::format("rule {}: alpha of job {} is {}, not {}", name(rule), j, made.alpha[j].to_string(),
                                   expected[j].to_string());
        const Rational own = least_constant(made, problem);
        const Rational least =
            reference_least_constant(expected, reference_counted(rule, problem, speed), problem, speed).constant;
        if (own != least)
            return fmt::format("rule {}: the least constant is given as {} and is {}", name(rule), own.to_string(),
                               least.to_string());
    }
    return "";
}

std::string lemma_6_all_rules(const PolicyUnderTest& under_test, const RedundancyProblem& problem,
                              const Rational& speed) {
    for (const DualRule rule : sound)
        if (std::string wrong = lemma_6(under_test, rule, problem, speed); !wrong.empty()) return of_rule(rule, wrong);
    return "";
}

std::string lemma_7_all_rules(const PolicyUnderTest& under_test, const RedundancyProblem& problem, const Rational&) {
    for (const DualRule rule : sound) {
        const auto rate = [&](std::size_t position, std::size_t n, std::size_t machines) {
            return under_test.price(rule, position, n, machines);
        };
        if (std::string wrong = lemma_7(rate, fraction_of(rule), problem.machines); !wrong.empty())
            return of_rule(rule, wrong);
    }
    return "";
}

std::string lemma_7_sums(const PolicyUnderTest& under_test, const RedundancyProblem& problem, const Rational&) {
    const std::size_t machines = problem.machines;
    for (std::size_t n = machines; n <= most_jobs; ++n) {
        const std::size_t served = n - n % machines, waiting = n % machines;
        const Rational k(served), r(waiting), all(n), one(1), two(2);
        for (const DualRule rule : sound) {
            Rational sum;
            for (std::size_t position = 1; position <= n; ++position)
                sum += under_test.price(rule, position, n, machines);
            const Rational series = rule == DualRule::cap    ? r + (k - r) * (k + r + one) / (two * k)
                                    : rule == DualRule::rank ? k * (k + two * r + one) / (two * all)
                                                             : (k + one) / two;
            if (sum != series || series < fraction_of(rule) * all)
                return of_rule(rule, fmt::format("{} jobs on {} machines: the prices sum to {}, the series to {}", n,
                                                 machines, sum.to_string(), series.to_string()));
        }
    }
    return "";
}

std::string half_by_shifted(const PolicyUnderTest& under_test, const RedundancyProblem& problem,
                            const Rational& speed) {
    return fair_value(under_test, DualRule::shifted, Rational(1) / Rational(2), problem, speed);
}

std::string naive_with_c_star(const PolicyUnderTest& under_test, const RedundancyProblem& problem,
                              const Rational& speed) {
    return feasible(under_test, DualRule::naive, problem, speed, c_star(problem));
}

std::string naive_with_1(const PolicyUnderTest& under_test, const RedundancyProblem& problem, const Rational& speed) {
    return feasible(under_test, DualRule::naive, problem, speed, {Rational(0), Rational(1)});
}

std::string copies_help_their_kind(const PolicyUnderTest& under_test, const RedundancyProblem& problem,
                                   const Rational& speed) {
    const Rational own = under_test.schedule(problem, speed).flowtime(problem);
    const Rational other = reference_schedule(without_copies(under_test.policy), problem, speed).flowtime(problem);
    return own <= other ? "" : fmt::format("flowtime {}, without copies {}", own.to_string(), other.to_string());
}

}  // namespace schedproof::checks::redundancy_properties
