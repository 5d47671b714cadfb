/// Properties of services, of schedules and of the optimum in the redundancy family.
///
/// A service enters as the function h(r, D), so that a mutant can put any law in its place. It is examined for r up to
/// 8, at lengths that are the job sizes of the problem, whole ones for a slotted service. Schedules are examined
/// interval by interval, and against the reference model where the claim names another schedule. An optimum is right
/// when its own schedule attains it and brute force finds nothing less.
/// Source: [xu2017], Section 3, Lemmas 1 and 2; docs/models/redundancy.md, Model and Policies.
#include <fmt/core.h>

#include <algorithm>

#include "checks/redundancy/properties/properties.hpp"

namespace schedproof::checks {

using namespace redundancy;

namespace {

/// 0, 1/20, ..., 1.
std::vector<Rational> twentieths() {
    constexpr int steps = 20;
    std::vector<Rational> all;
    for (int i = 0; i <= steps; ++i) all.push_back(Rational(i) / Rational(steps));
    return all;
}

/// The works of eight copies: all alike, one alone, all different.
std::vector<std::vector<Rational>> outcomes_of_eight() {
    std::vector<std::vector<Rational>> all(3, std::vector<Rational>(8));
    for (int i = 0; i < 8; ++i) {
        const auto copy = static_cast<std::size_t>(i);
        all[0][copy] = Rational(1) / Rational(3);
        all[1][copy] = Rational(i == 2 ? 5 : 0);
        all[2][copy] = Rational(3 * i % 8) / Rational(7);
    }
    return all;
}

}  // namespace

PolicyUnderTest policy_under_test(const AnyPolicy& policy) {
    return {policy,
            [policy](const RedundancyProblem& problem, const Rational& speed) {
                return as_lists(history(policy, problem, speed));
            },
            [policy](DualRule rule, const RedundancyProblem& problem, const Rational& speed) {
                require_specified(policy);  // a rule is made of the schedule of its own policy
                return duals(rule, problem, speed);
            },
            [](const PolicyUnderTest::Duals& made, const RedundancyProblem& problem) {
                return least_constant(made, problem);
            },
            [](const RedundancyProblem& problem) -> MeanWork {
                return [service = problem.service](std::uint32_t copies, const Rational& length) {
                    return service.best_of(copies, length);
                };
            },
            [](const RedundancyProblem& problem) { return problem.service.peak(); },
            [](const RedundancyProblem& problem) { return redundancy::optimum(problem); },
            [](DualRule rule, std::size_t position, std::size_t jobs, std::size_t machines) {
                return price_rate(rule, position, jobs, machines);
            },
            twentieths(),
            outcomes_of_eight(),
            [](const Rational& beta) { return Rational(1) - beta / Rational(2); }};
}

namespace redundancy_properties {

namespace {

constexpr std::uint32_t most_copies = 8;

/// Calls `visit(interval)` until it answers with words.
template <class Visit>
std::string in_each(const ReferenceSchedule& schedule, Visit visit) {
    for (const ReferenceInterval& interval : schedule.intervals)
        if (std::string wrong = visit(interval); !wrong.empty())
            return fmt::format("from {} on {}", interval.start.to_string(), wrong);
    return "";
}

}  // namespace

std::vector<Rational> lengths_of(const RedundancyProblem& problem) {
    std::vector<Rational> lengths;
    for (const auto& job : problem.jobs)
        lengths.push_back(std::holds_alternative<Slotted>(problem.service.process()) ? Rational(floor(job.size))
                                                                                     : job.size);
    return lengths;
}

std::string concave_in_copies(const MeanWork& h, const std::vector<Rational>& lengths) {
    for (const Rational& d : lengths)
        for (std::uint32_t r = 1; r < most_copies; ++r) {
            const Rational next = h(r + 1, d) - h(r, d), last = h(r, d) - h(r - 1, d);
            if (next > last)
                return fmt::format("copy {} adds {} to the mean work of {}, copy {} adds {}", r + 1, next.to_string(),
                                   d.to_string(), r, last.to_string());
        }
    return "";
}

std::string between_one_and_all(const MeanWork& h, const Rational& peak, const std::vector<Rational>& lengths) {
    for (const Rational& d : lengths)
        for (std::uint32_t r = 1; r <= most_copies; ++r)
            if (const Rational work = h(r, d); work < d || work > std::min(Rational(r), peak) * d)
                return fmt::format("{} copies do {} in {}, the peak rate being {}", r, work.to_string(), d.to_string(),
                                   peak.to_string());
    return "";
}

std::string monotone_and_sub_additive(const MeanWork& h, const std::vector<Rational>& lengths) {
    for (const Rational& d : lengths)
        for (const Rational& e : lengths)
            for (std::uint32_t r = 1; r <= most_copies; ++r) {
                const Rational whole = h(r, d + e), first = h(r, d), second = h(r, e);
                if (whole < first || h(r + 1, d) < first)
                    return fmt::format("{} copies do less in {} or with one more", r, d.to_string());
                if (whole > first + second)
                    return fmt::format("{} copies do {} in one interval and {} with a checkpoint after {}", r,
                                       whole.to_string(), (first + second).to_string(), d.to_string());
            }
    return "";
}

MeanWork of_law(const std::vector<Outcome>& law) {
    return [law](std::uint32_t copies, const Rational& length) {
        return copies == 0 ? Rational(0)
                           : length * mean_of_best(law, std::min<std::size_t>(copies, law.front().work.size()));
    };
}

std::string lemma_1(const PolicyUnderTest& under_test, const RedundancyProblem& problem, const Rational&) {
    return concave_in_copies(under_test.work(problem), lengths_of(problem));
}
std::string lemma_2(const PolicyUnderTest& under_test, const RedundancyProblem& problem, const Rational&) {
    return between_one_and_all(under_test.work(problem), under_test.peak(problem), lengths_of(problem));
}
std::string checkpoints_never_hurt(const PolicyUnderTest& under_test, const RedundancyProblem& problem,
                                   const Rational&) {
    return monotone_and_sub_additive(under_test.work(problem), lengths_of(problem));
}
std::string gain_falls_at(const Rational& g) {
    const Rational one(1);
    Rational power = one;
    for (std::uint32_t r = 0; r <= most_copies; ++r, power *= g)
        if (power * (one - g) < power * g * (one - g))
            return fmt::format("at G = {} copy {} adds more than copy {}", g.to_string(), r + 2, r + 1);
    return "";
}
std::string lemma_1_pointwise(const PolicyUnderTest& under_test, const RedundancyProblem&, const Rational&) {
    for (const Rational& g : under_test.distribution)
        if (std::string wrong = gain_falls_at(g); !wrong.empty()) return wrong;
    return "";
}
std::string lemma_2_pointwise(const PolicyUnderTest& under_test, const RedundancyProblem&, const Rational&) {
    for (const std::vector<Rational>& works : under_test.works) {
        Rational sum, most = works.front();
        for (std::size_t r = 1; r <= works.size(); ++r) {
            sum += works[r - 1];
            most = std::max(most, works[r - 1]);
            if (Rational(r) * most < sum || most > sum)
                return fmt::format("the best of {} copies does {}, all together {}", r, most.to_string(),
                                   sum.to_string());
        }
    }
    return "";
}
bool speaks_of_twins(const RedundancyProblem& problem) {
    return problem.machines == 3 && problem.service == Service::parse("two-point:2,0");
}
std::string lemma_1_for_identical_machines(const PolicyUnderTest&, const RedundancyProblem& problem, const Rational&) {
    return speaks_of_twins(problem) ? concave_in_copies(of_law(twins_and_one()), lengths_of(problem)) : "";
}

std::string follows_specification(const PolicyUnderTest& under_test, const RedundancyProblem& problem,
                                  const Rational& speed) {
    return difference(under_test.schedule(problem, speed), reference_schedule(under_test.policy, problem, speed));
}

std::string fits_machines(const PolicyUnderTest& under_test, const RedundancyProblem& problem, const Rational& speed) {
    const Rational machines(problem.machines);
    const AnyPolicy& policy = under_test.policy;
    const bool whole = policy.as<Srpt>() || policy.as<SrptR>() || policy.as<Late>() || policy.as<RedundancyD>();
    return in_each(under_test.schedule(problem, speed), [&](const ReferenceInterval& interval) -> std::string {
        Rational used;
        std::size_t copies = 0;
        for (const ReferenceShare& share : interval.shares) {
            used += Rational(share.copies) * share.share;
            copies += share.copies;
            if (share.copies > problem.machines || share.share > Rational(1))
                return "a job has more copies than there are machines, or more than a machine";
        }
        if (used > machines || (whole && copies > problem.machines))
            return fmt::format("{} machines are used", used.to_string());
        if (copies_on_all_machines(under_test.policy) && !interval.active.empty() && used != machines)
            return fmt::format("only {} machines are used", used.to_string());
        return "";
    });
}

std::string checkpoints_at_events(const PolicyUnderTest& under_test, const RedundancyProblem& problem,
                                  const Rational& speed) {
    const ReferenceSchedule run = under_test.schedule(problem, speed);
    const std::size_t most = 2 * problem.jobs.size();
    std::vector<std::size_t> checkpoints(problem.jobs.size(), 1);  // the completion
    std::vector<ReferenceShare> last(problem.jobs.size());
    for (const ReferenceInterval& interval : run.intervals)
        for (std::size_t rank = 0; rank < interval.active.size(); ++rank) {
            const std::size_t job = interval.active[rank];
            const bool arrives = interval.start == problem.jobs[job].arrival;
            if (arrives || interval.shares[rank] != last[job]) ++checkpoints[job];
            last[job] = interval.shares[rank];
        }
    for (std::size_t job = 0; job < checkpoints.size(); ++job)
        if (checkpoints[job] < 2 || checkpoints[job] > most)
            return fmt::format("job {} has {} checkpoints, its arrival and completion included", job, checkpoints[job]);
    return "";
}

std::string busy_periods(const PolicyUnderTest& under_test, const RedundancyProblem& problem, const Rational& speed) {
    if (problem.jobs.empty() || problem.machines != 1) return "";
    Rational free = problem.jobs.front().arrival;
    for (const auto& job : problem.jobs) free = std::max(free, job.arrival) + job.size / speed;
    try {
        const std::vector<Rational> ends = under_test.schedule(problem, speed).completion;
        const Rational last = *std::max_element(ends.begin(), ends.end());
        return last == free ? "" : fmt::format("all are done at {}, not at {}", last.to_string(), free.to_string());
    } catch (const Deadlock&) {
        return "jobs wait for ever";
    }
}

std::string completes_all(const PolicyUnderTest& under_test, const RedundancyProblem& problem, const Rational& speed) {
    const ReferenceSchedule run = under_test.schedule(problem, speed);
    const WorkPath path = work_path(run, problem, speed);
    for (std::size_t j = 0; j < problem.jobs.size(); ++j)
        if (const Rational work = path.work(j, run.completion[j]); work != problem.jobs[j].size)
            return fmt::format("job {} is done at {} with {} of {}", j, run.completion[j].to_string(), work.to_string(),
                               problem.jobs[j].size.to_string());
    return "";
}

std::string srpt_order_kept(const PolicyUnderTest& under_test, const RedundancyProblem& problem,
                            const Rational& speed) {
    std::vector<std::size_t> before;
    return in_each(under_test.schedule(problem, speed), [&](const ReferenceInterval& interval) -> std::string {
        const auto& now = interval.active;
        for (std::size_t i = 0; i < before.size(); ++i)
            for (std::size_t k = i + 1; k < before.size(); ++k) {
                const auto first = std::find(now.begin(), now.end(), before[i]);
                const auto second = std::find(now.begin(), now.end(), before[k]);
                if (first != now.end() && second < first)
                    return fmt::format("job {} has overtaken job {}", before[k], before[i]);
            }
        before = now;
        for (std::size_t i = 0; i + 1 < now.size(); ++i)
            if (interval.remaining[i] > interval.remaining[i + 1]) return "jobs are not in the order of remaining work";
        return "";
    });
}

std::string latest_favoured(const PolicyUnderTest& under_test, const RedundancyProblem& problem,
                            const Rational& speed) {
    return in_each(under_test.schedule(problem, speed), [&](const ReferenceInterval& interval) -> std::string {
        Rational before;
        for (std::size_t i = 0; i < interval.active.size(); ++i) {
            const ReferenceShare& share = interval.shares[i];
            const Rational rate = share.share * reference_gain(problem.service, share.copies);
            if (rate < before)
                return fmt::format("job {} has rate {}, an older one {}", interval.active[i], rate.to_string(),
                                   before.to_string());
            before = rate;
        }
        return "";
    });
}

std::string fair_is_laps_of_1(const PolicyUnderTest& under_test, const RedundancyProblem& problem,
                              const Rational& speed) {
    const auto* laps = under_test.policy.as<Laps>();
    const Beta own = laps ? laps->beta : laps_r(under_test.policy).beta;
    const AnyPolicy fair = laps ? AnyPolicy(Fair{}) : AnyPolicy(FairR{});
    const bool as_it_is = own.value() == Rational(1);
    const PolicyUnderTest of_1 =
        as_it_is ? under_test : policy_under_test(make_policy(policy_id(under_test.policy), Rational(1)));
    return difference(of_1.schedule(problem, speed), policy_under_test(fair).schedule(problem, speed));
}

std::string srpt_without_gain(const PolicyUnderTest& under_test, const RedundancyProblem& problem,
                              const Rational& speed) {
    RedundancyProblem steady = problem;
    steady.service = Service(Deterministic{});
    const ReferenceSchedule own = under_test.schedule(steady, speed), other = reference_schedule(Srpt{}, steady, speed);
    for (std::size_t j = 0; j < problem.jobs.size(); ++j)
        if (own.completion[j] != other.completion[j])
            return fmt::format("job {} is done at {}, under SRPT at {}", j, own.completion[j].to_string(),
                               other.completion[j].to_string());
    return "";
}

std::string one_machine_each(const PolicyUnderTest& under_test, const RedundancyProblem& problem,
                             const Rational& speed) {
    const ReferencePolicy without = reference_policy(without_copies(under_test.policy));
    return in_each(under_test.schedule(problem, speed), [&](const ReferenceInterval& interval) -> std::string {
        const bool same = interval.active.size() != problem.machines ||
                          interval.shares == without.rule(problem.machines, problem.machines);
        return same ? "" : "as many jobs as machines are not served one by one";
    });
}

std::string beta_rounded_up(const PolicyUnderTest& under_test, const RedundancyProblem& problem,
                            const Rational& speed) {
    const auto* laps = under_test.policy.as<Laps>();
    const auto* with_copies = under_test.policy.as<LapsR>();
    const Rational beta = laps ? laps->beta.value() : with_copies ? with_copies->beta.value() : Rational(1);
    return in_each(under_test.schedule(problem, speed), [&](const ReferenceInterval& interval) -> std::string {
        const std::size_t n = interval.active.size(), z = least_whole(beta, n);
        std::size_t served = 0;
        for (const ReferenceShare& share : interval.shares) served += share.copies > 0 ? 1 : 0;
        const bool rounds = z >= problem.machines && policy_id(under_test.policy).find("all") == std::string::npos;
        const std::size_t expected = rounds ? z - z % problem.machines : z;
        return served == expected ? "" : fmt::format("{} of {} jobs are served, not {}", served, n, expected);
    });
}

std::string beta_rounded_down_serves(const PolicyUnderTest& under_test, const RedundancyProblem& problem,
                                     const Rational& speed) {
    const Rational beta = laps_r(under_test.policy).beta.value();
    const ReferencePolicy down{false, [&](std::size_t n, std::size_t machines) {
                                   std::vector<ReferenceShare> shares(n);
                                   const auto z = floor(beta * Rational(n)).convert_to<std::size_t>();
                                   for (std::size_t i = n - z; i < n; ++i)
                                       shares[i] = {1, std::min(Rational(1), Rational(machines) / Rational(z))};
                                   return shares;
                               }};
    return reference_schedule(down, problem, speed) ? "" : "with beta n rounded down, active jobs wait for ever";
}

std::string optimum_is_least(const PolicyUnderTest& under_test, const RedundancyProblem& problem, const Rational&) {
    const Optimum best = under_test.optimum(problem);
    const WorkPath path = work_path(best, problem);
    Rational flowtime;
    for (std::size_t j = 0; j < problem.jobs.size(); ++j) {
        if (path.work(j, best.completion[j]) != problem.jobs[j].size)
            return fmt::format("the schedule of the optimum does not finish job {}", j);
        flowtime += best.completion[j] - problem.jobs[j].arrival;
    }
    for (const Decision& decision : best.schedule) {
        std::size_t copies = 0;
        for (const std::uint32_t r : decision.copies) copies += r;
        if (copies > problem.machines) return "the schedule of the optimum uses more machines than there are";
    }
    const Rational least = least_flowtime(problem);
    if (best.value != flowtime || best.value != least)
        return fmt::format("the optimum is given as {}, its schedule has {}, and the least of all is {}",
                           best.value.to_string(), flowtime.to_string(), least.to_string());
    return "";
}

}  // namespace redundancy_properties
}  // namespace schedproof::checks
