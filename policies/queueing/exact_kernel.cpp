#include "policies/queueing/exact_kernel.hpp"

namespace schedproof::queueing {

template <Number N>
ExactKernel<N>::ExactKernel(const Instance& instance, const AnyPolicy& policy, Truncation truncation)
    : kernel_(instance, policy, truncation) {}

template <Number N>
ExactState ExactKernel<N>::initial() const {
    return detail::to_exact(kernel_.initial());
}

template <Number N>
std::vector<Move> ExactKernel<N>::moves(const ExactState& state) const {
    return queueing::moves(kernel_, state);
}

template <Number N>
void ExactKernel<N>::weigh_moves(const ExactState& state, WeightedMoves& moves) const {
    queueing::weigh_moves(kernel_, state, moves);
}

template <Number N>
bool ExactKernel<N>::is_settled(const ExactState& state) const {
    return kernel_.is_settled(detail::from_exact<N>(state));
}

template <Number N>
ExactState ExactKernel<N>::settled(const ExactState& state, Sampler& randomness) const {
    return detail::to_exact(kernel_.settled(valid(state), randomness));
}

template <Number N>
ExactState ExactKernel<N>::sample(const ExactState& state, Sampler& randomness) const {
    const State<N> now = valid(state);
    return detail::to_exact(kernel_.step(now, randomness).next);
}

template <Number N>
std::vector<Candidate> ExactKernel<N>::route(const ExactState& state, TaskTypeId type) const {
    return candidates(kernel_.route(valid(state), type));
}

template <Number N>
std::vector<Candidate> ExactKernel<N>::serve(const ExactState& state, ServerId m) const {
    return candidates(kernel_.serve(valid(state), m));
}

template <Number N>
Chain ExactKernel<N>::chain(const ChainLimits& limits) const {
    return reachable_chain(kernel_, limits);
}

template <Number N>
State<N> ExactKernel<N>::valid(const ExactState& state) const {
    State<N> now = detail::from_exact<N>(state);
    kernel_.require_valid(now);
    return now;
}

template class ExactKernel<CheckedInt>;
template class ExactKernel<Rational>;

}  // namespace schedproof::queueing
