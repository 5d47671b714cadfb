/// What the kinds of `schedproof prove` share: symbolic systems, budgets, certificates, SMT-LIB files.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/command/core/answer_fields.hpp"
#include "experiments/command/core/budget.hpp"
#include "experiments/command/core/ci_report.hpp"
#include "experiments/command/core/options.hpp"
#include "experiments/command/core/output.hpp"
#include "proofs/queueing/theorems/theorem.hpp"

namespace schedproof::cli {

/// What a proof leaves behind.
struct EvidenceRequest {
    std::string certificate;  ///< file, or empty
    std::string smtlib;       ///< directory, or empty
};

/// A registered policy for symbolic execution. Borrows `instance`.
/// Throws InputError for a policy that plans by a solver: no certificate of it could be checked.
[[nodiscard]] queueing::SymbolicSystem symbolic_system(const queueing::Instance& instance, std::string_view policy,
                                                       const char* option = "--policy");

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
[[nodiscard]] const Record<explore::Statistics>& statistics_record();
template <class Get>
[[nodiscard]] auto statistics_field(Get get) {
    return field("statistics", get, "What the exploration took.", statistics_record()).hidden();
}
template <class Get>
[[nodiscard]] auto certificate_field(Get get) {
    return field("certificate", get, "File that `schedproof certify` checks; null when none was asked for.").hidden();
}
template <class Get>
[[nodiscard]] auto picture_field(Get get) {
    return field("picture", get, "File that holds the picture; null when none was asked for.")
        .pattern("\\.(dot|svg|png)$|^-$");
}
/// The same with the time, as a line.
[[nodiscard]] std::string effort_line(const explore::Statistics& statistics, double seconds);
/// What was written, a line for each kind of evidence.
[[nodiscard]] std::string evidence_lines(const EvidenceRequest& request, std::size_t smtlib_files);
/// The same after a line on what the checker was asked.
[[nodiscard]] std::string checked_lines(const queueing::Certificate& certificate, const EvidenceRequest& request,
                                        std::size_t smtlib_files);

/// What was asked of a queueing policy, for build servers; `about` is the instance.
[[nodiscard]] CiVerdict asked_of(std::string rule, std::string statement, std::string policy, std::string about);

/// `--certificate` and `--smtlib`.
[[nodiscard]] OptionTable evidence_options(EvidenceRequest& evidence);

/// The kinds of statements, each a subcommand of `prove`.
[[nodiscard]] Subcommand prove_drift();
[[nodiscard]] Subcommand prove_throughput();
[[nodiscard]] Subcommand prove_transience();
[[nodiscard]] Subcommand prove_steps();
[[nodiscard]] Subcommand prove_heavy_traffic();

}  // namespace schedproof::cli
