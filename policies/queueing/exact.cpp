#include "policies/queueing/exact.hpp"

#include <mutex>
#include <utility>

#include "model/core/errors.hpp"
#include "policies/queueing/erased_kernel.hpp"

namespace schedproof::queueing {

/// A kernel on 64-bit integers, and one on rationals that is made when a weight or a product first does not fit.
class ExactSystem::Kernels {
  public:
    Kernels(const MakeKernel& on_integers, MakeKernel on_rationals) : make_rational_(std::move(on_rationals)) {
        try {
            checked_ = on_integers();
        } catch (const LimitExceeded&) {  // the weights themselves do not fit
        }
    }

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
        std::call_once(rational_made_, [this] { rational_ = make_rational_(); });
        return use(*rational_);
    }

  private:
    MakeKernel make_rational_;
    std::unique_ptr<const detail::ErasedKernel> checked_;
    std::once_flag rational_made_;
    std::unique_ptr<const detail::ErasedKernel> rational_;
};

ExactSystem::ExactSystem(const Instance& instance, AnyPolicy policy, Truncation truncation)
    : ExactSystem(
          instance, std::visit([](const auto& p) { return p.info; }, policy),
          std::visit([&](const auto& p) { return p.layout(instance); }, policy), truncation,
          [&] { return detail::erase_kernel<CheckedInt>(instance, policy, truncation); },
          [&instance, policy, truncation] { return detail::erase_kernel<Rational>(instance, policy, truncation); }) {}

ExactSystem::ExactSystem(const Instance& instance, const PolicyInfo& info, Layout layout, Truncation truncation,
                         const MakeKernel& on_integers, MakeKernel on_rationals)
    : instance_(&instance),
      info_(info),
      truncation_(truncation),
      layout_(std::move(layout)),
      kernels_(std::make_shared<Kernels>(on_integers, std::move(on_rationals))) {}

ExactState ExactSystem::initial() const {
    return kernels_->with([](const auto& kernel) { return kernel.initial(); });
}

std::vector<Move> ExactSystem::moves(const ExactState& state) const {
    return kernels_->with([&](const auto& kernel) { return kernel.moves(state); });
}

Law<ExactState> ExactSystem::kernel(const ExactState& state) const {
    Law<ExactState> law;
    for (Move& move : moves(state)) law.add(std::move(move.slot.next), move.probability);
    return law;
}

ExactState ExactSystem::sample(const ExactState& state, Sampler& chance) const {
    return kernels_->with([&](const auto& kernel) {
        Sampler attempt = chance;  // a slot that overflows half-way is drawn again, from the same numbers
        ExactState next = kernel.sample(state, attempt);
        chance = attempt;
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
