#include "proofs/queueing/theorems/heavy_traffic/boundary_prices.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "model/core/errors.hpp"
#include "model/queueing/load.hpp"

namespace schedproof::queueing {

std::array<Instance, 2> ends_of_slack(const Instance& family) {
    return {at_slack(family, Rational(0)), at_slack(family, family.slack().up_to)};
}

std::vector<FamilyOutcome> outcomes_of_slack(const Instance& family, std::size_t limit) {
    const std::array<Instance, 2> ends = ends_of_slack(family);
    std::map<std::vector<std::uint32_t>, std::array<Rational, 2>> joint;
    joint[std::vector<std::uint32_t>(family.types().size(), 0)] = {Rational(1), Rational(1)};
    for (std::size_t i = 0; i < family.arrivals().factors().size(); ++i) {
        decltype(joint) longer;
        std::map<std::vector<std::uint32_t>, std::array<Rational, 2>> own;
        for (std::size_t end = 0; end < 2; ++end)
            for (const ArrivalOutcome& outcome : ends[end].arrivals().factors()[i].outcomes())
                own[outcome.count][end] = outcome.probability;
        const auto types = family.arrivals().factors()[i].types();
        for (const auto& [count, before] : joint)
            for (const auto& [more, p] : own) {
                std::vector<std::uint32_t> all = count;
                for (std::size_t k = 0; k < types.size(); ++k) all[types[k].index()] += more[k];
                auto& both = longer[std::move(all)];
                for (std::size_t end = 0; end < 2; ++end) both[end] += before[end] * p[end];
                if (longer.size() > limit)
                    throw LimitExceeded("outcomes",
                                        "the arrivals of a slot have more than " + std::to_string(limit) + " outcomes");
            }
        joint = std::move(longer);
    }
    std::vector<FamilyOutcome> outcomes;
    for (auto& [count, p] : joint) outcomes.push_back({count, p});
    return outcomes;
}

std::vector<TaskTypeId> types_of_slack(const Instance& family) {
    const std::array<Instance, 2> ends = ends_of_slack(family);
    std::vector<TaskTypeId> types;
    for (const TaskTypeId type : family.types())
        if (ends[0].arrival_rate(type).sign() > 0 || ends[1].arrival_rate(type).sign() > 0) types.push_back(type);
    return types;
}

Rational value_slack(const Instance& instance, const BoundaryPrices& prices) {
    Rational slack;
    for (const Rational& w : prices.server) slack += w;
    for (const TaskTypeId type : instance.types()) slack -= instance.arrival_rate(type) * prices.type[type.index()];
    return slack;
}

std::array<Rational, 2> leading_constants(const Instance& family, const BoundaryPrices& prices) {
    std::array<Rational, 2> mean, square;
    for (const FamilyOutcome& outcome : outcomes_of_slack(family)) {
        Rational value;
        for (std::size_t t = 0; t < outcome.count.size(); ++t)
            if (outcome.count[t] > 0) value += Rational(Integer(outcome.count[t])) * prices.type[t];
        for (std::size_t end = 0; end < 2; ++end) {
            mean[end] += outcome.probability[end] * value;
            square[end] += outcome.probability[end] * value * value;
        }
    }
    Rational leaves;
    for (const TaskTypeId type : family.types())
        leaves += family.arrival_rate(type) * prices.type[type.index()] * prices.type[type.index()];
    for (const Rational& w : prices.server) leaves -= w * w;
    Rational all;
    for (const Rational& w : prices.server) all += w;
    std::array<Rational, 2> constants;
    for (std::size_t end = 0; end < 2; ++end)
        constants[end] = (square[end] - Rational(2) * all * mean[end] + all * all + leaves) / Rational(2);
    return constants;
}

std::string slack_and_constant(const Instance& family, const BoundaryPrices& prices,
                               const std::array<Rational, 2>& constant) {
    const Rational& up_to = family.slack().up_to;
    const Rational rise = value_slack(ends_of_slack(family)[1], prices) / up_to;
    return fmt::format("sigma = {}eps and c is linear in eps, from {} at eps = 0 to {} at eps = {}",
                       rise == Rational(1) ? "" : rise.to_string() + " ", constant[0].to_string(),
                       constant[1].to_string(), up_to.to_string());
}

std::string rejection(const Instance& family, const BoundaryPrices& prices) {
    if (prices.type.size() != family.types().size() || prices.server.size() != family.servers().size())
        return "there is not one price per type and one per server";
    for (const Rational& v : prices.type)
        if (v.sign() < 0) return "a price is negative";
    if (*std::max_element(prices.type.begin(), prices.type.end()) != Rational(1))
        return "the dearest type is not worth 1";
    for (const TaskTypeId type : family.types())
        for (const ServerId m : family.servers())
            if (prices.type[type.index()] * family.rate(type, m) > prices.server[m.index()])
                return "server " + family.server(m).name + " earns more with type " + family.type(type).name +
                       " than its price";
    const std::array<Instance, 2> ends = ends_of_slack(family);
    if (value_slack(ends[0], prices).sign() != 0) return "at slack 0 the load is not on the boundary by these prices";
    if (value_slack(ends[1], prices).sign() <= 0) return "the value slack at the largest slack is not positive";
    return "";
}

}  // namespace schedproof::queueing
