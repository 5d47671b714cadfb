#include "policies/queueing/exact.hpp"

#include <utility>

#include "model/core/errors.hpp"

namespace schedproof::queueing {

namespace {

/// Calls `use(kernel)` on 64-bit integers; on rationals if a weight or a product does not fit.
template <class Use>
auto with_kernel(const Instance& instance, const AnyPolicy& policy, Truncation truncation, Use&& use) {
    return std::visit(
        [&]<class P>(const P& concrete) {
            try {
                return use(Kernel<CheckedInt, P>(instance, concrete, truncation));
            } catch (const LimitExceeded& limit) {
                if (limit.limit() != NumberTraits<CheckedInt>::limit) throw;
                return use(Kernel<Rational, P>(instance, concrete, truncation));
            }
        },
        policy);
}

std::vector<Candidate> candidates(const Ties& ties) { return {ties.begin(), ties.end()}; }
std::vector<Candidate> candidates(const Mixture& mixture) { return *mixture.candidates; }

template <class K>
struct NumberOf;
template <class N, class P>
struct NumberOf<Kernel<N, P>> {
    using type = N;
};
template <class K>
using NumberOfKernel = typename NumberOf<std::decay_t<K>>::type;

}  // namespace

ExactSystem::ExactSystem(const Instance& instance, AnyPolicy policy, Truncation truncation)
    : instance_(&instance),
      policy_(std::move(policy)),
      truncation_(truncation),
      layout_(std::visit([&](const auto& p) { return p.layout(instance); }, policy_)) {
    (void)instance.arrivals();
}

const PolicyInfo& ExactSystem::info() const {
    return std::visit([](const auto& p) -> const PolicyInfo& { return p.info; }, policy_);
}

ExactState ExactSystem::initial() const {
    return with_kernel(*instance_, policy_, truncation_, [](const auto& kernel) { return detail::to_exact(kernel.initial()); });
}

std::vector<Move> ExactSystem::moves(const ExactState& state) const {
    return with_kernel(*instance_, policy_, truncation_, [&](const auto& kernel) { return queueing::moves(kernel, state); });
}

Law<ExactState> ExactSystem::kernel(const ExactState& state) const {
    Law<ExactState> law;
    for (Move& move : moves(state)) law.add(std::move(move.slot.next), move.probability);
    return law;
}

ExactState ExactSystem::sample(const ExactState& state, Sampler& chance) const {
    return with_kernel(*instance_, policy_, truncation_, [&](const auto& kernel) {
        const auto now = detail::from_exact<NumberOfKernel<decltype(kernel)>>(state);
        kernel.require_valid(now);
        return detail::to_exact(kernel.step(now, chance).next);
    });
}

std::vector<Candidate> ExactSystem::route(const ExactState& state, TaskTypeId type) const {
    return with_kernel(*instance_, policy_, truncation_, [&](const auto& kernel) {
        return kernel.with_view(detail::from_exact<NumberOfKernel<decltype(kernel)>>(state),
                                [&](const auto& view) { return candidates(kernel.policy().route(view, type)); });
    });
}

std::vector<Candidate> ExactSystem::serve(const ExactState& state, ServerId m) const {
    return with_kernel(*instance_, policy_, truncation_, [&](const auto& kernel) {
        return kernel.with_view(detail::from_exact<NumberOfKernel<decltype(kernel)>>(state),
                                [&](const auto& view) { return candidates(kernel.policy().serve(view, m)); });
    });
}

Chain ExactSystem::chain(const ChainLimits& limits) const {
    return with_kernel(*instance_, policy_, truncation_, [&](const auto& kernel) { return reachable_chain(kernel, limits); });
}

}  // namespace schedproof::queueing
