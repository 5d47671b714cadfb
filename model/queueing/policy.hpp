/// What a queueing policy is.
///
/// A policy decides two things: which queue an arriving task joins (route) and which queue an idle server turns to
/// (serve). It returns sets of tied choices and never draws, so one text serves the simulator, the exact enumeration
/// and the proofs.
#pragma once

#include <concepts>
#include <span>
#include <string_view>
#include <vector>

#include "model/core/number.hpp"
#include "model/queueing/layout.hpp"
#include "model/queueing/view.hpp"

namespace schedproof::queueing {

/// How a policy is introduced to its users.
struct PolicyInfo {
    std::string_view id;       ///< its name in commands and files
    std::string_view source;   ///< paper and section
    std::string_view summary;  ///< one sentence: route; serve
};

/// A routing decision: tied choices, or a randomised one.
template <class R>
concept Choice = std::same_as<R, Ties> || std::same_as<R, Mixture>;

/// Route and serve for numbers of type N; see the file comment.
template <class P, class N>
concept QueueingPolicyFor = std::copyable<P> && Number<N> &&
    requires(const P& policy, const Instance& instance, const View<N>& now, TaskTypeId type, ServerId m) {
    { P::info } -> std::convertible_to<PolicyInfo>;
    { policy.layout(instance) } -> std::same_as<Layout>;
    { policy.route(now, type) } -> Choice;
    { policy.serve(now, m) } -> std::same_as<Ties>;
};

/// A policy that keeps accounts: the state's memory holds what each stands at. They ascend by server.
template <class P>
concept AccountingPolicy = requires(const P& policy) {
    { policy.accounts() } -> std::same_as<std::span<const Account>>;
};

/// What route and serve are given.
template <class V>
concept PolicyView = requires {
    typename V::Best;
};

/// Every registered policy satisfies this: it uses no more of a number than all three readings offer.
/// (A concept looks at signatures; instantiating the bodies on the archetype is `compile_on_archetype` below.)
template <class P>
concept QueueingPolicy =
    QueueingPolicyFor<P, NumberArchetype> && QueueingPolicyFor<P, CheckedInt> && QueueingPolicyFor<P, Rational>;

/// Forces the bodies of route and serve to be compiled on the archetype; a body that multiplies two numbers,
/// or reads one as a machine number, stops the build here. Never called.
template <QueueingPolicy P>
void compile_on_archetype(const P& policy, const View<NumberArchetype>& now) {
    (void)policy.route(now, TaskTypeId(0));
    (void)policy.serve(now, ServerId(0));
}

}  // namespace schedproof::queueing
