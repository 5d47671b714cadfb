#include "proofs/certifier/certify.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>

#include "model/base/text.hpp"
#include "model/core/errors.hpp"
#include "proofs/certifier/proof_codec.hpp"
#include "proofs/certifier/queueing/load_certificate.hpp"

namespace schedproof::certify {

namespace {

std::string spelling_rejection(const CertificateFile& file) {
    const Certifiable& certificate = *file.certificate;
    if (std::string wrong = certificate.spelling_rejection(); !wrong.empty()) return wrong;
    if (certificate.digest() != file.digest)
        return fmt::format("the digest is not that of {}", certificate.digest_of());
    // A name with a line break in it could write lines of this program's own answer.
    if (std::any_of(file.sentence.begin(), file.sentence.end(), [](unsigned char c) { return c < ' '; }))
        return "a name holds a control character";
    if (const std::string sentence = certificate.sentence(); sentence != file.sentence)
        return "the sentence is not the theorem's, which reads: " + sentence;
    for (const proof::ExploredProof& proof : certificate.proofs()) {
        const proof::ExploredProof rewritten = canonical(proof);
        if (rewritten.tree != proof.tree || rewritten.leaves != proof.leaves)
            return proof.name + ": a refutation is not in canonical form";
    }
    return "";
}

void check_theorem(const base::Node& root, const std::string& file, Finding& finding) {
    try {
        const CertificateFile read = read_certificate(root, file);
        finding.kind = read.certificate->kind();
        finding.instance = read.certificate->instance_name();
        finding.policy = read.certificate->policy();
        finding.sentence = read.sentence;
        finding.contents = read.certificate->contents();
        finding.checked = read.certificate->checked();
        finding.rejection = rejection(read);
    } catch (const InputError& error) {
        throw error.within({file, 0, ""});
    }
}

void check_load(const base::Node& root, const std::string& file, const queueing::Instance* instance, Finding& finding) {
    if (instance == nullptr)
        throw InputError::in_file(file, "expected --instance FILE: a certificate of a load only names its instance");
    const auto certificate = read_load(root, file, *instance);
    finding.kind = "capacity";
    finding.instance = instance->name();
    finding.rejection = capacity::rejection(*instance, certificate);
    finding.contents.multipliers =
        certificate.decomposition.size() + certificate.type_price.size() + certificate.server_price.size();
    finding.checked = fmt::format("{} entries of decomposition and prices", finding.contents.multipliers);
    finding.sentence = "The load rho* of " + instance->name() + " is " +
                       (certificate.exact() ? certificate.lower.to_string()
                                            : "at least " + certificate.lower.to_string() + " and at most " +
                                                  certificate.upper.to_string()) +
                       ".";
}

}  // namespace

std::string rejection(const CertificateFile& file) {
    file.certificate->require_checkable();
    try {
        if (std::string wrong = file.certificate->rejection(); !wrong.empty()) return wrong;
        return spelling_rejection(file);
    } catch (const ContractViolation& broken) {
        return std::string("the code cannot be run on these data: ") + broken.what();
    }
}

Finding check_text(std::string_view text, const std::string& file, const queueing::Instance* instance) {
    const auto start = std::chrono::steady_clock::now();
    Finding finding;
    finding.file = file;
    const base::Node root = read_document(text, file);
    const auto* table = std::get_if<base::Node::Table>(&root.value);
    const base::Node* schema = table == nullptr ? nullptr : base::find(*table, "schema");
    const auto* name = schema == nullptr ? nullptr : std::get_if<std::string>(&schema->value);
    if (name != nullptr && *name == "capacity-certificate")
        check_load(root, file, instance, finding);
    else
        check_theorem(root, file, finding);
    finding.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return finding;
}

Finding check_file(const std::string& path, const queueing::Instance* instance) {
    return check_text(base::read_text(path, max_certificate_bytes), base::display_name(path), instance);
}

std::string to_text(const Finding& finding) {
    if (!finding.accepted()) return fmt::format("rejected      {}\n  {}\n", finding.file, finding.rejection);
    return fmt::format(
        "accepted      {}\ntheorem       {}\nchecked       {}\ntime          {:.2f} s, without any solver\n",
        finding.file, finding.sentence, finding.checked, finding.seconds);
}

std::string to_json(const Finding& finding) {
    const Contents& c = finding.contents;
    return fmt::format(
        "{{\"file\": {}, \"accepted\": {}, \"rejection\": {}, \"theorem\": {}, \"instance\": {}, "
        "\"policy\": {}, \"sentence\": {}, \"questions\": {}, \"leaves\": {}, \"closed\": {}, "
        "\"multipliers\": {}, \"seconds\": {:.3f}}}",
        json_string(finding.file), finding.accepted(), finding.accepted() ? "null" : json_string(finding.rejection),
        json_string(finding.kind), json_string(finding.instance),
        finding.policy.empty() ? "null" : json_string(finding.policy), json_string(finding.sentence), c.questions,
        c.leaves, c.closed, c.multipliers, finding.seconds);
}

}  // namespace schedproof::certify
