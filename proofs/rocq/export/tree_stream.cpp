/// Rocq checks refutations over integer vectors, so every constraint is multiplied by a positive number and multipliers
/// are divided by it; a list of multipliers is then brought to integers, which changes no refutation.
///
/// A constraint f >= 0 (or f > 0) with f = a x + b is written as (k a, -k b), read a x >= -b. k makes all numbers
/// integral; for the drift at a leaf it makes a and b coprime besides, because Rocq computes that form itself and knows
/// its own multiple of it only in lowest terms. On a path the constraints are listed newest first, those of the space
/// last: that is how the walk of Program.v keeps them.
#include "proofs/rocq/export/tree_stream.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "model/core/errors.hpp"

namespace schedproof::rocq {

using proof::Constraint;
using proof::ExploredProof;
using proof::LinearForm;
using proof::Multipliers;
using proof::Side;

void Stream::put(std::int64_t z) {
    std::uint64_t left = 2 * static_cast<std::uint64_t>(z < 0 ? -z : z) + (z < 0 ? 1U : 0U);
    for (; left >= 128; left /= 128) bytes_.push_back(static_cast<std::uint8_t>(128 + left % 128));
    bytes_.push_back(static_cast<std::uint8_t>(left));
}

void Stream::put(const Integer& z) {
    static const Integer small = Integer(1) << 62U;
    if (-small < z && z < small) return put(static_cast<std::int64_t>(z));  // the bulk of all, without an allocation
    const Integer left = 2 * abs(z) + (z < 0 ? 1 : 0);
    constexpr std::size_t bits = 7, spare = 1;  // of a byte, the least significant first
    const std::size_t first = bytes_.size(), digits = mpz_sizeinbase(left.backend().data(), 2);
    bytes_.resize(first + (digits + bits - 1) / bits);
    mpz_export(&bytes_[first], nullptr, -1, 1, 0, spare, left.backend().data());
    for (std::size_t i = first; i + 1 < bytes_.size(); ++i) bytes_[i] |= 128U;
}

void Stream::append(const Stream& other) { bytes_.insert(bytes_.end(), other.bytes_.begin(), other.bytes_.end()); }

std::string Stream::words() const {
    constexpr std::size_t bytes_of_word = 7;
    std::string text = "[|";
    text.reserve(bytes_.size() * 3);
    std::array<char, 2 * bytes_of_word> digits{};
    for (std::size_t i = 0; i < bytes_.size(); i += bytes_of_word) {
        std::uint64_t word = 0;
        for (std::size_t k = bytes_of_word; k-- > 0;)  // a number that does not end is none
            word = word << 8U | (i + k < bytes_.size() ? bytes_[i + k] : 128U);
        text += i == 0 ? "0x" : ";0x";
        text.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), word, 16).ptr);
    }
    return text + " | 0 |]";
}

namespace {

bool is_small_integer(const Rational& q) { return q.is_integer() && mpz_fits_sint_p(mpq_numref(q.gmp())) != 0; }

/// q times the scale, which makes it integral, times a sign.
void put_scaled(Stream& out, const Rational& q, const Rational& scale, int sign = 1) {
    if (is_small_integer(q) && is_small_integer(scale))
        out.put(sign * std::int64_t{mpz_get_si(mpq_numref(q.gmp()))} * mpz_get_si(mpq_numref(scale.gmp())));
    else
        out.put((Rational(sign) * q * scale).numerator());
}

enum class Terms { integral, lowest };

/// What the constraint is multiplied by.
Rational factor(const LinearForm& form, Terms terms) {
    const auto is_integer = [](const auto& term) { return term.second.is_integer(); };
    if (terms == Terms::integral && form.constant().is_integer() &&
        std::all_of(form.terms().begin(), form.terms().end(), is_integer))
        return Rational(1);
    std::vector<Rational> numbers{form.constant()};
    for (const auto& [x, c] : form.terms()) numbers.push_back(c);
    Rational scale(common_denominator(numbers));
    if (terms == Terms::integral) return scale;
    Integer divisor = 0;
    for (const Rational& number : numbers) divisor = gcd(divisor, (number * scale).numerator());
    return divisor == 0 ? scale : scale / Rational(divisor);
}

/// Entries other than zero by ascending position, each after the number of zeros before it.
class Sparse {
  public:
    Sparse(Stream& out, std::size_t entries) : out_(out) { out_.put(entries); }
    void put(std::size_t position, const Rational& value, const Rational& scale) {
        out_.put(position - next_);
        put_scaled(out_, value, scale);
        next_ = position + 1;
    }

  private:
    Stream& out_;
    std::size_t next_ = 0;
};

void put_coefficients(Stream& out, const LinearForm& form, const Rational& scale) {
    Sparse entries(out, form.terms().size());
    for (const auto& [x, c] : form.terms()) entries.put(x, c, scale);
}

/// A constraint of a path as it is written.
struct Written {
    Rational factor;    ///< what it is multiplied by
    bool plain = true;  ///< mentions no symbol that is a product, so that it may be multiplied itself
};
using Path = std::vector<Written>;

/// Where the constraint at a position of the certificate's list stands, newest first.
std::size_t newest_first(const Path& list, std::size_t position) { return list.size() - 1 - position; }

/// The two constraints whose product stands at a position behind the list: see proof::with_products.
std::pair<std::size_t, std::size_t> multiplied(const Path& list, std::size_t position) {
    std::size_t next = list.size();
    for (std::size_t second = 0; second < list.size(); ++second)
        for (std::size_t first = 0; first <= second; ++first)
            if (list[first].plain && list[second].plain && next++ == position) return {first, second};
    throw ContractViolation("a multiplier belongs to no constraint");
}

/// Of products first, in their order, and then of constraints, newest first. `put_products` is given the positions of
/// the factors of each product that is used, and may write them.
template <class PutProducts>
void put_multipliers(Stream& out, const Multipliers& multipliers, const Path& list, PutProducts put_products) {
    std::vector<std::pair<std::size_t, std::size_t>> products;
    for (const auto& m : multipliers)
        if (m.constraint >= list.size()) products.push_back(multiplied(list, m.constraint));
    put_products(products);
    std::vector<std::pair<std::size_t, Rational>> entries;
    for (const auto& m : multipliers)
        if (m.constraint >= list.size()) {
            const auto& [first, second] = products[entries.size()];
            entries.emplace_back(entries.size(), m.value / (list[first].factor * list[second].factor));
        }
    for (const auto& m : multipliers)
        if (m.constraint < list.size())
            entries.emplace_back(products.size() + newest_first(list, m.constraint),
                                 m.value / list[m.constraint].factor);
    std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    Integer common = 1;
    for (const auto& [position, value] : entries)
        if (!value.is_integer()) common = lcm(common, value.denominator());
    const Rational scale(common);
    Sparse written(out, entries.size());
    for (const auto& [position, value] : entries) written.put(position, value, scale);
}

void put_multipliers(Stream& out, const Multipliers& multipliers, const Path& list) {
    put_multipliers(out, multipliers, list,
                    [](const auto& products) { require(products.empty(), "a refutation without products"); });
}

/// As it is written at level 1. Requires symbols of the space.
Written written(const proof::Space& space, const LinearForm& form) {
    if (form.is_constant()) return {factor(form, Terms::integral)};
    const proof::Variable last = form.terms().back().first;
    require(last < space.symbols.size(), "a constraint mentions symbols of its space");
    return {factor(form, Terms::integral), !space.symbols[last].product};
}

/// Writes a node's comparison; the sides of a tightened one are integral as they are.
Rational put_node(Stream& out, const proof::Atom& atom) {
    Rational scale(atom.bound.denominator());
    put_coefficients(out, atom.form, scale);
    put_scaled(out, atom.bound, scale);
    return scale;
}

constexpr int leaf_tag = 0, closed_tag = 1, node_tag = 2;

void put_flag(Stream& out, bool flag) { out.put(flag ? 1 : 0); }

/// `a x >= b`, or `>`: coefficients, bound, strictness. Of constraints that end a path, newest first.
void put_newest_first(Stream& out, const std::vector<Constraint>& constraints, const Path& path) {
    out.put(constraints.size());
    for (std::size_t i = constraints.size(); i-- > 0;) {
        const Constraint& c = constraints[i];
        const Rational& scale = path[path.size() - constraints.size() + i].factor;
        put_coefficients(out, c.form, scale);
        put_scaled(out, c.form.constant(), scale, -1);
        put_flag(out, c.strict);
    }
}

/// Writes a tree, the side where the atom holds first; `put_leaf(leaf, path)` and `put_kind(atom)` differ. What a leaf
/// appends to the path it takes away again.
template <class PutLeaf, class PutKind>
class TreeWriter {
  public:
    TreeWriter(Stream& out, const ExploredProof& proof, PutLeaf put_leaf, PutKind put_kind,
               const Rational& of_premises = Rational(1))
        : out_(out),
          space_(proof.space),
          tree_(proof.tree),
          base_(proof.space.constraints()),
          put_leaf_(put_leaf),
          put_kind_(put_kind) {
        for (const Constraint& c : base_) path_.push_back(written(space_, c.form));
        for (std::size_t i = base_.size() - space_.premises.size(); i < base_.size(); ++i)
            path_[i].factor *= of_premises;
    }
    /// The constraints of the space, which are no part of a tree.
    void write_base() { put_newest_first(out_, base_, path_); }
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
    std::vector<Constraint> base_;
    Path path_;
    PutLeaf put_leaf_;
    PutKind put_kind_;
};

/// What is excluded at a leaf, the constraints that are multiplied, and the multipliers.
void put_claim(Stream& out, const proof::Space& space, const proof::Obligation& claim, Path& path) {
    const std::size_t above = path.size();
    for (const Constraint& c : claim.against) path.push_back(written(space, c.form));
    put_newest_first(out, claim.against, path);
    put_multipliers(out, claim.multipliers, path, [&](const auto& products) {
        require(products.empty() || space.has_products(), "products in a space that has them");
        out.put(products.size());
        for (const auto& [first, second] : products) {
            out.put(newest_first(path, first));
            out.put(newest_first(path, second));
        }
    });
    path.resize(above);
}

}  // namespace

namespace {

/// How many symbols and how many trees, and the trees; what premises are multiplied by besides.
template <class PutLeaf>
Stream trees(const std::vector<const ExploredProof*>& proofs, PutLeaf put_leaf,
             const Rational& of_premises = Rational(1)) {
    Stream out;
    out.put(proofs.empty() ? 0 : proofs.front()->space.symbols.size());
    out.put(proofs.size());
    for (const ExploredProof* proof : proofs) {
        const auto put = [&](std::uint32_t leaf, Path& path) { put_leaf(out, proof->leaves.at(leaf), path); };
        TreeWriter(
            out, *proof, put, [](const proof::Atom&) {}, of_premises)
            .write();
    }
    return out;
}

}  // namespace

Stream leaf_trees(const std::vector<const ExploredProof*>& proofs, const LeafClaim& claimed) {
    return trees(proofs, [&](Stream& out, const std::vector<proof::Obligation>& leaf, Path& path) {
        if (leaf.empty()) return put_multipliers(out, {}, path);
        require(leaf.size() == claimed.of, "a leaf has as many obligations as its kind says");
        const proof::Obligation& claim = leaf[claimed.obligation];
        require(claim.against.size() == 2, "an obligation is about a measure and a drift");
        path.push_back({claimed.measure_scale});
        path.push_back({factor(claim.against[1].form, Terms::lowest)});
        put_multipliers(out, claim.multipliers, path);
        path.resize(path.size() - 2);
    });
}

Stream claim_trees(const std::vector<const ExploredProof*>& proofs, std::size_t between) {
    const auto put_leaf = [&](Stream& out, const std::vector<proof::Obligation>& leaf, Path& path) {
        require(leaf.size() <= 1, "a leaf has one obligation or none");
        proof::Obligation claim = leaf.empty() ? proof::Obligation{} : leaf.front();
        const std::size_t before = path.size();
        for (auto& multiplier : claim.multipliers)
            if (multiplier.constraint >= before)
                multiplier.constraint += static_cast<decltype(multiplier.constraint)>(between);
        path.resize(before + between, Written{Rational(1)});
        for (const Constraint& c : claim.against) path.push_back({factor(c.form, Terms::lowest)});
        put_multipliers(out, claim.multipliers, path);
        path.resize(before);
    };
    return trees(proofs, put_leaf, Rational(2));
}

Stream cells(const std::vector<ExploredProof>& proofs) {
    Stream out;
    out.put(proofs.size());
    for (const ExploredProof& proof : proofs) {
        const auto& symbols = proof.space.symbols;
        const auto is_plain = [](const proof::Space::Symbol& symbol) { return !symbol.product; };
        out.put(std::count_if(symbols.begin(), symbols.end(), is_plain));
        for (const auto& symbol : symbols)
            if (is_plain(symbol)) put_flag(out, symbol.integer);
        put_flag(out, proof.space.has_products());
        const auto put_leaf = [&](std::uint32_t leaf, Path& path) {
            out.put(proof.leaves.at(leaf).size());
            for (const proof::Obligation& claim : proof.leaves[leaf]) put_claim(out, proof.space, claim, path);
        };
        const auto put_kind = [&](const proof::Atom& atom) {
            put_flag(out, atom.strict);
            put_flag(out, atom.integer);
        };
        TreeWriter writer(out, proof, put_leaf, put_kind);
        writer.write_base();
        writer.write();
    }
    return out;
}

}  // namespace schedproof::rocq
