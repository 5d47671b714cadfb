/// Linear forms, and the check of a Farkas-Motzkin refutation.
///
/// A form keeps its terms sorted by variable and without zeros, so that a sum is one merge of two lists and equal forms
/// are equal values; most forms of a certificate have fewer than five terms, which small_vector holds in place.
/// The check adds the constraints with their multipliers and asks that all variables cancel: that is the whole trusted
/// step. `canonical` only serves the uniqueness of files: it scales the sum, replaces each constraint by the first one
/// equal to it, and drops what adds nothing, so that no number of a refutation can be altered without breaking it.
/// Cost: linear in the entries of the constraints used, times the rationals' digits.
#include "proofs/certificate/linear.hpp"

#include <algorithm>

#include "model/core/errors.hpp"

namespace schedproof::proof {

namespace {

bool is_one(const Rational& q) { return q.is_integer() && mpz_cmp_ui(mpq_numref(q.gmp()), 1) == 0; }

}  // namespace

LinearForm LinearForm::variable(Variable x) {
    LinearForm form;
    form.terms_.emplace_back(x, Rational(1));
    return form;
}

Rational LinearForm::coefficient(Variable x) const {
    const auto found =
        std::lower_bound(terms_.begin(), terms_.end(), x, [](const auto& term, Variable v) { return term.first < v; });
    return found != terms_.end() && found->first == x ? found->second : Rational();
}

Rational LinearForm::at(std::span<const Rational> point) const {
    Rational value = constant_;
    for (const auto& [x, c] : terms_) {
        require(x < point.size(), "a point needs a value for every variable");
        value += c * point[x];
    }
    return value;
}

LinearForm& LinearForm::operator*=(const Rational& factor) {
    if (is_one(factor)) return *this;
    if (factor.sign() == 0) return *this = LinearForm();
    constant_ *= factor;
    for (auto& [x, c] : terms_) c *= factor;
    return *this;
}

/// In place, since most sums here are of forms over the same few variables: a term is changed where it stands, and
/// factors of one, the bulk of all, cost no multiplication.
LinearForm& LinearForm::add(const Rational& factor, const LinearForm& other) {
    if (&other == this) return *this *= factor + Rational(1);
    if (factor.sign() == 0) return *this;
    const bool plain = is_one(factor);
    const auto accumulate = [&](Rational& sum, const Rational& value) {
        if (plain)
            sum += value;
        else
            sum += factor * value;
    };
    if (other.constant_.sign() != 0) accumulate(constant_, other.constant_);
    std::size_t at = 0;
    for (const auto& [x, c] : other.terms_) {
        while (at < terms_.size() && terms_[at].first < x) ++at;
        const auto place = terms_.begin() + static_cast<std::ptrdiff_t>(at);
        if (at == terms_.size() || place->first != x) {
            terms_.emplace(place, x, plain ? c : factor * c);
            ++at;
            continue;
        }
        accumulate(place->second, c);
        if (place->second.sign() == 0)
            terms_.erase(place);
        else
            ++at;
    }
    return *this;
}

bool Constraint::holds(std::span<const Rational> point) const {
    const int sign = form.at(point).sign();
    return strict ? sign > 0 : sign >= 0;
}

Constraint negation(const Constraint& c) { return {-c.form, !c.strict}; }

Variable Space::add(std::string name, bool integer, std::optional<Rational> lower) {
    symbols.push_back({std::move(name), integer, std::move(lower), std::nullopt});
    return static_cast<Variable>(symbols.size() - 1);
}

void Space::add_products() {
    const auto plain = static_cast<Variable>(symbols.size());
    for (Variable x = 0; x < plain; ++x)
        for (Variable y = x; y < plain; ++y) {
            const Symbol &first = symbols[x], &second = symbols[y];
            const bool integer = first.integer && second.integer;
            std::string name = x == y ? first.name + "^2" : first.name + " " + second.name;
            symbols.push_back({std::move(name), integer, std::nullopt, std::pair(x, y)});
        }
}

bool Space::products_are_sound() const {
    if (std::none_of(symbols.begin(), symbols.end(), [](const Symbol& symbol) { return symbol.product; })) return true;
    Space expected;
    for (const Symbol& symbol : symbols)
        if (!symbol.product) expected.symbols.push_back(symbol);
    expected.add_products();
    return expected.symbols == symbols;
}

LinearForm Space::product(const LinearForm& a, const LinearForm& b) const {
    LinearForm sum = a.constant() * b;
    sum.add(b.constant(), a);
    sum -= LinearForm(a.constant() * b.constant());
    for (const auto& [x, c] : a.terms())
        for (const auto& [y, d] : b.terms()) {
            const std::pair<Variable, Variable> factors = std::minmax(x, y);
            const auto found = std::find_if(symbols.begin(), symbols.end(),
                                            [&](const Symbol& symbol) { return symbol.product == factors; });
            require(found != symbols.end(), "a symbol for every product");
            sum.add(c * d, LinearForm::variable(static_cast<Variable>(found - symbols.begin())));
        }
    return sum;
}

std::vector<Constraint> with_products(const Space& space, std::vector<Constraint> constraints) {
    if (!space.has_products()) return constraints;
    const auto is_plain = [&](const Constraint& c) {
        return c.form.is_constant() || !space.symbols[c.form.terms().back().first].product;
    };
    constexpr std::size_t most = 500;
    const std::size_t given = constraints.size();
    if (given > most) throw LimitExceeded("500 constraints", "a path whose constraints are multiplied");
    for (std::size_t second = 0; second < given; ++second)
        for (std::size_t first = 0; first <= second; ++first)
            if (is_plain(constraints[first]) && is_plain(constraints[second]))
                constraints.push_back({space.product(constraints[first].form, constraints[second].form),
                                       constraints[first].strict && constraints[second].strict});
    return constraints;
}

std::vector<Constraint> Space::constraints() const {
    std::vector<Constraint> all;
    for (Variable x = 0; x < symbols.size(); ++x)
        if (symbols[x].lower) all.push_back({LinearForm::variable(x) - LinearForm(*symbols[x].lower), false});
    all.insert(all.end(), premises.begin(), premises.end());
    return all;
}

std::string rejection(std::span<const Constraint> constraints, const Multipliers& multipliers) {
    LinearForm sum;
    bool strict = false;
    for (const auto& [i, value] : multipliers) {
        if (i >= constraints.size()) return "a multiplier belongs to no constraint";
        if (value.sign() <= 0) return "a multiplier is not positive";
        sum.add(value, constraints[i].form);
        strict = strict || constraints[i].strict;
    }
    if (!sum.is_constant()) return "the combination of the constraints is not constant";
    if (sum.constant().sign() < 0 || (sum.constant().sign() == 0 && strict)) return "";
    return "the combination of the constraints is no contradiction";
}

Multipliers canonical(std::span<const Constraint> constraints, Multipliers multipliers) {
    Rational sum, strict;
    Multipliers kept;
    for (Multiplier& l : multipliers) {
        const Constraint& c = constraints[l.constraint];
        sum += l.value * c.form.constant();
        const bool empty = c.form.is_constant() && c.form.constant().sign() == 0;
        if (c.strict && empty) {
            const auto first = std::find(constraints.begin(), constraints.end(), c);
            return {{static_cast<std::uint32_t>(first - constraints.begin()), Rational(1)}};
        }
        if (!empty) kept.push_back(std::move(l));
    }
    for (const Multiplier& l : kept)
        if (constraints[l.constraint].strict) strict += l.value;
    const bool negative = sum.sign() < 0;
    const Rational scale = Rational(1) / (negative ? -sum : strict);
    for (Multiplier& l : kept) {
        l.value *= scale;
        // Where the combination is negative strictness is of no use, and any constraint of the same form does.
        const Constraint& own = constraints[l.constraint];
        const auto first = std::find_if(constraints.begin(), constraints.end(), [&](const Constraint& c) {
            return (negative || c.strict == own.strict) && c.form == own.form;
        });
        l.constraint = static_cast<std::uint32_t>(first - constraints.begin());
    }
    std::sort(kept.begin(), kept.end(), [](const auto& a, const auto& b) { return a.constraint < b.constraint; });
    Multipliers merged;
    for (Multiplier& l : kept)
        if (!merged.empty() && merged.back().constraint == l.constraint)
            merged.back().value += l.value;
        else
            merged.push_back(std::move(l));
    return merged;
}

std::string to_string(const LinearForm& form, const Space& space) {
    std::string text;
    const auto append = [&](const Rational& c, const std::string& name) {
        const bool negative = c.sign() < 0;
        text += text.empty() ? (negative ? "-" : "") : (negative ? " - " : " + ");
        const Rational size = negative ? -c : c;
        if (name.empty())
            text += size.to_string();
        else
            text += size == Rational(1) ? name : size.to_string() + " " + name;
    };
    for (const auto& [x, c] : form.terms()) append(c, space.symbols.at(x).name);
    if (form.constant().sign() != 0 || text.empty()) append(form.constant(), "");
    return text;
}

}  // namespace schedproof::proof
