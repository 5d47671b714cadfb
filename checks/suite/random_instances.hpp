/// Random small clusters for RapidCheck, which whoever includes this header links.
///
/// Small on purpose: up to three servers, three task types and three tasks in a slot, so that one slot has at most a
/// few thousand paths. Within that, what a policy can tell apart comes up often: rates in simple ratios, servers that
/// share data, levels of locality in nested groups. All values come from nested generators, so a failing case shrinks.
#pragma once

#include <rapidcheck.h>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/queueing/instance.hpp"

namespace schedproof::suite {

/// What a random instance must look like. Absent: random.
struct InstanceWish {
    std::optional<std::size_t> servers = {};  ///< 1..3
    std::optional<std::size_t> levels = {};   ///< 2..4
    std::optional<std::size_t> types = {};    ///< 1..3
};

namespace detail {

using queueing::ArrivalFactor;
using queueing::ArrivalLaw;
using queueing::ArrivalOutcome;

/// An integer in low..high, shrinking towards low. The ranges here are short already, so they are not scaled by
/// RapidCheck's growing size, which would leave every option at its default in half of the cases.
template <std::integral I>
I any_of(I low, I high) {
    return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(low, static_cast<I>(high + 1)));
}

inline int between(int low, int high) { return any_of(low, high); }
inline std::size_t count_between(std::size_t low, std::size_t high) { return any_of(low, high); }

/// 1 to 3, seldom 1: a single server or type leaves a policy little to decide.
inline std::size_t a_few() {
    constexpr std::size_t choices[] = {1, 2, 3, 2, 3, 2, 3};
    return choices[count_between(0, std::size(choices) - 1)];
}

inline bool one_time_in(int n) { return between(0, n - 1) == n - 1; }

/// Rates local > ... > remote > 0 with one small denominator; the local rate is one now and then.
inline std::vector<queueing::LevelInfo> levels(std::size_t count) {
    const std::vector<std::string> middle{"rack", "group"};
    std::vector<int> numerator{between(1, 3)};
    while (numerator.size() < count) numerator.push_back(numerator.back() + between(1, 3));
    const int denominator = numerator.back() + between(0, 3);
    std::vector<queueing::LevelInfo> result;
    for (std::size_t k = 0; k < count; ++k) {
        const std::string name = k == 0 ? "local" : k + 1 == count ? "remote" : middle[k - 1];
        result.push_back({name, Rational(numerator[count - 1 - k], denominator)});
    }
    return result;
}

/// Two names per grouping. A rack's name says nothing of the group around it, so that equal names in two groups occur.
inline std::vector<queueing::Server> servers(std::size_t count, std::size_t groupings) {
    std::vector<queueing::Server> result;
    for (std::size_t m = 0; m < count; ++m) {
        queueing::Server server{"s" + std::to_string(m), {}};
        for (std::size_t g = 0; g < groupings; ++g) server.groups.push_back(one_time_in(2) ? "b" : "a");
        result.push_back(std::move(server));
    }
    return result;
}

/// Some servers in any order, at least one.
inline std::vector<ServerId> some_order(std::size_t servers) {
    std::vector<ServerId> order, left;
    for (std::size_t m = 0; m < servers; ++m) left.emplace_back(m);
    for (std::size_t count = count_between(1, servers); order.size() < count;) {
        const auto next = left.begin() + static_cast<std::ptrdiff_t>(count_between(0, left.size() - 1));
        order.push_back(*next);
        left.erase(next);
    }
    return order;
}

inline std::vector<queueing::TaskType> types(std::size_t count, std::size_t servers) {
    std::vector<queueing::TaskType> result;
    for (std::size_t t = 0; t < count; ++t) {
        queueing::TaskType type;
        type.name = std::string(1, static_cast<char>('A' + t));
        const std::size_t sets = (std::size_t{1} << servers) - 1;
        const std::size_t set = count_between(1, sets);
        for (std::size_t m = 0; m < servers; ++m)
            if ((set >> m) % 2 == 1) type.replicas.emplace_back(m);
        type.cost = Rational(between(1, 3), between(1, 2));
        type.exponent = static_cast<unsigned>(between(1, 2));
        type.class_number = static_cast<std::uint32_t>(between(0, 1));
        if (one_time_in(2)) type.preference = some_order(servers);
        result.push_back(std::move(type));
    }
    return result;
}

/// Positive weights as probabilities.
inline std::vector<Rational> probabilities(std::size_t count) {
    std::vector<int> weight;
    for (std::size_t i = 0; i < count; ++i) weight.push_back(between(1, 3));
    int sum = 0;
    for (const int w : weight) sum += w;
    std::vector<Rational> result;
    for (const int w : weight) result.emplace_back(w, sum);
    return result;
}

inline std::vector<Rational> bernoulli_rates(std::size_t types) {
    std::vector<Rational> rates;
    for (std::size_t t = 0; t < types; ++t) {
        const int denominator = between(1, 5);
        rates.emplace_back(between(t == 0 ? 1 : 0, denominator),
                           denominator);  // the first is not zero: some task arrives
    }
    return rates;
}

/// Up to four outcomes over the given types, of at most `most` tasks in all, the first of them not empty.
inline ArrivalFactor joint_factor(const std::vector<TaskTypeId>& types, std::uint32_t most) {
    const std::vector<Rational> probability = probabilities(count_between(1, 4));
    std::vector<ArrivalOutcome> outcomes;
    for (const Rational& p : probability) {
        ArrivalOutcome outcome{std::vector<std::uint32_t>(types.size(), 0), p};
        std::uint32_t left = most;
        for (std::size_t i = 0; i < types.size(); ++i) {
            const bool must = outcomes.empty() && i + 1 == types.size() && left == most;
            const auto tasks = any_of<std::uint32_t>(must ? 1 : 0, std::min(left, 2U));
            outcome.count[i] = tasks;
            left -= tasks;
        }
        outcomes.push_back(std::move(outcome));
    }
    return ArrivalFactor(types, std::move(outcomes));
}

inline ArrivalLaw product_law(const std::vector<TaskTypeId>& types) {
    std::vector<ArrivalFactor> factors;
    const std::size_t cut = count_between(1, types.size());
    const auto middle = types.begin() + static_cast<std::ptrdiff_t>(cut);
    factors.push_back(joint_factor({types.begin(), middle}, 2));
    if (middle != types.end()) factors.push_back(joint_factor({middle, types.end()}, 1));
    return ArrivalLaw(std::move(factors));
}

inline ArrivalLaw arrivals(std::size_t types, bool only_single) {
    std::vector<TaskTypeId> all;
    for (const TaskTypeId type : IdRange<TaskTypeId>(types)) all.push_back(type);
    switch (only_single ? 0 : between(1, 3)) {
        case 0: {
            std::vector<Rational> rates = probabilities(types + 1);
            if (one_time_in(4)) rates.front() += rates.back();  // then every slot brings a task
            rates.pop_back();
            return ArrivalLaw::single(rates);
        }
        case 1:
            return ArrivalLaw::bernoulli(bernoulli_rates(types));
        case 2:
            return ArrivalLaw({joint_factor(all, 3)});
        default:
            return product_law(all);
    }
}

/// To be called inside rc::gen::exec. Default options.
inline queueing::InstanceData small_instance_data(const InstanceWish& wish) {
    queueing::InstanceData data;
    data.name = "random";
    data.levels = levels(wish.levels.value_or(count_between(2, 4)));
    data.servers = servers(wish.servers.value_or(a_few()), data.levels.size() - 2);
    data.types = types(wish.types.value_or(a_few()), data.servers.size());
    data.arrivals = arrivals(data.types.size(), one_time_in(4));
    return data;
}

}  // namespace detail

/// Shape: 1-3 servers, 2-4 levels, 1-3 types of any replica sets, a bernoulli, single, joint or product arrival law
/// with a positive rate and at most three tasks in a slot, up to two of them of one type; the default options of the
/// slot.
[[nodiscard]] inline rc::Gen<queueing::Instance> small_instances(InstanceWish wish = {}) {
    return rc::gen::exec([=] { return queueing::Instance(detail::small_instance_data(wish)); });
}

}  // namespace schedproof::suite
