/// Families of assignment problems: their names, and the symbols for loads, costs and a deadline.
///
/// Symbols are numbered loads first, by core, then costs by server and number of remote tasks, the deadline last;
/// `space` and `problem` share that order. Costs that are symbols have the premises 1 < g(1) <= g(2) <= ..., up to the
/// number of tasks, since no problem asks for more values. A statement that reads no costs gets g(n) = n + 1, so that
/// it is explored without symbols that cannot matter. A certificate stores a family by its name, which is why the name
/// has one spelling.
#include "proofs/assignment/theorems/symbolic_shape.hpp"

#include <fmt/format.h>

#include "model/core/errors.hpp"

namespace schedproof::assignment {

using explore::Affine;
using proof::LinearForm;

namespace {

CostFunction<Rational> parse_cost(std::string_view text) {
    std::vector<Rational> values;
    Rational slope;
    bool rising = false;
    for (std::size_t begin = 0, i = 0; i <= text.size(); ++i) {
        if (i < text.size() && text[i] != ',' && text[i] != '+') continue;
        const auto number = Rational::parse(text.substr(begin, i - begin));
        if (!number || rising) throw InputError::at_key("costs", "expected values and a slope, as in 3/2,2+1/2");
        rising = i < text.size() && text[i] == '+';
        values.push_back(*number);
        begin = i + 1;
        if (!rising) continue;
        const auto last = Rational::parse(text.substr(begin));
        if (!last) throw InputError::at_key("costs", "expected values and a slope, as in 3/2,2+1/2");
        slope = *last;
        break;
    }
    CostFunction<Rational> g(std::move(values), slope);
    if (const std::string wrong = fault(g, Rational(1)); !wrong.empty()) throw InputError::at_key("costs", wrong);
    return g;
}

}  // namespace

Family parse_family(std::string_view text) {
    if (const std::size_t at = text.find('@'); at != std::string_view::npos) {
        Family family = parse_family(text.substr(0, at));
        family.cost = parse_cost(text.substr(at + 1));
        return family;
    }
    const auto fail = [&](const std::string& expected) {
        throw InputError::at_key("shape", fmt::format("expected {}, in '{}'", expected, text));
    };
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos) fail("cores per server, a colon, replicas per task, as in 2,1:0/01");
    std::vector<std::uint32_t> cores;
    std::string_view left = text.substr(0, colon), right = text.substr(colon + 1);
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    for (std::size_t i = 0; i <= left.size(); ++i) {
        if (i == left.size() || !is_digit(left[i])) fail("the number of cores of each server, as in 2,1");
        std::uint32_t number = 0;
        for (; i < left.size() && is_digit(left[i]); ++i)
            number = std::min(1000U, number * 10 + static_cast<std::uint32_t>(left[i] - '0'));
        cores.push_back(number);
        if (i < left.size() && left[i] != ',') fail("a comma between numbers of cores");
    }
    Replicas replicas;
    std::vector<ServerId> holders;
    for (std::size_t i = 0; i <= right.size() && !right.empty(); ++i) {
        if (i == right.size() || right[i] == '/') {
            replicas.add(holders);
            holders.clear();
        } else if (is_digit(right[i])) {
            holders.emplace_back(static_cast<std::size_t>(right[i] - '0'));
        } else {
            fail("digits of servers, tasks separated by /");
        }
    }
    std::size_t total = 0;
    for (const std::uint32_t c : cores) total += c;
    if (cores.size() > 10 || total > 64 || replicas.tasks() > 64) fail("at most 10 servers, 64 cores and 64 tasks");
    return {std::make_shared<const Shape>(cores, std::move(replicas)), std::nullopt};
}

std::string name(const Family& family) {
    std::string text = name(*family.shape);
    if (!family.cost) return text;
    std::vector<std::string> values;
    for (const Rational& value : family.cost->values()) values.push_back(value.to_string());
    text += fmt::format("@{}", fmt::join(values, ","));
    return family.cost->slope().sign() == 0 ? text : text + "+" + family.cost->slope().to_string();
}

std::string name(const Shape& shape) {
    std::string text;
    for (const ServerId s : shape.servers()) text += fmt::format("{}{}", text.empty() ? "" : ",", shape.cores_of(s));
    text += ":";
    for (const TaskId t : shape.tasks()) {
        if (t.index() > 0) text += "/";
        for (const ServerId s : shape.replicas(t)) text += std::to_string(s.index());
    }
    return text;
}

proof::Space space(const Family& family, bool costs, bool deadline) {
    proof::Space space;
    const Shape& shape = *family.shape;
    for (const CoreId p : shape.cores()) {
        const ServerId s = shape.server_of(p);
        space.add(fmt::format("L[{}.{}]", s.index(), p.index() - shape.core(s, 0).index()), false, Rational(0));
    }
    if (costs && !family.cost)
        for (const ServerId s : shape.servers())
            for (std::size_t n = 1; n <= shape.tasks().size(); ++n) {
                const proof::Variable g = space.add(fmt::format("g[{}]({})", s.index(), n), false, std::nullopt);
                const LinearForm below = n == 1 ? LinearForm(Rational(1)) : LinearForm::variable(g - 1);
                space.premises.push_back({LinearForm::variable(g) - below, n == 1});
            }
    if (deadline) space.add("d", false, std::nullopt);
    return space;
}

SymbolicProblem problem(const Family& family, const std::vector<Affine>& symbols, bool costs, bool deadline) {
    const Shape& shape = *family.shape;
    const std::size_t cores = shape.cores().size(), tasks = shape.tasks().size();
    SymbolicProblem result;
    result.problem.shape = family.shape;
    result.problem.initial.assign(symbols.begin(), symbols.begin() + static_cast<std::ptrdiff_t>(cores));
    for (const ServerId s : shape.servers()) {
        std::vector<Affine> values;
        Affine slope(0);
        if (family.cost) {
            for (const Rational& value : family.cost->values()) values.emplace_back(value);
            slope = Affine(family.cost->slope());
        } else if (costs && tasks > 0) {
            const auto first = symbols.begin() + static_cast<std::ptrdiff_t>(cores + s.index() * tasks);
            values.assign(first, first + static_cast<std::ptrdiff_t>(tasks));
        } else {
            values.emplace_back(2);
            slope = Affine(1);
        }
        result.problem.costs.emplace_back(std::move(values), slope);
        result.problem.cost_of.push_back(static_cast<std::uint32_t>(s.index()));
    }
    if (deadline) result.deadline = symbols.back();
    return result;
}

Problem<Rational> at(const Family& family, const std::vector<Rational>& point, bool costs) {
    std::vector<Affine> constants;
    for (const Rational& value : point) constants.emplace_back(value);
    return constant_values(problem(family, constants, costs, false).problem);
}

Problem<Rational> constant_values(const Problem<Affine>& problem) {
    Problem<Rational> result;
    result.shape = problem.shape;
    for (const Affine& load : problem.initial) result.initial.push_back(load.constant());
    for (const auto& g : problem.costs) {
        std::vector<Rational> values;
        for (const Affine& value : g.values()) values.push_back(value.constant());
        result.costs.emplace_back(std::move(values), g.slope().constant());
    }
    result.cost_of = problem.cost_of;
    return result;
}

std::string describe(const CostFunction<Rational>& g) {
    std::vector<std::string> values;
    for (const Rational& value : g.values()) values.push_back(value.to_string());
    return fmt::format("({}; then {} more each)", fmt::join(values, ", "), g.slope().to_string());
}

std::string describe(const Shape& shape) {
    std::vector<std::string> cores, sets;
    for (const ServerId s : shape.servers()) cores.push_back(std::to_string(shape.cores_of(s)));
    for (const TaskId t : shape.tasks()) {
        std::vector<std::string> holders;
        for (const ServerId s : shape.replicas(t)) holders.push_back(std::to_string(s.index()));
        sets.push_back(fmt::format("{{{}}}", fmt::join(holders, ", ")));
    }
    return fmt::format("servers with {} cores, tasks with replicas on {}", fmt::join(cores, ", "),
                       fmt::join(sets, ", "));
}

}  // namespace schedproof::assignment
