/// The kernel of any policy on numbers of one type, with exact states at its interface.
#pragma once

#include <vector>

#include "model/queueing/chain.hpp"

namespace schedproof::queueing {

/// The questions of ExactSystem; see there. Instantiated for CheckedInt and Rational in exact_kernel.cpp.
template <Number N>
class ExactKernel {
  public:
    ExactKernel(const Instance& instance, const AnyPolicy& policy, Truncation truncation);

    [[nodiscard]] ExactState initial() const;
    [[nodiscard]] std::vector<Move> moves(const ExactState& state) const;
    void weigh_moves(const ExactState& state, WeightedMoves& moves) const;
    [[nodiscard]] bool is_settled(const ExactState& state) const;
    [[nodiscard]] ExactState settled(const ExactState& state, Sampler& randomness) const;
    [[nodiscard]] ExactState sample(const ExactState& state, Sampler& randomness) const;
    [[nodiscard]] std::vector<Candidate> route(const ExactState& state, TaskTypeId type) const;
    [[nodiscard]] std::vector<Candidate> serve(const ExactState& state, ServerId m) const;
    [[nodiscard]] Chain chain(const ChainLimits& limits) const;

  private:
    [[nodiscard]] State<N> valid(const ExactState& state) const;

    Kernel<N> kernel_;
};

extern template class ExactKernel<CheckedInt>;
extern template class ExactKernel<Rational>;

}  // namespace schedproof::queueing
