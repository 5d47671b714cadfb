/// At level 1 every certificate with trees or identities becomes its logic; level_three.hpp has the kinds that do
/// better.
#include "proofs/rocq/export/theorem_file.hpp"

#include <fmt/core.h>

#include "model/core/errors.hpp"
#include "proofs/queueing/theorems/theorem.hpp"
#include "proofs/rocq/export/gallina.hpp"
#include "proofs/rocq/export/identities.hpp"
#include "proofs/rocq/export/level_three.hpp"
#include "proofs/rocq/export/tree_stream.hpp"

namespace schedproof::rocq {

namespace {

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
        if (const auto* const near = std::get_if<queueing::HeavyUpperTheorem>(&of->theorem))
            return heavy_traffic_file(*of, *near, sentence);
    }
    return tl::unexpected<std::string>(
        fmt::format("the theory closes drifts, transience, means, upper bounds near the boundary and bounds of every "
                    "policy, and no "
                    "'{}'",
                    certificate->kind()));
}

}  // namespace

TheoremFile logic_file(const AnyCertificate& certificate, std::string gap) {
    if (certificate->proofs().empty() && identities(certificate).empty())
        throw InputError(
            fmt::format("the certificate has neither a decision tree nor an identity: it is checked by arithmetic "
                        "alone, for which the Rocq theory has no counterpart{}{}",
                        gap.empty() ? "" : "; ", gap));
    TheoremFile file{1, std::move(gap), "logic_is_proved", comment(certificate->sentence()) + "\n", {}};
    Stream logic = cells(certificate->proofs());
    logic.append(stream_of(identities(certificate)));
    file.integers.put(file.level);
    file.integers.append(logic);
    file.text +=
        "From Coq Require Import ZArith QArith List Uint63 PArray.\n"
        "From Schedproof Require Import Affine Words Identities Cells.\n\n";
    file.text += fmt::format(
        "(* The trees and identities, which need no trust: a hint that does not fit is refused. *)\n"
        "Definition words : array int := ({})%uint63.\n",
        logic.words());
    file.text +=
        "Definition logic : option logic := Eval vm_compute in logic_of (stream words).\n\n"
        "Lemma accepted : logic_proved logic = true.\nProof. vm_cast_no_check (eq_refl true). Qed.\n\n"
        "(* The logic of the certificate. Every question is answered: every point of its space lies in a cell of its "
        "tree, and\n"
        "   what is excluded there does not hold at it. Every polynomial lemma holds: where its hypotheses are at "
        "least "
        "0, so is\n"
        "   its conclusion. That questions, exclusions and lemmas are those of the theorem is not shown here. *)\n"
        "Theorem logic_is_proved : match logic with\n"
        "  | Some (questions, identities) => Forall answered questions /\\ Forall lemma_holds identities\n"
        "  | None => False\n  end.\n"
        "Proof. exact (logic_proved_sound _ _ accepted). Qed.\n" +
        shown(file.statement);
    return file;
}

TheoremFile theorem_file(const AnyCertificate& certificate) {
    LevelThree file = level_three(certificate);
    return file ? *std::move(file) : logic_file(certificate, file.error());
}

}  // namespace schedproof::rocq
