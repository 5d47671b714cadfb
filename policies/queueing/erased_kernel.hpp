/// The kernel of any policy behind one interface: where the templates of the step end.
///
/// Instantiated once per number type, each in a translation unit of its own, because eleven policies make a long
/// compilation. No virtual call lies within a slot.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "model/queueing/chain.hpp"
#include "policies/queueing/registry.hpp"

namespace schedproof::queueing::detail {

/// The questions of ExactSystem; see there.
class ErasedKernel {
  public:
    ErasedKernel() = default;
    ErasedKernel(const ErasedKernel&) = delete;
    ErasedKernel& operator=(const ErasedKernel&) = delete;
    virtual ~ErasedKernel() = default;
    [[nodiscard]] virtual ExactState initial() const = 0;
    [[nodiscard]] virtual std::vector<Move> moves(const ExactState& state) const = 0;
    [[nodiscard]] virtual ExactState sample(const ExactState& state, Sampler& chance) const = 0;
    [[nodiscard]] virtual std::vector<Candidate> route(const ExactState& state, TaskTypeId type) const = 0;
    [[nodiscard]] virtual std::vector<Candidate> serve(const ExactState& state, ServerId m) const = 0;
    [[nodiscard]] virtual Chain chain(const ChainLimits& limits) const = 0;
};

/// Defined in exact_checked.cpp for CheckedInt and in exact_rational.cpp for Rational.
template <Number N>
[[nodiscard]] std::unique_ptr<const ErasedKernel> erase_kernel(const Instance& instance, const AnyPolicy& policy,
                                                               Truncation truncation);

template <Number N, class P>
class KernelOf final : public ErasedKernel {
  public:
    KernelOf(const Instance& instance, const P& policy, Truncation truncation)
        : kernel_(instance, policy, truncation) {}

    [[nodiscard]] ExactState initial() const override { return to_exact(kernel_.initial()); }
    [[nodiscard]] std::vector<Move> moves(const ExactState& state) const override {
        return queueing::moves(kernel_, state);
    }
    [[nodiscard]] ExactState sample(const ExactState& state, Sampler& chance) const override {
        const State<N> now = valid(state);
        return to_exact(kernel_.step(now, chance).next);
    }
    [[nodiscard]] std::vector<Candidate> route(const ExactState& state, TaskTypeId type) const override {
        return kernel_.with_view(valid(state),
                                 [&](const View<N>& now) { return candidates(kernel_.policy().route(now, type)); });
    }
    [[nodiscard]] std::vector<Candidate> serve(const ExactState& state, ServerId m) const override {
        return kernel_.with_view(valid(state),
                                 [&](const View<N>& now) { return candidates(kernel_.policy().serve(now, m)); });
    }
    [[nodiscard]] Chain chain(const ChainLimits& limits) const override { return reachable_chain(kernel_, limits); }

  private:
    [[nodiscard]] State<N> valid(const ExactState& state) const {
        State<N> now = from_exact<N>(state);
        kernel_.require_valid(now);
        return now;
    }
    static std::vector<Candidate> candidates(const Ties& ties) { return {ties.begin(), ties.end()}; }
    static std::vector<Candidate> candidates(const Mixture& mixture) { return *mixture.candidates; }

    Kernel<N, P> kernel_;
};

}  // namespace schedproof::queueing::detail
