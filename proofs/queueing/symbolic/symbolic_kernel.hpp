/// Where the templates of the symbolic step end: the kernel of one policy on Affine behind an interface.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "proofs/queueing/symbolic/symbolic_system.hpp"

namespace schedproof::queueing {

/// The questions of SymbolicSystem; see there.
class SymbolicSystem::Erased {
  public:
    Erased() = default;
    Erased(const Erased&) = delete;
    Erased& operator=(const Erased&) = delete;
    virtual ~Erased() = default;
    [[nodiscard]] virtual std::size_t counters() const = 0;
    [[nodiscard]] virtual std::vector<SymbolicMove> moves(const SymbolicState& state) const = 0;
    [[nodiscard]] virtual std::vector<Candidate> route(const SymbolicState& state, TaskTypeId type) const = 0;
    [[nodiscard]] virtual std::vector<Candidate> serve(const SymbolicState& state, ServerId m) const = 0;
};

namespace detail {

template <class P>
class SymbolicKernelOf final : public SymbolicSystem::Erased {
  public:
    SymbolicKernelOf(const Instance& instance, const P& policy) : kernel_(instance, policy) {}

    [[nodiscard]] std::size_t counters() const override { return kernel_.initial().memory.size(); }
    [[nodiscard]] std::vector<SymbolicMove> moves(const SymbolicState& state) const override {
        std::vector<SymbolicMove> all;
        typename Kernel<explore::Affine, P>::Answers answers;
        enumerate_each([&](auto& chance) { return kernel_.step(state, answers, chance); },
                       [&](Slot<explore::Affine>&& slot, const Fraction& p) {
                           if (all.size() == max_outcomes) throw_too_many_outcomes();
                           all.push_back({std::move(slot), p.rational()});
                       });
        return all;
    }
    [[nodiscard]] std::vector<Candidate> route(const SymbolicState& state, TaskTypeId type) const override {
        return kernel_.with_view(state, [&](const auto& now) { return list(kernel_.policy().route(now, type)); });
    }
    [[nodiscard]] std::vector<Candidate> serve(const SymbolicState& state, ServerId m) const override {
        return kernel_.with_view(state, [&](const auto& now) { return list(kernel_.policy().serve(now, m)); });
    }

  private:
    static std::vector<Candidate> list(const Ties& ties) { return {ties.begin(), ties.end()}; }
    static std::vector<Candidate> list(const Mixture& mixture) { return *mixture.candidates; }

    Kernel<explore::Affine, P> kernel_;
};

}  // namespace detail

template <class P>
SymbolicSystem SymbolicSystem::of(const Instance& instance, const P& policy) {
    return {instance, P::info, policy.layout(instance),
            std::make_shared<detail::SymbolicKernelOf<P>>(instance, policy)};
}

}  // namespace schedproof::queueing
