#include "checks/redundancy/potential.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <set>

namespace schedproof::checks {

namespace {

class Potential {
  public:
    Potential(const WorkPath& policy, const WorkPath& competitor, const RedundancyProblem& problem, const Drift& drift)
        : own_(policy), other_(competitor), problem_(problem), drift_(drift), moments_(moments()) {}

    /// Of boundary and jumps.
    [[nodiscard]] std::string violation_at_events() const {
        if (value(moments_.front(), false).sign() != 0) return "the potential does not begin at 0";
        for (const Moment& moment : moments_) {
            const Rational before = value(moment, false), after = value(moment, true);
            if (after > before)
                return fmt::format("the potential jumps from {} to {} at {}", before.to_string(), after.to_string(),
                                   moment.time.to_string());
        }
        return value(moments_.back(), true).sign() == 0 ? "" : "the potential does not end at 0";
    }

    [[nodiscard]] std::string violation_between_events() const {
        for (std::size_t i = 0; i + 1 < moments_.size(); ++i) {
            const Rational& time = moments_[i].time;
            const Rational slope = this->slope(moments_[i]);
            const Rational left = Rational(active(own_, time)) + drift_.gamma * slope;
            const Rational right = drift_.c * Rational(active(other_, time));
            if (left > right)
                return fmt::format("from {} on n + gamma Phi' = {} + {} ({}) is above c n* = {}", time.to_string(),
                                   active(own_, time), drift_.gamma.to_string(), slope.to_string(), right.to_string());
        }
        return "";
    }

  private:
    /// A time, and by how much the competitor is ahead of the policy then, by job.
    struct Moment {
        Rational time;
        std::vector<Rational> leads;
    };
    [[nodiscard]] Moment at(const Rational& time) const {
        Moment moment{time, {}};
        for (std::size_t j = 0; j < problem_.jobs.size(); ++j)
            moment.leads.push_back(other_.work(j, time) - own_.work(j, time));
        return moment;
    }
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
    [[nodiscard]] Rational value(const Moment& moment, bool after) const {
        Rational sum;
        for (std::size_t j = 0; j < moment.leads.size(); ++j)
            if (moment.leads[j].sign() > 0 && active(j, moment.time, after))
                sum += moment.leads[j] * weight(j, moment.time, after);
        return sum;
    }
    [[nodiscard]] Rational slope(const Moment& moment) const {
        const Rational& t = moment.time;
        Rational sum;
        for (std::size_t j = 0; j < moment.leads.size(); ++j) {
            if (moment.leads[j].sign() < 0 || !active(j, t, true)) continue;
            const Rational change = other_.rate(j, t) - own_.rate(j, t);
            if (moment.leads[j].sign() > 0 || change.sign() > 0) sum += change * weight(j, t, true);
        }
        return sum;
    }
    /// All events of both schedules, and where a lead changes its sign between two of them.
    [[nodiscard]] std::vector<Moment> moments() const {
        std::set<Rational> events;
        for (const Job& job : problem_.jobs) events.insert(job.arrival);
        for (const WorkPath* path : {&own_, &other_})
            for (const Rational& end : path->completion) events.insert(end);
        for (const WorkPath* path : {&own_, &other_})
            for (const WorkPath::Step& step : path->steps) events.insert({step.start, step.start + step.length});
        std::vector<Moment> all;
        for (const Rational& time : events) {
            Moment next = at(time);
            std::set<Rational> between;
            for (std::size_t j = 0; !all.empty() && j < next.leads.size(); ++j) {
                const Moment& last = all.back();
                const Rational &a = last.leads[j], &b = next.leads[j];
                if (a.sign() * b.sign() < 0) between.insert(last.time + (time - last.time) * a / (a - b));
            }
            for (const Rational& crossing : between) all.push_back(at(crossing));
            all.push_back(std::move(next));
        }
        return all;
    }

    using Job = redundancy::Job<Rational>;
    const WorkPath& own_;
    const WorkPath& other_;
    const RedundancyProblem& problem_;
    const Drift& drift_;
    const std::vector<Moment> moments_;  // ascending
};

}  // namespace

std::string potential_violation(const WorkPath& policy, const WorkPath& competitor, const RedundancyProblem& problem,
                                const Drift& drift) {
    if (problem.jobs.empty()) return "";
    const Potential potential(policy, competitor, problem, drift);
    std::string wrong = potential.violation_at_events();
    return wrong.empty() ? potential.violation_between_events() : wrong;
}

std::string drift_violation(const WorkPath& policy, const WorkPath& competitor, const RedundancyProblem& problem,
                            const Drift& drift) {
    return problem.jobs.empty() ? "" : Potential(policy, competitor, problem, drift).violation_between_events();
}

}  // namespace schedproof::checks
