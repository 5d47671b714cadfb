/// One row of the registry, made in a unit that knows the policy's type.
#pragma once

#include "policies/queueing/registry.hpp"

namespace schedproof::queueing::detail {

struct RegisteredPolicy {
    PolicyInfo info;
    PolicyDescriptor descriptor;
    AnyPolicy (*make)() = nullptr;                                             ///< without a plan
    AnyPolicy (*make_with_plan)(const Instance&, const FluidPlan&) = nullptr;  ///< with one
};

template <QueueingPolicy P>
RegisteredPolicy registered() {
    [[maybe_unused]] static constexpr auto body = &compile_on_archetype<P>;
    if constexpr (PlanningPolicy<P>)
        return {P::info, descriptor<P>(), nullptr,
                [](const Instance& instance, const FluidPlan& plan) -> AnyPolicy { return P(instance, plan); }};
    else
        return {P::info, descriptor<P>(), []() -> AnyPolicy { return P{}; }, nullptr};
}

}  // namespace schedproof::queueing::detail

/// Defines the row of one policy of registry.def.
#define SCHEDPROOF_REGISTER(Name)                                                             \
    namespace schedproof::queueing::detail {                                                  \
    RegisteredPolicy registered_##Name() { return registered<schedproof::queueing::Name>(); } \
    }
