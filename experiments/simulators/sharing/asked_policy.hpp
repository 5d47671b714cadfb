/// A policy as the simulator asks it.
///
/// One of the registered types answers over the simulator's own views, by a call a question. Any other, which the
/// program was not compiled with, answers through the interface of its code, by a virtual call for whatever it asks in
/// turn and with a look at every id that it names.
#pragma once

#include <optional>
#include <type_traits>

#include "experiments/simulators/sharing/task_pool.hpp"
#include "experiments/simulators/sharing/task_queues.hpp"
#include "policies/sharing/any_policy.hpp"

namespace schedproof::simulation {

/// The questions to a policy of a form, asked of one whose type is forgotten.
template <sharing::PolicyForm form>
struct DirectQuestions {
    static constexpr bool routes = form == sharing::PolicyForm::routes;
    using OfferView =
        std::conditional_t<routes, sharing::QueueOfferView<TaskQueues::View>, sharing::OfferView<TaskPool::View>>;
    using RouteView = sharing::RouteView<TaskQueues::View>;
    using ReclaimView = sharing::ReclaimView<TaskPool::View>;

    const void* policy = nullptr;  ///< null where its type is none of the registered ones
    std::optional<sharing::Launch> (*offer)(const void* policy, OfferView& now, sharing::NodeRef n) = nullptr;
    RouteView::Tied (*route)(const void* policy, const RouteView& now, sharing::DataRef data) = nullptr;
    std::optional<sharing::JobRef> (*reclaim)(const void* policy, const ReclaimView& now) = nullptr;
};

/// The policy that they name is part of the argument's code, which copies share.
template <sharing::PolicyForm form>
[[nodiscard]] DirectQuestions<form> direct_questions(const sharing::ErasedAs<form>& policy);
extern template DirectQuestions<sharing::PolicyForm::offers> direct_questions(
    const sharing::ErasedAs<sharing::PolicyForm::offers>&);
extern template DirectQuestions<sharing::PolicyForm::routes> direct_questions(
    const sharing::ErasedAs<sharing::PolicyForm::routes>&);
extern template DirectQuestions<sharing::PolicyForm::reclaims> direct_questions(
    const sharing::ErasedAs<sharing::PolicyForm::reclaims>&);

template <sharing::PolicyForm form>
class AskedPolicy {
    using Direct = DirectQuestions<form>;

  public:
    explicit AskedPolicy(const sharing::ErasedAs<form>& policy) : erased_(policy), direct_(direct_questions(erased_)) {}

    template <class V>
    requires(Direct::routes ? sharing::QueueView<V> : sharing::SharingView<V>)  //
        [[nodiscard]] std::optional<sharing::Launch> offer(V& now, sharing::NodeRef n) const {
        if constexpr (std::is_same_v<V, typename Direct::OfferView>)
            if (direct_.policy != nullptr) return direct_.offer(direct_.policy, now, n);
        return erased_.offer(now, n);
    }
    template <sharing::RoutingView V>
    requires(Direct::routes) [[nodiscard]] typename V::Tied route(const V& now, sharing::DataRef data) const {
        if constexpr (std::is_same_v<V, typename Direct::RouteView>)
            if (direct_.policy != nullptr) return direct_.route(direct_.policy, now, data);
        return erased_.route(now, data);
    }
    template <sharing::ReclaimingView V>
    requires(form == sharing::PolicyForm::reclaims)  //
        [[nodiscard]] std::optional<sharing::JobRef> reclaim(const V& now) const {
        if constexpr (std::is_same_v<V, typename Direct::ReclaimView>)
            if (direct_.policy != nullptr) return direct_.reclaim(direct_.policy, now);
        return erased_.reclaim(now);
    }

  private:
    sharing::ErasedAs<form> erased_;
    Direct direct_;
};

}  // namespace schedproof::simulation

template <schedproof::sharing::PolicyForm form>
inline constexpr bool schedproof::is_erased<schedproof::simulation::AskedPolicy<form>> = true;
