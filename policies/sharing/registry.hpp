/// The policies of the sharing family by name, in the form of policies/core/policy_registry.hpp.
#pragma once

#include <span>
#include <string_view>
#include <variant>

#include "policies/sharing/delay.hpp"
#include "policies/sharing/delay_rack.hpp"
#include "policies/sharing/dyndlon_offers.hpp"
#include "policies/sharing/fair_kill.hpp"
#include "policies/sharing/hadoop_fifo.hpp"
#include "policies/sharing/jsq_maxweight_subqueues.hpp"
#include "policies/sharing/naive_fair.hpp"

namespace schedproof::sharing {

using AnyPolicy = std::variant<HadoopFifo, NaiveFair, FairKill, Delay, DelayRack, JsqMaxWeightSubqueues, DynDlOn>;

/// What a user may set. A policy heeds what concerns it.
struct Parameters {
    std::int64_t d = 1;                    ///< D of `delay`. Unit: free slots offered
    std::int64_t d1 = 1;                   ///< of `delay-rack`
    std::optional<std::int64_t> d2 = {1};  ///< of `delay-rack`; none: never off the rack
    Ticks w = 0;                           ///< W of `dyndlon`
    Order order = Order::fifo;             ///< of `dyndlon`
};

/// Every policy, each followed by its variants.
[[nodiscard]] std::span<const PolicyInfo> policies();

/// The registered id that equals the name, as a view that lives for ever; empty when there is none.
[[nodiscard]] std::string_view resolve_policy(std::string_view name);

/// Throws InputError when the name is unknown, or a parameter of the policy negative.
[[nodiscard]] AnyPolicy make_policy(std::string_view name, const Parameters& parameters);

}  // namespace schedproof::sharing
