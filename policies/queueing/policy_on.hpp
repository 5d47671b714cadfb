/// A policy of any type on numbers of one type: where templates over policies end.
///
/// The kernel, and whatever asks a policy for its decisions, is compiled once per number type instead of once per
/// policy. A decision costs one virtual call, little beside the scan of the queues that it takes. The simulators, whose
/// decisions take nanoseconds, are compiled per policy instead.
#pragma once

#include <memory>
#include <span>
#include <utility>

#include "model/queueing/policy.hpp"

namespace schedproof::queueing {

/// Itself a QueueingPolicyFor<N>. Copies share the policy, which has no state.
template <Number N>
class PolicyOn {
  public:
    template <class P>
    requires(!std::same_as<P, PolicyOn> && QueueingPolicyFor<P, N>) explicit PolicyOn(P policy)
        : info(policy.info),
          decisions(decision_class<P>()),
          policy_(std::make_shared<const Of<P>>(std::move(policy))) {}

    PolicyInfo info;
    DecisionClass decisions;

    [[nodiscard]] Layout layout(const Instance& instance) const { return policy_->layout(instance); }
    [[nodiscard]] AnyChoice route(const View<N>& now, TaskTypeId type) const { return policy_->route(now, type); }
    [[nodiscard]] Ties serve(const View<N>& now, ServerId m) const { return policy_->serve(now, m); }
    /// Empty for a policy without.
    [[nodiscard]] std::span<const DeficitCounter> deficit_counters() const { return policy_->deficit_counters(); }

  private:
    struct Decisions {
        Decisions() = default;
        Decisions(const Decisions&) = delete;
        Decisions& operator=(const Decisions&) = delete;
        virtual ~Decisions() = default;
        [[nodiscard]] virtual Layout layout(const Instance& instance) const = 0;
        [[nodiscard]] virtual AnyChoice route(const View<N>& now, TaskTypeId type) const = 0;
        [[nodiscard]] virtual Ties serve(const View<N>& now, ServerId m) const = 0;
        [[nodiscard]] virtual std::span<const DeficitCounter> deficit_counters() const = 0;
    };
    template <class P>
    struct Of final : Decisions {
        explicit Of(P p) : policy(std::move(p)) {}
        [[nodiscard]] Layout layout(const Instance& instance) const override { return policy.layout(instance); }
        [[nodiscard]] AnyChoice route(const View<N>& now, TaskTypeId type) const override {
            return policy.route(now, type);
        }
        [[nodiscard]] Ties serve(const View<N>& now, ServerId m) const override { return policy.serve(now, m); }
        [[nodiscard]] std::span<const DeficitCounter> deficit_counters() const override {
            if constexpr (DeficitCountingPolicy<P>) return policy.deficit_counters();
            return {};
        }
        P policy;
    };

    std::shared_ptr<const Decisions> policy_;
};

}  // namespace schedproof::queueing
