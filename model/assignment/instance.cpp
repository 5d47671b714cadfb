/// Normal form of assignment instances.
///
/// Two instances that describe one problem are equal: default names, empty racks and a single job are dropped, and
/// equal cost functions become one, in the order of the first server that has each.
#include "model/assignment/instance.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>
#include <unordered_set>
#include <utility>

#include "model/core/errors.hpp"

namespace schedproof::assignment {

namespace {

/// Checks names of `count` things and drops them when they are the default ones.
void settle_names(std::vector<std::string>& names, std::size_t count, char letter, const char* key) {
    if (names.empty()) return;
    if (names.size() != count) throw InputError::at_path({key}, "expected a name for each of " + std::to_string(count));
    bool default_ones = true;
    for (std::size_t i = 0; i < count && default_ones; ++i) default_ones = names[i] == letter + std::to_string(i);
    if (default_ones) {
        names = {};
        return;
    }
    std::unordered_set<std::string_view> seen;
    seen.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        if (names[i].empty()) throw InputError::at_path({key, i}, "expected a name that is not empty");
        if (!seen.insert(names[i]).second)
            throw InputError::at_path({key, i}, "expected different names, but '" + names[i] + "' stands twice");
    }
}

/// Equal costs become one; they stand in the order of the first server that has each.
void settle_costs(InstanceData& data) {
    const std::size_t servers = data.cores.size();
    if (data.costs.empty()) throw InputError::at_path({"costs"}, "expected a cost function");
    for (std::size_t c = 0; c < data.costs.size(); ++c) {
        try {
            validate(data.costs[c]);
        } catch (const InputError& error) {
            KeyPath path{"costs", c};
            path.insert(path.end(), error.place().path.begin(), error.place().path.end());
            throw InputError::at_path(std::move(path), error.expected());
        }
    }
    if (data.cost_of.empty()) data.cost_of.assign(servers, 0);
    if (data.cost_of.size() != servers) throw InputError::at_path({"costs"}, "expected a cost function per server");
    std::vector<Cost> different;
    std::vector<std::uint32_t> place(data.costs.size(), UINT32_MAX);
    for (std::size_t s = 0; s < servers; ++s) {
        std::uint32_t& c = data.cost_of[s];
        if (c >= data.costs.size()) throw InputError::at_path({"costs", s}, "expected a known cost function");
        if (place[c] == UINT32_MAX) {
            const auto found = std::find(different.begin(), different.end(), data.costs[c]);
            place[c] = static_cast<std::uint32_t>(found - different.begin());
            if (found == different.end()) different.push_back(data.costs[c]);
        }
        c = place[c];
    }
    data.costs = std::move(different);
    if (data.costs.size() <= 1) data.cost_of = {};
}

}  // namespace

void give_cost(InstanceData& data, const CostText& cost) {
    data.costs = {cost.cost};
    data.cost_of = {};
    if (!cost.cap_is_cores) return;
    data.costs = {};
    std::map<std::uint32_t, std::uint32_t> place;  // by number of cores
    for (const std::uint32_t cores : data.cores) {
        const auto [entry, is_new] = place.try_emplace(cores, static_cast<std::uint32_t>(data.costs.size()));
        if (is_new) {
            data.costs.push_back(cost.cost);
            std::get<AffineCost>(data.costs.back()).cap = cores;
        }
        data.cost_of.push_back(entry->second);
    }
}

Instance::Instance(InstanceData data) : data_(std::move(data)) {
    if (data_.name.empty()) throw InputError::at_path({"name"}, "expected a name that is not empty");
    const std::size_t servers = data_.cores.size();
    if (servers == 0) throw InputError::at_path({"servers"}, "expected at least one server");
    settle_names(data_.servers, servers, 's', "servers");
    settle_names(data_.tasks, data_.replicas.tasks(), 't', "tasks");
    if (!data_.racks.empty() && data_.racks.size() != servers)
        throw InputError::at_path({"racks"}, "expected the rack of every server");
    if (std::all_of(data_.racks.begin(), data_.racks.end(), [](const std::string& rack) { return rack.empty(); }))
        data_.racks = {};
    settle_costs(data_);
    if (std::all_of(data_.jobs.begin(), data_.jobs.end(), [](JobId j) { return j == JobId(0); })) data_.jobs = {};
    problem_.shape = std::make_shared<Shape>(data_.cores, std::move(data_.replicas), std::move(data_.jobs));
    settle_names(data_.job_names, shape().jobs(), 'j', "jobs");
    problem_.initial = std::move(data_.loads);
    for (const Cost& cost : data_.costs) problem_.costs.push_back(function(cost, shape().tasks().size()));
    problem_.cost_of = std::move(data_.cost_of);
    data_.cores = {};
    validate(problem_);
}

Problem<CheckedInt> Instance::ticks(const std::vector<Rational>& times) const {
    return in_ticks(problem_, lcm(least_ticks(problem_), common_denominator(times)));
}

bool operator==(const Instance& a, const Instance& b) {
    const auto parts = [](const Instance& i) {
        return std::tie(i.data_.name, i.data_.source, i.data_.servers, i.data_.racks, i.data_.tasks, i.data_.job_names,
                        i.data_.costs, *i.problem_.shape, i.problem_.initial, i.problem_.cost_of);
    };
    return parts(a) == parts(b);
}

Instance instance_of(const Problem<Rational>& problem, std::string name, std::string source) {
    require(problem.local == Rational(1), "an instance is in parts of a local task's cost");
    const Shape& shape = *problem.shape;
    InstanceData data;
    data.name = std::move(name);
    data.source = std::move(source);
    for (const ServerId s : shape.servers()) data.cores.push_back(static_cast<std::uint32_t>(shape.cores_of(s)));
    data.loads = problem.initial;
    data.replicas = shape.replicas();
    if (shape.jobs() > 1)
        for (const TaskId t : shape.tasks()) data.jobs.push_back(shape.job_of(t));
    for (const auto& g : problem.costs) data.costs.emplace_back(TableCost{g.values(), g.slope()});
    data.cost_of = problem.cost_of;
    return Instance(std::move(data));
}

}  // namespace schedproof::assignment
