#include "proofs/assignment/free_competitor.hpp"

#include <fmt/core.h>
#include <z3++.h>

#include <algorithm>

namespace schedproof::assignment {

using explore::Answer;
using proof::Constraint;
using proof::LinearForm;

class FreeCompetitor::Solver {
  public:
    Solver(const RatioSpace& space, std::uint64_t budget)
        : shape_(*space.shape()), solver_(context_, z3::solver::simple()) {
        z3::params parameters(context_);
        parameters.set("rlimit", static_cast<unsigned>(std::min<std::uint64_t>(budget, UINT32_MAX)));
        solver_.set(parameters);
        for (std::size_t x = 0; x < space.space().symbols.size(); ++x)
            symbols_.push_back(context_.real_const(fmt::format("x{}", x).c_str()));
        for (const Constraint& c : space.space().constraints()) solver_.add(translate(c));
        std::vector<explore::Affine> symbols;
        for (proof::Variable x = 0; x < symbols_.size(); ++x) symbols.emplace_back(LinearForm::variable(x), nullptr);
        place(space.problem(symbols));
    }

    z3::solver& solver() { return solver_; }
    [[nodiscard]] z3::expr translate(const Constraint& constraint) {
        const z3::expr form = translate(constraint.form), zero = context_.real_val(0);
        return constraint.strict ? form > zero : form >= zero;
    }
    z3::expr translate(const LinearForm& form) {
        z3::expr_vector terms(context_);
        terms.push_back(number(form.constant()));
        for (const auto& [x, c] : form.terms()) terms.push_back(number(c) * symbols_[x]);
        return z3::sum(terms);
    }
    z3::context& context() { return context_; }
    z3::expr number(const Rational& value) { return context_.real_val(value.to_string().c_str()); }

    [[nodiscard]] Assignment map(const z3::model& model) {
        Assignment result(shape_.tasks().size());
        for (const TaskId t : shape_.tasks())
            for (const CoreId p : shape_.cores())
                if (model.eval(on(t, p), true).is_true()) result[t.index()] = p;
        return result;
    }

  private:
    [[nodiscard]] z3::expr on(TaskId t, CoreId p) {
        return context_.bool_const(fmt::format("y_{}_{}", t.index(), p.index()).c_str());
    }
    [[nodiscard]] z3::expr time(TaskId t, CoreId p) {
        return context_.real_const(fmt::format("c_{}_{}", t.index(), p.index()).c_str());
    }
    /// Every map, the times of its tasks, and active cores that finish by 1.
    void place(const Problem<explore::Affine>& problem) {
        const z3::expr zero = context_.real_val(0), one = context_.real_val(1);
        for (const TaskId t : shape_.tasks()) {
            z3::expr_vector anywhere(context_);
            for (const CoreId p : shape_.cores()) {
                anywhere.push_back(on(t, p));
                solver_.add(time(t, p) >= zero);
                for (const CoreId other : shape_.cores())
                    if (other > p) solver_.add(!(on(t, p) && on(t, other)));
                if (shape_.is_local(t, shape_.server_of(p)))
                    solver_.add(z3::implies(on(t, p), time(t, p) >= translate(problem.local.form())));
            }
            solver_.add(z3::mk_or(anywhere));
        }
        for (const ServerId s : shape_.servers()) price(problem, s);
        for (const CoreId p : shape_.cores()) {
            z3::expr_vector load(context_);
            load.push_back(translate(problem.load(p).form()));
            for (const TaskId t : shape_.tasks()) load.push_back(time(t, p));
            for (const TaskId t : shape_.tasks()) solver_.add(z3::implies(on(t, p), z3::sum(load) <= one));
        }
    }
    /// With k or more remote tasks on the server, each of them takes the price of k: prices do not fall.
    void price(const Problem<explore::Affine>& problem, ServerId s) {
        std::vector<TaskId> remote;
        z3::expr_vector counted(context_);
        counted.push_back(context_.real_val(0));
        for (const TaskId t : shape_.tasks()) {
            if (shape_.is_local(t, s)) continue;
            remote.push_back(t);
            for (std::size_t i = 0; i < shape_.cores_of(s); ++i)
                counted.push_back(z3::ite(on(t, shape_.core(s, i)), context_.real_val(1), context_.real_val(0)));
        }
        for (std::size_t k = 1; k <= remote.size(); ++k) {
            const z3::expr least = translate(problem.cost(s)(k).form());
            const z3::expr many = context_.bool_const(fmt::format("n_{}_{}", s.index(), k).c_str());
            solver_.add(many == (z3::sum(counted) >= context_.real_val(static_cast<int>(k))));
            for (const TaskId t : remote)
                for (std::size_t i = 0; i < shape_.cores_of(s); ++i) {
                    const CoreId p = shape_.core(s, i);
                    solver_.add(z3::implies(on(t, p) && many, time(t, p) >= least));
                }
        }
    }

    const Shape& shape_;
    z3::context context_;
    z3::solver solver_;
    std::vector<z3::expr> symbols_;
};

FreeCompetitor::FreeCompetitor(const RatioSpace& space, std::uint64_t budget)
    : solver_(std::make_unique<Solver>(space, budget)) {}
FreeCompetitor::~FreeCompetitor() = default;

void FreeCompetitor::enter(const std::vector<Constraint>& cell) {
    solver_->solver().push();
    for (const Constraint& c : cell) solver_->solver().add(solver_->translate(c));
}
void FreeCompetitor::leave() { solver_->solver().pop(); }

FreeCompetitor::Found FreeCompetitor::exceeding(const Finishes& forms, const Rational& ratio, bool strictly) {
    ++questions_;
    z3::solver& solver = solver_->solver();
    z3::expr_vector any(solver_->context());
    for (const LinearForm& form : forms) any.push_back(solver_->translate({form - LinearForm(ratio), strictly}));
    solver.push();
    solver.add(z3::mk_or(any));
    Found found;
    const z3::check_result answer = solver.check();
    if (answer == z3::sat) {
        const z3::model model = solver.get_model();
        found.answer = Answer::feasible;
        found.map = solver_->map(model);
        for (unsigned i = 0; i < any.size(); ++i)
            if (model.eval(any[static_cast<int>(i)], true).is_true()) found.finish = forms[i];
    } else if (answer == z3::unsat) {
        found.answer = Answer::infeasible;
    }
    solver.pop();
    return found;
}

}  // namespace schedproof::assignment
