/// The parameters of sharing policies that a user may set.
#pragma once

#include <cstdint>
#include <optional>
#include <tuple>

#include "model/core/parameters.hpp"
#include "model/sharing/policy_sources.hpp"

namespace schedproof::sharing {

/// Largest value of a parameter: two of them add up to a count that a policy may set.
inline constexpr std::int64_t most_parameter = std::int64_t{1} << 61;

/// What a user may set, or symbols stand for. A policy heeds what concerns it.
template <class Count>
struct ParametersOf {
    Count d = 1;                    ///< D of `delay`. Unit: free slots offered
    Count d1 = 1;                   ///< of `delay-rack`
    std::optional<Count> d2 = {1};  ///< of `delay-rack`; none: never off the rack
    Count w = 0;                    ///< W of `dyndlon`, `delay-time` and `quincy`. Unit: ticks
    Order order = Order::fifo;      ///< of `dyndlon` and `delay-time`

    /// By name: a policy that was added is given those of its parameters that have the name and the type of one here.
    static constexpr std::tuple parameters{Parameter("D", &ParametersOf::d), Parameter("D1", &ParametersOf::d1),
                                           Parameter("D2", &ParametersOf::d2), Parameter("W", &ParametersOf::w),
                                           Parameter("order", &ParametersOf::order)};
};
using Parameters = ParametersOf<std::int64_t>;

/// Calls `visit(its member, the member of ParametersOf<Count>)` for each parameter of P that has the name and the type
/// of one there.
template <Declared P, class Count = std::int64_t, class Visit>
void for_each_settable(Visit&& visit) {
    const auto with_its_equal = [&]<class T>(const Parameter<P, T>& own) {
        const auto if_equal = [&]<class U>(const Parameter<ParametersOf<Count>, U>& known) {
            if constexpr (std::is_same_v<T, U>)
                if (own.name == known.name) visit(own.member, known.member);
        };
        std::apply([&](const auto&... known) { (if_equal(known), ...); }, ParametersOf<Count>::parameters);
    };
    if constexpr (!std::is_empty_v<P>)
        std::apply([&](const auto&... own) { (with_its_equal(own), ...); }, P::parameters);
}

}  // namespace schedproof::sharing
