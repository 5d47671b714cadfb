#include "proofs/queueing/capacity/pooled.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

namespace schedproof::capacity {

using queueing::Instance;

Touched::Touched(const Instance& instance)
    : instance_(instance), heights_(instance.rates_at_servers() ? 1 : instance.levels().size()) {
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

namespace {

void add_nodes(const Instance& instance, const Touched& touched, Pooled& problem) {
    const bool at_servers = instance.rates_at_servers();
    problem.leaves = instance.servers().size();
    problem.multiplicity.assign(problem.leaves, Integer(1));
    const std::size_t nodes = touched.nodes() + (at_servers ? 1 : 0);
    problem.parent.assign(nodes, Pooled::none);
    problem.column.assign(nodes, static_cast<std::uint32_t>(problem.leaves));
    for (const ServerId m : instance.servers())
        for (std::size_t h = 0; h < touched.heights(); ++h) {
            const std::uint32_t node = touched.node(m, h);
            problem.column[node] = static_cast<std::uint32_t>(at_servers ? m.index() : h);
            if (h + 1 < touched.heights()) problem.parent[node] = touched.node(m, h + 1);
            if (at_servers) problem.parent[node] = static_cast<std::uint32_t>(problem.leaves);
        }
}

/// mu of a type by column. A column that is no option of the type has its greatest rate.
std::vector<Rational> rates_by_column(const Instance& instance, TaskTypeId type) {
    std::vector<Rational> rates;
    if (instance.rates_at_servers())
        for (const ServerId m : instance.servers())
            rates.push_back(instance.can_serve(m, type) ? instance.rate(type, m)
                                                        : instance.rate(type, instance.local()));
    else
        for (const Level l : instance.levels()) rates.push_back(instance.rate(type, l));
    return rates;
}

}  // namespace

PooledInstance pool(const Instance& instance) {
    PooledInstance result;
    Pooled& problem = result.problem;
    const Touched touched(instance);
    add_nodes(instance, touched, problem);
    std::vector<TaskTypeId> order;
    for (const TaskTypeId t : instance.types())
        if (instance.arrival_rate(t).sign() > 0) order.push_back(t);
    const auto kind = [&](TaskTypeId t) {
        const queueing::TaskType& type = instance.type(t);
        return std::tie(type.replicas, type.rates, type.at_servers);
    };
    std::stable_sort(order.begin(), order.end(), [&](TaskTypeId a, TaskTypeId b) { return kind(a) < kind(b); });
    // By the rates of a type's own, or at servers.
    using Rates = std::pair<std::vector<Rational>, std::vector<std::optional<Rational>>>;
    std::map<Rates, std::uint32_t> first_rates;
    result.pooled_type.assign(instance.types().size(), Pooled::none);
    for (std::size_t i = 0; i < order.size(); ++i) {
        const queueing::TaskType& type = instance.type(order[i]);
        if (i == 0 || kind(order[i - 1]) != kind(order[i])) {
            problem.demand.emplace_back();
            const auto next = static_cast<std::uint32_t>(problem.rates.size());
            const auto [first, fresh] = first_rates.try_emplace(Rates{type.rates, type.at_servers}, next);
            if (fresh)
                for (Rational& rate : rates_by_column(instance, order[i])) problem.rates.push_back(std::move(rate));
            problem.first_rate.push_back(first->second);
            touched.for_each(order[i], [&](std::uint32_t node, std::size_t) { problem.option.push_back(node); });
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
