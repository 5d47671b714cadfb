/// The parts of `validate` that are proofs: stability on instances, and for every number of servers.
#include <fmt/core.h>

#include <filesystem>

#include "checks/queueing/family.hpp"
#include "checks/queueing/stability_argument.hpp"
#include "experiments/command/core/budget.hpp"
#include "experiments/command/prove/prove.hpp"
#include "experiments/command/validate/validate.hpp"
#include "model/core/errors.hpp"
#include "proofs/certifier/certify.hpp"
#include "proofs/queueing/capacity/region.hpp"

namespace schedproof::cli {

namespace {

using namespace queueing;

/// Writes the certificate, if evidence is asked for; the file.
std::string write_certificate_of(const Validated& of, const std::string& name, const Certificate& certificate) {
    if (of.request.evidence.empty()) return "";
    std::string file = (std::filesystem::path(of.request.evidence) / (name + ".json")).string();
    write_text(file, certify::write_certificate(certificate));
    return file;
}

/// The instance's load, by a certificate that was verified.
std::string load_in_words(const Instance& instance) {
    const auto certificate = capacity::solve(instance);
    return certificate.exact() ? "rho* = " + display(certificate.load()) : "rho* <= " + display(certificate.upper);
}

Certificate certificate_of(const std::shared_ptr<const Instance>& instance, const std::string& policy,
                           checks::StabilityArgument argument) {
    return std::visit([&](auto& proof) { return certified(instance, policy, std::move(proof.theorem), proof.proofs); },
                      argument);
}

/// Fills in what is known of the policy on the instance.
Standing stability_on(const Validated& of, const std::shared_ptr<const Instance>& instance, Remark& remark) {
    const std::string load = load_in_words(*instance);
    // Without a planner, as a certificate is checked.
    const AnyPolicy policy = make_policy(of.id, *instance, no_planner);
    checks::StabilityOutcome outcome = checks::settle_stability(
        SymbolicSystem(*instance, policy), ExactSystem(*instance, policy), validation_budget(of.request));
    if (!outcome.argument) {
        remark.says = load + "; no argument settles it";
        for (const std::string& why : outcome.why_not) remark.says += "\n" + why;
        return Standing::unknown;
    }
    const bool transient = outcome.transient();
    const Certificate certificate = certificate_of(instance, of.id, std::move(*outcome.argument));
    remark.verdict = "Proved";
    remark.against = transient;
    remark.says = fmt::format("{} ({}), by {}", transient ? "TRANSIENT" : "stable", load, outcome.by);
    remark.evidence = write_certificate_of(of, "stability-" + instance->name(), certificate);
    return transient ? Standing::transient : Standing::stable;
}

}  // namespace

std::vector<Standing> validate_stability(const Validated& of, Journal& journal) {
    std::vector<Standing> standings;
    for (const auto& instance : of.instances) {
        const Stopwatch watch;
        Remark remark{.part = "stability", .about = instance->name(), .verdict = "Unknown"};
        Standing standing = Standing::unknown;
        try {
            standing = stability_on(of, instance, remark);
        } catch (const InputError& error) {  // the policy cannot run there
            remark.says = error.what();
        } catch (const LimitExceeded& limit) {
            remark.says = limit.what();
        }
        remark.seconds = watch.seconds();
        standings.push_back(standing);
        journal.add(std::move(remark));
    }
    return standings;
}

std::vector<std::size_t> validate_every_cluster(const Validated& of, Journal& journal) {
    std::vector<std::size_t> proved;
    for (const std::size_t levels : {2U, 3U}) {
        const Stopwatch watch;
        Remark remark{.part = "every cluster", .about = fmt::format("{} levels", levels), .verdict = "Unknown"};
        try {
            UniformOutcome outcome =
                prove_uniform(ParametricPolicy::registered(of.id), levels, validation_budget(of.request));
            if (auto* proof = std::get_if<UniformProof>(&outcome)) {
                const Certificate certificate = certified(nullptr, of.id, std::move(proof->theorem), proof->proofs);
                remark.verdict = "Proved";
                remark.says = "throughput optimal for every number of servers, by the MaxWeight drift argument";
                remark.evidence = write_certificate_of(of, fmt::format("every-cluster-{}-levels", levels), certificate);
                proved.push_back(levels);
            } else if (const auto* failure = std::get_if<LeafFailure>(&outcome)) {
                remark.says = "the drift argument fails, which says nothing of stability: " + failure->decision;
            } else {
                remark.says = std::get<UniformUnknown>(outcome).reason;
            }
        } catch (const InputError& error) {
            remark.says = error.what();
        } catch (const LimitExceeded& limit) {
            remark.says = limit.what();
        }
        remark.seconds = watch.seconds();
        journal.add(std::move(remark));
    }
    return proved;
}

}  // namespace schedproof::cli
