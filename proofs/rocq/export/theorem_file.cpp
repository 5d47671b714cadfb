/// At level 1 every certificate with trees becomes its logic; level_three.hpp has the kinds that do better.
#include "proofs/rocq/export/theorem_file.hpp"

#include <fmt/core.h>

#include "model/core/errors.hpp"
#include "proofs/queueing/theorems/theorem.hpp"
#include "proofs/rocq/export/gallina.hpp"
#include "proofs/rocq/export/level_three.hpp"
#include "proofs/rocq/export/tree_stream.hpp"

namespace schedproof::rocq {

namespace {

TheoremFile logic_file(const AnyCertificate& certificate, std::string gap) {
    TheoremFile file{1, std::move(gap), "every_question_is_proved", comment(certificate->sentence()) + "\n", {}};
    const Stream questions = cells(certificate->proofs());
    file.integers.put(file.level);
    file.integers.append(questions);
    file.text +=
        "From Coq Require Import ZArith QArith List Uint63 PArray.\n"
        "From Schedproof Require Import Affine Words Cells.\n\n";
    file.text += fmt::format(
        "(* The trees, which need no trust: a hint that does not fit is refused. *)\n"
        "Definition words : array int := ({})%uint63.\n",
        questions.words());
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
        "Proof. exact (all_proved_sound _ accepted). Qed.\n" +
        shown(file.statement);
    return file;
}

/// The file at level 3, or why there is none.
LevelThree level_three(const AnyCertificate& certificate) {
    if (const auto* const of = certificate.as<queueing::Certificate>()) {
        const std::string sentence = certificate->sentence();
        if (const auto* const drift = std::get_if<queueing::DriftTheorem>(&of->theorem))
            return drift_file(*of, *drift, sentence);
        if (const auto* const transience = std::get_if<queueing::TransienceTheorem>(&of->theorem))
            return transience_file(*of, *transience, sentence);
        if (const auto* const mean = std::get_if<queueing::MeanTheorem>(&of->theorem))
            return mean_file(*of, *mean, sentence);
        if (const auto* const bound = std::get_if<queueing::AnyPolicyTheorem>(&of->theorem))
            return any_policy_file(*of, *bound, sentence);
    }
    return tl::unexpected<std::string>(fmt::format(
        "the theory closes drifts, transience, means and bounds of every policy, and no '{}'", certificate->kind()));
}

}  // namespace

TheoremFile theorem_file(const AnyCertificate& certificate) {
    LevelThree file = level_three(certificate);
    if (file) return *std::move(file);
    if (certificate->proofs().empty())
        throw InputError(
            fmt::format("the certificate has no decision tree: it is checked by arithmetic alone, for which the Rocq "
                        "theory has no counterpart; {}",
                        file.error()));
    return logic_file(certificate, file.error());
}

}  // namespace schedproof::rocq
