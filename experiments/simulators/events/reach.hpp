/// Whose tasks the servers of a policy ever serve, so that nobody else need be asked when a task arrives.
#pragma once

#include "policies/queueing/registry.hpp"

namespace schedproof::simulation {

enum class Reach {
    own,             ///< queues of their own
    own_and_common,  ///< and the common one
    any,             ///< perhaps everyone's
};

/// `any` is always right, and asks more servers than need be.
template <class Policy>
inline constexpr Reach reach = Reach::any;
template <>
inline constexpr Reach reach<queueing::JoinShortestQueue> = Reach::own;
template <>
inline constexpr Reach reach<queueing::RandomLocal> = Reach::own;
template <>
inline constexpr Reach reach<queueing::RandomAny> = Reach::own;
template <>
inline constexpr Reach reach<queueing::BalancedPandas> = Reach::own;
template <>
inline constexpr Reach reach<queueing::FluidModelPlanningStatic> = Reach::own;
template <>
inline constexpr Reach reach<queueing::WangJsqMaxWeight> = Reach::own_and_common;

/// Whether a server that stays idle while tasks wait may turn to one when a queue has become shorter. Who helps the
/// longest queue anywhere may find it too far away, and the next longest, in its own rack, worth the way.
template <class Policy>
inline constexpr bool reconsiders = false;
template <>
inline constexpr bool reconsiders<queueing::Pandas<queueing::PandasHelp::plain>> = true;

}  // namespace schedproof::simulation
