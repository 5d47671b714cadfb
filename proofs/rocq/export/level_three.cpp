#include "proofs/rocq/export/level_three.hpp"

#include <fmt/core.h>

#include "policies/queueing/registry.hpp"
#include "proofs/rocq/export/gallina.hpp"

namespace schedproof::rocq {

System::System(const queueing::Certificate& certificate)
    : policy(queueing::make_policy(certificate.policy, *certificate.instance, queueing::no_planner)),
      symbolic(*certificate.instance, policy) {}

void define(TheoremFile& file, const std::string& what, const Term& term) {
    file.text += fmt::format("Definition {} := {}.\n\n", what, term.text());
}

tl::expected<FileHead, std::string> file_head(const queueing::Certificate& certificate, const System& system,
                                              const std::string& sentence, const std::string& statement,
                                              const std::string& modules,
                                              const std::vector<std::pair<std::string, Stream>>& streams,
                                              const std::vector<std::vector<queueing::Service>>& statuses,
                                              const std::optional<Term>& family) {
    const queueing::Instance& instance = *certificate.instance;
    if (std::string gap = cluster_gap(instance, system.symbolic.layout()); !gap.empty())
        return tl::unexpected<std::string>(std::move(gap));
    const Term cluster =
        family ? cluster_term(instance, Term::constructor("map (factor_at eps) arrivals_along_slack", std::nullopt))
               : cluster_term(instance);
    const MaybeTerm rules = policy_term(system.policy.rules());
    if (!rules) return tl::unexpected<std::string>(rules.error());
    FileHead head{identifier(instance.name(), "cluster"), identifier(certificate.policy, "policy"),
                  TheoremFile{3, "", statement, comment(sentence) + "\n", {}}};
    TheoremFile& file = head.file;
    file.text +=
        "From Coq Require Import ZArith QArith List Uint63 PArray.\n"
        "From Schedproof Require Import Law Affine Program Cluster Language Kernel Drift Words" +
        modules + ".\n\n(* Trees and tables, which need no trust: a hint that does not fit is refused. *)\n";
    for (const auto& [name, stream] : streams)
        file.text += fmt::format("Definition {} : array int := ({})%uint63.\n", name, stream.words());
    file.text += "\nImport ListNotations.\nOpen Scope Z_scope.\n\n";
    if (family) define(file, "arrivals_along_slack : list (list moving)", *family);
    define(file, head.cluster + (family ? " (eps : Q) : cluster" : " : cluster"), cluster);
    file.text += comment(queueing::definition(certificate.policy)) + "\n";
    define(file, head.policy + " : policy", *rules);
    file.text += "(* What each server may be doing. *)\n";
    define(file, "statuses", statuses_term(statuses));
    file.integers.put(file.level);
    for (const Term& term : {cluster, *rules, statuses_term(statuses)}) term.put_into(file.integers);
    return head;
}

std::string time_gap(const queueing::Instance& instance) {
    return instance.continuous() ? "in continuous time the theory closes drifts alone" : "";
}

std::vector<const proof::ExploredProof*> proofs_of(const queueing::Certificate& certificate, const std::string& what) {
    std::vector<const proof::ExploredProof*> found;
    for (const proof::ExploredProof& proof : certificate.proofs)
        if (proof.name.starts_with(what + " ")) found.push_back(&proof);
    return found;
}

std::string shown(const std::string& statement) {
    return fmt::format("Check {0}.\nPrint Assumptions {0}.\n", statement);
}

}  // namespace schedproof::rocq
