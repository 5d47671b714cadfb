/// Whose tasks the servers of a policy ever serve, so that nobody else need be asked when a task arrives.
#pragma once

#include "policies/registry.hpp"

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

}  // namespace schedproof::simulation
