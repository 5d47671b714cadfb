/// The least flowtime of a small problem by looking at every schedule.
///
/// Decisions are taken at arrivals and completions: every number of copies for every active job, idle machines
/// included. A branch is cut only where its cost already reaches the best known one: no bound of the code under test
/// has a part in it.
#include "checks/redundancy/brute_force.hpp"

#include <algorithm>

#include "model/core/randomness.hpp"

namespace schedproof::checks {

using namespace redundancy;

namespace {

constexpr std::uint64_t most_decisions = 5'000'000;

/// Every schedule, one after another.
class Everything {
  public:
    explicit Everything(const RedundancyProblem& problem) : problem_(problem) {}

    Rational least() {
        std::vector<Rational> remaining;
        for (const Job<Rational>& job : problem_.jobs) remaining.push_back(job.size);
        from(Rational(0), Rational(0), remaining);
        return *best_;
    }

  private:
    void from(const Rational& now, const Rational& cost, const std::vector<Rational>& remaining) {
        if (best_ && cost >= *best_) return;
        std::vector<std::size_t> active;
        std::optional<Rational> next;
        for (std::size_t j = 0; j < remaining.size(); ++j) {
            if (remaining[j].sign() == 0) continue;
            if (problem_.jobs[j].arrival <= now)
                active.push_back(j);
            else if (!next)
                next = problem_.jobs[j].arrival;
        }
        if (active.empty() && !next) {
            best_ = cost;
            return;
        }
        std::vector<std::size_t> copies(active.size(), 0);
        every(active, copies, 0, problem_.machines, [&] {
            if (++decisions_ > most_decisions) throw LimitExceeded("decisions", "more than 5000000");
            std::optional<Rational> until = next;
            for (std::size_t i = 0; i < active.size(); ++i)
                if (copies[i] > 0) {
                    const Rational end = now + remaining[active[i]] / reference_gain(problem_.service, copies[i]);
                    if (!until || end < *until) until = end;
                }
            if (!until) return;
            const Rational length = *until - now;
            std::vector<Rational> after = remaining;
            for (std::size_t i = 0; i < active.size(); ++i)
                after[active[i]] -= reference_gain(problem_.service, copies[i]) * length;
            from(*until, cost + Rational(active.size()) * length, after);
        });
    }
    template <class Visit>
    void every(const std::vector<std::size_t>& active, std::vector<std::size_t>& copies, std::size_t i,
               std::size_t left, const Visit& visit) {
        if (i == active.size()) return visit();
        for (std::size_t r = left + 1; r-- > 0;) {
            copies[i] = r;
            every(active, copies, i + 1, left - r, visit);
        }
        copies[i] = 0;
    }

    const RedundancyProblem& problem_;
    std::optional<Rational> best_;
    std::uint64_t decisions_ = 0;
};

/// The flowtime of finishing jobs that are all there, under SRPT at speed 1.
Rational cost_to_finish(const std::vector<Rational>& remaining, std::size_t machines) {
    RedundancyProblem problem{machines, Service(), {}};
    for (const Rational& work : remaining) problem.jobs.push_back({Rational(0), work});
    return reference_schedule(Srpt{}, problem, Rational(1)).flowtime(problem);
}

std::vector<Rational> srpt_alpha(const RedundancyProblem& problem, const Rational& speed) {
    const ReferenceSchedule run = reference_schedule(Srpt{}, problem, speed);
    const WorkPath path = work_path(run, problem, speed);
    std::vector<Rational> alpha;
    for (std::size_t j = 0; j < problem.jobs.size(); ++j) {
        const auto& [now, size] = problem.jobs[j];
        std::vector<Rational> there;  // what jobs inserted before j have left
        for (std::size_t k = 0; k < j; ++k)
            if (const Rational left = problem.jobs[k].size - path.work(k, now); left.sign() > 0) there.push_back(left);
        const Rational before = cost_to_finish(there, problem.machines);
        there.push_back(size);
        alpha.push_back((cost_to_finish(there, problem.machines) - before) / speed);
    }
    return alpha;
}

Rational fair_rate(DualRule rule, std::size_t position, std::size_t n, std::size_t machines) {
    if (n < machines) return 1;
    const std::size_t served = n - n % machines;
    if (rule == DualRule::naive) return Rational(position) / Rational(n);
    if (position + served <= n) return 0;
    if (rule == DualRule::rank) return Rational(position) / Rational(n);
    if (rule == DualRule::shifted) return Rational(position + served - n) / Rational(served);
    return std::min(Rational(1), Rational(position) / Rational(served));
}

}  // namespace

Rational least_flowtime(const RedundancyProblem& problem) {
    return problem.jobs.empty() ? Rational(0) : Everything(problem).least();
}

Rational WorkPath::work(std::size_t job, const Rational& time) const {
    Rational done;
    for (const Step& step : steps)
        if (step.rate[job].sign() != 0 && step.start < time)
            done += step.rate[job] * std::min(step.length, time - step.start);
    return done;
}

Rational WorkPath::rate(std::size_t job, const Rational& time) const {
    for (const Step& step : steps)
        if (step.start <= time && time < step.start + step.length) return step.rate[job];
    return 0;
}

WorkPath work_path(const ReferenceSchedule& schedule, const RedundancyProblem& problem, const Rational& speed) {
    WorkPath path{{}, schedule.completion};
    for (const ReferenceInterval& interval : schedule.intervals) {
        path.steps.push_back({interval.start, interval.length, std::vector<Rational>(problem.jobs.size())});
        for (std::size_t i = 0; i < interval.active.size(); ++i)
            path.steps.back().rate[interval.active[i]] =
                speed * interval.shares[i].share * reference_gain(problem.service, interval.shares[i].copies);
    }
    return path;
}

WorkPath work_path(const Optimum& optimum, const RedundancyProblem& problem) {
    WorkPath path{{}, optimum.completion};
    for (const Decision& decision : optimum.schedule) {
        path.steps.push_back({decision.start, decision.length, {}});
        for (const std::uint32_t copies : decision.copies)
            path.steps.back().rate.push_back(reference_gain(problem.service, copies));
    }
    return path;
}

std::vector<WorkPath> competitors(const RedundancyProblem& problem, std::size_t count) {
    constexpr std::uint64_t purpose = 0x636f6d706574;
    std::vector<WorkPath> paths;
    for (std::uint64_t i = 0; i < count; ++i) {
        Sampler randomness(StreamKey{1, i, purpose});
        const ReferencePolicy policy{i % 2 == 0, [&](std::size_t n, std::size_t machines) {
                                         std::vector<ReferenceShare> grants(n, {0, Rational(1)});
                                         grants[randomness.uniform(n)].copies = 1;
                                         for (std::size_t left = machines - 1; left > 0; --left)
                                             if (randomness.below(8) > 0) ++grants[randomness.uniform(n)].copies;
                                         return grants;
                                     }};
        paths.push_back(work_path(*reference_schedule(policy, problem, Rational(1)), problem, Rational(1)));
    }
    return paths;
}

Rational relaxed_cost(const WorkPath& path, const RedundancyProblem& problem, const Rational& constant) {
    Rational cost;
    for (const WorkPath::Step& step : path.steps)
        for (std::size_t j = 0; j < problem.jobs.size(); ++j) {
            // int (t - a) dt from x to y, both counted from the arrival.
            const Rational x = step.start - problem.jobs[j].arrival, y = x + step.length;
            cost += step.rate[j] * ((y * y - x * x) / (Rational(2) * problem.jobs[j].size) + constant * step.length);
        }
    return cost;
}

std::vector<Rational> reference_alpha(DualRule rule, const RedundancyProblem& problem, const Rational& speed) {
    if (rule == DualRule::srpt) return srpt_alpha(problem, speed);
    std::vector<Rational> alpha(problem.jobs.size());
    for (const ReferenceInterval& interval : reference_schedule(FairR{}, problem, speed).intervals)
        for (std::size_t i = 0; i < interval.active.size(); ++i)
            alpha[interval.active[i]] +=
                fair_rate(rule, i + 1, interval.active.size(), problem.machines) * interval.length;
    return alpha;
}

ReferenceSchedule reference_counted(DualRule rule, const RedundancyProblem& problem, const Rational& speed) {
    return reference_schedule(policy_of(rule) == SrptR::info.id ? AnyPolicy(Srpt{}) : AnyPolicy(FairR{}), problem,
                              speed);
}

LeastConstant reference_least_constant(const std::vector<Rational>& alpha, const ReferenceSchedule& counted,
                                       const RedundancyProblem& problem, const Rational& speed) {
    LeastConstant least;
    std::vector<Rational> times = counted.completion;
    for (const Job<Rational>& job : problem.jobs) times.push_back(job.arrival);
    for (const Rational& time : times) {
        const Rational beta = Rational(counted.active_at(problem, time)) / (speed * Rational(problem.machines));
        for (std::size_t j = 0; j < alpha.size(); ++j) {
            const auto& [arrival, size] = problem.jobs[j];
            if (time < arrival) continue;
            const Rational needed = (alpha[j] - (time - arrival)) / size - beta;
            if (needed > least.constant) least = {needed, j, time};
        }
    }
    return least;
}

}  // namespace schedproof::checks
