#include "policies/queueing/erased_kernel.hpp"

namespace schedproof::queueing::detail {

template <>
std::unique_ptr<const ErasedKernel> erase_kernel<Rational>(const Instance& instance, const AnyPolicy& policy,
                                                           Truncation truncation) {
    return std::visit(
        [&]<class P>(const P& concrete) -> std::unique_ptr<const ErasedKernel> {
            return std::make_unique<KernelOf<Rational, P>>(instance, concrete, truncation);
        },
        policy);
}

}  // namespace schedproof::queueing::detail
