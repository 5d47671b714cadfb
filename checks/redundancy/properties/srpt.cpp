/// Properties of dual fitting and of SRPT+R: P1, weak duality, dual variables, dominance of remaining work, ratios.
///
/// Schedule and dual variables are those of the policy under test; what they must be is computed from the definitions
/// by the reference model or by the exact optimum. Feasibility (8) is tested at the start of each step: beta(t) is
/// constant on a step and (t - a_j)/p_j grows, so the start is the tightest point. A step of length zero is no
/// constraint (Interpretation R3). Dominance compares remaining work, sorted, at arrivals and completions. Optima serve
/// as competitors for at most three jobs on three machines.
/// Source: [xu2017], Section 4.2; docs/models/redundancy.md, Optimum and duals.
#include <fmt/core.h>

#include <algorithm>

#include "checks/redundancy/properties/properties.hpp"
#include "proofs/redundancy/theorems/dual_certificate.hpp"

namespace schedproof::checks::redundancy_properties {

using namespace redundancy;

namespace {

Rational flowtime(const AnyPolicy& policy, const RedundancyProblem& problem, const Rational& speed) {
    return reference_schedule(policy, problem, speed).flowtime(problem);
}

/// The rule that belongs to the policy: SRPT+R's, or cap for FAIR+R.
DualRule rule_of(const PolicyUnderTest& under_test) {
    return under_test.policy.as<FairR>() ? DualRule::cap : DualRule::srpt;
}

/// The optimum's schedule where the problem is small enough for it, and others.
std::vector<WorkPath> schedules(const PolicyUnderTest& under_test, const RedundancyProblem& problem) {
    std::vector<WorkPath> all = competitors(problem, 4);
    if (problem.jobs.size() <= 3 && problem.machines <= 3)
        all.push_back(work_path(under_test.optimum(problem), problem));
    return all;
}

/// Jobs of these sizes, all there at 0, in place of the problem's.
RedundancyProblem together(const RedundancyProblem& problem, const std::vector<Rational>& sizes) {
    RedundancyProblem alone{problem.machines, problem.service, {}};
    for (const Rational& size : sizes) alone.jobs.push_back({Rational(0), size});
    return alone;
}

/// int beta dt times M, and sum alpha.
struct Value {
    Rational alpha, price;
    [[nodiscard]] Rational objective() const { return alpha - price; }
};
Value value_of(const PolicyUnderTest::Duals& duals, std::size_t machines) {
    Value value;
    for (const Rational& a : duals.alpha) value.alpha += a;
    for (std::size_t i = 0; i + 1 < duals.steps.size(); ++i)
        value.price += Rational(machines) * duals.per_job * Rational(duals.steps[i].active) *
                       (duals.steps[i + 1].start - duals.steps[i].start);
    return value;
}

}  // namespace

Constant c_star(const RedundancyProblem& problem) {
    return {Rational(1) - Rational(1) / Rational(problem.machines), Rational(0)};
}

std::string relaxation(const WorkPath& path, const RedundancyProblem& problem, const Rational& constant,
                       const Rational& peak) {
    Rational flowtime;
    for (std::size_t j = 0; j < problem.jobs.size(); ++j) flowtime += path.completion[j] - problem.jobs[j].arrival;
    const Rational relaxed = checks::relaxed_cost(path, problem, constant);
    const Rational bound = (Rational(1) + constant * peak) * flowtime;
    if (relaxed <= bound) return "";
    return fmt::format("with C = {} a schedule of flowtime {} costs {} in P1, more than {}", constant.to_string(),
                       flowtime.to_string(), relaxed.to_string(), bound.to_string());
}

std::string lemma_3(const PolicyUnderTest& under_test, const RedundancyProblem& problem, const Rational& speed) {
    for (const WorkPath& path : schedules(under_test, problem))
        for (const Rational& constant : {Rational(0), c_star(problem).at(speed), Rational(1), Rational(2)})
            if (std::string wrong = relaxation(path, problem, constant, under_test.peak(problem)); !wrong.empty())
                return wrong;
    return "";
}

std::string lemma_3_by_job(const PolicyUnderTest& under_test, const RedundancyProblem& problem, const Rational& speed) {
    const Rational peak = under_test.peak(problem);
    for (const WorkPath& path : schedules(under_test, problem))
        for (const Rational& constant : {Rational(0), c_star(problem).at(speed), Rational(1), Rational(2)})
            for (std::size_t j = 0; j < problem.jobs.size(); ++j) {
                const auto& [arrival, size] = problem.jobs[j];
                const Rational stay = path.completion[j] - arrival;
                Rational cost;
                for (const WorkPath::Step& step : path.steps)
                    cost += step.rate[j] * step.length *
                            ((step.start + step.length / Rational(2) - arrival) / size + constant);
                if (cost > (Rational(1) + constant * peak) * stay)
                    return fmt::format("job {}, which stays for {}, costs {} in P1 with C = {}", j, stay.to_string(),
                                       cost.to_string(), constant.to_string());
            }
    return "";
}

std::string weak_duality(const PolicyUnderTest& under_test, const RedundancyProblem& problem, const Rational& speed) {
    const auto made = under_test.duals(rule_of(under_test), problem, speed);
    const Rational objective = value_of(made, problem.machines).objective();
    const Rational constant = under_test.constant(made, problem);
    for (const WorkPath& path : schedules(under_test, problem))
        if (const Rational relaxed = checks::relaxed_cost(path, problem, constant); objective > relaxed)
            return fmt::format("the dual value {} is above {}, the cost of a schedule in P1 with C = {}",
                               objective.to_string(), relaxed.to_string(), constant.to_string());
    return "";
}

std::string dual_bound(const PolicyUnderTest& under_test, const RedundancyProblem& problem, const Rational& speed) {
    if (problem.jobs.size() > 3 || problem.machines > 3) return "";
    const auto made = under_test.duals(rule_of(under_test), problem, speed);
    const Rational objective = value_of(made, problem.machines).objective();
    const Rational constant = under_test.constant(made, problem);
    const Rational least = under_test.optimum(problem).value;
    const Rational bound = objective / (Rational(1) + constant * under_test.peak(problem));
    return bound <= least
               ? ""
               : fmt::format("the dual bound {} is above the optimum {}", bound.to_string(), least.to_string());
}

std::string remaining_flowtime(const PolicyUnderTest& under_test, const RedundancyProblem& problem,
                               const Rational& speed) {
    // At every event: what is there is finished alone.
    for (const ReferenceInterval& now : under_test.schedule(problem, speed).intervals) {
        const RedundancyProblem alone = together(problem, now.remaining);
        Rational formula;
        const std::size_t n = now.remaining.size();
        for (std::size_t k = 1; k <= n; ++k) {
            std::size_t rounds = 0;  // ceil((n-k+1)/M)
            while (rounds * problem.machines < n - k + 1) ++rounds;
            formula += Rational(rounds) * now.remaining[k - 1];
        }
        const Rational own = under_test.schedule(alone, Rational(1)).flowtime(alone);
        if (own != formula)
            return fmt::format("what is there at {} takes {} in all, not {}", now.start.to_string(), own.to_string(),
                               formula.to_string());
    }
    return "";
}

std::string alpha_is_an_increment(const PolicyUnderTest& under_test, const RedundancyProblem& problem,
                                  const Rational& speed) {
    const auto made = under_test.duals(DualRule::srpt, problem, speed).alpha;
    const std::vector<Rational> expected = reference_alpha(DualRule::srpt, problem, speed);
    for (std::size_t j = 0; j < expected.size(); ++j)
        if (made[j] != expected[j])
            return fmt::format("alpha of job {} is {}; inserting it costs {}", j, made[j].to_string(),
                               expected[j].to_string());
    return "";
}

std::string srpt_dual_value(const PolicyUnderTest& under_test, const RedundancyProblem& problem,
                            const Rational& speed) {
    const Value value = value_of(under_test.duals(DualRule::srpt, problem, speed), problem.machines);
    const Rational f = flowtime(Srpt{}, problem, speed);
    if (value.alpha == f && value.price == f / speed) return "";
    return fmt::format("sum alpha = {} and M int beta = {}, where F of SRPT is {} at speed {}", value.alpha.to_string(),
                       value.price.to_string(), f.to_string(), speed.to_string());
}

std::string feasible(const PolicyUnderTest& under_test, DualRule rule, const RedundancyProblem& problem,
                     const Rational& speed, const Constant& constant) {
    const auto made = under_test.duals(rule, problem, speed);
    const Rational c = constant.at(speed);
    for (std::size_t i = 0; i < made.steps.size(); ++i) {
        const auto& step = made.steps[i];
        const bool last = i + 1 == made.steps.size();
        if (!last && made.steps[i + 1].start == step.start) continue;
        for (std::size_t j = 0; j < problem.jobs.size(); ++j) {
            const auto& [arrival, size] = problem.jobs[j];
            if (arrival > step.start) continue;
            const Rational beta = made.per_job * Rational(step.active);
            const Rational left = made.alpha[j] / size - beta, waited = (step.start - arrival) / size;
            if (left > waited + c)
                return fmt::format("job {} at {}: alpha/p - beta = {} - {} is above {} + {}; C = {} would do", j,
                                   step.start.to_string(), (made.alpha[j] / size).to_string(), beta.to_string(),
                                   waited.to_string(), c.to_string(), (left - waited).to_string());
        }
    }
    return "";
}

std::string srpt_feasible(const PolicyUnderTest& under_test, const RedundancyProblem& problem, const Rational& speed) {
    if (std::string wrong = feasible(under_test, DualRule::srpt, problem, speed, c_star(problem)); !wrong.empty())
        return wrong;
    // The least constant that the code names is that of alpha and n(t) from their definitions.
    const Rational own = least_constant(under_test.duals(DualRule::srpt, problem, speed), problem);
    const Rational least = reference_least_constant(reference_alpha(DualRule::srpt, problem, speed),
                                                    reference_counted(DualRule::srpt, problem, speed), problem, speed)
                               .constant;
    return own == least
               ? ""
               : fmt::format("the least constant is given as {} and is {}", own.to_string(), least.to_string());
}

std::string srpt_feasible_with_0(const PolicyUnderTest& under_test, const RedundancyProblem& problem,
                                 const Rational& speed) {
    return feasible(under_test, DualRule::srpt, problem, speed, {Rational(0), Rational(0)});
}

std::string srpt_feasible_with_99_percent(const PolicyUnderTest& under_test, const RedundancyProblem& problem,
                                          const Rational& speed) {
    Constant less = c_star(problem);
    less.times_inverse_speed *= Rational(Integer(99), Integer(100));
    return feasible(under_test, DualRule::srpt, problem, speed, less);
}

std::string srpt_feasible_by_own_count(const PolicyUnderTest& under_test, const RedundancyProblem& problem,
                                       const Rational& speed) {
    return feasible(under_test, DualRule::srpt_own_count, problem, speed, c_star(problem));
}

namespace {

/// What is left of the first `jobs` jobs that are there, the most first.
std::vector<Rational> left_at(const WorkPath& path, std::size_t jobs, const RedundancyProblem& problem,
                              const Rational& time) {
    std::vector<Rational> left;
    for (std::size_t j = 0; j < jobs; ++j)
        if (problem.jobs[j].arrival <= time)
            if (Rational rest = problem.jobs[j].size - path.work(j, time); rest.sign() > 0)
                left.push_back(std::move(rest));
    std::sort(left.begin(), left.end(), std::greater<>());
    return left;
}

/// Where the second of two lists, the largest first, is above the first.
std::string not_below(const std::vector<Rational>& above, const std::vector<Rational>& below) {
    for (std::size_t i = 0; i < below.size(); ++i)
        if (i >= above.size() || below[i] > above[i])
            return fmt::format("the {}. largest remaining work is {}, in the cluster with less work {}", i + 1,
                               i < above.size() ? above[i].to_string() : "0", below[i].to_string());
    return "";
}

/// What an interval leaves after a part of it, the most first.
std::vector<Rational> left_after(const ReferenceInterval& interval, const Rational& length,
                                 const RedundancyProblem& problem, const Rational& speed) {
    std::vector<Rational> left;
    for (std::size_t i = 0; i < interval.active.size(); ++i) {
        const ReferenceShare& share = interval.shares[i];
        const Rational rate = speed * share.share * reference_gain(problem.service, share.copies);
        if (Rational rest = interval.remaining[i] - rate * length; rest.sign() > 0) left.push_back(std::move(rest));
    }
    std::sort(left.begin(), left.end(), std::greater<>());
    return left;
}

}  // namespace

std::string dominates(const WorkPath& more, const WorkPath& less, std::size_t jobs_of_less,
                      const RedundancyProblem& problem, const Rational& from) {
    std::vector<Rational> times = more.completion;
    times.insert(times.end(), less.completion.begin(), less.completion.end());
    for (const auto& job : problem.jobs) times.push_back(job.arrival);
    for (const Rational& time : times) {
        if (time < from) continue;
        const auto above = left_at(more, problem.jobs.size(), problem, time);
        const auto below = left_at(less, jobs_of_less, problem, time);
        if (const std::string wrong = not_below(above, below); !wrong.empty())
            return fmt::format("at {} {}", time.to_string(), wrong);
    }
    return "";
}

std::string later_jobs_add(const PolicyUnderTest& under_test, const RedundancyProblem& problem, const Rational& speed) {
    const WorkPath all = work_path(reference_schedule(Srpt{}, problem, speed), problem, speed);
    for (std::size_t count = 1; count < problem.jobs.size(); ++count) {
        RedundancyProblem first = problem;
        first.jobs.resize(count);
        const WorkPath some = work_path(under_test.schedule(first, speed), first, speed);
        if (std::string wrong = dominates(all, some, count, problem, first.jobs.back().arrival); !wrong.empty())
            return fmt::format("with {} jobs and all: {}", count, wrong);
    }
    return "";
}

namespace {

/// What is there when jobs of these sizes have arrived at once, the most first.
std::vector<Rational> there(const ReferenceSchedule& schedule) {
    if (schedule.intervals.empty()) return {};
    std::vector<Rational> left = schedule.intervals.front().remaining;
    std::sort(left.begin(), left.end(), std::greater<>());
    return left;
}

std::vector<Rational> and_one(std::vector<Rational> sizes, const Rational& size) {
    sizes.push_back(size);
    return sizes;
}

}  // namespace

std::string arrivals_add(const PolicyUnderTest& under_test, const RedundancyProblem& problem, const Rational& speed) {
    // At every event of SRPT: what is there, and the policy under test with the same or one job less; then any job
    // arrives.
    const auto more = [&](const auto& sizes) {
        return there(reference_schedule(Srpt{}, together(problem, sizes), speed));
    };
    const auto less = [&](const auto& sizes) { return there(under_test.schedule(together(problem, sizes), speed)); };
    for (const ReferenceInterval& now : reference_schedule(Srpt{}, problem, speed).intervals)
        for (std::size_t without = 0; without <= now.remaining.size(); ++without) {
            std::vector<Rational> below = now.remaining;
            if (without < below.size()) below.erase(below.begin() + static_cast<std::ptrdiff_t>(without));
            for (const auto& job : problem.jobs) {
                const std::vector<Rational> above = more(and_one(now.remaining, job.size));
                std::string wrong = not_below(above, less(and_one(below, job.size)));
                if (wrong.empty() && !below.empty()) wrong = not_below(above, less(below));
                if (!wrong.empty())
                    return fmt::format("when a job of size {} arrives at {}: {}", job.size.to_string(),
                                       now.start.to_string(), wrong);
            }
        }
    return "";
}

std::string copies_leave_less(const PolicyUnderTest& under_test, const RedundancyProblem& problem,
                              const Rational& speed) {
    const WorkPath srpt = work_path(reference_schedule(Srpt{}, problem, speed), problem, speed);
    const WorkPath own = work_path(under_test.schedule(problem, speed), problem, speed);
    return problem.jobs.empty() ? "" : dominates(srpt, own, problem.jobs.size(), problem, problem.jobs.front().arrival);
}

std::string copies_leave_less_at_once(const PolicyUnderTest& under_test, const RedundancyProblem& problem,
                                      const Rational& speed) {
    // SRPT from what is there at an event, the policy under test from the same or from one job less: until either's
    // first event.
    for (const ReferenceInterval& now : reference_schedule(Srpt{}, problem, speed).intervals) {
        if (now.remaining.empty()) continue;
        const ReferenceInterval above =
            reference_schedule(Srpt{}, together(problem, now.remaining), speed).intervals.front();
        for (std::size_t without = 0; without <= now.remaining.size(); ++without) {
            std::vector<Rational> sizes = now.remaining;
            if (without < sizes.size()) sizes.erase(sizes.begin() + static_cast<std::ptrdiff_t>(without));
            if (sizes.empty()) continue;
            const ReferenceInterval below = under_test.schedule(together(problem, sizes), speed).intervals.front();
            const Rational length = std::min(above.length, below.length);
            if (const std::string wrong =
                    not_below(left_after(above, length, problem, speed), left_after(below, length, problem, speed));
                !wrong.empty())
                return fmt::format("{} after the state at {}: {}", length.to_string(), now.start.to_string(), wrong);
        }
    }
    return "";
}

std::string theorem(const PolicyUnderTest& under_test, const RedundancyProblem& problem, const Rational& speed) {
    const auto bounds = proved_bounds(under_test.policy, speed, problem.machines, problem.service.peak());
    if (bounds.empty()) return "";
    const Rational own = under_test.schedule(problem, speed).flowtime(problem), least = optimum(problem).value;
    for (const ProvedBound& bound : bounds)
        if (own > bound.ratio * least)
            return fmt::format("{}: flowtime {} is more than {} times the optimum {}", bound.theorem, own.to_string(),
                               bound.ratio.to_string(), least.to_string());
    return "";
}

/// At e = 1/(3 s), s the problem's speed.
std::string improves_on_srpt(const PolicyUnderTest& under_test, const RedundancyProblem& problem,
                             const Rational& speed) {
    const Rational one(1), e = one / (Rational(3) * speed), of_srpt = Rational(4) / e;
    const ProvedBound bound =
        proved_bounds(under_test.policy, one + e, problem.machines, under_test.peak(problem)).front();
    if (bound.ratio <= of_srpt) return "";
    return fmt::format("{} at e = {}: {} is more than {}", bound.theorem, e.to_string(), bound.ratio.to_string(),
                       of_srpt.to_string());
}

std::string copies_help(const PolicyUnderTest& under_test, const RedundancyProblem& problem, const Rational& speed) {
    const Rational own = under_test.schedule(problem, speed).flowtime(problem), srpt = flowtime(Srpt{}, problem, speed);
    return own <= srpt ? "" : fmt::format("flowtime {}, under SRPT {}", own.to_string(), srpt.to_string());
}

std::string copies_hurt(const PolicyUnderTest& under_test, const RedundancyProblem& problem, const Rational& speed) {
    const Rational own = under_test.schedule(problem, speed).flowtime(problem), srpt = flowtime(Srpt{}, problem, speed);
    return own >= srpt ? "" : fmt::format("flowtime {}, under SRPT {}", own.to_string(), srpt.to_string());
}

std::string optimal(const PolicyUnderTest& under_test, const RedundancyProblem& problem, const Rational& speed) {
    const Rational own = under_test.schedule(problem, speed).flowtime(problem), least = optimum(problem).value;
    return own <= least ? "" : fmt::format("flowtime {}, the optimum is {}", own.to_string(), least.to_string());
}

}  // namespace schedproof::checks::redundancy_properties
