#include "proofs/certifier/certificate_codec.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "model/base/nearest.hpp"
#include "model/base/split.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"
#include "proofs/certifier/certificate_kinds.hpp"
#include "proofs/certifier/proof_codec.hpp"

namespace schedproof::certify {

namespace {

[[noreturn]] void fail_unknown_kind(const StrictCursor& kind) {
    std::vector<std::string_view> known;
    for (const CertificateKind& k : certificate_kinds()) known.push_back(k.name);
    kind.fail("expected a known kind of theorem" + base::did_you_mean(kind.text(), known));
}

}  // namespace

std::string write_certificate(const AnyCertificate& certificate) {
    certificate->require_plain_names();
    std::string text =
        fmt::format("{{\n  \"schema\": \"certificate\",\n  \"format\": {},\n  \"theorem\": {},\n  \"sentence\": {},\n",
                    certificate_format, json_string(certificate->kind()), json_string(certificate->sentence()));
    if (!certificate->policy().empty())
        text += fmt::format("  \"policy\": {},\n  \"definition\": {},\n", json_string(certificate->policy()),
                            json_string(certificate->definition()));
    if (const std::string instance = certificate->instance_json(); !instance.empty())
        text += fmt::format("  \"instance-digest\": {},\n  \"instance\":{},\n", json_string(certificate->digest()),
                            instance);
    text += "  \"statement\":\n    " + certificate->statement_json() + ",\n  \"proofs\": [";
    bool first = true;
    for (const proof::ExploredProof& proof : certificate->proofs()) {
        text += (first ? "\n    " : ",\n    ") + to_json(canonical(proof));
        first = false;
        if (text.size() > max_certificate_bytes)
            throw LimitExceeded("certificate",
                                fmt::format("its file would exceed {} MiB", max_certificate_bytes >> 20));
    }
    return text + "\n  ]\n}\n";
}

base::Node read_document(std::string_view text, const std::string& file) {
    if (text.size() > max_certificate_bytes)
        throw InputError::in_file(file, fmt::format("expected a file of at most {} MiB", max_certificate_bytes >> 20));
    if (base::trimmed(text, " \t\r\n").empty())
        throw InputError::in_file(file, "expected a certificate, but the file is empty");
    base::require_text(text, file);
    return base::parse_json(text, file, max_certificate_values);
}

CertificateFile read_certificate(const base::Node& root, const std::string& file) {
    const StrictCursor at(root, file);
    const std::string name = at.has("theorem") ? at.member("theorem").text() : "";
    const std::vector<CertificateKind>& kinds = certificate_kinds();
    const auto kind = std::find_if(kinds.begin(), kinds.end(), [&](const auto& k) { return k.name == name; });
    const bool holds_instance = kind == kinds.end() || kind->holds_instance;
    const bool names_policy = kind == kinds.end() || kind->names_policy;
    if (!names_policy)
        at.members({"schema", "format", "theorem", "sentence", "instance-digest", "instance", "statement", "proofs"});
    else if (holds_instance)
        at.members({"schema", "format", "theorem", "sentence", "policy", "definition", "instance-digest", "instance",
                    "statement", "proofs"});
    else
        at.members({"schema", "format", "theorem", "sentence", "policy", "definition", "statement", "proofs"});
    const StrictCursor schema = at.member("schema"), format = at.member("format");
    if (schema.text() != "certificate") schema.fail("expected \"certificate\"");
    if (format.index(max_index) != certificate_format)
        format.fail(fmt::format("expected format {}, the one that this program knows", certificate_format));
    if (kind == kinds.end()) fail_unknown_kind(at.member("theorem"));
    // In variables of their own: g++ 12 destroys a half-built aggregate when an initialiser throws.
    std::string sentence = at.member("sentence").text();
    std::string definition = names_policy ? at.member("definition").text() : "";
    std::string digest = holds_instance ? at.member("instance-digest").text() : "";
    AnyCertificate certificate = kind->read(at);
    return {std::move(certificate), std::move(sentence), std::move(digest), std::move(definition)};
}

}  // namespace schedproof::certify
