#include "proofs/queueing/theorems/summands/summands.hpp"

#include <algorithm>
#include <optional>

#include "proofs/queueing/theorems/summands/renamed_terms.hpp"

namespace schedproof::queueing {

using explore::Affine;
using explore::Forbidden;
using explore::Question;
using proof::LinearForm;

std::vector<std::vector<Service>> statuses_of(const SymbolicSystem& system, const Summands& summands) {
    std::vector<std::vector<Service>> all;
    for (const ServerId m : system.instance().servers()) {
        all.push_back({Service{}});
        const std::vector<Service>& busy = summands.statuses(m);
        all.back().insert(all.back().end(), busy.begin(), busy.end());
    }
    return all;
}

proof::Space lengths_space(const SymbolicSystem& system) {
    proof::Space space;
    for (const QueueId q : IdRange<QueueId>(system.layout().queues()))
        space.add("Q[" + system.layout().name(system.instance(), q) + "]", true, Rational(0));
    return space;
}

LinearForm value_of(const SymbolicSystem& system, const Summands& summands, const Sloped& v,
                    const std::vector<LinearForm>& bounds, const std::vector<LinearForm>& links,
                    const Alternative& alternative) {
    LinearForm value = change(v.v, alternative);
    if (alternative.beside) {
        const auto& [server, status] = *alternative.beside;
        value += LinearForm(value_of(moved_by_others(system, summands, server, status), v.slopes));
    }
    for (const Follows& then : alternative.then) {
        const LinearForm& follows = bounds[then.term];
        value.add(then.probability, follows + LinearForm(most_shifted(follows, then.shifts)));
    }
    for (const auto& [link, sign] : alternative.links) value.add(Rational(sign), links[link]);
    return value;
}

const Summands& summands_of(const SymbolicSystem& system, const DriftTheorem& theorem) {
    return terms_of(system, theorem.links.empty() ? SummandKind::single : SummandKind::linked);
}

bool says_nothing(const LyapunovForm& v, const Term& term, const Alternative& alternative) {
    return !term.after.empty() && !alternative.happen.empty() && change(v, alternative) == LinearForm();
}

Rational most_shifted(const LinearForm& form, const std::vector<Shift>& shifts) {
    std::optional<Rational> most;
    for (const auto& [q, sign] : shifts)
        most =
            std::max(most, std::optional(Rational(sign) * form.coefficient(static_cast<proof::Variable>(q.index()))));
    return most.value_or(Rational(0));
}

LinearForm far_premise(const LinearForm& measure, const Rational& threshold, const Term& term) {
    return measure + LinearForm(most_shifted(-measure, term.after) - threshold);
}

Forbidden forbidden(const DriftTheorem& theorem, const Term& term, const Alternative& alternative,
                    const LinearForm& value, const LinearForm& bound) {
    Forbidden all;
    for (const LinearForm& premise : alternative.where) all.push_back({premise, false});
    all.push_back({far_premise(theorem.measure, theorem.threshold, term), false});
    all.push_back({value - bound, true});
    return all;
}

LinearForm sum_of_bounds(const SymbolicSystem& system, const Summands& summands, const DriftTheorem& theorem) {
    LinearForm sum;
    for (std::size_t t = 0; t < summands.terms().size(); ++t)
        if (!summands.terms()[t].follows()) sum += (*theorem.summands)[t];
    if (!system.instance().continuous())
        sum += LinearForm(value_of(done_together(system, summands), slopes_of(system, summands, theorem.v)));
    return sum;
}

Forbidden forbidden_of_sum(const DriftTheorem& theorem, const LinearForm& sum) {
    return {{theorem.measure - LinearForm(theorem.threshold), false}, {sum + LinearForm(theorem.delta), true}};
}

std::vector<Question> summand_questions(const SymbolicSystem& system, const DriftTheorem& theorem) {
    const Summands& summands = summands_of(system, theorem);
    const proof::Space space = lengths_space(system);
    const Sloped v{theorem.v, slopes_of(system, summands, theorem.v)};
    std::vector<Question> all;
    const auto ask = [&](const std::string& name, std::vector<Forbidden> obligations) {
        all.push_back(
            {name, space, [obligations = std::move(obligations)](const std::vector<Affine>&) { return obligations; }});
    };
    const std::vector<bool> is_first = first_terms(summands, theorem.renamings);
    for (std::size_t t = 0; t < summands.terms().size(); ++t) {
        if (!is_first[t]) continue;
        std::vector<Forbidden> obligations;
        const Term& term = summands.terms()[t];
        for (const Alternative& alternative : term.alternatives)
            if (!says_nothing(theorem.v, term, alternative))
                obligations.push_back(
                    forbidden(theorem, term, alternative,
                              value_of(system, summands, v, *theorem.summands, theorem.links, alternative),
                              (*theorem.summands)[t]));
        ask(term.name, std::move(obligations));
    }
    ask("sum", {forbidden_of_sum(theorem, sum_of_bounds(system, summands, theorem))});
    return all;
}

std::string summands_rejection(const SymbolicSystem& system, const DriftTheorem& theorem) {
    if (theorem.sense != Sense::below) return "summands bound a drift from above only";
    if (!theorem.empty.empty()) return "a proof by summands names no empty queues";
    if (std::any_of(theorem.v.pieces.begin(), theorem.v.pieces.end(),
                    [](const LyapunovForm::Piece& piece) { return piece.largest_of.size() != 1; }))
        return "a proof by summands is about a V without maxima";
    const Summands& summands = summands_of(system, theorem);
    if (theorem.statuses != statuses_of(system, summands)) return "the statuses are not those that the rules allow";
    if (theorem.summands->size() != summands.terms().size()) return "there is not one bound per term of the drift";
    if (theorem.links.size() != summands.links().size()) return "there is not one form per link";
    const auto is_about_queues = [&](const LinearForm& form) {
        return form.is_constant() || form.terms().back().first < system.layout().queues();
    };
    if (!is_about_queues(theorem.measure)) return "the measure mentions an unknown queue";
    if (!std::all_of(theorem.summands->begin(), theorem.summands->end(), is_about_queues))
        return "a bound mentions an unknown queue";
    for (const LinearForm& link : theorem.links) {
        if (!is_about_queues(link)) return "a link mentions an unknown queue";
        if (link.constant().sign() < 0 || std::any_of(link.terms().begin(), link.terms().end(),
                                                      [](const auto& term) { return term.second.sign() < 0; }))
            return "a link may be negative";
    }
    return renamings_rejection(system, summands, theorem);
}

}  // namespace schedproof::queueing
