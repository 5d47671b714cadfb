/// The reference model of the redundancy policies: schedules one event and one job at a time.
///
/// Between events every active job has its copies and its share, so its rate is constant and its own time to completion
/// is its remaining work over that rate. The next event is the least of these times and of the next arrival. All
/// numbers are rational, so ties are exact.
#include "checks/redundancy/reference_model.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "model/core/errors.hpp"

namespace schedproof::checks {

using namespace redundancy;

namespace {

[[noreturn]] void throw_unspecified(std::string_view id) {
    throw InputError::at_key("policy", fmt::format("expected a policy of the papers, which specify it, not '{}'", id));
}

ReferenceShare one_over(std::size_t ways) { return {1, Rational(1) / Rational(ways)}; }

std::vector<ReferenceShare> by_srpt(std::size_t n, std::size_t m) {
    std::vector<ReferenceShare> grants(n);
    for (std::size_t i = 0; i < n && i < m; ++i) grants[i] = one_over(1);
    return grants;
}

std::vector<ReferenceShare> by_srpt_r(std::size_t n, std::size_t m) {
    if (n >= m) return by_srpt(n, m);
    std::vector<ReferenceShare> grants(n, {m / n, Rational(1)});
    grants.front().copies = m - (n - 1) * (m / n);
    return grants;
}

/// The kM latest, k = z div M, one copy at 1/k each; z of the n jobs may be served.
std::vector<ReferenceShare> in_rounds(std::size_t n, std::size_t z, std::size_t m) {
    std::vector<ReferenceShare> grants(n);
    const std::size_t k = z / m;
    for (std::size_t i = n - k * m; i < n; ++i) grants[i] = one_over(k);
    return grants;
}

std::vector<ReferenceShare> by_fair(std::size_t n, std::size_t m) {
    return n >= m ? in_rounds(n, n, m) : std::vector<ReferenceShare>(n, one_over(1));
}

std::vector<ReferenceShare> by_fair_r(std::size_t n, std::size_t m) {
    if (n >= m) return by_fair(n, m);
    std::vector<ReferenceShare> grants(n, {m / n, Rational(1)});
    grants.back().copies = m - (n - 1) * (m / n);
    return grants;
}

std::vector<ReferenceShare> by_laps(const Laps& laps, std::size_t n, std::size_t m) {
    const std::size_t z = least_whole(laps.beta.value(), n);
    if (z >= m && laps.crowded == Crowded::rounds) return in_rounds(n, z, m);
    std::vector<ReferenceShare> grants(n);
    std::size_t ways = 1;
    while (ways * m < z) ++ways;
    for (std::size_t i = n - z; i < n; ++i) grants[i] = one_over(ways);
    return grants;
}

std::vector<ReferenceShare> by_laps_r(const LapsR& laps, std::size_t n, std::size_t m) {
    const std::size_t z = least_whole(laps.beta.value(), n);
    if (z >= m && laps.crowded == Crowded::rounds) return in_rounds(n, z, m);
    std::vector<ReferenceShare> grants(n);
    std::size_t ways = 1;  // Q = ceil(z/M); 1 when z < M
    while (ways * m < z) ++ways;
    const std::size_t each = z < m ? m / z : 1, lucky = laps.leftover == Leftover::last ? n - 1 : n - z;
    for (std::size_t i = n - z; i < n; ++i) grants[i] = {each, Rational(1) / Rational(ways)};
    grants[lucky].copies = m * ways - (z - 1) * each;
    return grants;
}

/// Machine after machine: the longest job that has no second copy, while the cap allows.
std::vector<ReferenceShare> by_late(const Late& late, std::size_t n, std::size_t m) {
    std::vector<ReferenceShare> grants = by_srpt(n, m);
    const std::size_t cap = least_whole(Rational(1) / Rational(late.one_in), m);
    std::size_t longest = n;
    for (std::size_t machine = n; machine < m && longest > 0 && n - longest < cap; ++machine)
        grants[--longest].copies = 2;
    return grants;
}

/// Machine after machine to the oldest job that has fewer than d.
std::vector<ReferenceShare> by_redundancy_d(std::size_t d, std::size_t n, std::size_t m) {
    std::vector<ReferenceShare> grants(n);
    for (std::size_t machine = 0; machine < m && machine < n * d; ++machine) {
        grants[machine / d].copies += 1;
        grants[machine / d].share = Rational(1);
    }
    return grants;
}

}  // namespace

std::size_t least_whole(const Rational& beta, std::size_t n) {
    std::size_t z = 0;
    while (Rational(z) < beta * Rational(n)) ++z;
    return z;
}

ReferencePolicy reference_policy(const AnyPolicy& policy) {
    if (policy.as<Srpt>()) return {true, by_srpt};
    if (policy.as<SrptR>()) return {true, by_srpt_r};
    if (policy.as<Fair>()) return {false, by_fair};
    if (policy.as<FairR>()) return {false, by_fair_r};
    if (const auto* laps = policy.as<Laps>())
        return {false, [laps = *laps](std::size_t n, std::size_t m) { return by_laps(laps, n, m); }};
    if (const auto* laps_r = policy.as<LapsR>())
        return {false, [laps_r = *laps_r](std::size_t n, std::size_t m) { return by_laps_r(laps_r, n, m); }};
    if (const auto* late = policy.as<Late>())
        return {true, [late = *late](std::size_t n, std::size_t m) { return by_late(late, n, m); }};
    if (const auto* copies = policy.as<RedundancyD>())
        return {false, [d = copies->d](std::size_t n, std::size_t m) { return by_redundancy_d(d, n, m); }};
    throw_unspecified(policy.info.id);
}

std::string policy_id(const AnyPolicy& policy) {
    std::string id(policy.info.id);
    if (const auto* copies = policy.as<RedundancyD>(); copies && copies->d != RedundancyD().d)
        return fmt::format("{}:{}", id, copies->d);
    const auto* laps = policy.as<Laps>();
    const auto* laps_r = policy.as<LapsR>();
    const bool all = (laps && laps->crowded == Crowded::all) || (laps_r && laps_r->crowded == Crowded::all);
    const bool oldest = laps_r && laps_r->leftover == Leftover::first;
    return id + (all || oldest ? ":" : "") + (all ? "all" : "") + (all && oldest ? "-" : "") + (oldest ? "oldest" : "");
}

void require_specified(const AnyPolicy& policy) { static_cast<void>(reference_policy(policy)); }

bool copies_on_all_machines(const AnyPolicy& policy) {
    return policy.as<SrptR>() || policy.as<FairR>() || policy.as<LapsR>();
}

const LapsR& laps_r(const AnyPolicy& policy) {
    if (const auto* laps = policy.as<LapsR>()) return *laps;
    throw InputError::at_key("policy", fmt::format("expected a variant of laps+r, not '{}'", policy_id(policy)));
}

AnyPolicy without_copies(const AnyPolicy& policy) {
    if (policy.as<SrptR>() || policy.as<Late>()) return Srpt{};
    if (policy.as<RedundancyD>()) return RedundancyD{1};
    if (policy.as<FairR>()) return Fair{};
    if (const auto* laps = policy.as<LapsR>()) return Laps{laps->beta, laps->crowded};
    require_specified(policy);
    return policy;
}

Rational ReferenceSchedule::flowtime(const RedundancyProblem& problem) const {
    Rational sum;
    for (std::size_t j = 0; j < completion.size(); ++j) sum += completion[j] - problem.jobs[j].arrival;
    return sum;
}

std::size_t ReferenceSchedule::active_at(const RedundancyProblem& problem, const Rational& time) const {
    std::size_t count = 0;
    for (std::size_t j = 0; j < completion.size(); ++j)
        if (problem.jobs[j].arrival <= time && time < completion[j]) ++count;
    return count;
}

std::optional<ReferenceSchedule> reference_schedule(const ReferencePolicy& policy, const RedundancyProblem& problem,
                                                    const Rational& speed) {
    ReferenceSchedule schedule;
    const std::size_t n = problem.jobs.size();
    schedule.completion.resize(n);
    if (n == 0) return schedule;
    std::vector<Rational> remaining;
    for (const Job<Rational>& job : problem.jobs) remaining.push_back(job.size);
    std::vector<bool> done(n, false);
    for (Rational now = problem.jobs.front().arrival;;) {
        ReferenceInterval interval{now, {}, {}, {}, {}};
        std::optional<Rational> until;  // the next event
        bool all_done = true;
        for (std::size_t j = 0; j < n; ++j) {
            if (problem.jobs[j].arrival <= now && !done[j] && remaining[j].sign() == 0) {
                done[j] = true;
                schedule.completion[j] = now;
            }
            all_done = all_done && done[j];
            if (done[j]) continue;
            if (problem.jobs[j].arrival <= now)
                interval.active.push_back(j);
            else if (!until)
                until = problem.jobs[j].arrival;
        }
        if (all_done) return schedule;
        if (policy.by_remaining)
            std::stable_sort(interval.active.begin(), interval.active.end(),
                             [&](std::size_t a, std::size_t b) { return remaining[a] < remaining[b]; });
        if (!interval.active.empty()) interval.shares = policy.rule(interval.active.size(), problem.machines);
        std::vector<Rational> rate;
        for (std::size_t i = 0; i < interval.active.size(); ++i) {
            const ReferenceShare& share = interval.shares[i];
            rate.push_back(speed * share.share * reference_gain(problem.service, share.copies));
            interval.remaining.push_back(remaining[interval.active[i]]);
            if (rate[i].sign() == 0) continue;
            const Rational end = now + interval.remaining[i] / rate[i];
            if (!until || end < *until) until = end;
        }
        if (!until) return std::nullopt;
        interval.length = *until - now;
        for (std::size_t i = 0; i < interval.active.size(); ++i)
            remaining[interval.active[i]] -= rate[i] * interval.length;
        schedule.intervals.push_back(std::move(interval));
        now = *until;
    }
}

ReferenceSchedule reference_schedule(const AnyPolicy& policy, const RedundancyProblem& problem, const Rational& speed) {
    auto schedule = reference_schedule(reference_policy(policy), problem, speed);
    require(schedule.has_value(), "a policy of the registry serves somebody");
    return *std::move(schedule);
}

ReferenceSchedule as_lists(const History<Rational>& history) {
    ReferenceSchedule schedule{{}, history.completion};
    for (const Interval<Rational>& own : history.intervals) {
        if (own.length.sign() == 0) continue;
        ReferenceInterval interval{own.start, own.length, {}, {}, std::vector<ReferenceShare>(own.active.size())};
        for (const Active<Rational>& active : own.active) {
            interval.active.push_back(active.job.index());
            interval.remaining.push_back(active.remaining);
        }
        for (const Band& band : own.allocation)
            for (std::size_t i = band.first; i < band.last; ++i)
                interval.shares[i] = {band.grant.copies, Rational(1) / Rational(band.grant.ways)};
        schedule.intervals.push_back(std::move(interval));
    }
    return schedule;
}

std::string difference(const ReferenceSchedule& a, const ReferenceSchedule& b) {
    for (std::size_t j = 0; j < a.completion.size(); ++j)
        if (a.completion[j] != b.completion[j])
            return fmt::format("job {} is done at {}, not {}", j, a.completion[j].to_string(),
                               b.completion[j].to_string());
    for (std::size_t i = 0; i < std::min(a.intervals.size(), b.intervals.size()); ++i) {
        const ReferenceInterval &x = a.intervals[i], &y = b.intervals[i];
        const std::string when = fmt::format(" from {} on", x.start.to_string());
        if (x.start != y.start || x.length != y.length) return "another interval" + when;
        if (x.active != y.active) return "other jobs, or in another order," + when;
        if (x.remaining != y.remaining) return "another remaining work" + when;
        if (x.shares != y.shares) return "another allocation" + when;
    }
    return a.intervals.size() == b.intervals.size() ? "" : "another number of intervals";
}

namespace {

/// By machines: the best is fast unless all are slow.
Rational gain_of(const TwoPoint& p, std::size_t copies) {
    const Rational fast = (Rational(1) - p.slow) / (p.fast - p.slow);
    Rational none(1);
    for (std::size_t i = 0; i < copies; ++i) none *= Rational(1) - fast;
    return p.fast * (Rational(1) - none) + p.slow * none;
}

}  // namespace

Rational reference_gain(const Service& service, std::size_t copies) {
    if (copies == 0) return 0;
    if (const auto* p = std::get_if<TwoPoint>(&service.process())) return gain_of(*p, copies);
    if (const auto* p = std::get_if<Gains>(&service.process()))
        return copies <= p->gain.size() ? p->gain[copies - 1] : p->gain.back();
    require(std::holds_alternative<Deterministic>(service.process()), "a plain schedule needs a linear service");
    return 1;
}

Rational mean_of_best(const std::vector<Outcome>& law, std::size_t copies) {
    Rational mean;
    for (const Outcome& outcome : law)
        mean += outcome.probability *
                *std::max_element(outcome.work.begin(), outcome.work.begin() + static_cast<std::ptrdiff_t>(copies));
    return mean;
}

std::vector<Outcome> independent(const std::vector<std::pair<Rational, Rational>>& machine, std::size_t machines) {
    std::vector<Outcome> law{{Rational(1), {}}};
    for (std::size_t m = 0; m < machines; ++m) {
        std::vector<Outcome> longer;
        for (const Outcome& before : law)
            for (const auto& [probability, work] : machine) {
                longer.push_back({before.probability * probability, before.work});
                longer.back().work.push_back(work);
            }
        law = std::move(longer);
    }
    return law;
}

std::vector<Outcome> twins_and_one() {
    const Rational half = Rational(1) / Rational(2);
    std::vector<Outcome> law;
    for (const Outcome& two : independent({{half, Rational(2)}, {half, Rational(0)}}, 2))
        law.push_back({two.probability, {two.work[0], two.work[0], two.work[1]}});
    return law;
}

}  // namespace schedproof::checks
