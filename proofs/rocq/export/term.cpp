#include "proofs/rocq/export/term.hpp"

#include <fmt/core.h>

#include <utility>

namespace schedproof::rocq {

Term Term::integer(const Integer& z) {
    Term term(Kind::integer);
    term.number_ = Rational(z);
    return term;
}

Term Term::natural(std::size_t n, std::string scope) {
    Term term(Kind::natural);
    term.number_ = Rational(n);
    term.name_ = std::move(scope);
    return term;
}

Term Term::fraction(const Rational& q) {
    Term term(Kind::fraction);
    term.number_ = q;
    return term;
}

Term Term::list(std::vector<Term> parts, std::string scope) {
    Term term(Kind::list);
    term.parts_ = std::move(parts);
    term.name_ = std::move(scope);
    return term;
}

Term Term::pair(Term first, Term second) {
    Term term(Kind::pair);
    term.parts_ = {std::move(first), std::move(second)};
    return term;
}

Term Term::constructor(std::string name, std::optional<std::size_t> number, std::vector<Term> parts) {
    Term term(Kind::constructor);
    term.name_ = std::move(name);
    term.place_ = number;
    term.parts_ = std::move(parts);
    return term;
}

Term Term::record(std::vector<std::string> fields, std::vector<Term> parts) {
    Term term(Kind::record);
    term.fields_ = std::move(fields);
    term.parts_ = std::move(parts);
    return term;
}

/// As an argument of a constructor.
std::string Term::argument() const {
    const std::string own = text();
    const bool closed = own.find(' ') == std::string::npos || own.front() == '(' || own.front() == '[';
    return closed ? own : "(" + own + ")";
}

std::string Term::text(std::size_t indent) const {
    const std::string margin(indent, ' '), scope = name_.empty() ? "" : "%" + name_;
    const auto joined = [&](const char* separator) {
        std::string all;
        for (const Term& part : parts_) all += (all.empty() ? "" : separator) + part.text(indent);
        return all;
    };
    switch (kind_) {
        case Kind::integer:
            return number_.sign() < 0 ? "(" + number_.numerator().str() + ")" : number_.numerator().str();
        case Kind::natural:
            return number_.numerator().str() + scope;
        case Kind::fraction:
            return fmt::format("({} # {})%Q", number_.numerator().str(), number_.denominator().str());
        case Kind::list:
            return "[" + joined("; ") + "]" + scope;
        case Kind::pair:
            return "(" + joined(", ") + ")";
        case Kind::constructor:
            break;
        case Kind::record: {
            std::string lines;
            for (std::size_t i = 0; i < parts_.size(); ++i)
                lines +=
                    fmt::format("{}\n{}  {} := {}", i == 0 ? "" : ";", margin, fields_[i], parts_[i].text(indent + 2));
            return "{|" + lines + "\n" + margin + "|}";
        }
    }
    std::string call = name_;
    for (const Term& part : parts_) call += " " + part.argument();
    return call;
}

void Term::put_into(Stream& out) const {
    if (kind_ == Kind::integer || kind_ == Kind::natural || kind_ == Kind::fraction) out.put(number_.numerator());
    if (kind_ == Kind::fraction) out.put(number_.denominator());
    if (kind_ == Kind::list) out.put(parts_.size());
    if (place_) out.put(*place_);
    for (const Term& part : parts_) part.put_into(out);
}

}  // namespace schedproof::rocq
