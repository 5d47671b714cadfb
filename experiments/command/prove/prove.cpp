/// What the proofs of `prove` share: a system without a planner, a certificate that was checked, its files.
///
/// A plan comes from a linear program, which the checker cannot make again without a solver; so policies with a plan
/// are refused. Every certificate is checked by the checker's own code before anything is printed: a proof that it
/// rejects is an oracle conflict, not an answer. SMT-LIB files repeat each refutation for other solvers.
#include "experiments/command/prove/prove.hpp"

#include <fmt/core.h>

#include <filesystem>

#include "experiments/command/core/certificate_file.hpp"
#include "model/base/output_file.hpp"
#include "model/core/errors.hpp"
#include "proofs/certificate/smtlib.hpp"
#include "proofs/certifier/certify.hpp"

namespace schedproof::cli {

namespace fs = std::filesystem;

queueing::SymbolicSystem symbolic_system(const queueing::Instance& instance, std::string_view policy,
                                         const char* option) {
    const queueing::Planner no_planner = [&](const queueing::Instance&) -> queueing::FluidPlan {
        throw InputError::at_key(option,
                                 fmt::format("expected a policy without a plan: that of {} comes from a solver, so no "
                                             "certificate of it could be checked",
                                             policy));
    };
    return {instance, queueing::make_policy(policy, instance, no_planner)};
}

queueing::Certificate certified(std::shared_ptr<const queueing::Instance> instance, std::string policy,
                                queueing::Theorem theorem, const std::vector<proof::ExploredProof>& proofs) {
    queueing::Certificate certificate{std::move(instance), std::move(policy), std::move(theorem), {}};
    for (const proof::ExploredProof& proof : proofs) certificate.proofs.push_back(canonical(proof));
    if (const std::string wrong = rejection(certificate); !wrong.empty())
        throw OracleConflict("the checker rejects a proof just found: " + wrong);
    return certificate;
}

namespace {

std::size_t write_smtlib(const std::string& directory, const std::vector<proof::ExploredProof>& proofs) {
    base::make_directory(directory);
    std::string index;
    std::size_t files = 0;
    for (const proof::ExploredProof& proof : proofs)
        for_each_refutation(proof, [&](const std::string& what, std::span<const proof::Constraint> constraints) {
            const std::string name = fmt::format("{:06}.smt2", files++);
            base::write_file((fs::path(directory) / name).string(),
                             smtlib(proof.space, constraints, proof.name + ": " + what));
            index += name + "\t" + proof.name + "\t" + what + "\n";
        });
    base::write_file((fs::path(directory) / "index.txt").string(), index);
    return files;
}

}  // namespace

void require_writable_evidence(const EvidenceRequest& request, const std::string& answer) {
    require_writable({answer, request.certificate});
    if (request.certificate == "-" && answer == "-")
        throw InputError::at_key("--certificate", "expected a file: the answer goes to standard output");
    std::error_code error;
    const fs::path directory(request.smtlib);
    const fs::path above = directory.has_parent_path() ? directory.parent_path() : fs::path(".");
    if (!request.smtlib.empty() && !fs::is_directory(fs::exists(directory, error) ? directory : above, error))
        throw InputError::in_file(request.smtlib, "expected a directory that can be made or written");
}

std::size_t write_evidence(const EvidenceRequest& request, const queueing::Certificate& certificate) {
    if (!request.certificate.empty()) write_certificate_file(request.certificate, certificate);
    return request.smtlib.empty() ? 0 : write_smtlib(request.smtlib, certificate.proofs);
}

const Record<explore::Statistics>& statistics_record() {
    using S = explore::Statistics;
    static const Record<S> record{
        field("cells", &S::cells, "Cells explored: polyhedra of states on which the code does one fixed thing."),
        field("closed", &S::closed, "Sides of comparisons that were shown to be empty."),
        field("questions", &S::questions, "Put to the solver.")};
    return record;
}

std::string effort_line(const explore::Statistics& statistics, double seconds) {
    return fmt::format("effort        {} cells, {} empty sides, {} questions to the solver, {:.2f} s\n",
                       statistics.cells, statistics.closed, statistics.questions, seconds);
}

std::string evidence_lines(const EvidenceRequest& request, std::size_t smtlib_files) {
    std::string lines;
    if (!request.certificate.empty()) lines += "certificate   " + request.certificate + "\n";
    if (smtlib_files > 0) lines += fmt::format("smtlib        {} files in {}\n", smtlib_files, request.smtlib);
    return lines;
}

std::string checked_lines(const queueing::Certificate& certificate, const EvidenceRequest& request,
                          std::size_t smtlib_files) {
    return fmt::format("checked       {} questions, without any solver\n", certificate.proofs.size()) +
           evidence_lines(request, smtlib_files);
}

CiVerdict asked_of(std::string rule, std::string statement, std::string policy, std::string about) {
    CiVerdict asked{.rule = std::move(rule),
                    .statement = std::move(statement),
                    .policy = std::move(policy),
                    .about = std::move(about)};
    asked.place = policy_place("queueing", asked.policy, "");
    return asked;
}

OptionTable evidence_options(EvidenceRequest& evidence) {
    return {{.names = "--certificate",
             .value = "FILE",
             .target = &evidence.certificate,
             .meaning = "write the proof to this file; see `schedproof certify`"},
            {.names = "--smtlib",
             .value = "DIR",
             .target = &evidence.smtlib,
             .meaning = "write every step as SMT-LIB 2 into this directory, for other solvers to repeat"}};
}

Subcommand prove() {
    Subcommand group{"prove",
                     "prove or refute a statement about ALL states, with a certificate",
                     "schedproof prove drift experiments/instances/m2-half.toml -p balanced-pandas --lyapunov "
                     "workload-squares --certificate drift.json",
                     {}};
    group.parts = {prove_drift(), prove_throughput(), prove_transience(), prove_steps(), prove_heavy_traffic()};
    return group;
}

}  // namespace schedproof::cli
