#include "experiments/cli/certify/certificate_codec.hpp"

#include <fmt/core.h>

#include "experiments/cli/certify/proof_codec.hpp"
#include "experiments/cli/certify/sha256.hpp"
#include "experiments/cli/certify/theorem_codec.hpp"
#include "experiments/input/cursor.hpp"
#include "experiments/input/queueing_file.hpp"
#include "experiments/input/text.hpp"
#include "model/core/errors.hpp"

namespace schedproof::certify {

using input::Node;

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

std::string write_certificate(const queueing::Certificate& certificate) {
    std::string text = fmt::format(
        "{{\n  \"schema\": \"certificate\",\n  \"format\": {},\n  \"theorem\": {},\n  \"sentence\": {},\n"
        "  \"policy\": {},\n  \"instance-digest\": {},\n  \"instance\": {},\n",
        certificate_format, json_string(theorem_kinds[certificate.theorem.index()]), json_string(sentence(certificate)),
        json_string(certificate.policy), json_string(digest_of(*certificate.instance)),
        indented(input::write_json(*certificate.instance)));
    text += "  \"statement\":\n    " +
            std::visit([](const auto& theorem) { return to_json(theorem); }, certificate.theorem) + ",\n";
    text += "  \"proofs\": [";
    for (std::size_t i = 0; i < certificate.proofs.size(); ++i) {
        text += (i > 0 ? ",\n    " : "\n    ") + to_json(canonical(certificate.proofs[i]));
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

CertificateFile read_certificate(const Node& root, const std::string& file) {
    const Spot at(root, file);
    at.members(
        {"schema", "format", "theorem", "sentence", "policy", "instance-digest", "instance", "statement", "proofs"});
    const Spot schema = at.member("schema"), format = at.member("format");
    if (schema.text() != "certificate") schema.fail("expected \"certificate\"");
    if (format.index(max_index) != certificate_format)
        format.fail(fmt::format("expected format {}, the one that this program knows", certificate_format));
    CertificateFile read;
    read.certificate.instance = read_instance(at.member("instance"));
    read.certificate.policy = at.member("policy").text();
    read.certificate.theorem = read_theorem(at.member("theorem"), at.member("statement"));
    read.sentence = at.member("sentence").text();
    read.digest = at.member("instance-digest").text();
    const Spot proofs = at.member("proofs");
    for (std::size_t i = 0; i < proofs.size(); ++i) read.certificate.proofs.push_back(read_proof(proofs.item(i)));
    return read;
}

}  // namespace schedproof::certify
