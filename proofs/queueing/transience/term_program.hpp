/// The linear program of a W whose drift is bounded term by term: variables are weights of parts of W and a number b_t
/// per term of the drift of -W; a row per alternative has b_t at least the expected change of -W in it plus the bounds
/// that it counts; and the sum of the b_t that none counts is minimised. Where the optimum is -delta, below 0, the
/// drift of W is at least delta. The program is solved exactly.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "proofs/linear_programs/linear_program.hpp"
#include "proofs/queueing/theorems/summands/terms.hpp"
#include "proofs/queueing/transience/transience_search.hpp"

namespace schedproof::queueing {

class TermProgram {
  public:
    using Column = std::uint32_t;
    /// Borrows the terms.
    explicit TermProgram(const Summands& summands) : summands_(&summands) {}

    /// A part of W with a weight of at least 0.
    Column add(LyapunovForm::Piece piece);
    /// Constants of all statuses, of any sign.
    void add_statuses();
    void add_row(capacity::LinearRow row) { program_.rows.push_back(std::move(row)); }
    /// The rows of all terms, after the weights. `fixed` is a part of W with the weight 1, if there is one;
    /// alternatives for which `is_excluded` says so have no row.
    void add_terms(const LyapunovForm* fixed, const std::function<bool(const Term&, const Alternative&)>& is_excluded);
    /// The sum of bounds of the terms is 1. After the rows of the terms.
    void make_one(const std::function<bool(const Term&)>& is_counted);

    struct Found {
        Rational delta;
        std::vector<Rational> weights;  ///< of the parts, in the order in which they were added
        std::vector<Rational> bounds;   ///< by term
    };
    /// The optimum; nothing where it is not above 0, or there is none.
    [[nodiscard]] std::optional<Found> solve() const;
    /// The form plus the parts with these weights times a scale: W, without the parts of weight 0.
    [[nodiscard]] LyapunovForm function(const Found& found, proof::LinearForm fixed, const Rational& scale) const;

  private:
    /// A part of W and the variables whose difference is its weight.
    struct Weight {
        LyapunovForm::Piece piece;
        Column more;
        std::optional<Column> less{};
    };
    static void put(capacity::LinearRow& row, const std::pair<Column, Column>& variable, const Rational& c);
    void add_alternative(std::size_t t, const LyapunovForm* fixed, const Alternative& alternative);

    const Summands* summands_;
    capacity::LinearProgram program_;
    std::vector<Weight> weights_;
    std::vector<std::pair<Column, Column>> bounds_;  // by term, the number as a difference
};

/// The theorem with its proofs; or what is wrong with it, or the question that has none.
[[nodiscard]] TransienceOutcome proved(const SymbolicSystem& system, TransienceTheorem theorem);

}  // namespace schedproof::queueing
