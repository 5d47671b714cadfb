#include "proofs/certifier/certificate_codec.hpp"

#include <fmt/core.h>

#include "model/base/cursor.hpp"
#include "model/base/sha256.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"
#include "model/queueing/codec/codec.hpp"
#include "proofs/certifier/proof_codec.hpp"
#include "proofs/certifier/theorem_codec.hpp"

namespace schedproof::certify {

using input::Node;
using input::sha256;

namespace {

/// The text with every line after the first moved to the right.
std::string indented(const std::string& text) {
    std::string result;
    for (const char c : text) {
        result += c;
        if (c == '\n') result += "  ";
    }
    while (!result.empty() && (result.back() == ' ' || result.back() == '\n')) result.pop_back();
    return result;
}

/// Whether two documents hold the same, in the same order.
bool same(const Node& a, const Node& b) {
    if (a.value.index() != b.value.index()) return false;
    if (const auto* list = std::get_if<Node::Array>(&a.value)) {
        const auto& other = std::get<Node::Array>(b.value);
        return std::equal(list->begin(), list->end(), other.begin(), other.end(), same);
    }
    if (const auto* table = std::get_if<Node::Table>(&a.value)) {
        const auto& other = std::get<Node::Table>(b.value);
        return std::equal(table->begin(), table->end(), other.begin(), other.end(),
                          [](const auto& x, const auto& y) { return x.key == y.key && same(x.value, y.value); });
    }
    if (const auto* text = std::get_if<std::string>(&a.value)) return *text == std::get<std::string>(b.value);
    if (const auto* integer = std::get_if<std::int64_t>(&a.value)) return *integer == std::get<std::int64_t>(b.value);
    if (const auto* flag = std::get_if<bool>(&a.value)) return *flag == std::get<bool>(b.value);
    return false;
}

std::shared_ptr<const queueing::Instance> read_instance(const Spot& at) {
    const input::Cursor cursor(at.node(), at.file(), at.path());
    auto instance = std::make_shared<const queueing::Instance>(input::decode_instance(cursor));
    if (!same(input::parse_json(input::write_json(*instance), at.file()), at.node()))
        throw InputError({at.file(), at.node().line, at.path()},
                         "expected the instance as `show --as json` writes it, and nothing else");
    return instance;
}

}  // namespace

std::string digest_of(const queueing::Instance& instance) { return sha256(input::write_json(instance)); }

std::string_view kind_of(const AnyCertificate& certificate) {
    if (const auto* queueing = std::get_if<queueing::Certificate>(&certificate))
        return theorem_kinds[queueing->theorem.index()];
    if (std::holds_alternative<redundancy::Certificate>(certificate)) return redundancy_kind;
    if (std::holds_alternative<redundancy::DualCertificate>(certificate)) return dual_kind;
    return assignment_kind;
}

const std::string& policy_of(const AnyCertificate& certificate) {
    return std::visit([](const auto& c) -> const std::string& { return c.policy; }, certificate);
}

std::string instance_of(const AnyCertificate& certificate) {
    if (const auto* queueing = std::get_if<queueing::Certificate>(&certificate))
        return queueing->instance ? queueing->instance->name() : "every instance";
    if (const auto* of = std::get_if<redundancy::Certificate>(&certificate)) return name(of->theorem.shape);
    if (const auto* dual = std::get_if<redundancy::DualCertificate>(&certificate)) return dual->name;
    return assignment::name(std::get<assignment::Certificate>(certificate).theorem.family);
}

namespace {

std::string instance_members(const AnyCertificate& certificate) {
    if (const auto* dual = std::get_if<redundancy::DualCertificate>(&certificate))
        return fmt::format("  \"instance-digest\": {},\n  \"instance\":\n    {},\n", json_string(digest_of(*dual)),
                           instance_json(*dual));
    const auto* queueing = std::get_if<queueing::Certificate>(&certificate);
    if (!queueing || !queueing->instance) return "";
    return fmt::format("  \"instance-digest\": {},\n  \"instance\": {},\n", json_string(digest_of(*queueing->instance)),
                       indented(input::write_json(*queueing->instance)));
}

std::string statement_of(const AnyCertificate& certificate) {
    if (const auto* queueing = std::get_if<queueing::Certificate>(&certificate))
        return std::visit([](const auto& theorem) { return to_json(theorem); }, queueing->theorem);
    if (const auto* of = std::get_if<redundancy::Certificate>(&certificate)) return to_json(of->theorem, of->lemmas);
    if (const auto* dual = std::get_if<redundancy::DualCertificate>(&certificate)) return statement_json(*dual);
    return to_json(std::get<assignment::Certificate>(certificate).theorem);
}

}  // namespace

std::string write_certificate(const AnyCertificate& certificate) {
    std::string text = fmt::format(
        "{{\n  \"schema\": \"certificate\",\n  \"format\": {},\n  \"theorem\": {},\n  \"sentence\": {},\n"
        "  \"policy\": {},\n",
        certificate_format, json_string(kind_of(certificate)), json_string(sentence(certificate)),
        json_string(policy_of(certificate)));
    text += instance_members(certificate);
    text += "  \"statement\":\n    " + statement_of(certificate) + ",\n  \"proofs\": [";
    bool first = true;
    for (const proof::ExploredProof& proof : proofs_of(certificate)) {
        text += (first ? "\n    " : ",\n    ") + to_json(canonical(proof));
        first = false;
        if (text.size() > max_certificate_bytes)
            throw LimitExceeded("certificate",
                                fmt::format("its file would exceed {} MiB", max_certificate_bytes >> 20));
    }
    return text + "\n  ]\n}\n";
}

Node read_document(std::string_view text, const std::string& file) {
    if (text.size() > max_certificate_bytes)
        throw InputError({file, 0, ""}, fmt::format("expected a file of at most {} MiB", max_certificate_bytes >> 20));
    input::require_text(text, file);
    return input::parse_json(text, file, max_certificate_values);
}

namespace {

std::vector<proof::ExploredProof> read_proofs(const Spot& at) {
    std::vector<proof::ExploredProof> proofs;
    for (std::size_t i = 0; i < at.size(); ++i) proofs.push_back(read_proof(at.item(i)));
    return proofs;
}

AnyCertificate read_any(const Spot& at, const std::string& kind) {
    const std::string policy = at.member("policy").text();
    const Spot statement = at.member("statement");
    const auto completed = [&](auto certificate) {
        certificate.policy = policy;
        certificate.proofs = read_proofs(at.member("proofs"));
        return AnyCertificate(std::move(certificate));
    };
    if (kind == redundancy_kind) return completed(read_redundancy(statement));
    if (kind == dual_kind) return completed(read_dual(at.member("instance"), statement));
    if (kind == assignment_kind) {
        assignment::Certificate certificate;
        certificate.theorem = read_assignment(statement);
        return completed(std::move(certificate));
    }
    queueing::Certificate certificate;
    if (at.has("instance")) certificate.instance = read_instance(at.member("instance"));
    certificate.theorem = read_theorem(at.member("theorem"), statement);
    return completed(std::move(certificate));
}

}  // namespace

CertificateFile read_certificate(const Node& root, const std::string& file) {
    const Spot at(root, file);
    const std::string kind = at.has("theorem") ? at.member("theorem").text() : "";
    const bool names_none = kind == "uniform-drift" || kind == assignment_kind || kind == redundancy_kind;
    if (names_none)
        at.members({"schema", "format", "theorem", "sentence", "policy", "statement", "proofs"});
    else
        at.members({"schema", "format", "theorem", "sentence", "policy", "instance-digest", "instance", "statement",
                    "proofs"});
    const Spot schema = at.member("schema"), format = at.member("format");
    if (schema.text() != "certificate") schema.fail("expected \"certificate\"");
    if (format.index(max_index) != certificate_format)
        format.fail(fmt::format("expected format {}, the one that this program knows", certificate_format));
    CertificateFile read;
    read.sentence = at.member("sentence").text();
    read.certificate = read_any(at, kind);
    if (!names_none) read.digest = at.member("instance-digest").text();
    return read;
}

}  // namespace schedproof::certify
