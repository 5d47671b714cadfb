/// Level 3 of a drift is for those that Foster's criterion makes stability of.
#include <fmt/core.h>

#include "proofs/rocq/export/gallina.hpp"
#include "proofs/rocq/export/level_three.hpp"

namespace schedproof::rocq {

using queueing::DriftTheorem;

namespace {

/// Where the measure is at least the threshold, in lowest terms.
Rational measure_scale(const DriftTheorem& theorem) {
    std::vector<Rational> numbers{theorem.measure.constant() - theorem.threshold};
    for (const auto& [x, c] : theorem.measure.terms()) numbers.push_back(c);
    const Rational scale(common_denominator(numbers));
    Integer divisor = 0;
    for (const Rational& number : numbers) divisor = gcd(divisor, (number * scale).numerator());
    return scale / Rational(divisor);
}

/// The acceptance of the trees, and the theorem. `fall` and `threshold` are in the units of V and of the measure there.
std::string closed_drift(const std::string& cluster, const std::string& policy, const std::string& fall,
                         const std::string& threshold) {
    return fmt::format(
        "Lemma accepted : accepts {0} {1} V statuses {2} {3} measure trees = true.\n"
        "Proof. vm_cast_no_check (eq_refl true). Qed.\n\n"
        "(* The empty cluster is a valid state; the target, the states of measure below {3}, is a finite set; from "
        "every\n"
        "   valid state the mean of min(time until the target is reached, n) is at most V / {2}, for every n. That is\n"
        "   Foster's criterion: the chain is positive recurrent. *)\n"
        "Theorem positive_recurrent :\n"
        "  let target := measured_below measure {3} in\n"
        "  valid {0} {1} statuses (empty_state {0} {1}) /\\\n"
        "  (forall x, valid {0} {1} statuses x -> target x = true -> Forall (fun q => 0 <= q < {3}) (fst x)) /\\\n"
        "  (forall n x, valid {0} {1} statuses x ->\n"
        "     (mean_time (chain {0} {1}) target n x * inject_Z {2} <= inject_Z (value_of V x))%Q).\n"
        "Proof.\n"
        "  split; [exact (empty_valid _ _ _ _ _ _ _ _ accepted)|].\n"
        "  split; [exact (target_finite _ _ _ _ _ _ _ _ accepted)|].\n"
        "  exact (mean_time_bounded _ _ _ _ _ _ _ _ accepted).\nQed.\n",
        cluster, policy, fall, threshold);
}

}  // namespace

LevelThree drift_file(const queueing::Certificate& certificate, const DriftTheorem& theorem,
                      const std::string& sentence) {
    if (!theorem.empty.empty()) return tl::unexpected<std::string>(stays_empty);
    const System system(certificate);
    if (std::string gap = stability_gap(system.symbolic, theorem); !gap.empty())
        return tl::unexpected<std::string>(gap);
    const Rational of_measure = measure_scale(theorem);
    if (!(theorem.threshold * of_measure).is_integer() || theorem.measure.constant().sign() < 0)
        return tl::unexpected<std::string>("the measure of the theorem has a negative or fractional constant");
    const queueing::Layout& layout = system.symbolic.layout();
    const auto v = lyapunov_term(theorem.v, theorem.delta, *certificate.instance, layout);
    if (!v) return tl::unexpected<std::string>(v.error());
    const Stream trees = leaf_trees(proofs_of(certificate, "drift"), {0, 1, of_measure});
    auto head =
        file_head(certificate, system, sentence, "positive_recurrent", "", {{"words", trees}}, theorem.statuses);
    if (!head) return tl::unexpected<std::string>(head.error());
    TheoremFile& file = head->file;
    const Integer fall = (theorem.delta * Rational(v->scale)).numerator();
    const Integer threshold = (theorem.threshold * of_measure).numerator();
    const Term measure = form_term(theorem.measure, of_measure, layout.queues());
    file.text += fmt::format("(* The Lyapunov function, times {}. *)\n", v->scale.str());
    define(file, "V : lyapunov", v->term);
    define(file, "measure : Z * list Z", measure);
    file.text += "Definition trees : list tree := Eval vm_compute in trees_of (stream words).\n\n";
    file.text += closed_drift(head->cluster, head->policy, fall.str(), threshold.str()) + shown(file.statement);
    v->term.put_into(file.integers);
    file.integers.append(trees);
    Term::constructor("Reached", 0, {Term::integer(fall), Term::integer(threshold), measure}).put_into(file.integers);
    return std::move(file);
}

}  // namespace schedproof::rocq
