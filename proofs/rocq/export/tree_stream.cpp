/// Rocq checks refutations over integer vectors, so every constraint is multiplied by a positive number and multipliers
/// are divided by it; a list of multipliers is then brought to integers, which changes no refutation.
///
/// A constraint f >= 0 (or f > 0) with f = a x + b is written as (k a, -k b), read a x >= -b. k makes all numbers
/// integral; for the drift at a leaf it makes a and b coprime besides, because Rocq computes that form itself and knows
/// its own multiple of it only in lowest terms. On a path the constraints are listed newest first, those of the space
/// last: that is how the walk of Program.v keeps them.
#include "proofs/rocq/export/tree_stream.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "model/core/errors.hpp"

namespace schedproof::rocq {

using proof::Constraint;
using proof::ExploredProof;
using proof::LinearForm;
using proof::Multipliers;
using proof::Side;

void Stream::put(const Integer& z) {
    Integer left = 2 * abs(z) + (z < 0 ? 1 : 0);
    while (left >= 128) {
        bytes_.push_back(static_cast<std::uint8_t>(128 + static_cast<unsigned>(left % 128)));
        left /= 128;
    }
    bytes_.push_back(static_cast<std::uint8_t>(left));
}

void Stream::put_sparse(const std::vector<Integer>& entries) {
    put(std::count_if(entries.begin(), entries.end(), [](const Integer& z) { return z != 0; }));
    std::size_t gap = 0;
    for (const Integer& z : entries) {
        if (z == 0) {
            ++gap;
            continue;
        }
        put(gap);
        put(z);
        gap = 0;
    }
}

void Stream::append(const Stream& other) { bytes_.insert(bytes_.end(), other.bytes_.begin(), other.bytes_.end()); }

std::string Stream::words() const {
    constexpr std::size_t bytes_of_word = 7;
    std::string text = "[|";
    for (std::size_t i = 0; i < bytes_.size(); i += bytes_of_word) {
        std::uint64_t word = 0;
        for (std::size_t k = bytes_of_word; k-- > 0;)  // a number that does not end is none
            word = word << 8U | (i + k < bytes_.size() ? bytes_[i + k] : 128U);
        text += fmt::format("{}{:#x}", i == 0 ? "" : ";", word);
    }
    return text + " | 0 |]";
}

namespace {

enum class Terms { integral, lowest };

/// What the constraint is multiplied by.
Rational factor(const LinearForm& form, Terms terms) {
    std::vector<Rational> numbers{form.constant()};
    for (const auto& [x, c] : form.terms()) numbers.push_back(c);
    Rational scale(common_denominator(numbers));
    if (terms == Terms::integral) return scale;
    Integer divisor = 0;
    for (const Rational& number : numbers) divisor = gcd(divisor, (number * scale).numerator());
    return divisor == 0 ? scale : scale / Rational(divisor);
}

std::vector<Integer> coefficients(const LinearForm& form, const Rational& scale) {
    std::vector<Integer> entries;
    for (const auto& [x, c] : form.terms()) {
        entries.resize(x + 1);
        entries[x] = (c * scale).numerator();
    }
    return entries;
}

/// A constraint of a path as it is written.
struct Written {
    Rational factor;    ///< what it is multiplied by
    bool plain = true;  ///< mentions no symbol that is a product, so that it may be multiplied itself
};

/// Where the constraint at a position of the certificate's list stands, newest first.
std::size_t newest_first(const std::vector<Written>& list, std::size_t position) { return list.size() - 1 - position; }

/// The two constraints whose product stands at a position behind the list: see proof::with_products.
std::pair<std::size_t, std::size_t> multiplied(const std::vector<Written>& list, std::size_t position) {
    std::size_t next = list.size();
    for (std::size_t second = 0; second < list.size(); ++second)
        for (std::size_t first = 0; first <= second; ++first)
            if (list[first].plain && list[second].plain && next++ == position) return {first, second};
    throw ContractViolation("a multiplier belongs to no constraint");
}

/// Of products first, which go before the constraints, and then of constraints in the order of a certificate.
/// `put_products` is given the positions of the factors of each product that is used, and may write them.
template <class PutProducts>
void put_multipliers(Stream& out, const Multipliers& multipliers, const std::vector<Written>& list,
                     PutProducts put_products) {
    std::vector<Rational> scaled;
    std::vector<std::pair<std::size_t, std::size_t>> products;
    for (const auto& m : multipliers)
        if (m.constraint < list.size()) {
            scaled.push_back(m.value / list[m.constraint].factor);
        } else {
            products.push_back(multiplied(list, m.constraint));
            scaled.push_back(m.value / (list[products.back().first].factor * list[products.back().second].factor));
        }
    put_products(products);
    const Rational scale(common_denominator(scaled));
    std::vector<Integer> entries(products.size() + list.size());
    std::size_t product = 0;
    for (std::size_t i = 0; i < multipliers.size(); ++i) {
        const std::size_t at = multipliers[i].constraint;
        entries[at < list.size() ? products.size() + newest_first(list, at) : product++] =
            (scaled[i] * scale).numerator();
    }
    while (!entries.empty() && entries.back() == 0) entries.pop_back();
    out.put_sparse(entries);
}

void put_multipliers(Stream& out, const Multipliers& multipliers, const std::vector<Written>& list) {
    put_multipliers(out, multipliers, list,
                    [](const auto& products) { require(products.empty(), "a refutation without products"); });
}

/// Writes a node's comparison; the sides of a tightened one are integral as they are.
Rational put_node(Stream& out, const proof::Atom& atom) {
    Rational scale(atom.bound.denominator());
    out.put_sparse(coefficients(atom.form, scale));
    out.put((atom.bound * scale).numerator());
    return scale;
}

constexpr int leaf_tag = 0, closed_tag = 1, node_tag = 2;

/// As it is written at level 1. Requires symbols of the space.
Written written(const proof::Space& space, const LinearForm& form) {
    if (form.is_constant()) return {factor(form, Terms::integral)};
    const proof::Variable last = form.terms().back().first;
    require(last < space.symbols.size(), "a constraint mentions symbols of its space");
    const bool plain = !space.symbols[last].product;
    return {factor(form, Terms::integral), plain};
}

/// Writes a tree, the side where the atom holds first; `put_leaf(leaf, path)` and `put_kind(atom)` differ.
template <class PutLeaf, class PutKind>
class TreeWriter {
  public:
    TreeWriter(Stream& out, const ExploredProof& proof, PutLeaf put_leaf, PutKind put_kind)
        : out_(out), space_(proof.space), tree_(proof.tree), put_leaf_(put_leaf), put_kind_(put_kind) {
        for (const Constraint& c : proof.space.constraints()) path_.push_back(written(space_, c.form));
    }
    void write() { side(tree_.root); }

  private:
    void side(const Side& at) {
        if (const auto* leaf = std::get_if<proof::ToLeaf>(&at)) {
            out_.put(leaf_tag);
            put_leaf_(leaf->leaf, path_);
        } else if (const auto* closed = std::get_if<proof::Closed>(&at)) {
            out_.put(closed_tag);
            put_multipliers(out_, closed->multipliers, path_);
        } else {
            const proof::Tree::Node& node = tree_.nodes[std::get<proof::ToNode>(at).node];
            out_.put(node_tag);
            path_.push_back(written(space_, node.atom.form));
            path_.back().factor = put_node(out_, node.atom);
            put_kind_(node.atom);
            side(node.yes);
            side(node.no);
            path_.pop_back();
        }
    }

    Stream& out_;
    const proof::Space& space_;
    const proof::Tree& tree_;
    std::vector<Written> path_;
    PutLeaf put_leaf_;
    PutKind put_kind_;
};

/// `a x >= b`, or `>`: coefficients, bound, strictness.
void put_constraint(Stream& out, const proof::Space& space, const Constraint& c) {
    const Rational scale = written(space, c.form).factor;
    out.put_sparse(coefficients(c.form, scale));
    out.put((-(c.form.constant() * scale)).numerator());
    out.put(c.strict ? 1 : 0);
}

void put_newest_first(Stream& out, const proof::Space& space, const std::vector<Constraint>& constraints) {
    out.put(constraints.size());
    for (auto c = constraints.rbegin(); c != constraints.rend(); ++c) put_constraint(out, space, *c);
}

}  // namespace

Stream leaf_trees(const std::vector<const ExploredProof*>& proofs, const LeafClaim& claimed) {
    Stream out;
    out.put(proofs.empty() ? 0 : proofs.front()->space.symbols.size());
    out.put(proofs.size());
    for (const ExploredProof* proof : proofs) {
        const auto put_leaf = [&](std::uint32_t leaf, std::vector<Written> list) {
            require(proof->leaves.at(leaf).size() == claimed.of, "a leaf has as many obligations as its kind says");
            const proof::Obligation& claim = proof->leaves[leaf][claimed.obligation];
            require(claim.against.size() == 2, "an obligation is about a measure and a drift");
            list.push_back({claimed.measure_scale});
            list.push_back({factor(claim.against[1].form, Terms::lowest)});
            put_multipliers(out, claim.multipliers, list);
        };
        TreeWriter(out, *proof, put_leaf, [](const proof::Atom&) {}).write();
    }
    return out;
}

Stream cells(const std::vector<ExploredProof>& proofs) {
    Stream out;
    out.put(proofs.size());
    for (const ExploredProof& proof : proofs) {
        const auto& symbols = proof.space.symbols;
        const auto plain = std::count_if(symbols.begin(), symbols.end(), [](const auto& s) { return !s.product; });
        out.put(plain);
        for (const auto& symbol : symbols)
            if (!symbol.product) out.put(symbol.integer ? 1 : 0);
        out.put(proof.space.has_products() ? 1 : 0);
        put_newest_first(out, proof.space, proof.space.constraints());
        const auto put_leaf = [&](std::uint32_t leaf, const std::vector<Written>& path) {
            out.put(proof.leaves.at(leaf).size());
            for (const proof::Obligation& claim : proof.leaves[leaf]) {
                put_newest_first(out, proof.space, claim.against);
                std::vector<Written> all = path;
                for (const Constraint& c : claim.against) all.push_back(written(proof.space, c.form));
                put_multipliers(out, claim.multipliers, all, [&](const auto& products) {
                    require(products.empty() || proof.space.has_products(), "products in a space that has them");
                    out.put(products.size());
                    for (const auto& [first, second] : products) {
                        out.put(newest_first(all, first));
                        out.put(newest_first(all, second));
                    }
                });
            }
        };
        const auto put_kind = [&](const proof::Atom& atom) {
            out.put(atom.strict ? 1 : 0);
            out.put(atom.integer ? 1 : 0);
        };
        TreeWriter(out, proof, put_leaf, put_kind).write();
    }
    return out;
}

}  // namespace schedproof::rocq
