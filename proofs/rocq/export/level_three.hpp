/// Files that close a theorem about the chain, one function per kind of certificate, and what they have in common.
///
/// In each the array of words stands before the notations of lists, which would hide its own. Of what is exported only
/// trees and tables come from the certificate; Rocq computes the slot, the policy and the drift from the terms.
#pragma once

#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "proofs/queueing/symbolic/symbolic_system.hpp"
#include "proofs/queueing/theorems/theorem.hpp"
#include "proofs/rocq/export/term.hpp"
#include "proofs/rocq/export/theorem_file.hpp"
#include "proofs/rocq/export/tree_stream.hpp"

namespace schedproof::rocq {

/// A file, or why there is none at level 3.
using LevelThree = tl::expected<TheoremFile, std::string>;

/// From every valid state a finite set is reached in finite mean time.
[[nodiscard]] LevelThree drift_file(const queueing::Certificate& certificate, const queueing::DriftTheorem& theorem,
                                    const std::string& sentence);
/// Started empty, the cluster may never be empty again.
[[nodiscard]] LevelThree transience_file(const queueing::Certificate& certificate,
                                         const queueing::TransienceTheorem& theorem, const std::string& sentence);
/// A long-run mean lies between two numbers.
[[nodiscard]] LevelThree mean_file(const queueing::Certificate& certificate, const queueing::MeanTheorem& theorem,
                                   const std::string& sentence);
/// No policy has a mean number of tasks below a number. Without integers for the extracted checker.
[[nodiscard]] LevelThree any_policy_file(const queueing::Certificate& certificate,
                                         const queueing::AnyPolicyTheorem& theorem, const std::string& sentence);

/// The mean number of tasks near the boundary, at every slack of a family. Without integers for the extracted checker.
[[nodiscard]] LevelThree heavy_traffic_file(const queueing::Certificate& certificate,
                                            const queueing::HeavyUpperTheorem& theorem, const std::string& sentence);

/// The certificate's policy on its instance, at all lengths at once. Not to be moved: its parts refer to each other.
struct System {
    explicit System(const queueing::Certificate& certificate);
    queueing::AnyPolicy policy;
    queueing::SymbolicSystem symbolic;
};

/// The first part of a file: the sentence, the theory, streams by name, cluster, policy and statuses.
struct FileHead {
    std::string cluster, policy;  ///< their names; the cluster of a family is a function of the slack
    TheoremFile file;             ///< of level 3, begun
};
/// `statement`: the name of the theorem; `modules`: of the theory, besides those that every file uses. Streams need no
/// trust: one that does not fit is refused. `family`: the factors of the arrivals along a slack.
[[nodiscard]] tl::expected<FileHead, std::string> file_head(const queueing::Certificate& certificate,
                                                            const System& system, const std::string& sentence,
                                                            const std::string& statement, const std::string& modules,
                                                            const std::vector<std::pair<std::string, Stream>>& streams,
                                                            const std::vector<std::vector<queueing::Service>>& statuses,
                                                            const std::optional<Term>& family = std::nullopt);

/// Why an instance in continuous time has no theorem of this kind; empty in slots.
[[nodiscard]] std::string time_gap(const queueing::Instance& instance);

/// The proofs of the questions called `WHAT SHAPE`.
[[nodiscard]] std::vector<const proof::ExploredProof*> proofs_of(const queueing::Certificate& certificate,
                                                                 const std::string& what);

/// Begins a line of the file with a definition.
void define(TheoremFile& file, const std::string& what, const Term& term);

/// `Check` and `Print Assumptions`, which end a file.
[[nodiscard]] std::string shown(const std::string& statement);

}  // namespace schedproof::rocq
