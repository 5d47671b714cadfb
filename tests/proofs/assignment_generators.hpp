/// Random small assignment problems, and short ways to write one down.
///
/// Servers with few cores, loads in quarters with many ties or one hot
/// server, costs of every kind. All values come from nested generators, so a failing case shrinks: tasks, servers and
/// replicas are dropped, loads go to zero.
#pragma once

#include <rapidcheck.h>

#include <memory>
#include <vector>

#include "model/assignment/problem.hpp"

namespace schedproof::assignment::testing_support {

inline Rational quarters(std::int64_t n) { return {Integer(n), Integer(4)}; }
inline Rational q(const char* text) { return *Rational::parse(text); }

/// A problem in short: loads per core by server, replicas by task, costs by server (one: of all).
inline Problem<Rational> problem(const std::vector<std::vector<const char*>>& loads,
                                 const std::vector<std::vector<std::size_t>>& replicas,
                                 const std::vector<std::vector<const char*>>& costs) {
    std::vector<std::uint32_t> cores;
    Problem<Rational> result;
    for (const auto& of_server : loads) {
        cores.push_back(static_cast<std::uint32_t>(of_server.size()));
        for (const char* load : of_server) result.initial.push_back(q(load));
    }
    Replicas sets;
    for (const auto& of_task : replicas) sets.add(std::vector<ServerId>(of_task.begin(), of_task.end()));
    for (const auto& table : costs) {
        std::vector<Rational> values;
        for (const char* value : table) values.push_back(q(value));
        result.costs.emplace_back(std::move(values));
    }
    if (costs.size() > 1)
        for (std::uint32_t s = 0; s < costs.size(); ++s) result.cost_of.push_back(s);
    result.shape = std::make_shared<const Shape>(cores, std::move(sets));
    validate(result);
    return result;
}

struct Sizes {
    int servers = 4, cores = 3, tasks = 7;
};

/// Non-decreasing, above 1: rises of 0..4 in quarters, some of them large; then a slope.
inline rc::Gen<CostFunction<Rational>> cost_function() {
    return rc::gen::apply(
        [](int first, const std::vector<int>& rises, int slope) {
            std::vector<Rational> values{quarters(5 + first)};
            for (const int rise : rises) values.push_back(values.back() + quarters(rise >= 8 ? 16 : rise));
            return CostFunction<Rational>(std::move(values), quarters(slope > 4 ? 0 : slope));
        },
        rc::gen::inRange(0, 6), rc::gen::resize(4, rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 10))),
        rc::gen::inRange(0, 8));
}

inline rc::Gen<Problem<Rational>> small_problem(Sizes most = {}) {
    // At full size from the first case on: a problem of two tasks tells little.
    return rc::gen::resize(
        rc::kNominalSize, rc::gen::exec([most] {
            const int servers = *rc::gen::inRange(1, most.servers + 1), tasks = *rc::gen::inRange(0, most.tasks + 1);
            const int hot = *rc::gen::element(0, 0, 6, 15);  // what all cores of server 0 carry besides
            Problem<Rational> result;
            std::vector<std::uint32_t> cores;
            for (int s = 0; s < servers; ++s) {
                cores.push_back(static_cast<std::uint32_t>(*rc::gen::inRange(1, most.cores + 1)));
                for (std::uint32_t i = 0; i < cores.back(); ++i)
                    result.initial.push_back(quarters(*rc::gen::inRange(0, 25)) + Rational(s == 0 ? hot : 0));
            }
            Replicas sets;
            for (int t = 0; t < tasks; ++t) {
                // Among three random servers the different ones, so that small sets come up most.
                std::vector<ServerId> holders;
                for (const int s : *rc::gen::container<std::vector<int>>(3, rc::gen::inRange(0, servers)))
                    if (std::find(holders.begin(), holders.end(), ServerId(static_cast<std::size_t>(s))) ==
                        holders.end())
                        holders.emplace_back(static_cast<std::size_t>(s));
                holders.resize(std::min(holders.size(), static_cast<std::size_t>(*rc::gen::inRange(1, 4))));
                sets.add(holders);
            }
            result.costs = {*cost_function()};
            if (*rc::gen::arbitrary<bool>())
                for (int s = 0; s < servers; ++s) {
                    result.cost_of.push_back(static_cast<std::uint32_t>(s));
                    if (s > 0) result.costs.push_back(*cost_function());
                }
            result.shape = std::make_shared<const Shape>(cores, std::move(sets));
            return result;
        }));
}

/// All that a reader needs to write the case down.
inline std::string text(const Problem<Rational>& problem) {
    std::string words = "loads";
    for (const ServerId s : problem.shape->servers()) {
        words += " [";
        for (std::size_t i = 0; i < problem.shape->cores_of(s); ++i)
            words += (i ? " " : "") + problem.load(problem.shape->core(s, i)).to_string();
        words += "]";
    }
    words += " replicas";
    for (const TaskId t : problem.shape->tasks()) {
        words += " {";
        for (const ServerId s : problem.shape->replicas(t)) words += std::to_string(s.index());
        words += "}";
    }
    words += " costs";
    for (const ServerId s : problem.shape->servers()) {
        words += " (";
        for (std::size_t n = 1; n <= problem.shape->tasks().size(); ++n)
            words += (n > 1 ? " " : "") + problem.cost(s)(n).to_string();
        words += ")";
    }
    return words;
}

}  // namespace schedproof::assignment::testing_support
