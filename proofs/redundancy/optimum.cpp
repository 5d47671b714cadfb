#include "proofs/redundancy/optimum.hpp"

#include <algorithm>

#include "model/core/errors.hpp"
#include "proofs/redundancy/theorems/choices.hpp"

namespace schedproof::redundancy {

namespace {

class Search {
  public:
    Search(const Problem<Rational>& problem, std::optional<Rational> bound, std::uint64_t limit)
        : problem_(problem), choices_(problem.service, problem.machines), bound_(std::move(bound)), limit_(limit) {
        // What jobs j, j+1, ... take at least when they arrive.
        to_come_.resize(problem.jobs.size() + 1);
        for (std::size_t j = problem.jobs.size(); j-- > 0;)
            to_come_[j] = to_come_[j + 1] + problem.jobs[j].size / choices_.most();
    }

    std::optional<Optimum> run() {
        completion_.resize(problem_.jobs.size());
        go({problem_.jobs.empty() ? Rational(0) : problem_.jobs.front().arrival, {}, 0, {}});
        if (best_) best_->decisions = decisions_;
        return std::move(best_);
    }

  private:
    struct Job {
        std::size_t id;
        Rational remaining;
    };
    struct State {
        Rational now;
        std::vector<Job> active;
        std::size_t arrived = 0;
        Rational cost;  // flowtime so far, of jobs that are active or done
    };

    [[nodiscard]] bool hopeless(const State& s) {
        if (!bound_) return false;
        Rational least = s.cost + to_come_[s.arrived], work;
        std::vector<Rational> remaining;
        for (const Job& job : s.active) remaining.push_back(job.remaining);
        std::sort(remaining.begin(), remaining.end());
        for (const Rational& r : remaining) {
            work += r;
            least += std::max(r / choices_.most(), work / choices_.most_of(s.active.size()));
        }
        return least >= *bound_;
    }

    /// From an event on: who is done leaves, who arrives joins, then every choice.
    void go(State s) {
        for (std::size_t i = 0; i < s.active.size();) {
            if (s.active[i].remaining.sign() > 0) {
                ++i;
                continue;
            }
            completion_[s.active[i].id] = s.now;
            s.active.erase(s.active.begin() + static_cast<std::ptrdiff_t>(i));
        }
        for (; s.arrived < problem_.jobs.size() && problem_.jobs[s.arrived].arrival <= s.now; ++s.arrived)
            s.active.push_back({s.arrived, problem_.jobs[s.arrived].size});
        const std::size_t to_come = problem_.jobs.size() - s.arrived;
        if (s.active.empty() && to_come == 0) {
            if (bound_ && s.cost >= *bound_) return;
            bound_ = s.cost;
            best_ = Optimum{s.cost, schedule_, completion_, 0};
            return;
        }
        if (hopeless(s)) return;
        for (const Choices::Copies& copies : choices_.of(s.active.size(), to_come)) advance(s, copies);
    }

    /// To the next event under a choice.
    void advance(const State& s, const Choices::Copies& copies) {
        if (++decisions_ > limit_) throw LimitExceeded("decisions", "more than " + std::to_string(limit_));
        std::optional<Rational> length;
        if (s.arrived < problem_.jobs.size()) length = problem_.jobs[s.arrived].arrival - s.now;
        for (std::size_t i = 0; i < copies.size(); ++i)
            if (copies[i] > 0) {
                const Rational end = s.active[i].remaining / choices_.gain(copies[i]);
                if (!length || end < *length) length = end;
            }
        State next = s;
        Decision decision{s.now, *length, std::vector<std::uint32_t>(problem_.jobs.size(), 0)};
        for (std::size_t i = 0; i < copies.size(); ++i) {
            next.active[i].remaining -= choices_.gain(copies[i]) * *length;
            decision.copies[s.active[i].id] = copies[i];
        }
        next.now += *length;
        next.cost += Rational(s.active.size()) * *length;
        schedule_.push_back(std::move(decision));
        go(std::move(next));
        schedule_.pop_back();
    }

    const Problem<Rational>& problem_;
    Choices choices_;
    std::optional<Rational> bound_;  // only what is below matters
    std::uint64_t limit_, decisions_ = 0;
    std::vector<Rational> to_come_;
    std::vector<Decision> schedule_;
    std::vector<Rational> completion_;
    std::optional<Optimum> best_;
};

}  // namespace

Optimum optimum(const Problem<Rational>& problem, std::uint64_t limit) {
    return *Search(problem, std::nullopt, limit).run();
}

std::optional<Optimum> optimum_below(const Problem<Rational>& problem, const Rational& bound, std::uint64_t limit) {
    return Search(problem, bound, limit).run();
}

}  // namespace schedproof::redundancy
