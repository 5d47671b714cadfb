#include "proofs/queueing/transience/term_program.hpp"

namespace schedproof::queueing {

using capacity::LinearRow;
using capacity::Relation;

TermProgram::Column TermProgram::add(LyapunovForm::Piece piece) {
    weights_.push_back({std::move(piece), program_.add_variable()});
    return weights_.back().more;
}

void TermProgram::add_statuses() {
    for (std::size_t m = 0; m < summands_->servers(); ++m)
        for (const Service& now : summands_->statuses(ServerId(m))) {
            const LyapunovForm::Condition when{ServerId(m), now.queue, now.level};
            weights_.push_back(
                {{when, Rational(1), {{Rational(1)}}}, program_.add_variable(), program_.add_variable()});
        }
}

void TermProgram::add_terms(const LyapunovForm* fixed,
                            const std::function<bool(const Term&, const Alternative&)>& is_excluded) {
    for (std::size_t t = 0; t < summands_->terms().size(); ++t) {
        const Term& term = summands_->terms()[t];
        const Rational price(term.follows() ? 0 : 1);
        bounds_.emplace_back(program_.add_variable(price), program_.add_variable(-price));
        for (const Alternative& alternative : term.alternatives)
            if (!is_excluded(term, alternative)) add_alternative(t, fixed, alternative);
    }
}

void TermProgram::add_alternative(std::size_t t, const LyapunovForm* fixed, const Alternative& alternative) {
    LinearRow row{{}, Relation::at_least, fixed ? -change(*fixed, alternative).constant() : Rational(0)};
    put(row, bounds_[t], Rational(1));
    for (const Follows& then : alternative.then) put(row, bounds_[then.term], -then.probability);
    for (const Weight& weight : weights_) {
        const Rational c = change(LyapunovForm{"", {}, {weight.piece}}, alternative).constant();
        if (c.sign() == 0) continue;
        row.entries.emplace_back(weight.more, c);
        if (weight.less) row.entries.emplace_back(*weight.less, -c);
    }
    program_.rows.push_back(std::move(row));
}

void TermProgram::put(LinearRow& row, const std::pair<Column, Column>& variable, const Rational& c) {
    row.entries.emplace_back(variable.first, c);
    row.entries.emplace_back(variable.second, -c);
}

void TermProgram::make_one(const std::function<bool(const Term&)>& is_counted) {
    LinearRow size{{}, Relation::equal, Rational(1)};
    for (std::size_t t = 0; t < bounds_.size(); ++t)
        if (is_counted(summands_->terms()[t])) put(size, bounds_[t], Rational(1));
    program_.rows.push_back(std::move(size));
}

std::optional<TermProgram::Found> TermProgram::solve() const {
    const auto solution = capacity::solve(program_);
    if (!solution || solution->value.sign() >= 0) return std::nullopt;
    Found found{-solution->value, {}, {}};
    for (const Weight& weight : weights_)
        found.weights.push_back(solution->x[weight.more] - (weight.less ? solution->x[*weight.less] : Rational(0)));
    for (const auto& [more, less] : bounds_) found.bounds.push_back(solution->x[more] - solution->x[less]);
    return found;
}

LyapunovForm TermProgram::function(const Found& found, proof::LinearForm fixed, const Rational& scale) const {
    LyapunovForm w{"W", {}, {}};
    for (std::size_t i = 0; i < weights_.size(); ++i) {
        LyapunovForm::Piece piece = weights_[i].piece;
        piece.coefficient *= scale * found.weights[i];
        if (piece.coefficient.sign() == 0) continue;
        if (piece.when)
            w.pieces.push_back(std::move(piece));
        else
            fixed.add(piece.coefficient, piece.largest_of.front());
    }
    w.pieces.insert(w.pieces.begin(), {std::nullopt, Rational(1), {std::move(fixed)}});
    return w;
}

TransienceOutcome proved(const SymbolicSystem& system, TransienceTheorem theorem) {
    if (const std::string wrong = arithmetic_rejection(system, theorem); !wrong.empty())
        return TransienceUnknown{wrong, {}, {}};
    TransienceProof proof;
    for (const explore::Question& question : questions(system, theorem)) {
        explore::Reply reply = explore::ask(question, {});
        proof.statistics += reply.statistics;
        auto* found = std::get_if<proof::ExploredProof>(&reply.result);
        if (found == nullptr) return TransienceUnknown{"a question has no proof: " + question.name, {}, {}};
        proof.proofs.push_back(std::move(*found));
    }
    proof.theorem = std::move(theorem);
    return proof;
}

}  // namespace schedproof::queueing
