/// Random assignment instances with all that a file can hold, for tests of readers and writers.
#pragma once

#include <rapidcheck.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "model/assignment/instance.hpp"

namespace schedproof::testing {

/// p/q with q in 1..12 and a value in 0..9.
inline Rational random_load() {
    const int q = *rc::gen::inRange(1, 13);
    return Rational(*rc::gen::inRange(0, 9 * q + 1)) / Rational(q);
}

inline assignment::Cost random_cost() {
    const Rational step = random_load() + Rational(1) / Rational(7);
    switch (*rc::gen::inRange(0, 4)) {
        case 0:
            return assignment::AffineCost{step, {}};
        case 1:
            return assignment::AffineCost{step, static_cast<std::uint32_t>(*rc::gen::inRange(1, 50))};
        case 2: {
            assignment::TableCost table{{1 + step}, *rc::gen::arbitrary<bool>() ? Rational(0) : step};
            for (int n = *rc::gen::inRange(0, 4); n > 0; --n)
                table.values.push_back(table.values.back() + random_load());
            return table;
        }
        default: {
            assignment::StepCost steps{{{1, 1 + step}}};
            for (int n = *rc::gen::inRange(0, 3); n > 0; --n)
                steps.steps.push_back({steps.steps.back().from + static_cast<std::uint32_t>(*rc::gen::inRange(1, 9)),
                                       steps.steps.back().cost + random_load()});
            return steps;
        }
    }
}

/// `decorated` names need quoting, escaping and more than one byte; others are words of letters.
inline std::string random_name(const char* word, std::size_t number, bool decorated) {
    const auto decoration = decorated ? *rc::gen::element<std::string>("", ".", "\"", "\\", "\n", "\x01", "ü", "漢",
                                                                       " ", "#", "]", "'", ",")
                                      : std::string();
    return decoration + word + std::to_string(number) + decoration;
}

inline assignment::Instance random_assignment(bool decorated = true) {
    assignment::InstanceData data;
    data.name = random_name("x", 0, decorated);
    data.source = *rc::gen::element<std::string>("", "a paper, 3.1", "日本");
    const auto servers = static_cast<std::size_t>(*rc::gen::inRange(1, 6));
    const bool names = *rc::gen::arbitrary<bool>(), racks = *rc::gen::arbitrary<bool>();
    const bool one_cost = *rc::gen::arbitrary<bool>(), task_names = *rc::gen::arbitrary<bool>();
    for (std::size_t s = 0; s < servers; ++s) {
        if (names) data.servers.push_back(random_name("host", s, decorated));
        if (racks) data.racks.push_back(*rc::gen::element<std::string>("", "/r1", "/dc/r2"));
        data.cores.push_back(static_cast<std::uint32_t>(*rc::gen::inRange(1, 5)));
        const Rational common = random_load();
        const bool alike = *rc::gen::arbitrary<bool>();
        for (std::uint32_t i = 0; i < data.cores.back(); ++i) data.loads.push_back(alike ? common : random_load());
        if (!one_cost || s == 0) data.costs.push_back(random_cost());
        if (!one_cost) data.cost_of.push_back(static_cast<std::uint32_t>(s));
    }
    const auto tasks = static_cast<std::size_t>(*rc::gen::inRange(0, 7));
    std::size_t job = 0;
    const bool jobs = *rc::gen::arbitrary<bool>();
    for (std::size_t t = 0; t < tasks; ++t) {
        std::vector<ServerId> replicas;
        for (std::size_t s = 0; s < servers; ++s)
            if (*rc::gen::arbitrary<bool>()) replicas.emplace_back(s);
        if (replicas.empty()) replicas.emplace_back(*rc::gen::inRange<std::size_t>(0, servers));
        if (*rc::gen::arbitrary<bool>()) std::reverse(replicas.begin(), replicas.end());
        data.replicas.add(replicas);
        if (task_names) data.tasks.push_back(random_name("task", t, decorated));
        if (jobs) {
            if (t > 0 && *rc::gen::arbitrary<bool>()) ++job;
            data.jobs.emplace_back(job);
        }
    }
    if (jobs && tasks > 0 && *rc::gen::arbitrary<bool>())
        for (std::size_t j = 0; j <= job; ++j) data.job_names.push_back(random_name("job", j, decorated));
    return assignment::Instance(std::move(data));
}

}  // namespace schedproof::testing
