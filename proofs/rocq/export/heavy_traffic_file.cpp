/// Functions that are linear in the lengths are written in integers of one unit, exponents as they are, the rest of the
/// tasks with what bounds it in a unit of its own. The arrivals of a family are written once, as probabilities that are
/// affine in the slack; an outcome of probability zero at an end is none there, as in the C++.
#include <fmt/core.h>

#include <algorithm>

#include "proofs/queueing/theorems/heavy_traffic/boundary_prices.hpp"
#include "proofs/rocq/export/gallina.hpp"
#include "proofs/rocq/export/level_three.hpp"

namespace schedproof::rocq {

using queueing::ArrivalFactor;
using queueing::ArrivalOutcome;
using queueing::HeavyUpperTheorem;
using queueing::Instance;
using queueing::Layout;
using queueing::LyapunovForm;

namespace {

tl::unexpected<std::string> no_file(std::string reason) { return tl::unexpected<std::string>(std::move(reason)); }

/// An outcome of a factor: what it brings, and its probability at both ends.
struct Moving {
    std::vector<std::uint32_t> count;
    std::array<Rational, 2> probability;
};

/// In the order of the first end, then what the second end has alone; none where the second end has another order.
std::optional<std::vector<Moving>> along_slack(const ArrivalFactor& first, const ArrivalFactor& second) {
    std::vector<Moving> all;
    for (const ArrivalOutcome& outcome : first.outcomes())
        all.push_back({outcome.count, {outcome.probability, Rational(0)}});
    std::size_t next = 0;
    for (const ArrivalOutcome& outcome : second.outcomes()) {
        const auto at = std::find_if(all.begin(), all.end(), [&](const Moving& m) { return m.count == outcome.count; });
        const auto position = static_cast<std::size_t>(at - all.begin());
        if (position < next) return std::nullopt;
        next = position + 1;
        if (at == all.end()) all.push_back({outcome.count, {}});
        all[position].probability[1] = outcome.probability;
    }
    return all;
}

/// The factors of the arrivals along the slack.
MaybeTerm factors_term(const Instance& family) {
    const auto ends = queueing::ends_of_slack(family);
    std::vector<Term> factors;
    for (std::size_t i = 0; i < ends[0].arrivals().factors().size(); ++i) {
        const ArrivalFactor& factor = ends[0].arrivals().factors()[i];
        const auto outcomes = along_slack(factor, ends[1].arrivals().factors()[i]);
        if (!outcomes)
            return no_file("the arrivals of the two ends of the family list their outcomes in different orders");
        std::vector<Term> terms;
        for (const auto& [count, probability] : *outcomes) {
            std::vector<std::uint32_t> tasks(family.types().size());
            for (std::size_t k = 0; k < count.size(); ++k) tasks[factor.types()[k].index()] += count[k];
            std::vector<Term> brings;
            for (const std::uint32_t n : tasks) brings.push_back(Term::natural(n));
            terms.push_back(Term::constructor(
                "Moving", std::nullopt,
                {Term::fraction(probability[0]),
                 Term::fraction((probability[1] - probability[0]) / family.slack().up_to), Term::list(brings, "nat")}));
        }
        factors.push_back(Term::list(std::move(terms)));
    }
    return Term::list(std::move(factors));
}

/// The least number that makes all of these functions integral.
Integer unit_of(std::initializer_list<const LyapunovForm*> functions) {
    std::vector<Rational> numbers{Rational(1)};
    for (const LyapunovForm* function : functions)
        for (const auto& piece : function->pieces) {
            numbers.push_back(piece.coefficient * piece.largest_of.front().constant());
            for (const auto& [q, c] : piece.largest_of.front().terms()) numbers.push_back(piece.coefficient * c);
        }
    return common_denominator(numbers);
}

/// A linear function in integers of 1/unit.
MaybeTerm linear_record(const LyapunovForm& w, const Integer& unit, const Instance& instance, const Layout& layout) {
    LyapunovForm::Linear lengths;
    std::vector<Term> statuses;
    for (const auto& piece : w.pieces) {
        const LyapunovForm::Linear& form = piece.largest_of.front();
        if (!piece.when) lengths.add(piece.coefficient, form);
        if (form.constant().sign() == 0) continue;
        MaybeTerm when = condition_term(piece.when, instance, layout);
        if (!when) return when;
        statuses.push_back(Term::pair(
            *std::move(when), Term::integer((piece.coefficient * form.constant() * Rational(unit)).numerator())));
    }
    std::vector<Term> coefficients;
    for (std::size_t q = 0; q < layout.queues(); ++q)
        coefficients.push_back(
            Term::integer((lengths.coefficient(static_cast<proof::Variable>(q)) * Rational(unit)).numerator()));
    return Term::constructor("Linear", std::nullopt,
                             {Term::list(std::move(coefficients)), Term::list(std::move(statuses))});
}

MaybeTerm windows_term(const queueing::CollapseTheorem& collapse, const Instance& instance, const Layout& layout) {
    std::vector<Term> windows;
    for (const queueing::CollapseForm& form : collapse.forms) {
        MaybeTerm exponent = linear_record(form.form, Integer(1), instance, layout);
        if (!exponent) return exponent;
        windows.push_back(Term::constructor(
            "Window", std::nullopt,
            {*std::move(exponent), Term::integer(Integer(form.low)), Term::integer(Integer(form.high))}));
    }
    return Term::list(std::move(windows));
}

MaybeTerm rest_term(const HeavyUpperTheorem& theorem, const Instance& instance, const Layout& layout) {
    if (!theorem.tasks->rest) return Term::constructor("None", std::nullopt);
    if (!theorem.collapse.closed.empty.empty())
        return no_file("the theory has no rest of the tasks where queues are empty for ever");
    const HeavyUpperTheorem::Rest& rest = *theorem.tasks->rest;
    std::vector<Rational> numbers{rest.bound};
    for (const auto& [q, c] : rest.tasks.terms()) numbers.push_back(c);
    const auto g = quadratic_term(rest.g, std::move(numbers), instance, layout);
    if (!g) return no_file(g.error());
    const Rational scale(g->scale);
    std::vector<Term> left;
    for (std::size_t q = 0; q < layout.queues(); ++q)
        left.push_back(Term::integer((rest.tasks.coefficient(static_cast<proof::Variable>(q)) * scale).numerator()));
    return Term::constructor("Some", std::nullopt,
                             {Term::constructor("Rest", std::nullopt,
                                                {Term::integer(g->scale), Term::list(std::move(left)), g->term,
                                                 Term::integer((rest.bound * scale).numerator())})});
}

/// What the certificate states, as the record `upper` of HeavyTraffic.v.
MaybeTerm facts_term(const HeavyUpperTheorem& theorem, const Rational& sigma, const Instance& instance,
                     const Layout& layout) {
    const Integer unit = unit_of({&theorem.h, &theorem.h0, &theorem.k});
    std::vector<Term> parts{Term::integer(unit)};
    for (const LyapunovForm* function : {&theorem.h, &theorem.h0, &theorem.k}) {
        MaybeTerm term = linear_record(*function, unit, instance, layout);
        if (!term) return term;
        parts.push_back(*std::move(term));
    }
    for (const Rational& number : {sigma, theorem.constant[0], theorem.constant[1]})
        parts.push_back(Term::fraction(number));
    const queueing::CollapseTheorem& collapse = theorem.collapse;
    std::vector<Term> constants;
    for (const Rational& number :
         {theorem.with_loss, theorem.with_slack, theorem.spread, theorem.largest_loss, collapse.rate, collapse.bound})
        constants.push_back(Term::fraction(number));
    parts.push_back(Term::constructor("Bounds", std::nullopt, std::move(constants)));
    parts.push_back(Term::fraction(collapse.forms.empty() ? Rational(2) : collapse.base));  // any above 1 will do
    MaybeTerm windows = windows_term(collapse, instance, layout), rest = rest_term(theorem, instance, layout);
    if (!windows) return windows;
    if (!rest) return rest;
    parts.push_back(*std::move(windows));
    parts.push_back(Term::fraction(theorem.tasks->constant));
    parts.push_back(*std::move(rest));
    return Term::record({"unit", "workload", "priced", "correction", "slack_at_end", "lead_at_zero", "lead_at_end",
                         "constants", "base_q", "windows", "beyond", "rest"},
                        std::move(parts));
}

/// What the bound adds to c / sigma + K, and what proves that.
struct Logarithm {
    std::string quantified, added, lemma, arguments;
};

Logarithm logarithm(const HeavyUpperTheorem& theorem) {
    const queueing::CollapseTheorem& collapse = theorem.collapse;
    if (collapse.forms.empty()) return {"eps x", "", "few_tasks", "eq_refl"};
    const Rational shift = Rational(1) / (collapse.base - Rational(1));
    const Rational factor = theorem.spread * theorem.largest_loss * shift / collapse.rate * collapse.bound;
    return {
        "eps n x",
        fmt::format("\n            + {} * (inject_Z n - {}) + {} / sigma * {} ^ (- n)", fraction_text(theorem.spread),
                    fraction_text(shift), fraction_text(factor), fraction_text(collapse.base)),
        "few_tasks_but_for_a_logarithm",
        fmt::format("{} {} eq_refl eq_refl", fraction_text(shift), fraction_text(factor))};
}

std::string closed_near_boundary(const FileHead& head, const HeavyUpperTheorem& theorem, const Rational& sigma,
                                 const Rational& largest) {
    const Logarithm log = logarithm(theorem);
    const Rational rest = theorem.tasks->rest ? theorem.tasks->rest->bound : Rational(0);
    const std::string lead = fraction_text(theorem.constant[0]),
                      rise = fraction_text((theorem.constant[1] - theorem.constant[0]) / largest),
                      slack = fraction_text(sigma / largest),
                      added = fraction_text(theorem.with_loss + theorem.with_slack + rest + theorem.tasks->constant);
    return fmt::format(
        "Lemma accepted :\n"
        "  heavy_accepted ({0} 0) arrivals_along_slack {1} statuses empty facts {2} hints = true.\n"
        "Proof. vm_cast_no_check (eq_refl true). Qed.\n\n"
        "(* The empty cluster is a state as meant. At every slack eps up to {3}, from every such state x, the mean of "
        "the sum of\n"
        "   the tasks in the system over any number of slots is at most that number times the bound, plus a constant "
        "of x and\n"
        "   eps: so the averages over time come to at most the bound{4}. *)\n"
        "Theorem tasks_at_every_slack :\n"
        "  confined ({0} 0) {1} statuses empty (empty_state ({0} 0) {1}) /\\\n"
        "  forall {5}, (0 < eps <= {2})%Q -> confined ({0} eps) {1} statuses empty x ->\n"
        "    let sigma := ({6} * eps)%Q in let c := ({7} + {8} * eps)%Q in exists start, forall slots,\n"
        "      (total (chain ({0} eps) {1}) tasks slots x\n"
        "       <= times_of slots (c / sigma + {9}{10}) + start)%Q.\n"
        "Proof.\n"
        "  split; [exact (start_inside _ _ _ _ _ _ _ _ accepted)|].\n"
        "  exact (@{11} _ _ _ _ _ _ _ _ accepted {7} {8} {6} {9} eq_refl eq_refl eq_refl eq_refl {12}).\nQed.\n",
        head.cluster, head.policy, fraction_text(largest), largest.to_string(),
        log.added.empty() ? "" : ", of those for every n the least", log.quantified, slack, lead, rise, added,
        log.added, log.lemma, log.arguments);
}

/// What the theory does not have; empty when it has all.
std::string gap_of(const HeavyUpperTheorem& theorem) {
    if (!theorem.tasks) return "the certificate bounds the workload alone, and the theory the number of tasks";
    if (!theorem.starving.is_constant()) return "the theory has no queues that starve";
    if (theorem.tasks->factor != Rational(1)) return "the theory counts a task for a unit of the workload at least";
    if (theorem.tasks->spread.sign() != 0) return "the theory has no tasks that the forms of a collapse bound";
    return "";
}

}  // namespace

LevelThree heavy_traffic_file(const queueing::Certificate& certificate, const HeavyUpperTheorem& theorem,
                              const std::string& sentence) {
    if (std::string gap = gap_of(theorem); !gap.empty()) return no_file(std::move(gap));
    const System system(certificate);
    const Instance& family = *certificate.instance;
    const queueing::ClosedSet& closed = theorem.collapse.closed;
    const Rational largest = family.slack().up_to,
                   sigma = value_slack(queueing::ends_of_slack(family)[1], theorem.prices);
    const MaybeTerm factors = factors_term(family),
                    facts = facts_term(theorem, sigma, family, system.symbolic.layout());
    if (!factors) return no_file(factors.error());
    if (!facts) return no_file(facts.error());
    auto head = file_head(certificate, system, sentence, "tasks_at_every_slack",
                          " Means Slack Linear Collapse Balance HeavyTraffic",
                          {{"words_balance", claim_trees(proofs_of(certificate, "balance"))},
                           {"words_collapse", claim_trees(proofs_of(certificate, "collapse"))},
                           {"words_rest", claim_trees(proofs_of(certificate, "rest"), 1)}},
                          closed.statuses, *factors);
    if (!head) return no_file(head.error());
    TheoremFile& file = head->file;
    file.integers = {};
    std::vector<Term> empty;
    for (const QueueId q : closed.empty) empty.push_back(Term::natural(q.index()));
    file.text += "(* Queues that no task ever joins. *)\n";
    define(file, "empty : list nat", Term::list(std::move(empty), "nat"));
    file.text += "(* What the certificate states; Rocq computes whether it is so. *)\n";
    define(file, "facts : upper", *facts);
    file.text += "Definition trees (words : array int) : list tree := trees_of (stream words).\n";
    file.text +=
        "Definition hints : HeavyTraffic.hints :=\n"
        "  Eval vm_compute in Hints (trees words_balance) (trees words_collapse) (trees words_rest).\n\n";
    file.text += closed_near_boundary(*head, theorem, sigma, largest) + shown(file.statement);
    return std::move(file);
}

}  // namespace schedproof::rocq
