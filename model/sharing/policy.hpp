/// What a sharing policy is.
///
/// Whenever a free slot is offered, a policy says which job launches a task there, or that none does: `offer`. Some
/// policies also send each task of a new job to a queue (`route`), or take slots back by killing (`reclaim`).
/// A policy sees the cluster through a view (policy_view.hpp) and asks it for named things; it neither scans nodes and
/// tasks nor draws. So one policy serves the exact enumeration, where a state is scanned, and the simulator, which
/// keeps indexes. Of a job's equally near tasks the environment launches the first, and of tied queues it chooses by
/// lot.
///
/// `admitted` is the compiler's part of the promise that a policy is treated correctly everywhere or refused: the
/// members of the policy are declared, it compiles against the archetype, and what it answers is a constant expression
/// (archetype.hpp). Whoever runs a policy demands it first, so that the first error names the policy's line.
#pragma once

#include <concepts>
#include <optional>

#include "model/core/parameters.hpp"
#include "model/core/policy_info.hpp"
#include "model/sharing/archetype.hpp"

namespace schedproof::sharing {

using schedproof::Parameter;
using schedproof::PolicyInfo;

/// The views, as policies name them in their templates.
template <class V>
concept SharingView = requires(V& now, NodeRef n) {
    { now.first_local(Order::fair, n) } -> std::same_as<std::optional<JobRef>>;
};
template <class V>
concept QueueView = requires(const V& now, NodeRef n) {
    { now.own(n) } -> std::same_as<QueueRef>;
};
template <class V>
concept RoutingView = requires {
    typename V::Tied;
};
template <class V>
concept ReclaimingView = requires(const V& now) {
    { now.most_running() } -> std::same_as<std::optional<JobRef>>;
};

namespace detail {

template <class P>
concept Routes = requires(const P& policy, const RouteView<Archetype>& now, DataRef data) {
    { policy.route(now, data) } -> std::same_as<RouteView<Archetype>::Tied>;
};
template <class P>
concept OffersQueues = requires(const P& policy, QueueOfferView<Archetype>& now, NodeRef n) {
    { policy.offer(now, n) } -> std::same_as<std::optional<Launch>>;
};
template <class P>
concept OffersJobs = requires(const P& policy, OfferView<Archetype>& now, NodeRef n) {
    { policy.offer(now, n) } -> std::same_as<std::optional<Launch>>;
};
template <class P>
concept Reclaims = requires(const P& policy, const ReclaimView<Archetype>& now) {
    { policy.reclaim(now) } -> std::same_as<std::optional<JobRef>>;
};

/// A name that P has too is ambiguous in this class.
struct OptionalMembers {
    void route();
    void reclaim();
};
template <class P>
struct WithOptionalMembers : P, OptionalMembers {};
/// Whether P has a member of the name, of whatever form: one of another form than is asked for would never be called.
template <class P>
concept NamesRoute = !is_erased<P> && !std::is_final_v<P> && !requires {
    &WithOptionalMembers<P>::route;
};
template <class P>
concept NamesReclaim = !is_erased<P> && !std::is_final_v<P> && !requires {
    &WithOptionalMembers<P>::reclaim;
};

}  // namespace detail

/// It says what it is called, or stands for a policy that does.
template <class P>
concept Introduced = is_erased<P> || requires {
    { P::info } -> std::convertible_to<PolicyInfo>;
};
template <class P>
concept SharingPolicy = std::copyable<P> && Declared<P> && Introduced<P> &&(detail::OffersJobs<P> || detail::Routes<P>);
/// Every task joins a queue when its job is submitted.
template <class P>
concept RoutingPolicy = SharingPolicy<P> && detail::Routes<P> && detail::OffersQueues<P>;
/// Asked after every event: of which job the task launched last is to die, if any. Its slot is offered at once.
template <class P>
concept ReclaimingPolicy = SharingPolicy<P> && detail::Reclaims<P>;

namespace detail {

/// Only the compiler asks about it, so it is declared and nowhere defined.
extern const Replicas somewhere;

/// Asks the policy everything on one script.
template <class P>
constexpr void ask_everything(const P& policy, unsigned script) {
    const NodeRef node = Disclosed::of(NodeId(0));
    unsigned reclaiming = script;
    Archetype answers(script);
    const Archetype killing(reclaiming);
    if constexpr (Routes<P>) {
        const RouteView<Archetype> routing(answers);
        static_cast<void>(policy.route(routing, DataRef(somewhere)));
        QueueOfferView<Archetype> now(answers);
        static_cast<void>(policy.offer(now, node));
    } else {
        OfferView<Archetype> now(answers);
        static_cast<void>(policy.offer(now, node));
    }
    if constexpr (Reclaims<P>) {
        const ReclaimView<Archetype> now(killing);
        static_cast<void>(policy.reclaim(now));
    }
}
template <class P>
constexpr bool ask_all_scripts(const P& policy) {
    for (unsigned script = 0; script < Archetype::scripts; ++script) ask_everything(policy, script);
    return true;
}

}  // namespace detail

/// Stops the compiler at the first rule that the policy breaks. A policy whose parameters are of types that the
/// compiler cannot make values of is compiled, and not run, here.
template <class P>
consteval bool admitted() {
    static_assert(Introduced<P>, "a policy has an `info`");
    static_assert(Declared<P>,
                  "a policy has no members, or public ones that its `parameters` list, all in their order");
    static_assert(detail::OffersJobs<P> || detail::OffersQueues<P>,
                  "a policy has `offer(now, node)`, which answers an std::optional<Launch>");
    if constexpr (detail::NamesRoute<P> || detail::OffersQueues<P>)
        static_assert(
            detail::Routes<P> && detail::OffersQueues<P>,
            "a policy with queues has `offer` on a QueueView and `route(now, data)`, which answers tied queues");
    if constexpr (detail::NamesReclaim<P>)
        static_assert(detail::Reclaims<P>, "`reclaim(now)` of a policy answers an std::optional<JobRef>");
    static_assert(!(detail::Routes<P> && detail::Reclaims<P>), "a policy with queues has no `reclaim`");
    if constexpr (is_erased<P>) {
        return true;
    } else if constexpr (std::is_empty_v<P> || requires { typename std::integral_constant<bool, (P(), true)>; }) {
        return detail::ask_all_scripts(P());
    } else {
        void (*const compiled)(const P&, unsigned) = &detail::ask_everything<P>;
        // A comparison of its address is no constant under g++'s sanitizers.
        static_cast<void>(compiled);
        return true;
    }
}

/// Asks a policy whether it takes an offered slot of node n.
template <SharingPolicy P, class S>
[[nodiscard]] std::optional<JobLaunch> ask_offer(const P& policy, S& source, NodeId n) {
    static_assert(admitted<P>());
    const auto disclosed = [](const std::optional<Launch>& launch) -> std::optional<JobLaunch> {
        if (!launch) return {};
        return JobLaunch{Disclosed::id(launch->job), launch->level};
    };
    if constexpr (RoutingPolicy<P>) {
        QueueOfferView<S> now(source);
        return disclosed(policy.offer(now, Disclosed::of(n)));
    } else {
        OfferView<S> now(source);
        return disclosed(policy.offer(now, Disclosed::of(n)));
    }
}
/// Asks a policy which queues a task with this data may join: tied ones, ascending, at least one.
template <RoutingPolicy P, RouteSource S>
[[nodiscard]] Queues ask_route(const P& policy, const S& source, const Replicas& data) {
    static_assert(admitted<P>());
    const RouteView<S> now(source);
    return policy.route(now, DataRef(data)).disclosed();
}
/// What is wrong with a policy that would kill for ever.
inline constexpr const char* kills_without_end = "a policy kills at a moment at most as many tasks as there are slots";

/// Asks a policy of which job a task is to die.
template <ReclaimingPolicy P, ReclaimSource S>
[[nodiscard]] std::optional<JobId> ask_reclaim(const P& policy, const S& source) {
    static_assert(admitted<P>());
    const ReclaimView<S> now(source);
    const std::optional<JobRef> job = policy.reclaim(now);
    return job ? std::optional(Disclosed::id(*job)) : std::nullopt;
}

}  // namespace schedproof::sharing
