#include "proofs/queueing/capacity/pooled.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

namespace schedproof::capacity {

using queueing::Instance;

Touched::Touched(const Instance& instance) : heights_(instance.levels().size()) {
    const std::size_t servers = instance.servers().size();
    node_.resize(servers * heights_);
    std::uint32_t next = 0;
    for (std::size_t h = 0; h < heights_; ++h) {
        // Groups of one grouping get consecutive numbers above all nodes of the groupings below, so that a parent is
        // greater than its children.
        std::map<std::uint32_t, std::uint32_t> numbers;
        for (const ServerId m : instance.servers()) {
            std::uint32_t name = 0;
            if (h == 0)
                name = static_cast<std::uint32_t>(m.index());
            else if (h <= instance.groupings())
                name = instance.group(m, h - 1);
            const auto [entry, fresh] = numbers.try_emplace(name, next);
            if (fresh) ++next;
            node_[m.index() * heights_ + h] = entry->second;
        }
    }
    nodes_ = next;
}

std::uint32_t Touched::node(ServerId m, std::size_t height) const { return node_[m.index() * heights_ + height]; }

PooledInstance pool(const Instance& instance) {
    PooledInstance result;
    Pooled& problem = result.problem;
    const Touched touched(instance);
    const std::size_t heights = instance.levels().size();
    problem.leaves = instance.servers().size();
    problem.multiplicity.assign(problem.leaves, Integer(1));
    problem.parent.assign(touched.nodes(), Pooled::none);
    problem.height.assign(touched.nodes(), 0);
    for (const ServerId m : instance.servers())
        for (std::size_t h = 0; h < heights; ++h) {
            const std::uint32_t node = touched.node(m, h);
            problem.height[node] = static_cast<std::uint32_t>(h);
            if (h + 1 < heights) problem.parent[node] = touched.node(m, h + 1);
        }

    std::vector<TaskTypeId> order;
    for (const TaskTypeId t : instance.types())
        if (instance.arrival_rate(t).sign() > 0) order.push_back(t);
    const auto kind = [&](TaskTypeId t) { return std::tie(instance.type(t).replicas, instance.type(t).rates); };
    std::stable_sort(order.begin(), order.end(), [&](TaskTypeId a, TaskTypeId b) { return kind(a) < kind(b); });
    std::map<std::vector<Rational>, std::uint32_t> first_rates;  // by the rates of a type's own
    result.pooled_type.assign(instance.types().size(), Pooled::none);
    for (std::size_t i = 0; i < order.size(); ++i) {
        const queueing::TaskType& type = instance.type(order[i]);
        if (i == 0 || kind(order[i - 1]) != kind(order[i])) {
            problem.demand.emplace_back();
            const auto next = static_cast<std::uint32_t>(problem.rates.size());
            const auto [first, fresh] = first_rates.try_emplace(type.rates, next);
            if (fresh)
                for (const Level l : instance.levels()) problem.rates.push_back(instance.rate(order[i], l));
            problem.first_rate.push_back(first->second);
            touched.for_each(type.replicas, [&](std::uint32_t node, std::size_t) { problem.option.push_back(node); });
            problem.begin.push_back(static_cast<std::uint32_t>(problem.option.size()));
        }
        problem.demand.back() += instance.arrival_rate(order[i]);
        result.pooled_type[order[i].index()] = static_cast<std::uint32_t>(problem.types() - 1);
    }
    return result;
}

std::vector<std::uint32_t> smallest_below(const Pooled& problem, std::span<const std::uint32_t> leaf_rank) {
    std::vector<std::uint32_t> rank(problem.nodes(), Pooled::none);
    std::copy(leaf_rank.begin(), leaf_rank.end(), rank.begin());
    for (std::size_t node = 0; node + 1 < problem.nodes(); ++node) {
        std::uint32_t& above = rank[problem.parent[node]];
        above = std::min(above, rank[node]);
    }
    return rank;
}

}  // namespace schedproof::capacity
