#include "proofs/queueing/heavy_traffic/line_queue.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "model/core/errors.hpp"

namespace schedproof::heavy_traffic {

namespace {

/// The stationary law of a chain on 0..K with moves of bounded length, by eliminating states from the top: what is left
/// below n is the chain watched while it is below n, and no subtraction occurs (Grassmann, Taksar, Heyman). The band
/// stays a band, so the cost is K times the product of the longest steps up and down.
std::vector<Rational> stationary(std::vector<std::map<std::int64_t, Rational>> row, std::int64_t longest_up) {
    const auto at = [&](std::int64_t n) -> auto& { return row[static_cast<std::size_t>(n)]; };
    const auto top = static_cast<std::int64_t>(row.size()) - 1;
    for (std::int64_t n = top; n > 0; --n) {
        const auto below = at(n).lower_bound(n);
        Rational down;
        for (auto move = at(n).begin(); move != below; ++move) down += move->second;
        for (std::int64_t from = std::max<std::int64_t>(0, n - longest_up); from < n; ++from) {
            const auto up = at(from).find(n);
            if (up == at(from).end()) continue;
            up->second /= down;
            for (auto move = at(n).begin(); move != below; ++move) at(from)[move->first] += up->second * move->second;
        }
    }
    // Up-moves now hold p(from, n) / down(n), the weight of n that a unit of weight of `from` brings.
    std::vector<Rational> weight{Rational(1)};
    Rational total(1);
    for (std::int64_t n = 1; n <= top; ++n) {
        Rational here;
        for (std::int64_t from = std::max<std::int64_t>(0, n - longest_up); from < n; ++from)
            if (const auto up = at(from).find(n); up != at(from).end())
                here += weight[static_cast<std::size_t>(from)] * up->second;
        total += here;
        weight.push_back(std::move(here));
    }
    for (Rational& w : weight) w /= total;
    return weight;
}

}  // namespace

CutQueue cut_queue(const Law<std::int64_t>& increment, std::uint32_t cap) {
    require(cap >= 1, "a queue is cut at a positive length");
    const std::int64_t most = cap;
    std::int64_t longest_up = 0;
    std::vector<std::map<std::int64_t, Rational>> row(cap + std::size_t{1});
    for (std::int64_t n = 0; n <= most; ++n)
        for (const auto& [step, p] : increment) {
            row[static_cast<std::size_t>(n)][std::clamp<std::int64_t>(n + step, 0, most)] += p;
            longest_up = std::max(longest_up, step);
        }
    const std::vector<Rational> law = stationary(std::move(row), longest_up);
    CutQueue means;
    for (std::int64_t n = 0; n <= most; ++n) {
        const Rational& here = law[static_cast<std::size_t>(n)];
        means.mean += here * Rational(n);
        for (const auto& [step, p] : increment) {
            const std::int64_t to = n + step;
            if (to > most) means.overflow += here * p * Rational(to - most);
            if (to < 0) means.unused += here * p * Rational(-to), means.unused_square += here * p * Rational(to * to);
        }
    }
    return means;
}

LineQueue line_queue(const queueing::Instance& instance, const Slack& slack, const LineOptions& options) {
    require(slack.epsilon.sign() > 0, "the queue on the line is stable for a positive slack only");
    Law<std::int64_t> increment;
    const Law<std::int64_t> offered = sum_of_bernoullis(slack.best_rate);
    for (const auto& [tasks, p] : total_arrivals(instance))
        for (const auto& [served, r] : offered) increment.add(tasks - served, p * r);
    const Rational square = slack.arrival_variance + slack.service_variance + slack.epsilon * slack.epsilon;
    const Rational servers{Integer(instance.servers().size())}, twice = Rational(2) * slack.epsilon;
    const Integer grid = pow(Integer(10), 12);
    for (std::uint32_t cap = std::min(64U, options.largest_cap);; cap = std::min(2 * cap, options.largest_cap)) {
        const CutQueue cut = cut_queue(increment, cap);
        if (cut.unused != slack.epsilon + cut.overflow)
            throw OracleConflict("the cut queue does not balance: unused service is not slack plus overflow");
        Rational lower = std::max((square - cut.unused_square) / twice, cut.mean);
        Rational upper = (square - cut.unused_square + Rational(2) * servers * cut.overflow) / twice;
        lower = Rational(floor(lower * Rational(grid)), grid);
        upper = Rational(-floor(-(upper * Rational(grid))), grid);
        if (upper - lower <= options.width || cap == options.largest_cap)
            return {std::move(lower), std::move(upper), cap, cut.mean, cut.overflow};
    }
}

}  // namespace schedproof::heavy_traffic
