#include "experiments/command/families/evidence.hpp"

#include <algorithm>
#include <filesystem>

#include "checks/core/registry.hpp"
#include "experiments/command/families/assignment_evidence.hpp"
#include "experiments/command/families/queueing_evidence.hpp"
#include "experiments/command/families/redundancy_evidence.hpp"
#include "experiments/command/families/sharing_evidence.hpp"
#include "model/base/output_file.hpp"
#include "model/core/errors.hpp"
#include "proofs/certifier/certificate_codec.hpp"

namespace schedproof::command {

namespace {

namespace fs = std::filesystem;
using namespace checks;

std::string stem(const Claim& claim, const std::string& policy, const std::string& instance) {
    return file_name(claim.id) + "--" + file_name(policy) + "--" + file_name(instance);
}

void make_directory(const fs::path& path) {
    std::error_code failure;
    fs::create_directories(path, failure);
    if (failure) throw InputError({path.string(), 0, ""}, "cannot make the directory: " + failure.message());
}

}  // namespace

std::string write_bundle(const Claim& claim, const Counterexample& found, const std::string& instance,
                         const std::string& root) {
    const std::string policy = std::visit([](const auto& c) { return c.policy; }, found);
    const std::string folder = root + "/" + stem(claim, policy, instance);
    make_directory(folder);
    if (const auto* queueing = std::get_if<QueueingClaim>(&claim.asked))
        write_bundle(*queueing, std::get<QueueingCounterexample>(found), folder);
    else if (const auto* assignment = std::get_if<AssignmentClaim>(&claim.asked))
        write_bundle(*assignment, std::get<AssignmentCounterexample>(found), folder);
    else if (const auto* redundancy = std::get_if<RedundancyClaim>(&claim.asked))
        write_bundle(*redundancy, std::get<RedundancyCounterexample>(found), folder);
    else
        write_bundle(std::get<SharingClaim>(claim.asked), std::get<SharingCounterexample>(found), folder);
    base::write_file(folder + "/replay.sh", "#!/bin/sh\nschedproof check --replay \"$(dirname \"$0\")\"\n");
    return folder;
}

std::string write_theorem(const Claim& claim, const Proved& proved, const std::string& policy,
                          const std::string& instance, const std::string& root) {
    make_directory(root);
    const std::string file = root + "/" + stem(claim, policy, instance) + ".certificate.json";
    base::write_file(file, certify::write_certificate(*proved.certificate));
    return file;
}

Replay replay(const std::string& directory) {
    const BundleText bundle(directory);
    const std::string id = bundle.text("claim");
    const std::vector<Claim> claims = all_claims();
    const auto claim = std::find_if(claims.begin(), claims.end(), [&](const Claim& c) { return c.id == id; });
    if (claim == claims.end())
        throw InputError({bundle.file(), 0, "claim"}, "expected a registered claim, not '" + id + "'");
    return std::visit([&](const auto& asked) { return replay(asked, bundle); }, claim->asked);
}

}  // namespace schedproof::command
