/// Exact enumeration under any policy.
///
/// A kernel runs on 64-bit integers, and on rationals where those overflow. Both are exact; which of them ran makes no
/// difference to any answer.
#pragma once

#include <memory>
#include <vector>

#include "model/core/law.hpp"
#include "model/queueing/chain.hpp"
#include "policies/queueing/registry.hpp"

namespace schedproof::queueing {

/// A cluster under a policy, for exact questions about single slots and chains. Borrows `instance`.
class ExactSystem {
  public:
    /// Throws InputError when the policy cannot run on the instance.
    ExactSystem(const Instance& instance, const AnyPolicy& policy, Truncation truncation = {});

    [[nodiscard]] const Instance& instance() const { return *instance_; }
    [[nodiscard]] const PolicyInfo& info() const { return info_; }
    [[nodiscard]] const DecisionClass& decisions() const { return decisions_; }
    [[nodiscard]] const Layout& layout() const { return layout_; }
    /// That the policy follows; null of a policy that follows none.
    [[nodiscard]] const PlanData* plan() const;
    [[nodiscard]] const Truncation& truncation() const { return truncation_; }

    /// Every queue empty, every server idle.
    [[nodiscard]] ExactState initial() const;
    /// All outcomes of one slot, or of one event in continuous time, from a valid state. Throws ContractViolation when
    /// the state is not valid.
    [[nodiscard]] std::vector<Move> moves(const ExactState& state) const;
    /// The same without what happens on the way, for those who need many states' moves: `moves` is overwritten.
    /// Throws as `moves` does, and LimitExceeded where the common denominator of a slot's probabilities passes 63 bits.
    void weigh_moves(const ExactState& state, WeightedMoves& moves) const;
    /// The exact law of the next state.
    [[nodiscard]] Law<ExactState> kernel(const ExactState& state) const;
    /// Whether an event may leave such a state: in continuous time, whether every idle server may decline what waits.
    /// In slots every valid state is settled.
    [[nodiscard]] bool is_settled(const ExactState& state) const;
    /// The state after idle servers were offered what waits, as an event does it. Requires continuous time.
    [[nodiscard]] ExactState settled(const ExactState& state, Sampler& randomness) const;
    /// One slot drawn at random from a valid state: the same step, sampled.
    [[nodiscard]] ExactState sample(const ExactState& state, Sampler& randomness) const;
    /// Where a task of the type may go, and what an idle server may turn to, at a state: what the policy itself says.
    [[nodiscard]] std::vector<Candidate> route(const ExactState& state, TaskTypeId type) const;
    [[nodiscard]] std::vector<Candidate> serve(const ExactState& state, ServerId m) const;
    /// Every state reachable from the empty one. Throws LimitExceeded past `limits.states`.
    [[nodiscard]] Chain chain(const ChainLimits& limits = {}) const;

  private:
    class Kernels;

    const Instance* instance_;
    PolicyInfo info_;
    DecisionClass decisions_;
    Truncation truncation_;
    Layout layout_;
    std::shared_ptr<Kernels> kernels_;
};

}  // namespace schedproof::queueing
