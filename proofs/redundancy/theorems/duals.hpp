/// Dual fitting: prices of jobs and of machine time that bound every schedule from below, read off a run of a policy.
///
/// The relaxed problem P1 asks for speedups h_j of least sum_j int ((t - a_j)/p_j + C) h_j dt with int h_j >= p_j; its
/// value is at most (1 + C Delta) times the optimal flowtime (Lemma 3). Its dual D1 maximises sum_j alpha_j - M int
/// beta dt over alpha, beta >= 0 with
///     alpha_j / p_j - beta(t) <= (t - a_j) / p_j + C        for every job j and every t >= a_j.        (eq. 8)
/// Any such alpha and beta bound P1 from below: with h_j <= r_j and sum_j r_j <= M,
///     sum alpha - M int beta <= sum_j int (alpha_j / p_j - beta) h_j <= P1.
/// With shares of machines (P3) the same line holds for x_j r_j in place of r_j.
///
/// SRPT+R (eqs. 9, 10) takes both from the plain SRPT run at the same speed s. With n jobs active at a_j, j among them
/// with rank rho by remaining work, last among equals,
///     alpha_j = 1/s [ sum_{k < rho, M | n-k} p_k(a_j) + ceil((n - rho + 1)/M) p_j ],     beta(t) = n(t) / (s M).
/// That is what inserting j adds to the cost of finishing what is there (Lemma 5), so sum alpha = F(SRPT_s).
/// Fair+R (eqs. 25-27) takes both from its own run: alpha_j = int alpha_j(t) dt over its stay, beta as above. With
/// fewer jobs than machines alpha_j(t) = 1; otherwise, j the pos-th oldest of n, K = M floor(n/M) served:
///     cap      min(1, pos/K) while served, otherwise 0
///     rank     pos/n while served, otherwise 0
///     shifted  (pos - (n - K))/K while served, otherwise 0
///     naive    pos/n always: not feasible, for a job may wait for ever and alpha_j grows all the time
///
/// Source: [xu2017], Sections 4.2 and 5.2; docs/models/redundancy.md, Optimum and duals.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "policies/redundancy/registry.hpp"

namespace schedproof::redundancy {

/// How alpha and beta are made; those after a colon are wrong variants of SRPT+R's, which checks must refute.
enum class DualRule {
    srpt,
    srpt_unscaled,   ///< beta = n / M: the dual value vanishes
    srpt_floor,      ///< floor in place of ceil: alpha too small
    srpt_own_count,  ///< beta from the number of jobs of SRPT+R's own run
    srpt_forget,     ///< the rank of j does not count j: alpha too large
    cap,
    rank,
    shifted,
    naive,
};
inline constexpr DualRule dual_rules[] = {DualRule::srpt,           DualRule::srpt_unscaled, DualRule::srpt_floor,
                                          DualRule::srpt_own_count, DualRule::srpt_forget,   DualRule::cap,
                                          DualRule::rank,           DualRule::shifted,       DualRule::naive};

/// `srpt`, `srpt:floor`, `cap`, ...
[[nodiscard]] std::string_view name(DualRule rule);
/// The inverse of `name`; nothing for an unknown name.
[[nodiscard]] std::optional<DualRule> parse_rule(std::string_view name);
/// Whose flowtime the rule bounds: `srpt+r` or `fair+r`.
[[nodiscard]] std::string_view policy_of(DualRule rule);

template <Number N>
struct Duals {
    /// From `start` to the start of the next step. Steps may have length 0, when several things happen at one instant:
    /// then beta has no value of theirs.
    struct Step {
        N start;
        std::size_t active = 0;   ///< n(t)
        std::size_t arrived = 0;  ///< jobs 0..arrived-1 had been inserted
    };
    std::vector<N> alpha;     ///< by job
    std::vector<Step> steps;  ///< from the first arrival on; the last begins when all jobs are done, with none active
    Rational per_job;         ///< beta(t) = per_job * n(t)

    /// int n(t) dt, which is the total flowtime of the run that counts the jobs.
    [[nodiscard]] N job_time() const {
        N total(0);
        for (std::size_t i = 0; i + 1 < steps.size(); ++i)
            total += times(static_cast<std::int64_t>(steps[i].active), N(steps[i + 1].start - steps[i].start));
        return total;
    }
    [[nodiscard]] N sum_of_alpha() const {
        N total(0);
        for (const N& a : alpha) total += a;
        return total;
    }
};

/// The steps at which (eq. 8) is worth a test for job j: its right side grows with t, so those at which n(t) is less
/// than at every step since j was inserted. Never a step before that, even at the same instant.
template <Number N>
[[nodiscard]] std::vector<std::size_t> tested_steps(const Duals<N>& duals, std::size_t job) {
    std::vector<std::size_t> tested;
    for (std::size_t i = 0; i < duals.steps.size(); ++i)
        if (duals.steps[i].arrived > job &&
            (tested.empty() || duals.steps[i].active < duals.steps[tested.back()].active))
            tested.push_back(i);
    return tested;
}

/// s alpha_j by (eq. 9), for the job of that rank, from 0, among all that are active at its arrival.
template <Number N>
[[nodiscard]] N insertion_cost(DualRule rule, const std::vector<Active<N>>& active, std::size_t rank,
                               std::size_t machines) {
    const std::size_t n = active.size(), own = rule == DualRule::srpt_forget ? rank : rank + 1;  // rho
    N cost(0);
    for (std::size_t k = 1; k < own; ++k)
        if ((n - k) % machines == 0) cost += active[k - 1].remaining;
    const std::size_t behind = n + 1 - own;
    const std::size_t rounds = rule == DualRule::srpt_floor ? behind / machines : (behind + machines - 1) / machines;
    return cost + times(static_cast<std::int64_t>(rounds), active[rank].remaining);
}

/// alpha_j(t) of Fair+R for the pos-th oldest of n active jobs, pos from 1.
[[nodiscard]] Rational price_rate(DualRule rule, std::size_t pos, std::size_t n, std::size_t machines);

namespace detail {

/// Follows a run: the steps of n(t), and with a rule alpha at each arrival (SRPT+R) or over time (Fair+R).
template <Number N>
class DualWatch : public Observer<N> {
  public:
    DualWatch(std::optional<DualRule> rule, Duals<N>& duals, const Rational& speed)
        : at_arrival_(rule && *rule <= DualRule::srpt_forget),
          over_time_(rule && *rule > DualRule::srpt_forget),
          rule_(rule.value_or(DualRule::srpt)),
          duals_(duals),
          speed_(speed) {}

    void arrived(const N&, JobId job, const auto& schedule) {
        ++arrived_;
        if (!at_arrival_) return;
        std::size_t rank = 0;
        while (schedule.active()[rank].job != job) ++rank;
        duals_.alpha[job.index()] = NumberTraits<N>::coefficient(Rational(1) / speed_) *
                                    insertion_cost(rule_, schedule.active(), rank, schedule.machines());
    }
    void passes(const N& now, const N& length, const auto& schedule) {
        const std::size_t n = schedule.active().size();
        duals_.steps.push_back({now, n, arrived_});
        for (std::size_t i = 0; over_time_ && i < n; ++i)
            duals_.alpha[schedule.active()[i].job.index()] +=
                NumberTraits<N>::coefficient(price_rate(rule_, i + 1, n, schedule.machines())) * length;
    }
    void completed(const N& now, JobId, const auto& schedule) {
        if (schedule.active().empty() && arrived_ == duals_.alpha.size()) duals_.steps.push_back({now, 0, arrived_});
    }

  private:
    bool at_arrival_, over_time_;
    DualRule rule_;
    Duals<N>& duals_;
    const Rational& speed_;
    std::size_t arrived_ = 0;
};

template <Number N, class Watch>
void follow(const AnyPolicy& policy, const Problem<N>& problem, const Rational& speed, Watch watch) {
    AnySchedule<N> schedule(policy, problem.machines, LinearSpeedup<N>(problem.service, problem.machines, speed));
    run(schedule, problem.jobs, watch);
}

}  // namespace detail

/// The dual variables that a rule makes at speed s. Requires a linear service and speed > 0.
template <Number N>
[[nodiscard]] Duals<N> duals(DualRule rule, const Problem<N>& problem, const Rational& speed) {
    Duals<N> result;
    result.alpha.assign(problem.jobs.size(), N(0));
    const Rational scale = rule == DualRule::srpt_unscaled ? Rational(1) : speed;
    result.per_job = Rational(1) / (scale * Rational(problem.machines));
    const detail::DualWatch<N> watch(rule, result, speed);
    if (rule > DualRule::srpt_forget)
        detail::follow(FairR{}, problem, speed, watch);
    else
        detail::follow(Srpt{}, problem, speed, watch);
    if (rule == DualRule::srpt_own_count) {
        result.steps.clear();
        detail::follow(SrptR{}, problem, speed, detail::DualWatch<N>(std::nullopt, result, speed));
    }
    return result;
}

/// sum_j alpha_j - M int beta dt.
template <Number N>
[[nodiscard]] N objective(const Duals<N>& duals, std::size_t machines) {
    return duals.sum_of_alpha() - NumberTraits<N>::coefficient(duals.per_job * Rational(machines)) * duals.job_time();
}

/// The least C >= 0 for which (eq. 8) holds for every job at every time. Exact.
[[nodiscard]] Rational least_constant(const Duals<Rational>& duals, const Problem<Rational>& problem);
/// alpha_j / p_j - beta(t) - (t - a_j) / p_j at the start of a step that lasts, or the last: the least C for j there.
[[nodiscard]] Rational constant_at(const Duals<Rational>& duals, const Problem<Rational>& problem, std::size_t job,
                                   std::size_t step);

/// sum_j int ((t - a_j)/p_j + C) h_j(t) dt for a schedule of all jobs at a speed.
[[nodiscard]] Rational relaxed_cost(const History<Rational>& history, const Problem<Rational>& problem,
                                    const Rational& speed, const Rational& constant);

}  // namespace schedproof::redundancy
