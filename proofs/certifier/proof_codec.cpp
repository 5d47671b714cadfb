/// The shared parts of certificates as JSON text, and strictly back.
///
/// Text is written by hand and not through a JSON library, because the layout is part of the format: one node per line,
/// the same bytes for the same proof. Nodes are not numbered in the file: both directions walk the tree in the same
/// order, `yes` before `no`, so a side says only that a node follows. The reader walks with a stack of its own, since a
/// file decides how deep it is. Values are filled member by member: g++ 12 destroys a half-built aggregate when an
/// initialiser throws.
#include "proofs/certifier/proof_codec.hpp"

#include <fmt/core.h>

#include <cstdint>
#include <vector>

#include "model/core/errors.hpp"

namespace schedproof::certify {

using proof::Closed;
using proof::Constraint;
using proof::ExploredProof;
using proof::LinearForm;
using proof::Multipliers;
using proof::Obligation;
using proof::PolynomialProof;
using proof::Side;
using proof::Space;
using proof::ToLeaf;
using proof::ToNode;
using proof::Tree;
using proof::Variable;

std::string to_json(const Rational& value) { return '"' + value.to_string() + '"'; }

std::string to_json(const LinearForm& form) {
    std::string text = "[" + to_json(form.constant());
    for (const auto& [x, c] : form.terms()) text += fmt::format(", [{}, {}]", x, to_json(c));
    return text + "]";
}

namespace {

std::string word(bool value) { return value ? "true" : "false"; }

std::string multipliers_json(const Multipliers& multipliers) {
    return json_list(multipliers,
                     [](const auto& l) { return fmt::format("[{}, {}]", l.constraint, to_json(l.value)); });
}

std::string obligation_json(const Obligation& obligation) {
    return "{\"against\": " + json_list(obligation.against, [](const Constraint& c) { return to_json(c); }) +
           ", \"multipliers\": " + multipliers_json(obligation.multipliers) + "}";
}

std::string side_json(const ExploredProof& proof, const Side& side) {
    if (const auto* leaf = std::get_if<ToLeaf>(&side))
        return "{\"leaf\": " + json_list(proof.leaves.at(leaf->leaf), obligation_json) + "}";
    if (const auto* closed = std::get_if<Closed>(&side))
        return "{\"closed\": " + multipliers_json(closed->multipliers) + "}";
    return "\"node\"";
}

}  // namespace

std::string to_json(const Constraint& constraint) {
    return "{\"form\": " + to_json(constraint.form) + ", \"strict\": " + word(constraint.strict) + "}";
}

std::string to_json(const Space& space) {
    const auto symbol = [](const Space::Symbol& s) {
        return "{\"name\": " + json_string(s.name) + ", \"integer\": " + word(s.integer) +
               (s.lower ? ", \"lower\": " + to_json(*s.lower) : "") +
               (s.product ? fmt::format(", \"product\": [{}, {}]", s.product->first, s.product->second) : "") + "}";
    };
    return "{\"symbols\": " + json_list(space.symbols, symbol) +
           ", \"premises\": " + json_list(space.premises, [](const Constraint& c) { return to_json(c); }) + "}";
}

std::string to_json(const ExploredProof& proof) {
    const auto node = [&](const Tree::Node& n) {
        return "{\"form\": " + to_json(n.atom.form) + ", \"bound\": " + to_json(n.atom.bound) +
               ", \"strict\": " + word(n.atom.strict) + ", \"integer\": " + word(n.atom.integer) +
               ",\n         \"yes\": " + side_json(proof, n.yes) + ",\n         \"no\": " + side_json(proof, n.no) +
               "}";
    };
    return "{\"question\": " + json_string(proof.name) + ",\n     \"space\": " + to_json(proof.space) +
           ",\n     \"root\": " + side_json(proof, proof.tree.root) +
           ",\n     \"nodes\": " + json_list(proof.tree.nodes, node, ",\n        ") + "}";
}

std::vector<Rational> read_numbers(const StrictCursor& at) {
    std::vector<Rational> numbers;
    for (std::size_t i = 0; i < at.size(); ++i) numbers.push_back(at.item(i).number());
    return numbers;
}

LinearForm read_form(const StrictCursor& at) {
    const std::size_t size = at.size();
    if (size == 0) at.fail("expected a linear form: its constant, then pairs of variable and coefficient");
    LinearForm form(at.item(0).number());
    for (std::size_t i = 1; i < size; ++i) {
        const StrictCursor term = at.item(i);
        if (term.size() != 2) term.fail("expected a pair of variable and coefficient");
        const Variable x = term.item(0).index(max_index);
        if (!form.is_constant() && form.terms().back().first >= x) term.fail("expected ascending variables");
        const Rational c = term.item(1).number();
        if (c.sign() == 0) term.item(1).fail("expected a coefficient other than 0");
        form.append(x, c);
    }
    return form;
}

Constraint read_constraint(const StrictCursor& at) {
    Constraint constraint;
    constraint.form = read_form(at.member("form"));
    constraint.strict = at.member("strict").flag();
    return constraint;
}

namespace {

std::vector<Constraint> read_constraints(const StrictCursor& at) {
    std::vector<Constraint> all;
    for (std::size_t i = 0; i < at.size(); ++i) all.push_back(read_constraint(at.item(i)));
    return all;
}

Multipliers read_multipliers(const StrictCursor& at) {
    Multipliers all;
    for (std::size_t i = 0; i < at.size(); ++i) {
        const StrictCursor pair = at.item(i);
        if (pair.size() != 2) pair.fail("expected a pair of constraint and multiplier");
        const std::uint32_t constraint = pair.item(0).index(max_index);
        if (!all.empty() && all.back().constraint >= constraint) pair.fail("expected ascending constraints");
        Rational value = pair.item(1).number();
        all.push_back({constraint, std::move(value)});
    }
    return all;
}

/// Reads sides and nodes in the order of the tree; which node a side leads to follows from that order.
class TreeReader {
  public:
    TreeReader(const StrictCursor& nodes, ExploredProof& proof) : nodes_(nodes), size_(nodes.size()), proof_(proof) {}

    void read(const StrictCursor& root) {
        proof_.tree.nodes.resize(size_);
        proof_.tree.root = side(root);
        // A walk along the tree with the sides still to come; the last one is the next.
        while (!open_.empty()) {
            auto& [node, yes_done] = open_.back();
            const StrictCursor at = nodes_.item(node);
            Tree::Node& target = proof_.tree.nodes[node];
            if (!yes_done) {
                target.atom.form = read_form(at.member("form"));
                target.atom.bound = at.member("bound").number();
                target.atom.strict = at.member("strict").flag();
                target.atom.integer = at.member("integer").flag();
                yes_done = true;
                target.yes = side(at.member("yes"));
            } else {
                open_.pop_back();
                target.no = side(at.member("no"));
            }
        }
        if (next_ != size_) nodes_.fail(fmt::format("expected {} nodes, as many as sides lead to", next_));
        proof_.tree.leaves = static_cast<std::uint32_t>(proof_.leaves.size());
    }

  private:
    Side side(const StrictCursor& at) {
        if (at.is_text()) {
            if (at.text() != "node") at.fail("expected \"node\", or an object with leaf or closed");
            if (next_ == size_) at.fail("expected no side that leads to a node: there are no more nodes");
            open_.push_back({next_, false});
            return ToNode{static_cast<std::uint32_t>(next_++)};
        }
        if (at.has("closed")) return Closed{read_multipliers(at.member("closed"))};
        const StrictCursor list = at.member("leaf");
        std::vector<Obligation> obligations;
        for (std::size_t i = 0; i < list.size(); ++i) {
            const StrictCursor item = list.item(i);
            Obligation obligation;
            obligation.against = read_constraints(item.member("against"));
            obligation.multipliers = read_multipliers(item.member("multipliers"));
            obligations.push_back(std::move(obligation));
        }
        proof_.leaves.push_back(std::move(obligations));
        return ToLeaf{static_cast<std::uint32_t>(proof_.leaves.size() - 1)};
    }

    struct Open {
        std::size_t node;
        bool yes_done;
    };
    const StrictCursor& nodes_;
    std::size_t size_;
    ExploredProof& proof_;
    std::vector<Open> open_;
    std::size_t next_ = 0;
};

}  // namespace

Space read_space(const StrictCursor& at) {
    Space space;
    const StrictCursor symbols = at.member("symbols");
    for (std::size_t i = 0; i < symbols.size(); ++i) {
        const StrictCursor symbol = symbols.item(i);
        std::optional<Rational> lower;
        if (symbol.has("lower")) lower = symbol.member("lower").number();
        space.add(symbol.member("name").text(), symbol.member("integer").flag(), std::move(lower));
        if (!symbol.has("product")) continue;
        const StrictCursor factors = symbol.member("product");
        if (factors.size() != 2) factors.fail("expected the two symbols whose product this one is");
        space.symbols.back().product = {factors.item(0).index(max_index), factors.item(1).index(max_index)};
    }
    space.premises = read_constraints(at.member("premises"));
    return space;
}

ExploredProof read_proof(const StrictCursor& at) {
    ExploredProof proof;
    proof.name = at.member("question").text();
    proof.space = read_space(at.member("space"));
    const StrictCursor nodes = at.member("nodes"), root = at.member("root");
    TreeReader(nodes, proof).read(root);
    return proof;
}

std::vector<ExploredProof> read_proofs(const StrictCursor& at) {
    std::vector<ExploredProof> proofs;
    for (std::size_t i = 0; i < at.size(); ++i) proofs.push_back(read_proof(at.item(i)));
    return proofs;
}

std::string to_json(const std::vector<PolynomialProof>& lemmas) {
    const auto term = [](const PolynomialProof::Term& t) {
        const auto position = [](std::uint32_t factor) { return std::to_string(factor); };
        return "[" + certify::to_json(t.coefficient) + ", " + json_list(t.factors, position) + "]";
    };
    return json_list(
        lemmas, [&](const PolynomialProof& p) { return json_list(p.terms, term); }, ",\n      ");
}

std::vector<PolynomialProof> read_lemmas(const StrictCursor& at) {
    std::vector<PolynomialProof> lemmas;
    for (std::size_t i = 0; i < at.size(); ++i) {
        const StrictCursor terms = at.item(i);
        lemmas.emplace_back();
        for (std::size_t j = 0; j < terms.size(); ++j) {
            const StrictCursor term = terms.item(j);
            if (term.size() != 2) term.fail("expected a coefficient and a list of hypotheses");
            PolynomialProof::Term read;
            read.coefficient = term.item(0).number();
            const StrictCursor factors = term.item(1);
            if (factors.size() > max_degree) factors.fail(fmt::format("expected at most {} factors", max_degree));
            for (std::size_t k = 0; k < factors.size(); ++k) read.factors.push_back(factors.item(k).index(max_index));
            lemmas.back().terms.push_back(std::move(read));
        }
    }
    return lemmas;
}

}  // namespace schedproof::certify
