#include "experiments/command/dual/picture.hpp"

#include <fmt/core.h>

#include <limits>

namespace schedproof::cli {

namespace {

using namespace redundancy;
using figures::Curve;
using figures::Panel;
using figures::Point;
using figures::Style;

/// A legend of more jobs than this tells nobody anything.
constexpr std::size_t most_named = 10;

/// What job j could pay at time t: (alpha_j - (t - a_j)) / p_j.
Rational offer(const Duals<Rational>& prices, const Job<Rational>& job, std::size_t j, const Rational& t) {
    return (prices.alpha[j] - (t - job.arrival)) / job.size;
}

/// A value at both ends of every step that lasts and begins after the job was inserted.
template <class Value>
std::vector<Point> over_stay(const Duals<Rational>& prices, std::size_t job, Value&& value) {
    std::vector<Point> points;
    for (std::size_t i = 0; i + 1 < prices.steps.size(); ++i) {
        const auto& step = prices.steps[i];
        if (step.arrived <= job || step.start == prices.steps[i + 1].start) continue;
        for (const Rational& t : {step.start, prices.steps[i + 1].start})
            points.push_back({t.approximate(), value(step, t).approximate()});
    }
    return points;
}

}  // namespace

figures::Plot dual_picture(const redundancy::Instance& instance, DualRule rule, const Duals<Rational>& prices,
                           const Rational& constant) {
    const Jobs<Rational>& jobs = instance.problem.jobs;
    const auto beta = [&](const auto& step) { return prices.per_job * Rational(step.active); };
    Panel alpha{"alpha, from the arrival on", "", "alpha_j", {}, {}, {}, false, false};
    Panel offers{"beta + C, and (alpha_j - (t - a_j)) / p_j below it", "", "price", {}, {}, {}, false, false};
    Panel slack{"slack of constraint (8)", "time", "slack", {}, {}, {}, false, false};
    Curve ceiling{"beta + C", {}, Style::steps};
    for (const auto& step : prices.steps)
        ceiling.points.push_back({step.start.approximate(), (beta(step) + constant).approximate()});
    for (std::size_t j = 0; j < jobs.size(); ++j) {
        const std::string name = jobs.size() <= most_named ? fmt::format("job {}", j) : "";
        alpha.curves.push_back(
            {name, over_stay(prices, j, [&](const auto&, const Rational&) { return prices.alpha[j]; }), Style::lines});
        offers.curves.push_back(
            {name, over_stay(prices, j, [&](const auto&, const Rational& t) { return offer(prices, jobs[j], j, t); }),
             Style::lines});
        slack.curves.push_back({name,
                                over_stay(prices, j,
                                          [&](const auto& step, const Rational& t) {
                                              return beta(step) + constant - offer(prices, jobs[j], j, t);
                                          }),
                                Style::lines});
    }
    offers.curves.push_back(std::move(ceiling));
    const figures::Range time{prices.steps.front().start.approximate(), prices.steps.back().start.approximate()};
    for (Panel* panel : {&alpha, &offers, &slack}) panel->x = time;
    return {fmt::format("{}: dual of {} at speed {}, rule {}", instance.name, policy_of(rule),
                        instance.speed.to_string(), name(rule)),
            {std::move(alpha), std::move(offers), std::move(slack)}};
}

}  // namespace schedproof::cli
