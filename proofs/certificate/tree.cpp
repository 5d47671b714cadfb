#include "proofs/certificate/tree.hpp"

#include <algorithm>

#include "model/core/errors.hpp"

namespace schedproof::proof {

namespace {

/// Greatest common divisor of integral coefficients.
Integer content(const LinearForm& form) {
    Integer common = 0;
    for (const auto& [x, c] : form.terms()) common = gcd(common, c.numerator());
    return common;
}

bool ranges_over_integers(const Space& space, const LinearForm& form) {
    return std::all_of(form.terms().begin(), form.terms().end(),
                       [&](const auto& term) { return space.symbols.at(term.first).integer; });
}

}  // namespace

Constraint Atom::side(bool holds) const {
    if (holds) return {form - LinearForm(bound), strict};
    if (integer) return {LinearForm(bound - Rational(1)) - form, false};
    return {LinearForm(bound) - form, !strict};
}

Question normalise(const Space& space, const LinearForm& d, bool strict) {
    require(!d.is_constant(), "a comparison of constants is no question");
    std::vector<Rational> coefficients;
    for (const auto& [x, c] : d.terms()) coefficients.push_back(c);
    LinearForm form = Rational(common_denominator(coefficients)) * d;
    const Rational constant = form.constant();
    form -= LinearForm(constant);
    const bool positive = form.terms().front().second.sign() > 0;
    const Rational scale = Rational(Integer(positive ? 1 : -1), content(form));
    form *= scale;
    // d > 0  iff  form > -scale * constant, or, with the sign turned, iff  form < -scale * constant.
    const Rational bound = -(scale * constant);
    Atom atom{std::move(form), bound, positive ? strict : !strict, false};
    if (ranges_over_integers(space, atom.form)) {
        // The least integer that satisfies the atom.
        atom.bound = Rational(floor(bound));
        if (atom.strict || atom.bound < bound) atom.bound += Rational(1);
        atom.strict = false;
        atom.integer = true;
    }
    return {std::move(atom), positive};
}

std::string rejection(const Space& space, const Atom& atom) {
    if (atom.form.is_constant()) return "an atom asks nothing";
    if (atom.form.constant().sign() != 0) return "an atom's form has a constant";
    for (const auto& [x, c] : atom.form.terms()) {
        if (x >= space.symbols.size()) return "an atom has an unknown variable";
        if (!c.is_integer()) return "an atom has a coefficient that is not integral";
    }
    if (atom.form.terms().front().second.sign() < 0) return "an atom begins with a negative coefficient";
    if (content(atom.form) != 1) return "an atom's coefficients have a common divisor";
    if (atom.integer != ranges_over_integers(space, atom.form))
        return "an atom is tightened exactly when its variables are integers";
    if (atom.integer && (atom.strict || !atom.bound.is_integer())) return "a tightened atom has a fractional bound";
    return "";
}

namespace {

/// Walks the tree once; every node and leaf must be met exactly once.
class TreeChecker {
  public:
    TreeChecker(const Space& space, const Tree& tree)
        : space_(space),
          tree_(tree),
          path_(space.constraints()),
          node_met_(tree.nodes.size()),
          leaf_met_(tree.leaves) {}

    std::string check() {
        if (std::string wrong = check(tree_.root, 0); !wrong.empty()) return wrong;
        if (std::find(node_met_.begin(), node_met_.end(), false) != node_met_.end()) return "a node is not in the tree";
        if (std::find(leaf_met_.begin(), leaf_met_.end(), false) != leaf_met_.end()) return "a leaf is not in the tree";
        return "";
    }

  private:
    std::string check(const Side& side, std::size_t earliest) {
        if (const auto* leaf = std::get_if<ToLeaf>(&side)) return meet(leaf_met_, leaf->leaf, "leaf");
        if (const auto* closed = std::get_if<Closed>(&side)) {
            const std::string wrong = rejection(path_, closed->multipliers);
            return wrong.empty() ? "" : "a side is not shown to be empty: " + wrong;
        }
        if (++depth_ > max_depth) return "the tree is deeper than " + std::to_string(max_depth);
        const std::uint32_t index = std::get<ToNode>(side).node;
        if (index < earliest) return "a side leads back to an earlier node";
        if (std::string wrong = meet(node_met_, index, "node"); !wrong.empty()) return wrong;
        const Tree::Node& node = tree_.nodes[index];
        if (std::string wrong = rejection(space_, node.atom); !wrong.empty()) return wrong;
        for (const bool holds : {true, false}) {
            path_.push_back(node.atom.side(holds));
            if (std::string wrong = check(holds ? node.yes : node.no, index + 1); !wrong.empty()) return wrong;
            path_.pop_back();
        }
        --depth_;
        return "";
    }

    static std::string meet(std::vector<bool>& met, std::uint32_t index, const std::string& what) {
        if (index >= met.size()) return "a side leads to an unknown " + what;
        if (met[index]) return "two sides lead to the same " + what;
        met[index] = true;
        return "";
    }

    const Space& space_;
    const Tree& tree_;
    std::vector<Constraint> path_;
    std::vector<bool> node_met_;
    std::vector<bool> leaf_met_;
    std::size_t depth_ = 0;
};

}  // namespace

std::string rejection(const Space& space, const Tree& tree) { return TreeChecker(space, tree).check(); }

}  // namespace schedproof::proof
