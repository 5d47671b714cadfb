/// What the kinds of `schedproof prove` share: symbolic systems, budgets, certificates, SMT-LIB files.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/command/core/output.hpp"
#include "experiments/command/core/requests.hpp"
#include "proofs/explore/explorer.hpp"
#include "proofs/queueing/theorems/theorem.hpp"

namespace schedproof::command {

/// The explore reading of a registered policy. Borrows `instance`.
/// Throws InputError for a policy that plans by a solver: no certificate of it could be checked.
[[nodiscard]] queueing::SymbolicSystem symbolic_system(const queueing::Instance& instance, std::string_view policy);

/// Budgets of an exploration from the command line, with progress on a terminal. Borrows `progress`.
[[nodiscard]] explore::Budget budget_of(const BudgetRequest& request, Progress& progress);

/// The certificate of proofs just found, in canonical form.
/// Throws OracleConflict when the checker rejects it: then nothing may be called proved.
[[nodiscard]] queueing::Certificate certified(std::shared_ptr<const queueing::Instance> instance, std::string policy,
                                              queueing::Theorem theorem,
                                              const std::vector<proof::ExploredProof>& proofs);

/// Throws InputError unless what the request asks for can be written, before any work; `answer` is where the answer
/// goes.
void require_writable_evidence(const EvidenceRequest& request, const std::string& answer);

/// Writes what the request asks for: the certificate (complete or absent), and every refutation as an SMT-LIB 2 file in
/// a directory that is made when it is missing, beside `index.txt` with a line per file: name, question, which one.
/// Returns the number of SMT-LIB files. Throws InputError when something cannot be written.
std::size_t write_evidence(const EvidenceRequest& request, const queueing::Certificate& certificate);

/// Cells, empty sides and questions to the solver.
[[nodiscard]] nlohmann::ordered_json to_json(const explore::Statistics& statistics);

/// A word as a shell takes it: in quotes where it needs some.
[[nodiscard]] std::string shell_word(const std::string& word);

}  // namespace schedproof::command
