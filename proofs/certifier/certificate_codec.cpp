#include "proofs/certifier/certificate_codec.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "model/base/cursor.hpp"
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

base::Form certificate_form() {
    std::vector<std::string> all, with_policy, with_instance;
    for (const CertificateKind& kind : certificate_kinds()) {
        all.emplace_back(kind.name);
        if (kind.names_policy) with_policy.emplace_back(kind.name);
        if (kind.instance) with_instance.emplace_back(kind.name);
    }
    base::Members members{
        member("schema", word_shape({"certificate"}), "Name of this schema."),
        member("format", {.kind = Shape::Kind::integer, .words = {std::to_string(certificate_format)}},
               "Version of the format."),
        member("theorem", word_shape(all), "Kind of theorem; says what `statement` holds."),
        member("sentence", text_shape(), "The theorem in words; must be what the checker makes of `statement`.")};
    const auto of = [&](const std::vector<std::string>& kinds, Member added) {
        added.decided_by = "theorem", added.deciding = kinds;
        members.push_back(std::move(added));
    };
    of(with_policy, member("policy", text_shape(), "Id of the policy."));
    of(with_policy,
       member("definition", text_shape(),
              "What the policy is: a queueing policy's rules, or the values of the parameters of another one; must be "
              "what the checker's registered policy of this id is."));
    of(with_instance, member("instance-digest", digest_shape(),
                             "SHA-256 of the instance as `show --as json` writes it; of dual variables, of instance "
                             "and statement as they stand here."));
    for (const CertificateKind& kind : certificate_kinds())
        if (kind.instance) of({std::string(kind.name)}, member("instance", *kind.instance, "The instance."));
    for (const CertificateKind& kind : certificate_kinds())
        of({std::string(kind.name)},
           member("statement", named(kind.statement, std::string(kind.name), kind.statement.meaning)));
    members.push_back(member("proofs", proofs_shape(),
                             "One per question, in their order; none where polynomial identities or dual variables "
                             "prove it."));
    return {"certificate",
            "A theorem about a policy on an instance with the proofs of its questions about the code. Written by "
            "`schedproof prove ... --certificate FILE`, checked by `schedproof certify FILE`. Variables of forms in "
            "`statement` are queues of the policy; in `proofs` they are symbols of the space.",
            false, record_shape(std::move(members)), false};
}

CertificateFile read_certificate(const base::Node& root, const std::string& file) {
    static const base::Form form = certificate_form();
    const StrictCursor at(root, file);
    const StrictCursor schema = at.member("schema"), format = at.member("format"), theorem = at.member("theorem");
    if (schema.text() != form.schema) schema.fail("expected \"certificate\"");
    if (format.index(max_index) != certificate_format)
        format.fail(fmt::format("expected format {}, the one that this program knows", certificate_format));
    const std::vector<CertificateKind>& kinds = certificate_kinds();
    const auto kind = std::find_if(kinds.begin(), kinds.end(), [&](const auto& k) { return k.name == theorem.text(); });
    if (kind == kinds.end()) fail_unknown_kind(theorem);
    require_form(base::Cursor(root, file), form);
    // In variables of their own: g++ 12 destroys a half-built aggregate when an initialiser throws.
    std::string sentence = at.member("sentence").text();
    std::string definition = kind->names_policy ? at.member("definition").text() : "";
    std::string digest = kind->instance ? at.member("instance-digest").text() : "";
    AnyCertificate certificate = kind->read(at);
    return {std::move(certificate), std::move(sentence), std::move(digest), std::move(definition)};
}

}  // namespace schedproof::certify
