#include "proofs/explore/polynomial_search.hpp"

#include <z3++.h>

#include <functional>
#include <map>
#include <set>

#include "model/core/errors.hpp"
#include "proofs/linear_programs/linear_program.hpp"

namespace schedproof::explore {

using proof::Monomial;
using proof::Polynomial;
using proof::PolynomialLemma;
using proof::PolynomialProof;

std::optional<PolynomialProof> prove(const PolynomialLemma& lemma, unsigned degree) {
    // min sum of coefficients, subject to: per monomial, the products add up to the conclusion.
    std::vector<std::vector<std::uint32_t>> products;
    capacity::LinearProgram program;
    std::map<Monomial, capacity::LinearRow> rows;
    const std::function<void(std::vector<std::uint32_t>&, const Polynomial&)> extend =
        [&](std::vector<std::uint32_t>& factors, const Polynomial& product) {
            const std::uint32_t column = program.add_variable(Rational(1));
            products.push_back(factors);
            for (const auto& [monomial, c] : product.terms()) rows[monomial].entries.emplace_back(column, c);
            if (factors.size() == degree) return;
            for (std::uint32_t h = factors.empty() ? 0 : factors.back(); h < lemma.hypotheses.size(); ++h) {
                factors.push_back(h);
                extend(factors, product * lemma.hypotheses[h]);
                factors.pop_back();
            }
        };
    std::vector<std::uint32_t> none;
    extend(none, Polynomial(Rational(1)));
    for (const auto& [monomial, c] : lemma.conclusion.terms()) rows[monomial].rhs = c;
    for (auto& [monomial, row] : rows) program.rows.push_back(std::move(row));
    const auto solution = capacity::solve(program);
    if (!solution) return std::nullopt;
    PolynomialProof proof;
    for (std::size_t j = 0; j < products.size(); ++j)
        if (solution->x[j].sign() > 0) proof.terms.push_back({solution->x[j], products[j]});
    if (const std::string wrong = proof::rejection(lemma, proof); !wrong.empty())
        throw OracleConflict("a verified linear program gives no identity: " + wrong);
    return proof;
}

std::optional<bool> holds_by_solver(const PolynomialLemma& lemma, unsigned budget) {
    z3::context context;
    z3::solver solver(context, "QF_NRA");
    z3::params parameters(context);
    parameters.set("rlimit", budget);
    solver.set(parameters);
    std::vector<z3::expr> symbols, reciprocals;
    for (std::size_t s = 0; s < lemma.symbols.size(); ++s) {
        symbols.push_back(context.real_const(("x" + std::to_string(s)).c_str()));
        reciprocals.push_back(context.real_const(("y" + std::to_string(s)).c_str()));
    }
    // A symbol that is divided by is not zero.
    std::set<std::uint32_t> divisors;
    const auto note_divisors = [&](const Polynomial& polynomial) {
        for (const auto& [monomial, c] : polynomial.terms())
            for (const auto& [s, exponent] : monomial.powers())
                if (exponent < 0) divisors.insert(s);
    };
    for (const Polynomial& hypothesis : lemma.hypotheses) note_divisors(hypothesis);
    note_divisors(lemma.conclusion);
    for (const std::uint32_t s : divisors) solver.add(symbols[s] * reciprocals[s] == 1);
    const auto translate = [&](const Polynomial& polynomial) {
        z3::expr sum = context.real_val(0);
        for (const auto& [monomial, c] : polynomial.terms()) {
            z3::expr product = context.real_val(c.to_string().c_str());
            for (const auto& [s, exponent] : monomial.powers())
                for (int i = 0; i < std::abs(exponent); ++i)
                    product = product * (exponent > 0 ? symbols[s] : reciprocals[s]);
            sum = sum + product;
        }
        return sum;
    };
    for (const Polynomial& hypothesis : lemma.hypotheses) solver.add(translate(hypothesis) >= 0);
    solver.add(translate(lemma.conclusion) < 0);
    switch (solver.check()) {
        case z3::unsat:
            return true;
        case z3::sat:
            return false;
        case z3::unknown:
            break;
    }
    return std::nullopt;
}

}  // namespace schedproof::explore
