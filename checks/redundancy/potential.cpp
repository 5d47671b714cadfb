#include "checks/redundancy/potential.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <set>

namespace schedproof::checks {

namespace {

class Potential {
  public:
    Potential(const WorkPath& policy, const WorkPath& competitor, const RedundancyProblem& problem, const Drift& drift)
        : own_(policy), other_(competitor), problem_(problem), drift_(drift) {}

    /// Of boundary and jumps.
    std::string violation_at_events() const {
        const std::vector<Rational> times = pieces();
        if (value(times.front(), false).sign() != 0) return "the potential does not begin at 0";
        for (const Rational& time : times) {
            const Rational before = value(time, false), after = value(time, true);
            if (after > before)
                return fmt::format("the potential jumps from {} to {} at {}", before.to_string(), after.to_string(),
                                   time.to_string());
        }
        return value(times.back(), true).sign() == 0 ? "" : "the potential does not end at 0";
    }

    std::string violation_between_events() const {
        std::vector<Rational> times = pieces();
        times.pop_back();
        for (const Rational& time : times) {
            const Rational slope = this->slope(time);
            const Rational left = Rational(active(own_, time)) + drift_.gamma * slope;
            const Rational right = drift_.c * Rational(active(other_, time));
            if (left > right)
                return fmt::format("from {} on n + gamma Phi' = {} + {} ({}) is above c n* = {}", time.to_string(),
                                   active(own_, time), drift_.gamma.to_string(), slope.to_string(), right.to_string());
        }
        return "";
    }

  private:
    /// Ahead is positive.
    [[nodiscard]] Rational lead(std::size_t j, const Rational& t) const { return other_.work(j, t) - own_.work(j, t); }
    [[nodiscard]] std::size_t active(const WorkPath& path, const Rational& t) const {
        std::size_t count = 0;
        for (std::size_t j = 0; j < problem_.jobs.size(); ++j)
            count += problem_.jobs[j].arrival <= t && t < path.completion[j] ? 1 : 0;
        return count;
    }
    /// Active under the policy just after t, or just before.
    [[nodiscard]] bool active(std::size_t j, const Rational& t, bool after) const {
        const Rational &from = problem_.jobs[j].arrival, &to = own_.completion[j];
        return after ? from <= t && t < to : from < t && t <= to;
    }
    /// 1 / f(n_j).
    [[nodiscard]] Rational weight(std::size_t j, const Rational& t, bool after) const {
        std::size_t m = 0;
        for (std::size_t k = 0; k <= j; ++k) m += active(k, t, after) ? 1 : 0;
        return std::max(Rational(1), drift_.beta * Rational(m) / Rational(problem_.machines));
    }
    [[nodiscard]] Rational value(const Rational& t, bool after) const {
        Rational sum;
        for (std::size_t j = 0; j < problem_.jobs.size(); ++j)
            if (active(j, t, after)) sum += std::max(Rational(0), lead(j, t)) * weight(j, t, after);
        return sum;
    }
    [[nodiscard]] Rational slope(const Rational& t) const {
        Rational sum;
        for (std::size_t j = 0; j < problem_.jobs.size(); ++j) {
            if (!active(j, t, true)) continue;
            const Rational ahead = lead(j, t), change = other_.rate(j, t) - own_.rate(j, t);
            if (ahead.sign() > 0 || (ahead.sign() == 0 && change.sign() > 0)) sum += change * weight(j, t, true);
        }
        return sum;
    }
    /// All events of both schedules, and where a lead changes its sign between two of them.
    [[nodiscard]] std::vector<Rational> pieces() const {
        std::set<Rational> events;
        for (const Job& job : problem_.jobs) events.insert(job.arrival);
        for (const WorkPath* path : {&own_, &other_})
            for (const Rational& end : path->completion) events.insert(end);
        for (const WorkPath* path : {&own_, &other_})
            for (const WorkPath::Step& step : path->steps) events.insert({step.start, step.start + step.length});
        std::vector<Rational> times(events.begin(), events.end());
        for (std::size_t i = 0, n = times.size(); i + 1 < n; ++i)
            for (std::size_t j = 0; j < problem_.jobs.size(); ++j) {
                const Rational a = lead(j, times[i]), b = lead(j, times[i + 1]);
                if (a.sign() * b.sign() < 0) times.push_back(times[i] + (times[i + 1] - times[i]) * a / (a - b));
            }
        std::sort(times.begin(), times.end());
        times.erase(std::unique(times.begin(), times.end()), times.end());
        return times;
    }

    using Job = redundancy::Job<Rational>;
    const WorkPath& own_;
    const WorkPath& other_;
    const RedundancyProblem& problem_;
    const Drift& drift_;
};

}  // namespace

std::string potential_violation(const WorkPath& policy, const WorkPath& competitor, const RedundancyProblem& problem,
                                const Drift& drift) {
    if (problem.jobs.empty()) return "";
    std::string wrong = Potential(policy, competitor, problem, drift).violation_at_events();
    return wrong.empty() ? drift_violation(policy, competitor, problem, drift) : wrong;
}

std::string drift_violation(const WorkPath& policy, const WorkPath& competitor, const RedundancyProblem& problem,
                            const Drift& drift) {
    return problem.jobs.empty() ? "" : Potential(policy, competitor, problem, drift).violation_between_events();
}

}  // namespace schedproof::checks
