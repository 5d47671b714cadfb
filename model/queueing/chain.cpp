#include "model/queueing/chain.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>

namespace schedproof::queueing {

std::vector<markov::Transition> detail::merge_targets(std::vector<std::pair<markov::StateIndex, Fraction>>& paths) {
    std::sort(paths.begin(), paths.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<markov::Transition> row;
    for (std::size_t i = 0; i < paths.size();) {
        Fraction sum = paths[i].second;
        const markov::StateIndex target = paths[i].first;
        while (++i < paths.size() && paths[i].first == target) sum += paths[i].second;
        row.push_back({target, sum.rational()});
    }
    return row;
}

void detail::throw_too_many_outcomes() {
    throw LimitExceeded("outcomes",
                        fmt::format("one slot has more than {} combinations of outcomes; fewer independent arrivals "
                                    "or servers have fewer",
                                    max_outcomes));
}

void detail::add_up_runs(std::vector<std::uint64_t>& weights, const std::vector<std::size_t>& runs) {
    auto first = weights.begin();
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const auto end = first + static_cast<std::ptrdiff_t>(runs[i]);
        weights[i] = std::accumulate(first, end, std::uint64_t{0});  // at most the common denominator
        first = end;
    }
    weights.resize(runs.size());
}

std::string describe(const Truncation& truncation, const Instance& instance) {
    switch (truncation.rule) {
        case Truncation::Rule::none:
            return "none: the state space is the model's own";
        case Truncation::Rule::total:
            if (instance.continuous())
                return fmt::format("total {}: a task is lost if it would lift the sum of the queues above {}",
                                   truncation.cap, truncation.cap);
            return fmt::format(
                "total {}: all arrivals of a slot are lost if they would lift the sum of the queues above {}",
                truncation.cap, truncation.cap);
        case Truncation::Rule::queue:
            return fmt::format("queue {}: an arriving task is lost if its queue already holds {} tasks", truncation.cap,
                               truncation.cap);
    }
    throw ContractViolation("unknown truncation rule");
}

}  // namespace schedproof::queueing
