/// The decisions of any policy on symbolic rates and symbolic queue lengths.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "model/queueing/any_policy.hpp"
#include "model/queueing/language/evaluate.hpp"
#include "model/queueing/view.hpp"
#include "proofs/symbolic/parametric.hpp"

namespace schedproof::queueing {

/// The rules of one policy on Parametric.
class ParametricPolicy {
  public:
    /// Throws InputError when the policy follows a plan.
    explicit ParametricPolicy(AnyPolicy policy);
    /// A policy of the registry that needs no plan. Throws InputError for any other name.
    [[nodiscard]] static ParametricPolicy registered(std::string_view id);

    using View = queueing::View<explore::Parametric>;
    [[nodiscard]] const PolicyInfo& info() const { return policy_.info(); }
    [[nodiscard]] const Rules& rules() const { return policy_.rules(); }
    [[nodiscard]] Layout layout(const Instance& instance) const { return policy_.layout(instance); }
    /// `Now` is a View, or one that knows more of queues (OfferView).
    template <class Now>
    [[nodiscard]] std::vector<Candidate> route(const Now& now, TaskTypeId type) const {
        return candidates(language::decide(rules().route(), now, language::Asker::task(type)));
    }
    template <class Now>
    [[nodiscard]] std::vector<Candidate> serve(const Now& now, ServerId m) const {
        return candidates(language::decide(rules().serve(), now, language::Asker::idle(m)));
    }

  private:
    AnyPolicy policy_;
};

/// A view in which a number for each queue tells whether tasks wait there.
class OfferView : public ParametricPolicy::View {
  public:
    OfferView(const View& of, const Vector<explore::Parametric>& waiting) : View(of), waiting_(waiting) {}
    [[nodiscard]] bool has_work(QueueId q) const { return waiting(q) > explore::Parametric(0); }
    [[nodiscard]] const explore::Parametric& waiting(QueueId q) const { return waiting_[q.index()]; }

  private:
    const Vector<explore::Parametric>& waiting_;
};

}  // namespace schedproof::queueing
