/// The vocabulary in which a policy is written: sets of queues, keys of queues, conditions.
///
///     route(argmin(local, length))
///     serve(first_of(argmax(nonempty(reachable), rate * length), own))
///
/// A set is named, filtered, compared and drawn from; the environment picks one member of the set that is left, each
/// equally likely. A key's unit is part of its type: tasks, weight (rate times tasks), work (tasks over rate) and so
/// on. Only like is compared with like or added, so `rate * length > length` does not compile. Rates enter numbers as
/// integers times a common denominator (rate_weights.hpp); like units have like denominators, so a comparison means the
/// same in every mode, symbolic rates included.
/// Long: one header is the whole vocabulary that a policy file includes.
#pragma once

#include <concepts>
#include <cstdint>

#include "model/queueing/language/expression_tree.hpp"

namespace schedproof::queueing::language {

/// Who decides: an arriving task, an idle server; `anyone` for what both may name.
enum class Decider : std::uint8_t { anyone, task, server };

namespace unit {
struct Tasks {};
struct Weight {};        ///< rate times tasks
struct Work {};          ///< tasks over rate: expected slots
struct WeightedWork {};  ///< work over rate
struct MarginalCost {};
struct Cost {};  ///< marginal cost times rate
struct Distance {};
}  // namespace unit

/// A quotient of whole numbers, the denominator positive: coefficients are never machine reals.
struct Ratio {
    std::int64_t numerator = 1, denominator = 1;
    constexpr Ratio(std::int64_t n, std::int64_t d = 1)  // NOLINT(google-explicit-constructor): 2 is 2/1
        : numerator(n), denominator(d) {
        if (d <= 0) throw "the denominator of a coefficient is positive";
    }
    template <std::floating_point F>
    Ratio(F) = delete;
};

/// The members of a set, and what is known of them, belong to one decider.
template <Decider by>
struct Set {
    Tree tree;
    constexpr explicit Set(const Tree& t) : tree(t) {}
    template <Decider other>
    requires(other == Decider::anyone && by != other) constexpr Set(const Set<other>& set)  // NOLINT
        : tree(set.tree) {}
};

/// A key of a candidate; `shared` if it is a value that is the same for all of them.
template <class Unit, Decider by = Decider::anyone, bool shared = false>
struct Key {
    Tree tree;
    constexpr explicit Key(const Tree& t) : tree(t) {}
};
/// A test of a candidate; `shared` if it is a condition that does not depend on one.
template <Decider by = Decider::anyone, bool shared = false>
struct Test {
    Tree tree;
    constexpr explicit Test(const Tree& t) : tree(t) {}
};

/// Whether two parts may stand in one rule: what a task knows and what an idle server knows are not mixed.
template <Decider a, Decider b>
concept OneDecider = a == b || a == Decider::anyone || b == Decider::anyone;
/// Who decides on what is made of two parts.
template <Decider a, Decider b>
inline constexpr Decider joint = a == Decider::anyone ? b : a;

inline constexpr Set<Decider::task> local{Tree::node(Op::local, 0, 0)}, servers{Tree::node(Op::servers, 0, 0)},
    own_type{Tree::node(Op::own_type, 0, 0)}, planned{Tree::node(Op::planned, 0, 0)};
inline constexpr Set<Decider::server> own{Tree::node(Op::own, 0, 0)}, own_levels{Tree::node(Op::own_levels, 0, 0)},
    reachable{Tree::node(Op::reachable, 0, 0)}, partner{Tree::node(Op::partner, 0, 0)},
    furthest_behind{Tree::node(Op::furthest_behind, 0, 0)};
inline constexpr Set<Decider::anyone> common{Tree::node(Op::common, 0, 0)}, it{Tree::node(Op::it, 0, 0)};

inline constexpr Key<unit::Tasks> length{Tree::node(Op::length, 0, 0)}, servable{Tree::node(Op::servable, 0, 0)},
    server_length{Tree::node(Op::server_length, 0, 0)};
inline constexpr Key<unit::Work> server_workload{Tree::node(Op::server_workload, 0, 0)};
inline constexpr Key<unit::MarginalCost> marginal_cost{Tree::node(Op::marginal_cost, 0, 0)};
inline constexpr Key<unit::Distance> distance{Tree::node(Op::distance, 0, 0)};
inline constexpr Test<> has_work{Tree::node(Op::has_work, 0, 0)};

/// A number of tasks. Range: at least 0.
[[nodiscard]] constexpr Key<unit::Tasks, Decider::anyone, true> tasks(std::int64_t n) {
    if (n < 0) throw "a number of tasks is at least zero";
    return Key<unit::Tasks, Decider::anyone, true>(Tree::node(Op::constant, n, 0));
}

// ---- keys ----

struct CandidateRate {};
struct FixedRate {
    Op times;
};
inline constexpr CandidateRate rate{};                     ///< mu of the candidate at its level
inline constexpr FixedRate local_rate{Op::times_local};    ///< mu of the most local level
inline constexpr FixedRate remote_rate{Op::times_remote};  ///< mu of the least local level

template <class Unit>
struct RateTimes;  // any other product with a rate has no meaning
template <>
struct RateTimes<unit::Tasks> {
    using Result = unit::Weight;
};
template <>
struct RateTimes<unit::MarginalCost> {
    using Result = unit::Cost;
};
template <class Unit>
struct OverRate;  // any other quotient by a rate has no meaning
template <>
struct OverRate<unit::Tasks> {
    using Result = unit::Work;
};
template <>
struct OverRate<unit::Work> {
    using Result = unit::WeightedWork;
};

template <class Unit, Decider by, bool shared>
[[nodiscard]] constexpr auto operator*(CandidateRate, const Key<Unit, by, shared>& key) {
    return Key<typename RateTimes<Unit>::Result, by>(Tree::node(Op::times_rate, 0, 0, key.tree));
}
template <class Unit, Decider by, bool shared>
[[nodiscard]] constexpr auto operator*(FixedRate fixed, const Key<Unit, by, shared>& key) {
    return Key<typename RateTimes<Unit>::Result, by, shared>(Tree::node(fixed.times, 0, 0, key.tree));
}
template <class Unit, Decider by, bool shared>
[[nodiscard]] constexpr auto operator/(const Key<Unit, by, shared>& key, CandidateRate) {
    return Key<typename OverRate<Unit>::Result, by>(Tree::node(Op::over_rate, 0, 0, key.tree));
}
template <class Unit, Decider by, bool shared>
[[nodiscard]] constexpr auto operator*(Ratio ratio, const Key<Unit, by, shared>& key) {
    return Key<Unit, by, shared>(Tree::node(Op::multiple, ratio.numerator, ratio.denominator, key.tree));
}
template <class Unit, Decider a, bool s, Decider b, bool t>
requires OneDecider<a, b>
[[nodiscard]] constexpr auto operator+(const Key<Unit, a, s>& first, const Key<Unit, b, t>& second) {
    return Key < Unit, joint<a, b>, s && t > (Tree::node(Op::plus, 0, 0, first.tree, second.tree));
}
template <class Unit, Decider a, bool s, Decider b, bool t>
requires OneDecider<a, b>
[[nodiscard]] constexpr auto operator-(const Key<Unit, a, s>& first, const Key<Unit, b, t>& second) {
    return Key < Unit, joint<a, b>, s && t > (Tree::node(Op::minus, 0, 0, first.tree, second.tree));
}

// ---- the value of a key over a set ----

template <Decider a, class Unit, Decider b, bool s>
requires OneDecider<a, b>
[[nodiscard]] constexpr auto least(const Set<a>& set, const Key<Unit, b, s>& key) {
    return Key<Unit, joint<a, b>, true>(Tree::node(Op::least, 0, 0, set.tree, key.tree));
}
template <Decider a, class Unit, Decider b, bool s>
requires OneDecider<a, b>
[[nodiscard]] constexpr auto greatest(const Set<a>& set, const Key<Unit, b, s>& key) {
    return Key<Unit, joint<a, b>, true>(Tree::node(Op::greatest, 0, 0, set.tree, key.tree));
}
/// The sum; 0 over no queues.
template <Decider a, class Unit, Decider b, bool s>
requires OneDecider<a, b>
[[nodiscard]] constexpr auto total(const Set<a>& set, const Key<Unit, b, s>& key) {
    return Key<Unit, joint<a, b>, true>(Tree::node(Op::total, 0, 0, set.tree, key.tree));
}
template <Decider a, class Unit, Decider b, bool s>
requires OneDecider<a, b>
[[nodiscard]] constexpr auto mean(const Set<a>& set, const Key<Unit, b, s>& key) {
    return Key<Unit, joint<a, b>, true>(Tree::node(Op::mean, 0, 0, set.tree, key.tree));
}

// ---- tests and conditions ----

/// A quantity of one unit beside one of another: a compiler error at the line of the policy that names both units.
template <class Unit, class Other>
concept Unlike = !std::same_as<Unit, Other>;
template <class U, Decider a, bool s, Unlike<U> V, Decider b, bool t>
void operator+(const Key<U, a, s>&, const Key<V, b, t>&) = delete;  // only quantities of one unit are added
template <class U, Decider a, bool s, Unlike<U> V, Decider b, bool t>
void operator-(const Key<U, a, s>&, const Key<V, b, t>&) = delete;  // only quantities of one unit are subtracted
template <class U, Decider a, bool s, Unlike<U> V, Decider b, bool t>
void operator<(const Key<U, a, s>&, const Key<V, b, t>&) = delete;  // only quantities of one unit are compared
template <class U, Decider a, bool s, Unlike<U> V, Decider b, bool t>
void operator<=(const Key<U, a, s>&, const Key<V, b, t>&) = delete;  // only quantities of one unit are compared
template <class U, Decider a, bool s, Unlike<U> V, Decider b, bool t>
void operator>(const Key<U, a, s>&, const Key<V, b, t>&) = delete;  // only quantities of one unit are compared
template <class U, Decider a, bool s, Unlike<U> V, Decider b, bool t>
void operator>=(const Key<U, a, s>&, const Key<V, b, t>&) = delete;  // only quantities of one unit are compared
template <class U, Decider a, bool s, Unlike<U> V, Decider b, bool t>
void operator==(const Key<U, a, s>&, const Key<V, b, t>&) = delete;  // only quantities of one unit are compared

template <class Unit, Decider a, bool s, Decider b, bool t>
requires OneDecider<a, b>
[[nodiscard]] constexpr auto operator<(const Key<Unit, a, s>& first, const Key<Unit, b, t>& second) {
    return Test < joint<a, b>, s && t > (Tree::node(Op::less, 0, 0, first.tree, second.tree));
}
template <class Unit, Decider a, bool s, Decider b, bool t>
requires OneDecider<a, b>
[[nodiscard]] constexpr auto operator<=(const Key<Unit, a, s>& first, const Key<Unit, b, t>& second) {
    return Test < joint<a, b>, s && t > (Tree::node(Op::less_equal, 0, 0, first.tree, second.tree));
}
template <class Unit, Decider a, bool s, Decider b, bool t>
[[nodiscard]] constexpr auto operator>(const Key<Unit, a, s>& first, const Key<Unit, b, t>& second) {
    return second < first;
}
template <class Unit, Decider a, bool s, Decider b, bool t>
[[nodiscard]] constexpr auto operator>=(const Key<Unit, a, s>& first, const Key<Unit, b, t>& second) {
    return second <= first;
}
template <class Unit, Decider a, bool s, Decider b, bool t>
requires OneDecider<a, b>
[[nodiscard]] constexpr auto operator==(const Key<Unit, a, s>& first, const Key<Unit, b, t>& second) {
    return Test < joint<a, b>, s && t > (Tree::node(Op::equal, 0, 0, first.tree, second.tree));
}
/// Both hold. The second is asked only if the first holds.
template <Decider a, bool s, Decider b, bool t>
requires OneDecider<a, b>
[[nodiscard]] constexpr auto operator&&(const Test<a, s>& first, const Test<b, t>& second) {
    return Test < joint<a, b>, s && t > (Tree::node(Op::both, 0, 0, first.tree, second.tree));
}
/// One holds. The second is asked only if the first does not hold.
template <Decider a, bool s, Decider b, bool t>
requires OneDecider<a, b>
[[nodiscard]] constexpr auto operator||(const Test<a, s>& first, const Test<b, t>& second) {
    return Test < joint<a, b>, s && t > (Tree::node(Op::either, 0, 0, first.tree, second.tree));
}
template <Decider a, bool s>
[[nodiscard]] constexpr auto operator!(const Test<a, s>& test) {
    return Test<a, s>(Tree::node(Op::negation, 0, 0, test.tree));
}

// ---- sets ----

template <Decider a, Decider b>
requires OneDecider<a, b>
[[nodiscard]] constexpr auto operator|(const Set<a>& first, const Set<b>& second) {
    return Set<joint<a, b>>(Tree::node(Op::unite, 0, 0, first.tree, second.tree));
}
template <Decider a, Decider b>
requires OneDecider<a, b>
[[nodiscard]] constexpr auto operator&(const Set<a>& first, const Set<b>& second) {
    return Set<joint<a, b>>(Tree::node(Op::intersect, 0, 0, first.tree, second.tree));
}
template <Decider a, Decider b, bool t>
requires OneDecider<a, b>
[[nodiscard]] constexpr auto where(const Set<a>& set, const Test<b, t>& test) {
    return Set<joint<a, b>>(Tree::node(Op::where, 0, 0, set.tree, test.tree));
}
/// The queues that an idle server may choose: not empty, or, under empty-target = conserved, with a task that waits.
template <Decider a>
[[nodiscard]] constexpr auto nonempty(const Set<a>& set) {
    return where(set, has_work);
}
template <Decider a, class Unit, Decider b, bool t>
requires OneDecider<a, b>
[[nodiscard]] constexpr auto argmin(const Set<a>& set, const Key<Unit, b, t>& key) {
    return Set<joint<a, b>>(Tree::node(Op::argmin, 0, 0, set.tree, key.tree));
}
template <Decider a, class Unit, Decider b, bool t>
requires OneDecider<a, b>
[[nodiscard]] constexpr auto argmax(const Set<a>& set, const Key<Unit, b, t>& key) {
    return Set<joint<a, b>>(Tree::node(Op::argmax, 0, 0, set.tree, key.tree));
}
template <Decider a>
[[nodiscard]] constexpr auto most_local(const Set<a>& set) {
    return Set<a>(Tree::node(Op::most_local, 0, 0, set.tree));
}
/// The first set unless it is empty, else the second, and so on.
template <Decider a, Decider b>
requires OneDecider<a, b>
[[nodiscard]] constexpr auto first_of(const Set<a>& first, const Set<b>& second) {
    return Set<joint<a, b>>(Tree::node(Op::first_of, 0, 0, first.tree, second.tree));
}
template <Decider a, Decider b, class... More>
[[nodiscard]] constexpr auto first_of(const Set<a>& first, const Set<b>& second, const More&... more) {
    return first_of(first, first_of(second, more...));
}
/// The first set if the condition holds, else the second.
template <Decider c, Decider a, Decider b>
requires OneDecider<a, b> && OneDecider<joint<a, b>, c>
[[nodiscard]] constexpr auto when(const Test<c, true>& condition, const Set<a>& then, const Set<b>& otherwise) {
    return Set<joint<joint<a, b>, c>>(Tree::node(Op::when, 0, 0, condition.tree, then.tree, otherwise.tree));
}
template <Decider c, Decider a, Decider b>
void when(const Test<c, false>&, const Set<a>&, const Set<b>&) = delete;  // a condition speaks of no single candidate
/// The body, in which `it` is the set: drawn once, however often the body names it.
template <Decider a, Decider b>
requires OneDecider<a, b>
[[nodiscard]] constexpr auto among(const Set<a>& set, const Set<b>& body) {
    return Set<joint<a, b>>(Tree::node(Op::among, 0, 0, set.tree, body.tree));
}

// Random sets.
/// `count` members, each subset of that size equally likely; all of them when there are fewer. Range: count >= 1.
template <Decider a>
[[nodiscard]] constexpr auto sample(std::int64_t count, const Set<a>& set) {
    if (count < 1) throw "a sample has at least one member";
    return Set<a>(Tree::node(Op::sample, count, 0, set.tree));
}
/// The `count` members of least key; which of those tied for the last places, equally likely. Range: count >= 1.
template <Decider a, class Unit, Decider b, bool t>
requires OneDecider<a, b>
[[nodiscard]] constexpr auto best(std::int64_t count, const Set<a>& set, const Key<Unit, b, t>& key) {
    if (count < 1) throw "the best few are at least one";
    return Set<joint<a, b>>(Tree::node(Op::best, count, 0, set.tree, key.tree));
}
/// The first set with this probability, else the second. Range: 0 < p < 1.
template <Decider a, Decider b>
requires OneDecider<a, b>
[[nodiscard]] constexpr auto mix(Ratio p, const Set<a>& first, const Set<b>& second) {
    if (p.numerator <= 0 || p.numerator >= p.denominator) throw "a probability is above 0 and below 1";
    return Set<joint<a, b>>(Tree::node(Op::mix, p.numerator, p.denominator, first.tree, second.tree));
}

// Sets that depend on how servers and types are numbered: no theorem that renames them holds for a policy with these.
/// The first `count` members in the order of their queues. Range: count >= 1.
template <Decider a>
[[nodiscard]] constexpr auto lowest(std::int64_t count, const Set<a>& set) {
    if (count < 1) throw "the first few are at least one";
    return Set<a>(Tree::node(Op::lowest, count, 0, set.tree));
}
/// Of an idle server m: the queues for the local tasks of servers m + first, ..., m + last, counted in a circle.
/// Range: 0 <= first <= last.
[[nodiscard]] constexpr Set<Decider::server> ring(std::int64_t first, std::int64_t last) {
    if (first < 0 || last < first) throw "a ring goes from an offset of at least zero to one not before it";
    return Set<Decider::server>(Tree::node(Op::ring, first, last));
}

}  // namespace schedproof::queueing::language
