#include "proofs/certifier/certify.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>

#include "model/base/text.hpp"
#include "model/core/errors.hpp"
#include "proofs/certifier/certificate_file.hpp"
#include "proofs/certifier/proof_codec.hpp"
#include "proofs/certifier/theorem_codec.hpp"

namespace schedproof::certify {

namespace {

Contents contents_of(const std::vector<proof::ExploredProof>& proofs) {
    Contents contents;
    contents.questions = proofs.size();
    for (const proof::ExploredProof& proof : proofs) {
        contents.leaves += proof.leaves.size();
        for (const auto& leaf : proof.leaves)
            for (const proof::Obligation& obligation : leaf) contents.multipliers += obligation.multipliers.size();
        const auto count = [&](const proof::Side& side) {
            if (const auto* closed = std::get_if<proof::Closed>(&side)) {
                ++contents.closed;
                contents.multipliers += closed->multipliers.size();
            }
        };
        count(proof.tree.root);
        for (const auto& node : proof.tree.nodes) {
            count(node.yes);
            count(node.no);
        }
    }
    return contents;
}

std::string writing_fault(const CertificateFile& file) {
    if (const auto* certificate = std::get_if<queueing::Certificate>(&file.certificate)) {
        if (queueing::resolve_policy(certificate->policy) != certificate->policy)
            return "the policy is not named by its id";
        if (certificate->instance && digest_of(*certificate->instance) != file.digest)
            return "the digest is not that of the instance";
    }
    if (const auto* dual = std::get_if<redundancy::DualCertificate>(&file.certificate))
        if (digest_of(*dual) != file.digest) return "the digest is not that of the instance and the statement";
    // A name with a line break in it could write lines of this program's own answer.
    if (std::any_of(file.sentence.begin(), file.sentence.end(), [](unsigned char c) { return c < ' '; }))
        return "a name holds a control character";
    if (const std::string sentence = schedproof::sentence(file.certificate); sentence != file.sentence)
        return "the sentence is not the theorem's, which reads: " + sentence;
    for (const proof::ExploredProof& proof : proofs_of(file.certificate)) {
        const proof::ExploredProof plain = canonical(proof);
        if (plain.tree != proof.tree || plain.leaves != proof.leaves)
            return proof.name + ": a refutation is not in canonical form";
    }
    return "";
}

void check_theorem(const input::Node& root, const std::string& file, Finding& finding) {
    try {
        const CertificateFile read = read_certificate(root, file);
        finding.kind = kind_of(read.certificate);
        finding.instance = instance_of(read.certificate);
        finding.policy = policy_of(read.certificate);
        finding.sentence = read.sentence;
        finding.contents = contents_of(proofs_of(read.certificate));
        if (const auto* dual = std::get_if<redundancy::DualCertificate>(&read.certificate))
            finding.contents.multipliers = dual->alpha.size();
        if (const auto* of = std::get_if<redundancy::Certificate>(&read.certificate))
            for (const proof::PolynomialProof& identity : of->lemmas)
                finding.contents.multipliers += identity.terms.size();
        finding.fault = fault(read);
    } catch (const InputError& error) { throw error.within({file, 0, ""}); }
}

void check_capacity(std::string_view text, const std::string& file, const queueing::Instance* instance,
                    Finding& finding) {
    if (instance == nullptr)
        throw InputError({file, 0, ""}, "expected --instance FILE: a certificate of a load only names its instance");
    const auto certificate = command::parse_certificate(std::string(text), file, *instance);
    finding.kind = "capacity";
    finding.instance = instance->name();
    finding.fault = capacity::fault(*instance, certificate);
    finding.contents.multipliers =
        certificate.decomposition.size() + certificate.type_price.size() + certificate.server_price.size();
    finding.sentence = "The load rho* of " + instance->name() + " is " +
                       (certificate.exact() ? certificate.lower.to_string()
                                            : "at least " + certificate.lower.to_string() + " and at most " +
                                                  certificate.upper.to_string()) +
                       ".";
}

/// Every question has all queues as symbols, and there is one per server at least: what a few bytes such as
/// `"servers": 2000000` ask for must not be built.
void require_checkable(const queueing::Certificate& certificate) {
    if (!certificate.instance) return;
    constexpr std::size_t most = 50'000'000;
    const queueing::InstanceData& data = certificate.instance->data();
    const std::size_t queues = std::max(data.servers.size() * data.levels.size(), data.types.size() + 1);
    if (queues > most / std::max(data.servers.size(), certificate.proofs.size() + 1))
        throw LimitExceeded("certificate", fmt::format("questions about {} servers would have more than {} symbols",
                                                       data.servers.size(), most));
}

}  // namespace

std::string fault(const CertificateFile& file) {
    if (const auto* certificate = std::get_if<queueing::Certificate>(&file.certificate))
        require_checkable(*certificate);
    try {
        if (std::string wrong = schedproof::fault(file.certificate); !wrong.empty()) return wrong;
        return writing_fault(file);
    } catch (const ContractViolation& broken) {
        return std::string("the code cannot be run on these data: ") + broken.what();
    }
}

Finding check_text(std::string_view text, const std::string& file, const queueing::Instance* instance) {
    const auto start = std::chrono::steady_clock::now();
    Finding finding;
    finding.file = file;
    const input::Node root = read_document(text, file);
    const auto* table = std::get_if<input::Node::Table>(&root.value);
    const input::Node* schema = table == nullptr ? nullptr : input::find(*table, "schema");
    const auto* name = schema == nullptr ? nullptr : std::get_if<std::string>(&schema->value);
    if (name != nullptr && *name == "capacity-certificate")
        check_capacity(text, file, instance, finding);
    else
        check_theorem(root, file, finding);
    finding.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return finding;
}

Finding check_file(const std::string& path, const queueing::Instance* instance) {
    return check_text(input::read_text(path, max_certificate_bytes), input::display_name(path), instance);
}

std::string to_text(const Finding& finding) {
    if (!finding.accepted()) return fmt::format("rejected      {}\n  {}\n", finding.file, finding.fault);
    const Contents& c = finding.contents;
    std::string text = fmt::format("accepted      {}\ntheorem       {}\n", finding.file, finding.sentence);
    if (finding.kind == "capacity")
        text += fmt::format("checked       {} entries of decomposition and prices\n", c.multipliers);
    else if (finding.kind == dual_kind)
        text += fmt::format("checked       {} dual variables of {}, at every time\n", c.multipliers, finding.policy);
    else if (c.questions == 0)
        text += fmt::format("checked       {} products of polynomial identities\n", c.multipliers);
    else
        text += fmt::format("checked       {} questions of the code of {}, {} leaves, {} empty sides, {} multipliers\n",
                            c.questions, finding.policy, c.leaves, c.closed, c.multipliers);
    return text + fmt::format("time          {:.2f} s, without any solver\n", finding.seconds);
}

std::string to_json(const Finding& finding) {
    const Contents& c = finding.contents;
    return fmt::format(
        "{{\"file\": {}, \"accepted\": {}, \"fault\": {}, \"theorem\": {}, \"instance\": {}, "
        "\"policy\": {}, \"sentence\": {}, \"questions\": {}, \"leaves\": {}, \"closed\": {}, "
        "\"multipliers\": {}, \"seconds\": {:.3f}}}",
        json_string(finding.file), finding.accepted(), finding.accepted() ? "null" : json_string(finding.fault),
        json_string(finding.kind), json_string(finding.instance),
        finding.policy.empty() ? "null" : json_string(finding.policy), json_string(finding.sentence), c.questions,
        c.leaves, c.closed, c.multipliers, finding.seconds);
}

}  // namespace schedproof::certify
