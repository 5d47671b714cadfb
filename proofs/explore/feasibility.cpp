#include "proofs/explore/feasibility.hpp"

#include <z3++.h>

#include "model/core/errors.hpp"

namespace schedproof::explore {

/// The packaged Z3 answers a stack of small linear problems fastest with its `simple` solver.
class Feasibility::Solver {
  public:
    Solver(const proof::Space& space, std::uint64_t budget) : budget_(budget), solver_(context_, z3::solver::simple()) {
        z3::params parameters(context_);
        // Z3 reads the limit as 32 bits, and 0 as none.
        parameters.set("rlimit", static_cast<unsigned>(std::min<std::uint64_t>(budget, UINT32_MAX)));
        solver_.set(parameters);
        for (std::size_t x = 0; x < space.symbols.size(); ++x)
            symbols_.push_back(context_.real_const(("x" + std::to_string(x)).c_str()));
        for (const proof::Constraint& c : space.constraints()) solver_.add(translate(c));
    }

    void push(const proof::Constraint& constraint) {
        solver_.push();
        solver_.add(translate(constraint));
    }
    void pop(std::size_t levels) { solver_.pop(static_cast<unsigned>(levels)); }

    Answer check(std::vector<Rational>& witness) {
        if (budget_ == 0) return Answer::unknown;
        switch (solver_.check()) {
            case z3::unsat:
                return Answer::infeasible;
            case z3::unknown:
                return Answer::unknown;
            case z3::sat:
                break;
        }
        const z3::model model = solver_.get_model();
        witness.clear();
        for (const z3::expr& symbol : symbols_) {
            const z3::expr value = model.eval(symbol, true);
            const auto parsed = Rational::parse(value.get_decimal_string(0).empty() ? "0" : numeral(value),
                                                Rational::max_result_digits);
            if (!parsed) return Answer::unknown;
            witness.push_back(*parsed);
        }
        return Answer::feasible;
    }

  private:
    [[nodiscard]] static std::string numeral(const z3::expr& value) {
        return Z3_get_numeral_string(value.ctx(), value);
    }
    [[nodiscard]] z3::expr number(const Rational& value) { return context_.real_val(value.to_string().c_str()); }
    [[nodiscard]] z3::expr translate(const proof::Constraint& constraint) {
        z3::expr_vector terms(context_);
        for (const auto& [x, c] : constraint.form.terms())
            terms.push_back(c == Rational(1) ? symbols_[x] : number(c) * symbols_[x]);
        const z3::expr bound = number(-constraint.form.constant());
        const z3::expr left = terms.empty() ? number(Rational(0)) : z3::sum(terms);
        return constraint.strict ? left > bound : left >= bound;
    }

    std::uint64_t budget_;
    z3::context context_;
    z3::solver solver_;
    std::vector<z3::expr> symbols_;
};

Feasibility::Feasibility(const proof::Space& space, std::uint64_t budget)
    : solver_(std::make_unique<Solver>(space, budget)) {}
Feasibility::~Feasibility() = default;

void Feasibility::push(const proof::Constraint& constraint) { solver_->push(constraint); }
void Feasibility::pop(std::size_t levels) { solver_->pop(levels); }

Answer Feasibility::check() {
    ++questions_;
    return solver_->check(witness_);
}

}  // namespace schedproof::explore
