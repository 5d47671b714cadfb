/// Keys: what a rule knows of a candidate queue, as expressions whose units are types.
///
/// A key is a value without state, built from the primitives below by sums, differences, rational multiples and the
/// products that have a meaning: a rate times a number of tasks is a weight, a workload over a rate a weighted workload.
/// Like is compared with like, so a weight against a number of tasks does not compile. Rates enter numbers as integers
/// times a common denominator (rate_weights.hpp); the denominator belongs to the unit, so it is the same on both sides
/// of every comparison that compiles, in every execution mode, symbolic rates included.
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "model/queueing/ties.hpp"

namespace schedproof::queueing {

/// What a key counts.
namespace unit {
struct Tasks {};
struct Rate {};          ///< tasks per slot, of one server
struct Weight {};        ///< rate times tasks
struct Work {};          ///< tasks over rate: expected slots
struct WeightedWork {};  ///< work over rate
struct Cost {};          ///< marginal cost times rate
}  // namespace unit

/// A quotient of two whole numbers, the denominator positive: coefficients are never machine reals.
struct Ratio {
    std::int64_t numerator = 1;
    std::int64_t denominator = 1;
    consteval Ratio(std::int64_t n, std::int64_t d = 1)  // NOLINT(google-explicit-constructor)
        : numerator(d > 0 ? n : throw "the denominator of a coefficient is positive"), denominator(d) {}
};

namespace key {

/// The tag of every key of this language.
struct Base {};

/// An expression whose value at a candidate, times `denominator()`, is a number of the view.
template <class K>
concept Expression = std::derived_from<K, Base> && std::is_empty_v<typename K::Unit> && std::copyable<K>;

/// Q: tasks in the candidate's queue, with or without those in execution as the instance's option `counting` says.
struct Length : Base {
    using Unit = unit::Tasks;
    static constexpr std::int64_t denominator() { return 1; }
    template <class V>
    auto operator()(const V& now, const Candidate& c) const {
        return now.length(c.queue);
    }
};
/// mu: the rate at which the server in question would run the candidate's tasks.
struct RateOf : Base {
    using Unit = unit::Rate;
    static constexpr std::int64_t denominator() { return 1; }
    template <class V>
    auto operator()(const V& now, const Candidate& c) const {
        return now.rate(c);
    }
};
/// mu Q.
struct WeightedLength : Base {
    using Unit = unit::Weight;
    static constexpr std::int64_t denominator() { return 1; }
    template <class V>
    auto operator()(const V& now, const Candidate& c) const {
        return now.weighted_length(c);
    }
};
/// W_m / mu, W_m the workload of the queue's server.
struct WeightedWorkload : Base {
    using Unit = unit::WeightedWork;
    static constexpr std::int64_t denominator() { return 1; }
    template <class V>
    auto operator()(const V& now, const Candidate& c) const {
        return now.weighted_workload(c);
    }
};
/// C'(Q) mu.
struct MarginalCost : Base {
    using Unit = unit::Cost;
    static constexpr std::int64_t denominator() { return 1; }
    template <class V>
    auto operator()(const V& now, const Candidate& c) const {
        return now.marginal_cost(c);
    }
};

/// A number of tasks, of any candidate.
struct Constant : Base {
    using Unit = unit::Tasks;
    std::int64_t tasks;
    constexpr explicit Constant(std::int64_t n) : tasks(n) {}
    static constexpr std::int64_t denominator() { return 1; }
    template <class V>
    auto operator()(const V& now, const Candidate&) const {
        return now.tasks(tasks);
    }
};
/// The weight of a number of tasks: mu times it.
struct WeightOf : Base {
    using Unit = unit::Weight;
    std::int64_t tasks;
    constexpr explicit WeightOf(std::int64_t n) : tasks(n) {}
    static constexpr std::int64_t denominator() { return 1; }
    template <class V>
    auto operator()(const V& now, const Candidate& c) const {
        return now.times(tasks, now.rate(c));
    }
};

/// A rational multiple.
template <Expression K>
struct Multiple : Base {
    using Unit = typename K::Unit;
    std::int64_t factor, divisor;
    K of;
    constexpr Multiple(Ratio ratio, K k) : factor(ratio.numerator), divisor(ratio.denominator), of(k) {}
    [[nodiscard]] constexpr std::int64_t denominator() const { return divisor * of.denominator(); }
    template <class V>
    auto operator()(const V& now, const Candidate& c) const {
        return now.times(factor, of(now, c));
    }
};

/// The sum of two keys, or with `sign` -1 their difference.
template <Expression A, Expression B>
    requires std::same_as<typename A::Unit, typename B::Unit>
struct Sum : Base {
    using Unit = typename A::Unit;
    A a;
    B b;
    std::int64_t sign;
    constexpr Sum(A first, B second, std::int64_t s) : a(first), b(second), sign(s) {}
    [[nodiscard]] constexpr std::int64_t denominator() const { return a.denominator() * b.denominator(); }
    template <class V>
    auto operator()(const V& now, const Candidate& c) const {
        return now.times(b.denominator(), a(now, c)) + now.times(sign * a.denominator(), b(now, c));
    }
};

inline constexpr Length length;
inline constexpr RateOf rate;
inline constexpr WeightedLength weighted_length;
inline constexpr WeightedWorkload weighted_workload;
inline constexpr MarginalCost marginal_cost;
[[nodiscard]] constexpr Constant tasks(std::int64_t n) { return Constant(n); }

constexpr WeightedLength operator*(RateOf, Length) { return {}; }
constexpr WeightOf operator*(RateOf, Constant n) { return WeightOf(n.tasks); }
template <Expression K>
constexpr Multiple<K> operator*(Ratio ratio, K k) {
    return {ratio, k};
}
template <Expression A, Expression B>
constexpr Sum<A, B> operator+(A a, B b) {
    return {a, b, 1};
}
template <Expression A, Expression B>
constexpr Sum<A, B> operator-(A a, B b) {
    return {a, b, -1};
}

}  // namespace key
}  // namespace schedproof::queueing
