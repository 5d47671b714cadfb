/// Sets of candidate queues, as expressions. A set names candidates and never an id: what a policy may know of a server
/// is its distance and its queues.
///
/// Sets of a routing rule are those of an arriving task, sets of a serving rule those of an idle server. Filters keep
/// the members for which a condition holds; `sample` keeps some at random, so the rest of the rule has an answer for
/// each outcome, with its exact probability.
#pragma once

#include <concepts>
#include <cstddef>
#include <type_traits>

#include "model/queueing/language/keys.hpp"

namespace schedproof::queueing {

/// Who decides: an arriving task, or an idle server.
enum class Decider : std::uint8_t { task, server, either };

namespace set {

/// The tag of every set of this language.
struct Base {};

template <class S>
concept Expression = std::derived_from<S, Base> && std::copyable<S> && std::same_as<decltype(S::decider), const Decider>;

template <class S>
concept OfTask = Expression<S> && S::decider != Decider::server;
template <class S>
concept OfServer = Expression<S> && S::decider != Decider::task;

// Of an arriving task.
/// Queues of the servers that hold a replica of the task's data.
struct Local : Base {
    static constexpr Decider decider = Decider::task;
};
/// Queues of all servers, each the one for the server's level to the task.
struct Servers : Base {
    static constexpr Decider decider = Decider::task;
};
/// The queue of the task's type.
struct OwnType : Base {
    static constexpr Decider decider = Decider::task;
};

// Of an idle server.
/// The server's queue for its local tasks.
struct Own : Base {
    static constexpr Decider decider = Decider::server;
};
/// The server's queues, one for each level.
struct OwnLevels : Base {
    static constexpr Decider decider = Decider::server;
};
/// All queues, with the level at which the server would run their tasks.
struct Reachable : Base {
    static constexpr Decider decider = Decider::server;
};

/// The queue that belongs to no server.
struct Common : Base {
    static constexpr Decider decider = Decider::either;
};

template <Expression A, Expression B>
    requires(A::decider == B::decider || A::decider == Decider::either || B::decider == Decider::either)
struct Union : Base {
    static constexpr Decider decider = A::decider == Decider::either ? B::decider : A::decider;
    A a;
    B b;
    constexpr Union(A first, B second) : a(first), b(second) {}
};

/// The members for which the condition holds.
template <Expression S, class C>
struct Filtered : Base {
    static constexpr Decider decider = S::decider;
    S of;
    C condition;
    constexpr Filtered(S s, C c) : of(s), condition(c) {}
};

/// `count` members, each subset of that size equally likely; all of them when there are fewer.
template <Expression S>
struct Sampled : Base {
    static constexpr Decider decider = S::decider;
    S of;
    std::size_t count;
    constexpr Sampled(std::size_t n, S s) : of(s), count(n) {}
};

inline constexpr Local local;
inline constexpr Servers servers;
inline constexpr OwnType own_type;
inline constexpr Own own;
inline constexpr OwnLevels own_levels;
inline constexpr Reachable reachable;
inline constexpr Common common;

template <Expression A, Expression B>
constexpr Union<A, B> operator|(A a, B b) {
    return {a, b};
}
template <Expression S, class C>
constexpr Filtered<S, C> where(S s, C condition) {
    return {s, condition};
}
template <Expression S>
constexpr Sampled<S> sample(std::size_t count, S s) {
    return {count, s};
}

}  // namespace set
}  // namespace schedproof::queueing
