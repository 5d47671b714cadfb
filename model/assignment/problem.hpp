/// An assignment problem in numbers: initial loads, the cost of a local task, costs of remote ones.
///
/// Templated on the number: int64 ticks (`CheckedInt`, overflow is an error) for large clusters, `Rational` for exact
/// answers, a symbolic form for statements about all loads and costs of a shape. Costs are the paper's, times the cost
/// of a local task, which is 1 in rationals and some number of ticks in integers.
/// Source: [jin2018], Section 3.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "model/assignment/shape.hpp"
#include "model/core/number.hpp"

namespace schedproof::assignment {

/// g_s: what each remote task costs on a server that has n of them. A table of the first values, then a slope: the
/// last value plus slope per further task. So tables, `1 + theta n`, `1 + theta min(n, cap)` and steps are all exact.
template <Number N>
class CostFunction {
  public:
    CostFunction() = default;
    /// Requires a first value.
    explicit CostFunction(std::vector<N> values, N slope = N(0))
        : values_(std::move(values)), slope_(std::move(slope)) {
        require(!values_.empty(), "a cost function has a first value");
    }
    /// Requires n >= 1: g(0) has no meaning.
    [[nodiscard]] N operator()(std::size_t n) const {
        return n <= values_.size() ? values_[n - 1]
                                   : values_.back() + times(static_cast<std::int64_t>(n - values_.size()), slope_);
    }
    [[nodiscard]] const std::vector<N>& values() const { return values_; }
    [[nodiscard]] const N& slope() const { return slope_; }
    friend bool operator==(const CostFunction&, const CostFunction&) = default;

  private:
    std::vector<N> values_;
    N slope_{0};
};

/// Why g is no cost function beside local tasks of cost `local`; empty when it is one: above `local` and never falling.
template <Number N>
[[nodiscard]] std::string fault(const CostFunction<N>& g, const N& local) {
    if (!(g(1) > local)) return "a remote task must cost more than a local one";
    for (std::size_t n = 1; n < g.values().size(); ++n)
        if (g.values()[n] < g.values()[n - 1]) return "costs must not fall: value " + std::to_string(n + 1) + " does";
    return g.slope() < N(0) ? "costs must not fall: the slope is negative" : "";
}

template <Number N>
struct Problem {
    std::shared_ptr<const Shape> shape;
    std::vector<N> initial;              ///< by core: load before any task is assigned, at least 0
    std::vector<CostFunction<N>> costs;  ///< different ones, each once
    std::vector<std::uint32_t> cost_of;  ///< by server: position in `costs`; empty when all have the first
    N local{1};                          ///< cost of a local task

    [[nodiscard]] const CostFunction<N>& cost(ServerId s) const {
        return costs[cost_of.empty() ? 0 : cost_of[s.index()]];
    }
    [[nodiscard]] const N& load(CoreId p) const { return initial[p.index()]; }
    /// A time that is given in parts of a local task's cost. Throws LimitExceeded when it is no whole number of ticks.
    [[nodiscard]] N time(const Rational& parts) const {
        if constexpr (std::same_as<N, CheckedInt>)
            return NumberTraits<CheckedInt>::coefficient(parts * Rational(local.value()));
        else
            return NumberTraits<N>::coefficient(parts) * local;
    }
};

/// Throws InputError when sizes do not match, a load is negative or a cost function has a fault.
template <Number N>
void validate(const Problem<N>& problem) {
    require(problem.shape != nullptr, "a problem has a shape");
    const auto check = [](bool holds, const char* key, std::size_t i, const std::string& expected) {
        if (!holds) throw InputError({"", 0, std::string(key) + "[" + std::to_string(i) + "]"}, expected);
    };
    if (problem.initial.size() != problem.shape->cores().size())
        throw InputError({"", 0, "loads"}, "expected one initial load per core");
    for (std::size_t p = 0; p < problem.initial.size(); ++p)
        check(problem.initial[p] >= N(0), "loads", p, "expected a load of at least 0");
    if (problem.costs.empty()) throw InputError({"", 0, "costs"}, "expected a cost function");
    for (std::size_t c = 0; c < problem.costs.size(); ++c) {
        const std::string wrong = fault(problem.costs[c], problem.local);
        check(wrong.empty(), "costs", c, wrong);
    }
    if (!problem.cost_of.empty() && problem.cost_of.size() != problem.shape->servers().size())
        throw InputError({"", 0, "costs"}, "expected a cost function per server");
    for (std::size_t s = 0; s < problem.cost_of.size(); ++s)
        check(problem.cost_of[s] < problem.costs.size(), "costs", s, "expected a known cost function");
}

/// The same problem in ticks of 1/`ticks` of a local task's cost. Throws InputError when a value is no whole number of
/// ticks, LimitExceeded when one, or a makespan that these values may add up to, exceeds 64 bits.
[[nodiscard]] Problem<CheckedInt> in_ticks(const Problem<Rational>& problem, const Integer& ticks);
/// The fewest ticks with which every value is whole.
[[nodiscard]] Integer least_ticks(const Problem<Rational>& problem);
/// The problem in parts of a local task's cost.
[[nodiscard]] Problem<Rational> in_rationals(const Problem<CheckedInt>& problem);

}  // namespace schedproof::assignment
