#include "proofs/heavy_traffic/line_queue.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "model/core/errors.hpp"
#include "model/markov/stationary.hpp"

namespace schedproof::heavy_traffic {

CutQueue cut_queue(const Law<std::int64_t>& increment, std::uint32_t cap) {
    require(cap >= 1, "a queue is cut at a positive length");
    const std::int64_t most = cap;
    markov::TransitionMatrix chain;
    std::vector<std::vector<Rational>> f(4);  // length, overflow, unused service, its square
    for (std::int64_t n = 0; n <= most; ++n) {
        std::map<markov::StateIndex, Rational> next;
        Rational over, under, under_square;
        for (const auto& [step, p] : increment) {
            const std::int64_t to = n + step;
            over += p * Rational(std::max<std::int64_t>(0, to - most));
            under += p * Rational(std::max<std::int64_t>(0, -to));
            under_square += p * Rational(std::max<std::int64_t>(0, -to)) * Rational(std::max<std::int64_t>(0, -to));
            next[static_cast<markov::StateIndex>(std::clamp<std::int64_t>(to, 0, most))] += p;
        }
        std::vector<markov::Transition> row;
        for (auto& [target, p] : next) row.push_back({target, std::move(p)});
        chain.append_row(std::move(row));
        f[0].emplace_back(n);
        f[1].push_back(std::move(over));
        f[2].push_back(std::move(under));
        f[3].push_back(std::move(under_square));
    }
    const std::vector<Rational> means = markov::stationary_means(chain, f);
    return {means[0], means[1], means[2], means[3]};
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
