#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "model/queueing/codec/codec.hpp"
#include "tests/experiments/input_equal.hpp"

namespace schedproof::input {
namespace {

using queueing::ArrivalFactor;
using queueing::ArrivalLaw;
using queueing::ArrivalOutcome;
using queueing::Instance;
using queueing::InstanceData;

Rational proper_fraction(int largest_denominator) {
    const int q = *rc::gen::inRange(1, largest_denominator + 1);
    return Rational(*rc::gen::inRange(0, q + 1)) / Rational(q);
}

/// Names of all sorts: what needs quoting, escaping, more than one byte.
std::string fresh_name(std::size_t number) {
    const auto decoration =
        *rc::gen::element<std::string>("", "a", ".", "\"", "\\", "\n", "\x01", "ü", "漢", " ", "#", "[x]", "'", "=");
    return decoration + std::to_string(number) + decoration;
}

std::vector<ArrivalOutcome> random_outcomes(std::size_t types) {
    const auto weights = *rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(1, 6)));
    int sum = 0;
    for (const int weight : weights) sum += weight;
    std::vector<ArrivalOutcome> outcomes;
    for (const int weight : weights) {
        ArrivalOutcome outcome{{}, Rational(weight) / Rational(sum)};
        for (std::size_t i = 0; i < types; ++i)
            outcome.count.push_back(static_cast<std::uint32_t>(*rc::gen::inRange(0, 3)));
        outcomes.push_back(std::move(outcome));
    }
    return outcomes;
}

void add_arrivals(InstanceData& data) {
    const std::size_t n = data.types.size();
    const int kind = *rc::gen::inRange(0, 5);
    for (std::size_t i = 0; i < n; ++i)
        data.rates.push_back(kind == 1 ? proper_fraction(9) / Rational(n) : proper_fraction(9));
    if (kind == 0) data.arrivals = ArrivalLaw::bernoulli(data.rates);
    if (kind == 1) data.arrivals = ArrivalLaw::single(data.rates);
    if (kind == 2) {
        std::vector<TaskTypeId> types;
        for (std::size_t i = n; i-- > 0;) types.emplace_back(i);
        data.arrivals = ArrivalLaw({ArrivalFactor(types, random_outcomes(n))});
    }
    if (kind == 3) {
        std::vector<ArrivalFactor> factors;
        for (std::size_t i = 0; i < n; ++i)
            if (*rc::gen::arbitrary<bool>()) factors.emplace_back(std::vector{TaskTypeId(i)}, random_outcomes(1));
        data.arrivals = ArrivalLaw(std::move(factors));
    }
}

/// Rates of tasks in continuous time, of some types in batches.
void add_streams(InstanceData& data) {
    data.batches.resize(data.types.size());
    for (std::vector<queueing::BatchSize>& sizes : data.batches) {
        data.rates.push_back(Rational(1) + proper_fraction(9));
        const std::uint32_t parts = *rc::gen::inRange(0U, 4U);
        const std::uint32_t more = *rc::gen::inRange(0U, 2U);  // a single task has what is left
        for (std::uint32_t k = 0; k < parts; ++k) sizes.push_back({2 + 3 * k, Rational(1) / Rational(parts + more)});
    }
}

queueing::LyapunovText::Form random_form(const InstanceData& data) {
    queueing::LyapunovText::Form form;
    for (const auto& server : data.servers)
        if (*rc::gen::arbitrary<bool>()) form.terms.push_back({server.name, Rational(1) + proper_fraction(7)});
    std::sort(form.terms.begin(), form.terms.end(), [](const auto& a, const auto& b) { return a.queue < b.queue; });
    form.constant = proper_fraction(3);
    return form;
}

void add_lyapunov(InstanceData& data) {
    const int functions = *rc::gen::inRange(0, 3);
    for (int i = 0; i < functions; ++i) {
        queueing::LyapunovText v{fresh_name(static_cast<std::size_t>(i)), {}, {}};
        const int products = *rc::gen::inRange(0, 3), pieces = *rc::gen::inRange(products == 0 ? 1 : 0, 3);
        for (int k = 0; k < products; ++k)
            v.products.push_back({proper_fraction(5), random_form(data), random_form(data)});
        for (int k = 0; k < pieces; ++k) {
            queueing::LyapunovText::Piece piece{-proper_fraction(5), {random_form(data), random_form(data)}, {}};
            if (*rc::gen::arbitrary<bool>()) {
                piece.when = queueing::LyapunovText::Condition{data.servers.front().name, {}, {}};
                if (*rc::gen::arbitrary<bool>()) piece.when->queue = fresh_name(7);
                if (*rc::gen::arbitrary<bool>()) piece.when->level = data.levels.back().name;
            }
            v.pieces.push_back(std::move(piece));
        }
        data.lyapunov.push_back(std::move(v));
    }
}

Instance random_instance() {
    InstanceData data;
    data.name = fresh_name(0);
    data.source = *rc::gen::element<std::string>("", "a paper, 3.1", "日本");
    const auto levels = static_cast<std::size_t>(*rc::gen::inRange(2, 5));
    for (std::size_t i = 0; i < levels; ++i)
        data.levels.push_back({fresh_name(i), Rational(levels - i) / Rational(levels + 1)});
    const auto servers = static_cast<std::size_t>(*rc::gen::inRange(1, 7));
    const bool plain = levels == 2 && *rc::gen::arbitrary<bool>();
    for (std::size_t m = 0; m < servers; ++m) {
        data.servers.push_back({plain ? "s" + std::to_string(m) : fresh_name(m), {}});
        const int extra = plain ? 0 : *rc::gen::inRange(0, 2);
        for (int g = 0; g < static_cast<int>(levels) - 2 + extra; ++g)
            data.servers.back().groups.push_back(fresh_name(static_cast<std::size_t>(*rc::gen::inRange(0, 3))));
    }
    const auto types = static_cast<std::size_t>(*rc::gen::inRange(1, 6));
    for (std::size_t t = 0; t < types; ++t) {
        queueing::TaskType type;
        type.name = fresh_name(t);
        for (std::size_t m = 0; m < servers; ++m)
            if (*rc::gen::arbitrary<bool>()) type.replicas.emplace_back(m);
        if (type.replicas.empty()) type.replicas.emplace_back(0);
        type.cost += proper_fraction(5);
        type.exponent = static_cast<unsigned>(*rc::gen::inRange(1, 17));
        if (*rc::gen::arbitrary<bool>())  // the level's rates to the power 1, 2 or 3
            for (const queueing::LevelInfo& level : data.levels) {
                type.rates.push_back(level.rate);
                for (std::size_t k = 0; k < t % 3; ++k) type.rates.back() *= level.rate;
            }
        data.types.push_back(std::move(type));
    }
    const auto any = []<class Enum>(Enum& option) { option = static_cast<Enum>(*rc::gen::inRange(0, 2)); };
    if (*rc::gen::inRange(0, 4) == 0) {
        data.time = queueing::ContinuousTime{*rc::gen::element<std::string>("", "s")};
        add_streams(data);
        queueing::for_each_event_option(data.options, any);
    } else {
        add_arrivals(data);
        queueing::for_each_option(data.options, any);
    }
    add_lyapunov(data);
    return Instance(std::move(data));
}

RC_GTEST_PROP(QueueingRoundTrip, WhatIsWrittenReadsBackEqual, ()) {
    const Instance instance = random_instance();
    const std::string toml = write_toml(instance), json = write_json(instance);
    const Instance from_toml = queueing::parse_instance(toml, base::Format::toml, "t"),
                   from_json = queueing::parse_instance(json, base::Format::json, "j");
    RC_ASSERT(testing::same(from_toml.data(), instance.data()));
    RC_ASSERT(testing::same(from_json.data(), instance.data()));
    RC_ASSERT(write_toml(from_json) == toml);
    RC_ASSERT(write_json(from_toml) == json);
    RC_ASSERT(base::detect_format("-", json) == base::Format::json);
    RC_ASSERT(base::detect_format("-", toml) == base::Format::toml);
}

}  // namespace
}  // namespace schedproof::input
