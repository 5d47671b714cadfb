/// The parameters of sharing policies that a user may set.
#pragma once

#include <cstdint>
#include <optional>
#include <tuple>

#include "model/core/parameters.hpp"
#include "model/sharing/policy_sources.hpp"

namespace schedproof::sharing {

/// What a user may set. A policy heeds what concerns it.
struct Parameters {
    std::int64_t d = 1;                    ///< D of `delay`. Unit: free slots offered
    std::int64_t d1 = 1;                   ///< of `delay-rack`
    std::optional<std::int64_t> d2 = {1};  ///< of `delay-rack`; none: never off the rack
    Ticks w = 0;                           ///< W of `dyndlon` and `delay-time`
    Order order = Order::fifo;             ///< of both

    /// By name: a policy that was added is given those of its parameters that have the name and the type of one here.
    static constexpr std::tuple parameters{Parameter("D", &Parameters::d), Parameter("D1", &Parameters::d1),
                                           Parameter("D2", &Parameters::d2), Parameter("W", &Parameters::w),
                                           Parameter("order", &Parameters::order)};
};

/// Calls `visit(its member, the member of Parameters)` for each parameter of P that has the name and the type of one of
/// Parameters.
template <Declared P, class Visit>
void for_each_settable(Visit&& visit) {
    const auto with_its_equal = [&]<class T>(const Parameter<P, T>& own) {
        const auto if_equal = [&]<class U>(const Parameter<Parameters, U>& known) {
            if constexpr (std::is_same_v<T, U>)
                if (own.name == known.name) visit(own.member, known.member);
        };
        std::apply([&](const auto&... known) { (if_equal(known), ...); }, Parameters::parameters);
    };
    if constexpr (!std::is_empty_v<P>)
        std::apply([&](const auto&... own) { (with_its_equal(own), ...); }, P::parameters);
}

}  // namespace schedproof::sharing
