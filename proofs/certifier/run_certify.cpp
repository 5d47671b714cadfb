#include "proofs/certifier/run_certify.hpp"

#include <optional>

#include "proofs/certifier/certify.hpp"

namespace schedproof::certify {

namespace {

struct Findings {
    bool accepted = true;
    std::vector<Finding> list;
};

const base::Record<Findings>& findings_record() {
    static const base::Record<Findings> record{
        base::field("accepted", &Findings::accepted, "Whether every file is accepted."),
        base::field("certificates", &Findings::list, "One entry per file, in the order given.", finding_record())
            .items(1)};
    return record;
}

}  // namespace

base::Form certify_form() {
    return {"certify",
            "What the checker says of certificate files. Answer of `schedproof certify --format json`; exit code 1 "
            "unless all are accepted.",
            true, findings_record().shape()};
}

Answer answer(const Request& request) {
    std::optional<InstanceFile> instance;
    if (!request.instance.empty()) instance = read_instance_file(request.instance);
    Findings findings;
    for (const std::string& file : request.files) {
        findings.list.push_back(check_file(file, instance ? &*instance : nullptr));
        Finding& finding = findings.list.back();
        findings.accepted = findings.accepted && finding.accepted();
        if (request.before_verdict && finding.accepted() && !finding.policy.empty())
            request.before_verdict(finding.family, finding.policy);
        if (request.on_acceptance && finding.accepted() && finding.certificate)
            request.on_acceptance(*finding.certificate);
        finding.certificate.reset();  // of many files one is held at a time
    }
    Answer answer{"", findings.accepted};
    if (!request.json) {
        for (const Finding& finding : findings.list) answer.text += to_text(finding);
        return answer;
    }
    base::Json json{{"schema", certify_form().schema}, {"version", SCHEDPROOF_VERSION}};
    json.update(findings_record().value(findings, false));
    json["files"] = request.output.empty() ? base::Json::array() : base::Json::array({request.output});
    answer.text = base::to_text(json, 2) + "\n";
    return answer;
}

}  // namespace schedproof::certify
