#include "experiments/command/prove/prove.hpp"

#include <fmt/core.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "model/base/output_file.hpp"
#include "model/core/errors.hpp"
#include "proofs/certificate/smtlib.hpp"
#include "proofs/certifier/certificate_codec.hpp"
#include "proofs/certifier/certify.hpp"

namespace schedproof::command {

namespace fs = std::filesystem;

queueing::SymbolicSystem symbolic_system(const queueing::Instance& instance, std::string_view policy) {
    const queueing::Planner no_planner = [&](const queueing::Instance&) -> queueing::FluidPlan {
        throw InputError({"", 0, "--policy"},
                         fmt::format("expected a policy without a plan: that of {} comes from a solver, so no "
                                     "certificate of it could be checked",
                                     policy));
    };
    return {instance, queueing::make_policy(policy, instance, no_planner)};
}

explore::Budget budget_of(const BudgetRequest& request, Progress& progress) {
    explore::Budget budget;
    budget.solver = request.rlimit.value_or(budget.solver);
    budget.paths = request.max_cells.value_or(budget.paths);
    budget.progress = [&progress](std::uint64_t cells) { progress.report("cells", static_cast<double>(cells), 0); };
    return budget;
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
    std::error_code error;
    fs::create_directories(directory, error);
    if (!fs::is_directory(directory, error))
        throw InputError({directory, 0, ""}, "expected a directory that can be made or written");
    std::string index;
    std::size_t files = 0;
    for (const proof::ExploredProof& proof : proofs)
        for_each_refutation(proof, [&](const std::string& what, std::span<const proof::Constraint> constraints) {
            const std::string name = fmt::format("{:06}.smt2", files++);
            graph::write_file((fs::path(directory) / name).string(),
                              smtlib(proof.space, constraints, proof.name + ": " + what));
            index += name + "\t" + proof.name + "\t" + what + "\n";
        });
    graph::write_file((fs::path(directory) / "index.txt").string(), index);
    return files;
}

}  // namespace

void require_writable_evidence(const EvidenceRequest& request, const std::string& answer) {
    require_writable({answer, request.certificate});
    if (request.certificate == "-" && answer == "-")
        throw InputError({"", 0, "--certificate"}, "expected a file: the answer goes to standard output");
    std::error_code error;
    const fs::path directory(request.smtlib);
    const fs::path above = directory.has_parent_path() ? directory.parent_path() : fs::path(".");
    if (!request.smtlib.empty() && !fs::is_directory(fs::exists(directory, error) ? directory : above, error))
        throw InputError({request.smtlib, 0, ""}, "expected a directory that can be made or written");
}

std::size_t write_evidence(const EvidenceRequest& request, const queueing::Certificate& certificate) {
    if (!request.certificate.empty()) write_text(request.certificate, certify::write_certificate(certificate));
    return request.smtlib.empty() ? 0 : write_smtlib(request.smtlib, certificate.proofs);
}

nlohmann::ordered_json to_json(const explore::Statistics& statistics) {
    return {{"cells", statistics.cells}, {"closed", statistics.closed}, {"questions", statistics.questions}};
}

std::string shell_word(const std::string& word) {
    constexpr std::string_view safe = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:,+@%=";
    if (!word.empty() && word.find_first_not_of(safe) == std::string::npos) return word;
    std::string quoted = "'";
    for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

}  // namespace schedproof::command
