#include "proofs/certifier/run_certify.hpp"

#include <fmt/core.h>

#include <optional>

#include "proofs/certifier/certify.hpp"
#include "proofs/certifier/proof_codec.hpp"

namespace schedproof::certify {

Answer answer(const Request& request) {
    std::optional<InstanceFile> instance;
    if (!request.instance.empty()) instance = read_instance_file(request.instance);
    Answer answer;
    std::vector<Finding> findings;
    for (const std::string& file : request.files) {
        findings.push_back(check_file(file, instance ? &*instance : nullptr));
        Finding& finding = findings.back();
        answer.accepted = answer.accepted && finding.accepted();
        if (request.before_verdict && finding.accepted() && !finding.policy.empty())
            request.before_verdict(finding.family, finding.policy);
        if (request.on_acceptance && finding.accepted() && finding.certificate)
            request.on_acceptance(*finding.certificate);
        finding.certificate.reset();  // of many files one is held at a time
    }
    if (!request.json) {
        for (const Finding& finding : findings) answer.text += to_text(finding);
        return answer;
    }
    answer.text = fmt::format(
        "{{\n  \"schema\": \"certify\",\n  \"version\": {},\n  \"accepted\": {},\n  \"certificates\": {},\n  "
        "\"files\": [{}]\n}}\n",
        json_string(SCHEDPROOF_VERSION), answer.accepted,
        json_list(
            findings, [](const Finding& finding) { return "\n    " + to_json(finding); }, ","),
        request.output.empty() ? "" : json_string(request.output));
    return answer;
}

}  // namespace schedproof::certify
