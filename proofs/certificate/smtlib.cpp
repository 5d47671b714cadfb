#include "proofs/certificate/smtlib.hpp"

namespace schedproof::proof {

namespace {

/// A real literal: `(- (/ 3 4))` with decimals, which the theory asks for.
std::string literal(const Rational& value) {
    const bool negative = value.sign() < 0;
    const Rational size = negative ? -value : value;
    std::string text = Rational(size.numerator()).to_string() + ".0";
    if (!size.is_integer()) text = "(/ " + text + " " + Rational(size.denominator()).to_string() + ".0)";
    return negative ? "(- " + text + ")" : text;
}

/// A quoted symbol holds neither `|` nor `\`; the number keeps names apart that differ in these only.
std::string symbol(const Space& space, Variable x) {
    std::string name = space.symbols[x].name;
    for (char& c : name)
        if (c == '|' || c == '\\' || static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) > 0x7e)
            c = '_';
    return "|" + std::to_string(x) + ":" + name + "|";
}

std::string term(const Space& space, const LinearForm& form) {
    std::string text = "(+ " + literal(form.constant());
    for (const auto& [x, c] : form.terms()) text += " (* " + literal(c) + " " + symbol(space, x) + ")";
    return form.is_constant() ? literal(form.constant()) : text + ")";
}

}  // namespace

std::string smtlib(const Space& space, std::span<const Constraint> constraints, const std::string& comment,
                   bool satisfiable) {
    std::string line = comment;
    for (char& c : line)
        if (static_cast<unsigned char>(c) < 0x20) c = ' ';
    std::string text = "; " + line + "\n(set-info :smt-lib-version 2.6)\n(set-info :status " +
                       (satisfiable ? "sat" : "unsat") + ")\n(set-logic QF_LRA)\n";
    for (Variable x = 0; x < space.symbols.size(); ++x) text += "(declare-const " + symbol(space, x) + " Real)\n";
    for (const Constraint& c : constraints)
        text += std::string("(assert (") + (c.strict ? ">" : ">=") + " " + term(space, c.form) + " 0.0))\n";
    return text + "(check-sat)\n(exit)\n";
}

void for_each_refutation(
    const ExploredProof& proof,
    const std::function<void(const std::string& what, std::span<const Constraint> constraints)>& visit) {
    std::size_t side = 0;
    for_each_closed(proof.space, proof.tree, [&](const Closed&, const std::vector<Constraint>& path) {
        visit("closed side " + std::to_string(side++), path);
    });
    for_each_leaf(proof.space, proof.tree, [&](std::uint32_t leaf, std::vector<Constraint>& path) {
        const std::size_t length = path.size();
        for (std::size_t i = 0; i < proof.leaves[leaf].size(); ++i) {
            const auto& against = proof.leaves[leaf][i].against;
            path.insert(path.end(), against.begin(), against.end());
            visit("leaf " + std::to_string(leaf) + ", obligation " + std::to_string(i),
                  with_products(proof.space, path));
            path.resize(length);
        }
    });
}

}  // namespace schedproof::proof
