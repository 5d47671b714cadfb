/// Instances for the tests of the capacity region, and an oracle that shares no code with what it checks.
#pragma once

#include <rapidcheck.h>

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "model/core/rational.hpp"
#include "model/queueing/instance.hpp"

namespace schedproof::capacity::testing {

using queueing::Instance;
using queueing::InstanceData;

inline Rational frac(std::int64_t p, std::int64_t q) { return Rational(Integer(p), Integer(q)); }

/// Levels by rate, servers by the names of their groups (innermost first), types by replicas and arrival rate.
inline InstanceData make(const std::vector<Rational>& levels, const std::vector<std::vector<std::string>>& groups,
                         const std::vector<std::pair<std::vector<std::size_t>, Rational>>& types) {
    InstanceData data;
    data.name = "test";
    for (const Rational& rate : levels) data.levels.push_back({"level" + std::to_string(data.levels.size()), rate});
    for (const auto& names : groups) data.servers.push_back({"s" + std::to_string(data.servers.size()), names});
    for (const auto& [replicas, rate] : types) {
        queueing::TaskType type;
        type.name = "t" + std::to_string(data.types.size());
        for (const std::size_t m : replicas) type.replicas.emplace_back(m);
        data.types.push_back(std::move(type));
        data.rates.push_back(rate);
    }
    return data;
}

/// The instance of docs/models/queueing.md, Counterexample N2: racks {0,1} and {2}, types A = {0} and B = {1,2}.
inline InstanceData n2(const Rational& beta, const Rational& a, const Rational& b) {
    return make({frac(1, 2), beta, frac(1, 20)}, {{"r0"}, {"r0"}, {"r1"}}, {{{0}, a}, {{1, 2}, b}});
}

/// Two servers, the first of which holds the data of both types: A is slow at the second, C half as fast there.
inline InstanceData two_types_with_one_home() {
    InstanceData data = make({frac(2, 5), frac(1, 40)}, {{}, {}}, {{{0}, frac(3, 10)}, {{0}, frac(1, 4)}});
    data.types[1].rates = {frac(2, 5), frac(1, 5)};
    return data;
}

/// Two servers, one type each, rates 4/5 and 1/5.
inline InstanceData two_servers(const Rational& a, const Rational& b) {
    return make({frac(4, 5), frac(1, 5)}, {{}, {}}, {{{0}, a}, {{1}, b}});
}

/// `holders` servers with cyclic types {i, i+1, i+2} of equal rates and total `lambda`, `others` servers without data.
inline InstanceData wang_cluster(std::size_t holders, std::size_t others, const Rational& lambda) {
    std::vector<std::pair<std::vector<std::size_t>, Rational>> types;
    for (std::size_t i = 0; i < holders; ++i)
        types.push_back({{i, (i + 1) % holders, (i + 2) % holders}, lambda / Rational(holders)});
    return make({frac(4, 5), frac(1, 5)}, std::vector<std::vector<std::string>>(holders + others), types);
}

/// A small instance, drawn inside a RapidCheck property: 1 to `most` servers and types, 2 to 4 nested levels, arrival
/// rates that may be zero, replica sets that may coincide, types with rates of their own
/// if asked for.
inline InstanceData arbitrary_instance(int most = 5, bool own_rates = true) {
    const auto draw = [](int from, int to) { return *rc::gen::inRange(from, to + 1); };
    const int levels = draw(2, 4), servers = draw(1, most), types = draw(1, most);
    std::vector<Rational> rates;
    std::int64_t numerator = 12;
    for (int l = 0; l < levels; ++l) rates.push_back(frac(numerator, 12)), numerator -= draw(1, 3);
    std::vector<std::vector<std::string>> groups;
    for (int m = 0; m < servers; ++m) {
        std::vector<std::string>& names = groups.emplace_back();
        for (int g = 0; g + 2 < levels; ++g) names.push_back(std::to_string(draw(0, 1)));
    }
    std::vector<std::pair<std::vector<std::size_t>, Rational>> list;
    for (int t = 0; t < types; ++t) {
        std::vector<std::size_t> replicas{static_cast<std::size_t>(draw(0, servers - 1))};
        for (int m = 0; m < servers; ++m)
            if (static_cast<std::size_t>(m) != replicas[0] && draw(0, 2) == 0)
                replicas.push_back(static_cast<std::size_t>(m));
        list.push_back({replicas, frac(draw(0, 9), draw(1, 4))});
    }
    InstanceData data = make(rates, groups, list);
    for (queueing::TaskType& type : data.types)
        if (own_rates && draw(0, 3) == 0) {  // rates of the type's own, of which two types may have the same
            const Rational factor = frac(draw(1, 2), 3), shift = frac(draw(0, 1), 4);
            for (const Rational& rate : rates) type.rates.push_back(rate * factor + shift);
        }
    return data;
}

/// Value of max c.z subject to A z <= b, z >= 0 with b >= 0, by the tableau simplex with Bland's rule.
/// Requires a bounded program.
inline Rational tableau_simplex(const std::vector<std::vector<Rational>>& a, const std::vector<Rational>& b,
                                const std::vector<Rational>& c) {
    const std::size_t rows = a.size(), columns = c.size();
    std::vector<std::vector<Rational>> table(rows + 1, std::vector<Rational>(columns + rows + 1));
    std::vector<std::size_t> basis(rows);
    for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < columns; ++j) table[i][j] = a[i][j];
        table[i][columns + i] = 1, table[i].back() = b[i], basis[i] = columns + i;
    }
    for (std::size_t j = 0; j < columns; ++j) table[rows][j] = -c[j];
    for (;;) {
        std::size_t enter = 0;
        while (enter < columns + rows && table[rows][enter].sign() >= 0) ++enter;
        if (enter == columns + rows) return table[rows].back();
        std::size_t leave = rows;
        for (std::size_t i = 0; i < rows; ++i) {
            if (table[i][enter].sign() <= 0) continue;
            if (leave == rows) leave = i;
            const Rational here = table[i].back() / table[i][enter], best = table[leave].back() / table[leave][enter];
            if (here < best || (here == best && basis[i] < basis[leave])) leave = i;
        }
        const Rational pivot = table[leave][enter];
        for (Rational& entry : table[leave]) entry /= pivot;
        for (std::size_t i = 0; i <= rows; ++i) {
            if (i == leave || table[i][enter].sign() == 0) continue;
            const Rational factor = table[i][enter];
            for (std::size_t j = 0; j < table[i].size(); ++j) table[i][j] -= factor * table[leave][j];
        }
        basis[leave] = enter;
    }
}

/// rho* from the definition's dual: variables v and w.
inline Rational oracle_load(const Instance& instance) {
    const std::size_t types = instance.types().size(), servers = instance.servers().size();
    std::vector<std::vector<Rational>> a;
    std::vector<Rational> b, c(types + servers);
    for (const TaskTypeId t : instance.types()) {
        c[t.index()] = instance.arrival_rate(t);
        for (const ServerId m : instance.servers()) {
            std::vector<Rational>& row = a.emplace_back(types + servers);
            row[t.index()] = instance.rate(t, m), row[types + m.index()] = -1;
            b.emplace_back(0);
        }
    }
    std::vector<Rational>& sum = a.emplace_back(types + servers);
    for (std::size_t m = 0; m < servers; ++m) sum[types + m] = 1;
    b.emplace_back(1);
    return tableau_simplex(a, b, c);
}

}  // namespace schedproof::capacity::testing
