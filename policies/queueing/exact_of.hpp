/// The enumerate reading of a policy that is not registered: a variant under study, or a seeded fault.
#pragma once

#include "policies/queueing/erased_kernel.hpp"
#include "policies/queueing/exact.hpp"

namespace schedproof::queueing {

template <class P>
ExactSystem ExactSystem::of(const Instance& instance, const P& policy, Truncation truncation) {
    return {instance,
            P::info,
            policy.layout(instance),
            truncation,
            [&]() -> std::unique_ptr<const detail::ErasedKernel> {
                return std::make_unique<detail::KernelOf<CheckedInt, P>>(instance, policy, truncation);
            },
            [&instance, policy, truncation]() -> std::unique_ptr<const detail::ErasedKernel> {
                return std::make_unique<detail::KernelOf<Rational, P>>(instance, policy, truncation);
            }};
}

}  // namespace schedproof::queueing
