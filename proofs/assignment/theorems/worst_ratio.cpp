/// Certificates of worst ratios: their questions, their approaches, their words.
///
/// The least makespan is at most v exactly when some competitor finishes every active core by v. So "the makespan is at
/// most r times the least" is, on each path and for each finish f of the policy and each competitor with cores c_1,
/// ..., the obligation {f > r c_1, f > r c_2, ...}: linear, for r is a number. With f >= r c_i in its place the
/// makespan is shown to be below r times the least.
///
/// An approach is a line of problems. On it every number is affine in t, and a comparison of such numbers has one
/// answer for all small t > 0, or for all large t. So one run of the code with this answer is its run on all problems
/// near the end of the line; its finish times a + b t, and the competitor's, tend to a as t -> 0, and grow like b t as
/// t grows. The optimum is at most what the competitor comes to, so the ratio comes at least as near to the theorem's
/// number.
#include "proofs/assignment/theorems/worst_ratio.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/assignment/cost.hpp"
#include "model/core/errors.hpp"
#include "proofs/assignment/theorems/competitors.hpp"
#include "proofs/assignment/theorems/shape_range.hpp"
#include "proofs/assignment/theorems/symbolic_shape.hpp"
#include "proofs/certifier/binding.hpp"

namespace schedproof::assignment {

using explore::Affine;
using proof::Constraint;
using proof::LinearForm;

namespace {

/// Most comparisons of one run along an approach: the floor of a value that grows without end asks for ever.
constexpr std::size_t most_comparisons = 100'000;

/// Answers as all points t of a line do near its end. Every comparison is one of t with a number.
class EndOfLine final : public explore::Decider {
  public:
    EndOfLine(const proof::Space& line, bool far) : Decider(line), far_(far) {}

  private:
    [[nodiscard]] bool choose(const proof::Atom& atom) override {
        if (++asked_ > most_comparisons) throw LimitExceeded("approach", "a run that compares without end");
        return far_ || atom.bound.sign() <= 0;
    }
    bool far_;
    std::size_t asked_ = 0;
};

proof::Space line() {
    proof::Space space;
    (void)space.add("t", false, Rational(0));
    return space;
}

LinearForm on_line(const Rational& from, const Rational& direction) {
    LinearForm form(from);
    if (direction.sign() != 0) form.append(0, direction);
    return form;
}

/// Whether a + b t > 0 (strict) or >= 0 near the end of the line.
bool holds_near_end(const LinearForm& form, bool strict, bool far) {
    const Rational &a = form.constant(), b = form.coefficient(0);
    const int first = far ? b.sign() : a.sign(), second = far ? a.sign() : b.sign();
    return first > 0 || (first == 0 && (strict ? second > 0 : second >= 0));
}

/// What the largest of the forms tends to; as a multiple of t when t grows.
Rational largest_near_end(const std::vector<Affine>& finish, bool far) {
    Rational largest;
    for (const Affine& value : finish)
        largest = std::max(largest, far ? value.form().coefficient(0) : value.form().constant());
    return largest;
}

std::string point_rejection(const RatioSpace& space, const Approach& approach) {
    const std::size_t symbols = space.space().symbols.size();
    if (approach.from.size() != symbols || approach.direction.size() != symbols)
        return "the approach has not one number per symbol";
    if (approach.from[space.unit()] != Rational(1) || approach.direction[space.unit()].sign() != 0)
        return "a local task of the approach does not cost 1";
    for (const Constraint& c : space.space().constraints()) {
        LinearForm form(c.form.constant());
        for (const auto& [x, factor] : c.form.terms())
            form.add(factor, on_line(approach.from[x], approach.direction[x]));
        if (!holds_near_end(form, c.strict, approach.far)) return "the approach leaves the problems of its shape";
    }
    const Shape& shape = *space.shape();
    if (approach.competitor.size() != shape.tasks().size() ||
        std::any_of(approach.competitor.begin(), approach.competitor.end(),
                    [&](CoreId p) { return p.index() >= shape.cores().size(); }))
        return "the competitor gives not every task a core of the shape";
    return "";
}

bool stays(const Approach& approach) {
    return std::all_of(approach.direction.begin(), approach.direction.end(),
                       [](const Rational& d) { return d.sign() == 0; });
}

explore::Question question(const SystemUnderTest& system_under_test, const std::shared_ptr<const Shape>& shape,
                           const WorstTheorem& theorem) {
    const auto space = std::make_shared<const RatioSpace>(shape, theorem.costs);
    const auto others = std::make_shared<std::vector<Finishes>>();
    for (const Assignment& map : competitors(*shape)) others->push_back(finishes(*space, map));
    const bool strict = !theorem.approach || theorem.attained();
    const auto body = [system_under_test, space, others, strict,
                       ratio = *theorem.ratio](const std::vector<Affine>& symbols) {
        std::vector<explore::Forbidden> forbidden;
        for (const Affine& finish : system_under_test.symbolic(space->problem(symbols)).finish)
            for (const Finishes& other : *others) {
                forbidden.emplace_back();
                for (const LinearForm& core : other) forbidden.back().push_back({finish.form() - ratio * core, strict});
            }
        return forbidden;
    };
    return {name(*shape), space->space(), body};
}

std::string numbers_text(const RatioSpace& space, const Approach& approach) {
    std::vector<std::string> values;
    const proof::Space along = line();
    for (std::size_t x = 0; x < approach.from.size(); ++x)
        if (x != space.unit())
            values.push_back(fmt::format("{} = {}", space.space().symbols[x].name,
                                         to_string(on_line(approach.from[x], approach.direction[x]), along)));
    return fmt::format("{}", fmt::join(values, ", "));
}

/// ` It is shown by 1,1:0/1 with L[0.0] = 0, L[1.0] = 2 + t, as t > 0 tends to 0, and the tasks on cores 0, 1.`
std::string approach_text(const WorstTheorem& theorem) {
    const Approach& approach = *theorem.approach;
    const RatioSpace space(parse_family(approach.shape).shape, theorem.costs);
    std::vector<std::size_t> cores;
    for (const CoreId p : approach.competitor) cores.push_back(p.index());
    const char* limit = stays(approach) ? "" : approach.far ? " as t grows without end," : " as t > 0 tends to 0,";
    return fmt::format(" It is shown by {} with {},{} and the tasks on cores {}.", approach.shape,
                       numbers_text(space, approach), limit, fmt::join(cores, ", "));
}

/// What a theorem must say beyond its questions; empty when right.
std::string arithmetic_rejection(const WorstCertificate& certificate) {
    const WorstTheorem& theorem = certificate.theorem;
    if (resolve_policy(certificate.policy) != certificate.policy) return "the policy is not named by its id";
    const AnyPolicy policy = make_policy(certificate.policy);
    if (wait_of(policy).has_value() != theorem.wait.has_value()) return "a wait is stated of the policies that wait";
    if (!policy.is_online() && theorem.counted == Counted::events) return "the policy has no event loop";
    if (!theorem.ratio && !theorem.approach) return "the theorem states nothing";
    if (theorem.ratio && theorem.ratio->sign() <= 0) return "the ratio is not positive";
    return "";
}

SystemUnderTest system_of(const WorstCertificate& certificate) {
    return registered_system(certificate.policy, certificate.theorem.wait.value_or(Rational(0)),
                             certificate.theorem.counted);
}

std::string formula_of(const CostFunction<Rational>& g) {
    const Rational theta = g.values().front() - Rational(1);
    if (g.values().size() == 1 && theta == g.slope()) return formula(AffineCost{theta, std::nullopt});
    return formula(TableCost{g.values(), g.slope()});
}

}  // namespace

bool WorstTheorem::attained() const { return approach && stays(*approach); }

std::vector<std::shared_ptr<const Shape>> shapes_of(const std::string& text) {
    if (text.find('=') != std::string::npos) return shapes(parse_shape_range(text));
    const Family family = parse_family(text);
    if (family.cost) throw InputError::at_key("shape", "expected no costs after the shape, in '" + text + "'");
    return {family.shape};
}

std::vector<explore::Question> questions(const SystemUnderTest& system_under_test, const WorstTheorem& theorem) {
    std::vector<explore::Question> all;
    if (!theorem.ratio) return all;
    for (const auto& shape : shapes_of(theorem.shapes)) all.push_back(question(system_under_test, shape, theorem));
    return all;
}

std::string approach_rejection(const SystemUnderTest& system_under_test, const WorstTheorem& theorem) {
    if (!theorem.approach) return "";
    const Approach& approach = *theorem.approach;
    const auto all = shapes_of(theorem.shapes);
    const auto shape = std::find_if(all.begin(), all.end(), [&](const auto& s) { return name(*s) == approach.shape; });
    if (shape == all.end()) return "the approach is on a shape of which the theorem does not speak";
    const RatioSpace space(*shape, theorem.costs);
    if (std::string wrong = point_rejection(space, approach); !wrong.empty()) return wrong;
    if (approach.far && stays(approach)) return "an approach that stays at one problem does not go far";

    const proof::Space along = line();
    EndOfLine decider(along, approach.far);
    std::vector<Affine> symbols;
    for (std::size_t x = 0; x < approach.from.size(); ++x)
        symbols.emplace_back(on_line(approach.from[x], approach.direction[x]), &decider);
    const Problem<Affine> problem = space.problem(symbols);
    const Totals<Affine> other = totals(problem, approach.competitor);
    std::vector<Affine> cores;
    for (std::size_t p = 0; p < other.load.size(); ++p)
        if (other.tasks[p] > 0) cores.push_back(other.load[p]);
    const Rational makespan = largest_near_end(system_under_test.symbolic(problem).finish, approach.far),
                   least = largest_near_end(cores, approach.far);
    if (theorem.ratio)
        return least.sign() > 0 && makespan == *theorem.ratio * least ? "" : "the approach does not lead to the ratio";
    return approach.far && least.sign() == 0 && makespan.sign() > 0 ? "" : "the ratio is bounded along the approach";
}

std::string makespan_text(const std::string& policy, const std::optional<Rational>& wait, Counted counted) {
    PolicyOptions options;
    if (wait) options.wait = *wait;
    const AnyPolicy made = make_policy(policy, options);
    const char* of = !made.is_online() ? "" : counted == Counted::events ? "the event loop of " : "the map of ";
    return fmt::format("the makespan of {}{}{}", of, policy, parameters_text(made));
}

std::string costs_text(const Costs& costs) {
    if (costs.kind == Costs::Kind::by_server) return "all costs of remote tasks, on each server its own";
    if (costs.kind == Costs::Kind::common) return "all costs of remote tasks, the same on all servers";
    std::vector<std::string> formulas;
    for (const CostFunction<Rational>& g : costs.functions) formulas.push_back(formula_of(g));
    return fmt::format("remote tasks that cost {}", fmt::join(formulas, ", and on the next server "));
}

std::string shapes_text(const std::string& text) {
    const auto all = shapes_of(text);
    if (text.find('=') == std::string::npos) return describe(*all.front());
    return fmt::format("all {} shapes of {}, in every order of servers and tasks, replicas in the order of the servers",
                       all.size(), text);
}

std::string statement(const WorstCertificate& certificate) {
    const WorstTheorem& theorem = certificate.theorem;
    const std::string makespan = makespan_text(certificate.policy, theorem.wait, theorem.counted),
                      where = shapes_text(theorem.shapes) + "; " + costs_text(theorem.costs);
    if (!theorem.ratio)
        return fmt::format("no factor bounds {} by the least one: {}, over all initial loads", makespan, where);
    const char* end = !theorem.approach    ? ""
                      : theorem.attained() ? "; it is attained"
                                           : "; it is approached and never attained";
    return fmt::format("{} is at most {} times the least, for all initial loads: {}{}", makespan,
                       theorem.ratio->to_string(), where, end);
}

std::string sentence(const WorstCertificate& certificate) {
    return statement(certificate) + "." +
           (certificate.theorem.approach ? approach_text(certificate.theorem) : std::string());
}

std::string rejection(const WorstCertificate& certificate) {
    if (std::string wrong = arithmetic_rejection(certificate); !wrong.empty()) return wrong;
    const SystemUnderTest system = system_of(certificate);
    if (std::string wrong = approach_rejection(system, certificate.theorem); !wrong.empty()) return wrong;
    return certify::rejection(questions(system, certificate.theorem), certificate.proofs);
}

}  // namespace schedproof::assignment
