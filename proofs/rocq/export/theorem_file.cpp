/// Level 3 is for drift certificates that Foster's criterion makes stability of, of policies and instances that the
/// theory has terms for. The array of words stands before the notations of lists, which would hide its own. Of what is
/// exported only the trees come from the certificate; Rocq computes the slot, the policy and the drift from the terms,
/// and asks whether the comparisons are the tree's, node by node.
#include "proofs/rocq/export/theorem_file.hpp"

#include <fmt/core.h>

#include "model/core/errors.hpp"
#include "policies/queueing/registry.hpp"
#include "proofs/queueing/theorems/theorem.hpp"
#include "proofs/rocq/export/gallina.hpp"
#include "proofs/rocq/export/tree_stream.hpp"

namespace schedproof::rocq {

namespace {

using queueing::DriftTheorem;

constexpr std::string_view packed =
    "(* The trees, which need no trust: a hint that does not fit is refused. *)\n"
    "Definition words : array int := ({})%uint63.\n";

/// Where the measure is at least the threshold, in lowest terms: what the leaves' multipliers count with.
Rational measure_scale(const DriftTheorem& theorem) {
    std::vector<Rational> numbers{theorem.measure.constant() - theorem.threshold};
    for (const auto& [x, c] : theorem.measure.terms()) numbers.push_back(c);
    const Rational scale(common_denominator(numbers));
    Integer divisor = 0;
    for (const Rational& number : numbers) divisor = gcd(divisor, (number * scale).numerator());
    return scale / Rational(divisor);
}

/// The acceptance of the trees, and the theorem. `fall` and `threshold` are in the units of V and of the measure there.
std::string closed_theorem(const std::string& cluster, const std::string& policy, const std::string& fall,
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
        "  exact (mean_time_bounded _ _ _ _ _ _ _ _ accepted).\nQed.\n"
        "Check positive_recurrent.\nPrint Assumptions positive_recurrent.\n",
        cluster, policy, fall, threshold);
}

/// The file at level 3, or why there is none.
tl::expected<TheoremFile, std::string> drift_file(const queueing::Certificate& certificate, const DriftTheorem& theorem,
                                                  const std::string& sentence) {
    const queueing::Instance& instance = *certificate.instance;
    const queueing::AnyPolicy policy = queueing::make_policy(certificate.policy, instance, queueing::no_planner);
    const queueing::SymbolicSystem system(instance, policy);
    if (std::string gap = stability_gap(system, theorem); !gap.empty()) return tl::unexpected<std::string>(gap);
    const Rational scale_of_measure = measure_scale(theorem);
    if (!(theorem.threshold * scale_of_measure).is_integer() || theorem.measure.constant().sign() < 0)
        return tl::unexpected<std::string>("the measure of the theorem has a negative or fractional constant");
    const Term cluster = cluster_term(instance, system.layout());
    if (!cluster) return tl::unexpected<std::string>(cluster.error());
    const Term rules = policy_term(policy.rules());
    if (!rules) return tl::unexpected<std::string>(rules.error());
    const auto v = lyapunov_term(theorem.v, theorem.delta, instance, system.layout());
    if (!v) return tl::unexpected<std::string>(v.error());
    std::vector<const proof::ExploredProof*> proofs;
    for (const proof::ExploredProof& proof : certificate.proofs)
        if (proof.name.starts_with("drift ")) proofs.push_back(&proof);

    const std::string c = identifier(instance.name(), "cluster"), p = identifier(certificate.policy, "policy");
    TheoremFile file{3, "", "positive_recurrent", comment(sentence) + "\n"};
    file.text +=
        "From Coq Require Import ZArith QArith List Uint63 PArray.\n"
        "From Schedproof Require Import Law Affine Program Cluster Language Kernel Drift Words.\n\n";
    file.text += fmt::format(fmt::runtime(packed), drift_trees(proofs).words());
    file.text += "\nImport ListNotations.\nOpen Scope Z_scope.\n\n";
    file.text += fmt::format("Definition {} : cluster := {}.\n\n{}\nDefinition {} : policy := {}.\n\n", c, *cluster,
                             comment(queueing::definition(certificate.policy)), p, *rules);
    file.text += fmt::format("(* The Lyapunov function, times {}. *)\nDefinition V : lyapunov := {}.\n\n",
                             v->scale.str(), v->term);
    file.text += fmt::format("(* What each server may be doing. *)\nDefinition statuses := {}.\n\n",
                             statuses_term(theorem.statuses));
    file.text += fmt::format("Definition measure : Z * list Z := {}.\n\n",
                             form_term(theorem.measure, scale_of_measure, system.layout().queues()));
    file.text += "Definition trees : list tree := Eval vm_compute in trees_of (stream words).\n\n";
    file.text += closed_theorem(c, p, (theorem.delta * Rational(v->scale)).numerator().str(),
                                (theorem.threshold * scale_of_measure).numerator().str());
    return file;
}

TheoremFile logic_file(const AnyCertificate& certificate, std::string gap) {
    TheoremFile file{1, std::move(gap), "every_question_is_proved", comment(certificate->sentence()) + "\n"};
    file.text +=
        "From Coq Require Import ZArith QArith List Uint63 PArray.\n"
        "From Schedproof Require Import Affine Words Cells.\n\n";
    file.text += fmt::format(fmt::runtime(packed), cells(certificate->proofs()).words());
    file.text +=
        "Definition questions : option (list question) := Eval vm_compute in questions_of (stream words).\n\n"
        "Lemma accepted : all_proved questions = true.\nProof. vm_cast_no_check (eq_refl true). Qed.\n\n"
        "(* The logic of the certificate: for every question, every point of its space lies in a cell of its tree, and "
        "what\n"
        "   is excluded there does not hold at it. That questions and exclusions are those of the theorem is not "
        "shown\n"
        "   here. *)\n"
        "Theorem every_question_is_proved : match questions with\n"
        "  | Some questions => Forall (fun q : question =>\n"
        "      forall x, in_space (fst (fst q)) x -> Forall (satisfies x) (snd (fst q)) ->\n"
        "        exists l, excluded x (snd q) l /\\ Forall (fun against => ~ Forall (satisfies x) against) l) "
        "questions\n"
        "  | None => False\n  end.\n"
        "Proof. exact (all_proved_sound _ accepted). Qed.\n"
        "Check every_question_is_proved.\nPrint Assumptions every_question_is_proved.\n";
    return file;
}

}  // namespace

TheoremFile theorem_file(const AnyCertificate& certificate) {
    if (certificate->proofs().empty())
        throw InputError(
            "the certificate has no decision tree: it is checked by arithmetic alone, for which the Rocq "
            "theory has no counterpart");
    const auto* const queueing = certificate.as<queueing::Certificate>();
    const auto* const drift = queueing ? std::get_if<DriftTheorem>(&queueing->theorem) : nullptr;
    if (drift == nullptr)
        return logic_file(certificate,
                          fmt::format("the theory closes theorems of kind 'drift', not '{}'", certificate->kind()));
    auto file = drift_file(*queueing, *drift, certificate->sentence());
    return file ? *std::move(file) : logic_file(certificate, file.error());
}

}  // namespace schedproof::rocq
