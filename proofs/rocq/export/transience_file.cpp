/// W is multiplied by the denominators of everything that is said of it, so that all of it is in integers. The constant
/// c > J of the bound c / (W - w0 + c) is the least integer with delta (c - J) >= J^2.
#include <fmt/core.h>

#include "proofs/rocq/export/gallina.hpp"
#include "proofs/rocq/export/level_three.hpp"

namespace schedproof::rocq {

using queueing::TransienceTheorem;

namespace {

Integer common_scale(const TransienceTheorem& theorem) {
    std::vector<Rational> numbers{theorem.delta, theorem.threshold, theorem.jump};
    for (const auto& piece : theorem.w.pieces) {
        numbers.push_back(piece.coefficient * piece.largest_of.at(0).constant());
        for (const auto& [q, c] : piece.largest_of.at(0).terms()) numbers.push_back(piece.coefficient * c);
    }
    return common_denominator(numbers);
}

/// The numbers of the theorem in the units of W there.
struct GrowthNumbers {
    Integer growth, threshold, jump, c;
};

GrowthNumbers growth_numbers(const TransienceTheorem& theorem, const Integer& scale) {
    const auto in_units = [&](const Rational& q) { return (q * Rational(scale)).numerator(); };
    GrowthNumbers of{in_units(theorem.delta), in_units(theorem.threshold), in_units(theorem.jump), 0};
    of.c = of.jump + 1 + of.jump * of.jump / of.growth;
    return of;
}

std::string closed_transience(const std::string& cluster, const std::string& policy, const GrowthNumbers& of) {
    return fmt::format(
        "Lemma accepted : transient_accepted {0} {1} W statuses {2} {3} {4} {5} trees = true.\n"
        "Proof. vm_cast_no_check (eq_refl true). Qed.\n\n"
        "(* A lower bound of the probability of never being empty again, by a climb from the empty cluster. *)\n"
        "Definition climb := chance {0} {1} W {3} {5} (Z.to_nat {6}).\n"
        "Definition escape : Q := Eval vm_compute in climb.\n"
        "Lemma escape_of_climb : climb = escape.\nProof. vm_cast_no_check (eq_refl escape). Qed.\n\n"
        "(* The empty cluster is a valid state; from a valid state with W >= {3} the probability that W falls below "
        "{3} "
        "within\n"
        "   n slots is at most {5} / (W - {3} + {5}), for every n; started empty, the cluster is empty at one of the "
        "times\n"
        "   1, ..., n + 1 with probability at most 1 - escape, for every n, and escape > 0. So it may never be empty "
        "again. *)\n"
        "Theorem transient :\n"
        "  valid {0} {1} statuses (empty_state {0} {1}) /\\\n"
        "  (forall n x, valid {0} {1} statuses x -> value_of W x >= {3} ->\n"
        "     (reach (chain {0} {1}) (fun y => value_of W y <? {3}) n x <= inject_Z {5} / inject_Z (value_of W x - {3} "
        "+ {5}))%Q) /\\\n"
        "  (forall n, (returns (chain {0} {1}) is_empty n (empty_state {0} {1}) <= 1 - escape)%Q) /\\\n"
        "  (0 < escape)%Q.\n"
        "Proof.\n"
        "  split; [exact (transient_empty_valid _ _ _ _ _ _ _ _ _ accepted)|].\n"
        "  split; [intros n x Vx A; apply (comes_down_at_most _ _ _ _ _ _ _ _ _ accepted n x Vx); apply Z.ltb_ge;\n"
        "    now apply Z.ge_le|].\n"
        "  split; [intro n; rewrite <- escape_of_climb; exact (seldom_empty_again _ _ _ _ _ _ _ _ _ accepted _ n)|].\n"
        "  reflexivity.\nQed.\nPrint escape.\n",
        cluster, policy, of.growth.str(), of.threshold.str(), of.jump.str(), of.c.str(), queueing::max_climb);
}

}  // namespace

LevelThree transience_file(const queueing::Certificate& certificate, const TransienceTheorem& theorem,
                           const std::string& sentence) {
    if (theorem.table) return tl::unexpected<std::string>("the theory has no term for a table of one queue's length");
    if (theorem.modes) return tl::unexpected<std::string>("the theory has no proofs by modes");
    if (theorem.cone) return tl::unexpected<std::string>("the theory has no proofs in a cone");
    if (!theorem.empty.empty()) return tl::unexpected<std::string>(stays_empty);
    if (std::string gap = time_gap(*certificate.instance); !gap.empty()) return tl::unexpected<std::string>(gap);
    const System system(certificate);
    const Integer scale = common_scale(theorem);
    const MaybeTerm w = linear_term(theorem.w, scale, *certificate.instance, system.symbolic.layout());
    if (!w) return tl::unexpected<std::string>(w.error());
    const Stream trees = leaf_trees(proofs_of(certificate, "growth"), {0, 1, Rational(scale)});
    auto head =
        file_head(certificate, system, sentence, "transient", " Transience", {{"words", trees}}, theorem.statuses);
    if (!head) return tl::unexpected<std::string>(head.error());
    TheoremFile& file = head->file;
    const GrowthNumbers of = growth_numbers(theorem, scale);
    file.text += fmt::format("(* W of the certificate, times {}. *)\n", scale.str());
    define(file, "W : lyapunov", *w);
    file.text += "Definition trees : list tree := Eval vm_compute in trees_of (stream words).\n\n";
    file.text += closed_transience(head->cluster, head->policy, of) + shown(file.statement);
    w->put_into(file.integers);
    file.integers.append(trees);
    Term::constructor(
        "Growth", 1,
        {Term::integer(of.growth), Term::integer(of.threshold), Term::integer(of.jump), Term::integer(of.c)})
        .put_into(file.integers);
    return std::move(file);
}

}  // namespace schedproof::rocq
