/// The queueing policies by name.
///
/// An explicit list: a policy exists for commands, tests and proofs exactly when it stands here.
#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <variant>

#include "policies/queueing/balanced_pandas.hpp"
#include "policies/queueing/fifo.hpp"
#include "policies/queueing/fluid_model_planning.hpp"
#include "policies/queueing/generalized_cmu.hpp"
#include "policies/queueing/join_shortest_queue.hpp"
#include "policies/queueing/jsq_maxweight.hpp"
#include "policies/queueing/pandas.hpp"
#include "policies/queueing/random_baselines.hpp"
#include "policies/queueing/wang_jsq_maxweight.hpp"

namespace schedproof::queueing {

using AnyPolicy = std::variant<WangJsqMaxWeight, JsqMaxWeight, Pandas<PandasHelp::plain>, Pandas<PandasHelp::rackaware>,
                               BalancedPandas, GeneralizedCmu, Fifo, FluidModelPlanningStatic,
                               FluidModelPlanningDeficit, RandomLocal, RandomAny, JoinShortestQueue>;

/// Every registered policy, in the order of AnyPolicy.
[[nodiscard]] std::span<const PolicyInfo> policies();

/// The id that a name stands for: itself, or the first variant of a family (`pandas` is `pandas:plain`); empty when
/// the name is unknown.
[[nodiscard]] std::string_view resolve_policy(std::string_view name);

/// Solves the capacity LP of an instance; called only for policies that plan.
using Planner = std::function<FluidPlan(const Instance&)>;

/// For whoever may ask no solver: throws InputError, so that a policy that plans cannot be made.
[[nodiscard]] FluidPlan no_planner(const Instance& instance);

/// Throws InputError when the name is unknown.
[[nodiscard]] AnyPolicy make_policy(std::string_view name, const Instance& instance, const Planner& planner);

}  // namespace schedproof::queueing
