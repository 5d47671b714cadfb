/// What is exported, as data: Rocq reads it as a term, the extracted checker as integers.
///
/// As integers a fraction is numerator and denominator, a list its length and its parts, a constructor its number among
/// those of its type, where it has any, and its parts, a record or a pair its parts. Statements.v reads them.
#pragma once

#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "model/core/rational.hpp"
#include "proofs/rocq/export/tree_stream.hpp"

namespace schedproof::rocq {

class Term {
  public:
    /// Of the type Z.
    static Term integer(const Integer& z);
    /// `scope`, such as "nat", stands behind the text where its surroundings have another.
    static Term natural(std::size_t n, std::string scope = "");
    static Term fraction(const Rational& q);
    static Term list(std::vector<Term> parts, std::string scope = "");
    static Term pair(Term first, Term second);
    /// `number`: its place in its type; none for the only constructor.
    static Term constructor(std::string name, std::optional<std::size_t> number, std::vector<Term> parts = {});
    static Term record(std::vector<std::string> fields, std::vector<Term> parts);

    /// `indent`: of the line on which a record begins.
    [[nodiscard]] std::string text(std::size_t indent = 0) const;
    void put_into(Stream& out) const;

  private:
    enum class Kind : std::uint8_t { integer, natural, fraction, list, pair, constructor, record };
    explicit Term(Kind kind) : kind_(kind) {}
    [[nodiscard]] std::string argument() const;

    Kind kind_;
    Rational number_;
    std::string name_;  ///< of a constructor; else the scope
    std::optional<std::size_t> place_;
    std::vector<std::string> fields_;
    std::vector<Term> parts_;
};

/// A term, or why there is none.
using MaybeTerm = tl::expected<Term, std::string>;

}  // namespace schedproof::rocq
