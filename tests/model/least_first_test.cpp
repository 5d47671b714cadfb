/// The list of future events against a table that is searched.
#include "model/core/least_first.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <optional>

#include "model/core/number.hpp"

namespace schedproof {
namespace {

template <class N>
void agrees_with_a_table(std::size_t owners, const std::vector<std::pair<int, int>>& steps, bool filled) {
    std::vector<std::optional<N>> table(owners);
    LeastFirst<N> list(owners);
    if (filled) {
        std::vector<N> values;
        for (std::size_t i = 0; i < owners; ++i) values.push_back(N(static_cast<std::int64_t>(i * 7 % 5)));
        for (std::size_t i = 0; i < owners; ++i) table[i] = values[i];
        list = LeastFirst<N>(values);
    }
    for (const auto& [what, number] : steps) {
        const auto owner = static_cast<std::size_t>(number) % owners;
        std::optional<std::size_t> least;
        for (std::size_t i = 0; i < owners; ++i)
            if (table[i] && (!least || *table[i] < *table[*least])) least = i;
        RC_ASSERT(list.empty() == !least);
        if (least) {
            RC_ASSERT(list.owner() == *least);
            RC_ASSERT(list.least() == *table[*least]);
        }
        RC_ASSERT(list.has(owner) == table[owner].has_value());
        if (what < 5) {
            // Few values, so that ties are many; also below 0.
            table[owner] = N(static_cast<std::int64_t>(number / 13 % 7 - 2));
            list.set(owner, *table[owner]);
        } else if (what < 8 && least) {
            RC_ASSERT(list.pop() == *least);
            table[*least].reset();
        } else if (what < 10) {
            list.cancel(owner);
            table[owner].reset();
        } else if (number % 20 == 0) {
            list.clear();
            table.assign(owners, std::nullopt);
        }
    }
}

RC_GTEST_PROP(LeastFirst, AgreesWithATable, ()) {
    const auto owners = *rc::gen::inRange<std::size_t>(1, 40);
    const auto steps = *rc::gen::container<std::vector<std::pair<int, int>>>(
        rc::gen::pair(rc::gen::inRange(0, 11), rc::gen::inRange(0, 10'000)));
    const bool filled = *rc::gen::arbitrary<bool>();
    agrees_with_a_table<double>(owners, steps, filled);
    agrees_with_a_table<CheckedInt>(owners, steps, filled);
    agrees_with_a_table<Rational>(owners, steps, filled);
}

}  // namespace
}  // namespace schedproof
