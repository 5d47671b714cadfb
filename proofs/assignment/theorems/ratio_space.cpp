#include "proofs/assignment/theorems/ratio_space.hpp"

#include <fmt/core.h>

#include "proofs/assignment/theorems/symbolic_shape.hpp"

namespace schedproof::assignment {

using explore::Affine;
using proof::LinearForm;

RatioSpace::RatioSpace(std::shared_ptr<const Shape> shape, Costs costs)
    : shape_(std::move(shape)), costs_(std::move(costs)) {
    require(shape_->tasks().size() > 0, "a ratio of makespans needs a task");
    for (const CoreId p : shape_->cores()) {
        const ServerId s = shape_->server_of(p);
        space_.add(fmt::format("L[{}.{}]", s.index(), p.index() - shape_->core(s, 0).index()), false, Rational(0));
    }
    const proof::Variable unit = space_.add("u", false, Rational(0));
    space_.premises.push_back({LinearForm::variable(unit), true});
    if (costs_.kind == Costs::Kind::given) {
        if (costs_.functions.size() != 1 && costs_.functions.size() != shape_->servers().size())
            throw InputError::at_key("costs", "expected one cost function, or one per server");
        for (std::size_t c = 0; c < costs_.functions.size(); ++c)
            if (const std::string wrong = fault(costs_.functions[c], Rational(1)); !wrong.empty())
                throw InputError::at_key(fmt::format("costs[{}]", c), wrong);
        return;
    }
    const std::size_t functions = costs_.kind == Costs::Kind::common ? 1 : shape_->servers().size();
    for (std::size_t c = 0; c < functions; ++c)
        for (std::size_t n = 1; n <= shape_->tasks().size(); ++n) {
            const std::string of = costs_.kind == Costs::Kind::common ? "" : fmt::format("[{}]", c);
            const proof::Variable g = space_.add(fmt::format("g{}({})", of, n), false, std::nullopt);
            const proof::Variable before = n == 1 ? unit : g - 1;
            space_.premises.push_back({LinearForm::variable(g) - LinearForm::variable(before), n == 1});
        }
}

Problem<Affine> RatioSpace::problem(const std::vector<Affine>& symbols) const {
    const std::size_t cores = shape_->cores().size(), tasks = shape_->tasks().size();
    Problem<Affine> problem;
    problem.shape = shape_;
    problem.initial.assign(symbols.begin(), symbols.begin() + static_cast<std::ptrdiff_t>(cores));
    problem.local = symbols[cores];
    for (const CostFunction<Rational>& g : costs_.functions) {
        std::vector<Affine> values;
        for (const Rational& value : g.values()) values.push_back(value * problem.local);
        problem.costs.emplace_back(std::move(values), g.slope() * problem.local);
    }
    for (std::size_t first = cores + 1; first < symbols.size(); first += tasks) {
        const auto begin = symbols.begin() + static_cast<std::ptrdiff_t>(first);
        problem.costs.emplace_back(std::vector<Affine>(begin, begin + static_cast<std::ptrdiff_t>(tasks)));
    }
    if (problem.costs.size() > 1)
        for (std::uint32_t s = 0; s < problem.costs.size(); ++s) problem.cost_of.push_back(s);
    return problem;
}

Problem<Rational> RatioSpace::at(const std::vector<Rational>& point) const {
    const Rational& unit = point[shape_->cores().size()];
    require(unit.sign() > 0, "a local task costs something");
    std::vector<Affine> scaled;
    for (const Rational& value : point) scaled.emplace_back(value / unit);
    Problem<Rational> result = constant_values(problem(scaled));
    validate(result);
    return result;
}

Finishes finishes(const RatioSpace& space, const Assignment& assignment) {
    std::vector<Affine> symbols;
    for (proof::Variable x = 0; x < space.space().symbols.size(); ++x)
        symbols.emplace_back(LinearForm::variable(x), nullptr);
    const Totals<Affine> a = totals(space.problem(symbols), assignment);
    Finishes result;
    for (std::size_t p = 0; p < a.load.size(); ++p)
        if (a.tasks[p] > 0) result.push_back(a.load[p].form());
    return result;
}

}  // namespace schedproof::assignment
