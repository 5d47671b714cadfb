/// The decisions of any policy on symbolic rates and symbolic queue lengths: where the templates end.
#pragma once

#include <memory>
#include <vector>

#include "policies/queueing/registry.hpp"
#include "proofs/symbolic/parametric.hpp"

namespace schedproof::queueing {

/// `route` and `serve` of one policy, read on Parametric.
class ParametricPolicy {
  public:
    explicit ParametricPolicy(const AnyPolicy& policy);
    /// A policy of the registry that needs no plan. Throws InputError for any other name.
    [[nodiscard]] static ParametricPolicy registered(std::string_view id);
    /// For a policy that is not registered.
    template <class P>
    static ParametricPolicy of(const P& policy) {
        return ParametricPolicy(std::make_shared<const Of<P>>(policy));
    }

    using View = queueing::View<explore::Parametric>;
    [[nodiscard]] const PolicyInfo& info() const { return policy_->info(); }
    [[nodiscard]] Layout layout(const Instance& instance) const { return policy_->layout(instance); }
    [[nodiscard]] std::vector<Candidate> route(const View& now, TaskTypeId type) const {
        return policy_->route(now, type);
    }
    [[nodiscard]] std::vector<Candidate> serve(const View& now, ServerId m) const { return policy_->serve(now, m); }

  private:
    struct Erased {
        Erased() = default;
        Erased(const Erased&) = delete;
        Erased& operator=(const Erased&) = delete;
        virtual ~Erased() = default;
        [[nodiscard]] virtual const PolicyInfo& info() const = 0;
        [[nodiscard]] virtual Layout layout(const Instance& instance) const = 0;
        [[nodiscard]] virtual std::vector<Candidate> route(const View& now, TaskTypeId type) const = 0;
        [[nodiscard]] virtual std::vector<Candidate> serve(const View& now, ServerId m) const = 0;
    };
    template <class P>
    struct Of final : Erased {
        explicit Of(const P& p) : policy(p) {}
        [[nodiscard]] const PolicyInfo& info() const override { return P::info; }
        [[nodiscard]] Layout layout(const Instance& instance) const override { return policy.layout(instance); }
        [[nodiscard]] std::vector<Candidate> route(const View& now, TaskTypeId type) const override {
            return list(policy.route(now, type));
        }
        [[nodiscard]] std::vector<Candidate> serve(const View& now, ServerId m) const override {
            return list(policy.serve(now, m));
        }
        static std::vector<Candidate> list(const Ties& ties) { return {ties.begin(), ties.end()}; }
        static std::vector<Candidate> list(const Mixture& mixture) { return *mixture.candidates; }
        P policy;
    };
    explicit ParametricPolicy(std::shared_ptr<const Erased> policy) : policy_(std::move(policy)) {}

    std::shared_ptr<const Erased> policy_;
};

}  // namespace schedproof::queueing
