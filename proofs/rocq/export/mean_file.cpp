/// Everything is brought to integers over one unit: the table's scale, times what makes the bounds, the offset and the
/// multiple of V integral. A function with a factor, such as the delay, is counted without it, and its bounds are
/// divided by it.
#include <fmt/core.h>

#include <algorithm>

#include "proofs/rocq/export/gallina.hpp"
#include "proofs/rocq/export/level_three.hpp"

namespace schedproof::rocq {

using queueing::MeanTheorem;
using queueing::StateFunction;

namespace {

/// The numbers of the theorem in units of the table's; `count` is of one of what is counted.
struct MeanNumbers {
    Integer refinement;  ///< what an entry of the table is multiplied by
    Integer count, upper, lower, factor, offset, slack;
    Rational most, least;  ///< bounds of what is counted
};

MeanNumbers mean_numbers(const MeanTheorem& theorem, const queueing::Instance& instance, const Integer& scale_of_v) {
    const queueing::MeanSetting& setting = theorem.setting;
    const Rational scale(setting.scale), one = setting.of.factor(instance);
    const std::vector<Rational> exact{one * scale, theorem.upper * scale, theorem.lower * scale,
                                      setting.kappa / Rational(scale_of_v) * scale, setting.offset * scale};
    MeanNumbers of;
    of.refinement = common_denominator(exact);
    const auto unit = [&](std::size_t i) { return (exact[i] * Rational(of.refinement)).numerator(); };
    of.count = unit(0);
    of.upper = unit(1);
    of.lower = unit(2);
    of.factor = unit(3);
    of.offset = unit(4);
    queueing::Fixed smallest = 0;
    for (const queueing::Fixed entry : theorem.table->upper) smallest = std::min(smallest, entry);
    for (const queueing::Fixed entry : theorem.table->lower) smallest = std::min(smallest, -entry);
    const Rational least = std::min(setting.offset * scale, queueing::rational(smallest));
    of.slack = std::max(Integer(0), Integer(-(least * Rational(of.refinement)).numerator()));
    of.most = theorem.upper / one;
    of.least = theorem.lower / one;
    return of;
}

/// What is counted, a form in the lengths and numbers that count while a status meets a condition.
struct Counted {
    Term form, of_statuses;
};

tl::expected<Counted, std::string> counted_term(const StateFunction& f, std::size_t servers, std::size_t queues) {
    using Kind = StateFunction::Kind;
    if (f.kind == Kind::tail || f.is_quadratic())
        return tl::unexpected<std::string>("the theory counts tasks and servers, and takes neither squares nor tails");
    std::vector<Term> coefficients, busy;
    for (std::size_t q = 0; q < queues; ++q) {
        const bool counts = f.kind == Kind::queue ? q == f.queue.index() : f.kind != Kind::busy;
        coefficients.push_back(Term::integer(counts ? 1 : 0));
    }
    if (f.kind == Kind::busy || f.kind == Kind::waiting)
        for (std::size_t m = 0; m < servers; ++m)
            busy.push_back(Term::pair(Term::constructor("WhileBusy", 1, {Term::natural(m)}),
                                      Term::integer(f.kind == Kind::busy ? 1 : -1)));
    return Counted{Term::pair(Term::integer(0), Term::list(std::move(coefficients))), Term::list(std::move(busy))};
}

/// The entries of one side, in the finer unit; the lower ones are given a negative `factor`.
Stream column(const std::vector<queueing::Fixed>& entries, const Integer& factor) {
    Stream out;
    for (const queueing::Fixed entry : entries) out.put(queueing::rational(entry).numerator() * factor);
    return out;
}

std::string closed_mean(const std::string& cluster, const std::string& policy, const MeanNumbers& of,
                        const Integer& threshold) {
    const std::string parameters = fmt::format("{} {} V statuses {} counted {} {} {} weights", cluster, policy,
                                               of.count.str(), of.factor.str(), of.offset.str(), threshold.str());
    return fmt::format(
        "Lemma accepted :\n  mean_accepted {2} ({3}) ({4}) {5} above below trees_above trees_below = true.\n"
        "Proof. vm_cast_no_check (eq_refl true). Qed.\n\n"
        "(* The empty cluster is a valid state. From every valid state x, for every n, the mean of the sum of what is "
        "counted\n"
        "   over the first n slots is within a fixed distance of n times the two bounds; so its averages come within "
        "every\n"
        "   eps > 0 of the interval, and stay there. *)\n"
        "Theorem mean_between :\n"
        "  let start x := ({6} * value_of V x + {7} + {5} # {8})%Q in\n"
        "  valid {0} {1} statuses (empty_state {0} {1}) /\\\n"
        "  (forall n x, valid {0} {1} statuses x ->\n"
        "     times_of n {9} - start x <= total (chain {0} {1}) (measured counted) n x <= times_of n {10} + start "
        "x)%Q /\\\n"
        "  (forall x eps, valid {0} {1} statuses x -> 0 < eps -> exists N, forall n, (N <= n)%nat ->\n"
        "     {9} - eps <= average (chain {0} {1}) (measured counted) n x <= {10} + eps)%Q.\n"
        "Proof.\n"
        "  split; [exact (mean_empty_valid _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ accepted)|].\n"
        "  split; [exact (totals_bounded _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ accepted {9} {10} eq_refl eq_refl)|].\n"
        "  exact (averages_bounded _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ accepted {9} {10} eq_refl eq_refl).\nQed.\n",
        cluster, policy, parameters, of.lower.str(), of.upper.str(), of.slack.str(), of.factor.str(), of.offset.str(),
        of.count.str(), fraction_text(of.least), fraction_text(of.most));
}

}  // namespace

LevelThree mean_file(const queueing::Certificate& certificate, const MeanTheorem& theorem,
                     const std::string& sentence) {
    if (theorem.uniform) return tl::unexpected<std::string>("the theory has no drift that serves boxes of every size");
    if (!theorem.renamings.empty())
        return tl::unexpected<std::string>("the theory has no tables whose entries are shared");
    if (!theorem.empty.empty()) return tl::unexpected<std::string>(stays_empty);
    if (std::string gap = time_gap(*certificate.instance); !gap.empty()) return tl::unexpected<std::string>(gap);
    if (theorem.setting.w.factor) return tl::unexpected<std::string>("the theory has no V with a linear factor");
    const System system(certificate);
    const queueing::Layout& layout = system.symbolic.layout();
    const auto v = lyapunov_term(theorem.setting.w.v, Rational(1), *certificate.instance, layout);
    if (!v) return tl::unexpected<std::string>(v.error());
    const auto counts = counted_term(theorem.setting.of, certificate.instance->servers().size(), layout.queues());
    if (!counts) return tl::unexpected<std::string>(counts.error());
    const MeanNumbers of = mean_numbers(theorem, *certificate.instance, v->scale);
    const Stream above = column(theorem.table->upper, of.refinement),
                 below = column(theorem.table->lower, -of.refinement);
    const auto proofs = proofs_of(certificate, "far");
    const Stream trees_above = leaf_trees(proofs, {0, 2, Rational(1)}),
                 trees_below = leaf_trees(proofs, {1, 2, Rational(1)});
    auto head = file_head(
        certificate, system, sentence, "mean_between", " Means Boxes",
        {{"words_above", trees_above}, {"words_below", trees_below}, {"table_above", above}, {"table_below", below}},
        theorem.statuses);
    if (!head) return tl::unexpected<std::string>(head.error());
    TheoremFile& file = head->file;
    const Integer threshold = Integer(theorem.radius) + 1;
    std::vector<Term> measured;
    for (const auto weight : theorem.weights) measured.push_back(Term::integer(Integer(weight)));
    const Term weights = Term::list(std::move(measured));
    file.text += fmt::format("(* The Lyapunov function, times {}. *)\n", v->scale.str());
    define(file, "V : lyapunov", v->term);
    file.text += fmt::format(
        "(* What is counted at the start of a slot: a form in the lengths, and terms of the statuses. *)\n"
        "Definition counted : list status -> form := with_statuses {} {}.\n\n(* Of the queues, in the measure of the "
        "box. *)\n",
        counts->form.text(), counts->of_statuses.text());
    define(file, "weights : list Z", weights);
    for (const char* const side : {"above", "below"})
        file.text += fmt::format(
            "Definition trees_{0} : list tree := Eval vm_compute in trees_of (stream words_{0}).\n"
            "Definition {0} : list Z := Eval vm_compute in stream table_{0}.\n",
            side);
    file.text += "\n" + closed_mean(head->cluster, head->policy, of, threshold) + shown(file.statement);
    v->term.put_into(file.integers);
    file.integers.append(trees_above);
    Term::constructor(
        "Between", 2,
        {Term::integer(of.count), counts->form, counts->of_statuses, Term::integer(of.factor), Term::integer(of.offset),
         Term::integer(threshold), weights, Term::integer(of.lower), Term::integer(of.upper), Term::integer(of.slack)})
        .put_into(file.integers);
    file.integers.put(theorem.table->upper.size());
    file.integers.append(above);
    file.integers.put(theorem.table->lower.size());
    file.integers.append(below);
    file.integers.append(trees_below);
    return std::move(file);
}

}  // namespace schedproof::rocq
