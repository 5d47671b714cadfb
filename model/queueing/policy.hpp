/// What a queueing policy is.
///
/// A policy decides two things: which queue an arriving task joins (route) and which queue an idle server turns to
/// (serve). It returns sets of tied choices and never draws, so the simulator, the exact enumeration and the proofs
/// all run the same policy code. What it states about its decisions is in decision_class.hpp.
#pragma once

#include <concepts>
#include <span>

#include "model/core/number.hpp"
#include "model/core/policy_info.hpp"
#include "model/queueing/decision_class.hpp"
#include "model/queueing/layout.hpp"
#include "model/queueing/view.hpp"

namespace schedproof::queueing {

using schedproof::PolicyInfo;

/// A routing decision: tied choices, a randomised one, or either.
template <class R>
concept Choice = std::same_as<R, Ties> || std::same_as<R, Mixture> || std::same_as<R, AnyChoice>;

/// Route and serve for numbers of type N; see the file comment.
template <class P, class N>
concept QueueingPolicyFor = std::copyable<P> && Number<N> &&
    requires(const P& policy, const Instance& instance, const View<N>& now, TaskTypeId type, ServerId m) {
    { policy.info } -> std::convertible_to<PolicyInfo>;
    { policy.layout(instance) } -> std::same_as<Layout>;
    { policy.route(now, type) } -> Choice;
    { policy.serve(now, m) } -> std::same_as<Ties>;
};

/// A policy that keeps deficit counters: the state's memory holds their values. They ascend by server.
template <class P>
concept DeficitCountingPolicy = requires(const P& policy) {
    { policy.deficit_counters() } -> std::same_as<std::span<const DeficitCounter>>;
};

/// What route and serve are given.
template <class V>
concept PolicyView = requires {
    typename V::Best;
};

/// Every registered policy satisfies this: it uses no more of a number than all execution modes offer.
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
