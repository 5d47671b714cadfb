#include "model/assignment/problem.hpp"

namespace schedproof::assignment {

namespace {

/// The problem with every number replaced by what `convert(value, what)` makes of it.
template <Number To, Number From, class Convert>
Problem<To> mapped(const Problem<From>& problem, Convert&& convert) {
    Problem<To> result;
    result.shape = problem.shape;
    result.initial.reserve(problem.initial.size());
    for (std::size_t p = 0; p < problem.initial.size(); ++p)
        result.initial.push_back(convert(problem.initial[p], "loads", p));
    for (std::size_t c = 0; c < problem.costs.size(); ++c) {
        std::vector<To> values;
        for (const From& value : problem.costs[c].values()) values.push_back(convert(value, "costs", c));
        result.costs.emplace_back(std::move(values), convert(problem.costs[c].slope(), "costs", c));
    }
    result.cost_of = problem.cost_of;
    result.local = convert(problem.local, "local", 0);
    return result;
}

}  // namespace

Problem<CheckedInt> in_ticks(const Problem<Rational>& problem, const Integer& ticks) {
    const Rational scale(ticks);
    Problem<CheckedInt> result =
        mapped<CheckedInt>(problem, [&](const Rational& value, const char* key, std::size_t i) {
            const Rational scaled = value * scale;
            if (!scaled.is_integer())
                throw InputError::at_path({key, i},
                                          "expected a multiple of 1/" + ticks.str() + ", not " + value.to_string());
            return NumberTraits<CheckedInt>::coefficient(scaled);
        });
    // No load of any assignment exceeds the largest initial one plus all tasks at the dearest price.
    const auto tasks = static_cast<std::int64_t>(problem.shape->tasks().size());
    CheckedInt largest(0), dearest = result.local;
    for (const CheckedInt& load : result.initial) largest = std::max(largest, load);
    for (const auto& g : result.costs)
        if (tasks > 0) dearest = std::max(dearest, g(static_cast<std::size_t>(tasks)));
    (void)(largest + times(tasks, dearest) + dearest);
    return result;
}

Integer least_ticks(const Problem<Rational>& problem) {
    Integer ticks = lcm(common_denominator(problem.initial), problem.local.denominator());
    for (const auto& g : problem.costs)
        ticks = lcm(lcm(ticks, common_denominator(g.values())), g.slope().denominator());
    return ticks;
}

Problem<Rational> in_rationals(const Problem<CheckedInt>& problem) {
    const Rational unit(problem.local.value());
    return mapped<Rational>(problem,
                            [&](CheckedInt value, const char*, std::size_t) { return Rational(value.value()) / unit; });
}

}  // namespace schedproof::assignment
