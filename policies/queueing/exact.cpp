#include "policies/queueing/exact.hpp"

#include <mutex>
#include <optional>
#include <utility>

#include "model/core/errors.hpp"
#include "policies/queueing/exact_kernel.hpp"

namespace schedproof::queueing {

/// A kernel on 64-bit integers, and one on rationals that is made when a weight or a product first does not fit.
class ExactSystem::Kernels {
  public:
    Kernels(const Instance& instance, AnyPolicy policy, Truncation truncation)
        : instance_(instance), policy_(std::move(policy)), truncation_(truncation) {
        try {
            checked_.emplace(instance, policy_, truncation);
        } catch (const LimitExceeded&) {  // the weights themselves do not fit
        }
    }

    [[nodiscard]] const AnyPolicy& policy() const { return policy_; }
    /// Calls `use` on the first, or, where that overflows, on the second.
    template <class Use>
    auto with(Use&& use) {
        if (checked_) {
            try {
                return use(*checked_);
            } catch (const LimitExceeded& limit) {
                if (limit.limit() != NumberTraits<CheckedInt>::limit) throw;
            }
        }
        std::call_once(rational_made_, [this] { rational_.emplace(instance_, policy_, truncation_); });
        return use(*rational_);
    }

  private:
    const Instance& instance_;
    AnyPolicy policy_;
    Truncation truncation_;
    std::optional<ExactKernel<CheckedInt>> checked_;
    std::once_flag rational_made_;
    std::optional<ExactKernel<Rational>> rational_;
};

ExactSystem::ExactSystem(const Instance& instance, const AnyPolicy& policy, Truncation truncation)
    : instance_(&instance),
      info_(policy.info()),
      decisions_(policy.decisions()),
      truncation_(truncation),
      layout_(policy.layout(instance)),
      kernels_(std::make_shared<Kernels>(instance, policy, truncation)) {}

const PlanData* ExactSystem::plan() const { return kernels_->policy().plan(); }

ExactState ExactSystem::initial() const {
    return kernels_->with([](const auto& kernel) { return kernel.initial(); });
}

std::vector<Move> ExactSystem::moves(const ExactState& state) const {
    return kernels_->with([&](const auto& kernel) { return kernel.moves(state); });
}

void ExactSystem::weigh_moves(const ExactState& state, WeightedMoves& moves) const {
    kernels_->with([&](const auto& kernel) { kernel.weigh_moves(state, moves); });
}

Law<ExactState> ExactSystem::kernel(const ExactState& state) const {
    Law<ExactState> law;
    for (Move& move : moves(state)) law.add(std::move(move.slot.next), move.probability);
    return law;
}

bool ExactSystem::is_settled(const ExactState& state) const {
    return !instance_->continuous() || kernels_->with([&](const auto& kernel) { return kernel.is_settled(state); });
}

ExactState ExactSystem::settled(const ExactState& state, Sampler& randomness) const {
    return kernels_->with([&](const auto& kernel) { return kernel.settled(state, randomness); });
}

ExactState ExactSystem::sample(const ExactState& state, Sampler& randomness) const {
    return kernels_->with([&](const auto& kernel) {
        Sampler attempt = randomness;  // a slot that overflows half-way is drawn again, from the same numbers
        ExactState next = kernel.sample(state, attempt);
        randomness = attempt;
        return next;
    });
}

std::vector<Candidate> ExactSystem::route(const ExactState& state, TaskTypeId type) const {
    return kernels_->with([&](const auto& kernel) { return kernel.route(state, type); });
}

std::vector<Candidate> ExactSystem::serve(const ExactState& state, ServerId m) const {
    return kernels_->with([&](const auto& kernel) { return kernel.serve(state, m); });
}

Chain ExactSystem::chain(const ChainLimits& limits) const {
    return kernels_->with([&](const auto& kernel) { return kernel.chain(limits); });
}

}  // namespace schedproof::queueing
