/// What the certificate checker does with one file, from its bytes to a finding.
///
/// The document is read strictly, its kind looked up, and the family's checker asked for a reason to reject it. A file
/// that is accepted must also be spelled as the writer spells it: its sentence is the one that its theorem has, and its
/// proofs are in canonical form, so that nobody reads in an accepted file what was not checked. An instance that is
/// given beside it is compared with the one in the file, both as the writer of instances writes them; where they part
/// is found by walking the two documents side by side.
#include "proofs/certifier/certify.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "model/base/cursor.hpp"
#include "model/base/line_breaks.hpp"
#include "model/base/sha256.hpp"
#include "model/base/stopwatch.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"
#include "model/queueing/codec/codec.hpp"
#include "proofs/certifier/queueing/load_certificate.hpp"
#include "proofs/queueing/theorems/about.hpp"

namespace schedproof::certify {

namespace {

/// Empty when the policy of the file is the one that is registered under its id; otherwise both.
std::string definition_rejection(const CertificateFile& file) {
    const std::string registered = file.certificate->definition();
    if (registered == file.definition) return "";
    constexpr std::size_t most = 1000;
    return fmt::format("it is about another policy: {} is {} in the certificate, {} in this program",
                       base::in_sentence(file.certificate->policy()), base::shown(file.definition, most),
                       base::shown(registered, most));
}

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

struct Difference {
    std::string path, held, given;
};

/// Where two documents that one writer wrote part, if they do.
std::optional<Difference> first_difference(const base::Node& held, const base::Node& given, const std::string& path) {
    using base::Node;
    const auto here = [&] { return Difference{path, base::describe(held), base::describe(given)}; };
    if (held.value.index() != given.value.index()) return here();
    if (const auto* list = std::get_if<Node::Array>(&held.value)) {
        const auto& other = std::get<Node::Array>(given.value);
        for (std::size_t i = 0; i < std::min(list->size(), other.size()); ++i)
            if (auto found = first_difference((*list)[i], other[i], fmt::format("{}[{}]", path, i))) return found;
        if (list->size() == other.size()) return std::nullopt;
        return Difference{path, fmt::format("{} entries", list->size()), fmt::format("{} entries", other.size())};
    }
    if (const auto* table = std::get_if<Node::Table>(&held.value)) {
        const auto& other = std::get<Node::Table>(given.value);
        const std::string before = path.empty() ? "" : path + ".";
        for (std::size_t i = 0; i < std::max(table->size(), other.size()); ++i) {
            if (i == other.size()) return Difference{before + base::in_sentence((*table)[i].key), "present", "absent"};
            if (i == table->size()) return Difference{before + base::in_sentence(other[i].key), "absent", "present"};
            if ((*table)[i].key != other[i].key)
                return Difference{path.empty() ? "the root" : path, base::shown((*table)[i].key),
                                  base::shown(other[i].key)};
            const std::string inner = before + base::in_sentence(other[i].key);
            if (auto found = first_difference((*table)[i].value, other[i].value, inner)) return found;
        }
        return std::nullopt;
    }
    const auto* text = std::get_if<std::string>(&held.value);
    const bool equal =
        text != nullptr ? *text == std::get<std::string>(given.value) : base::describe(held) == base::describe(given);
    return equal ? std::nullopt : std::optional(here());
}

/// Empty when the instance given is the one that the certificate holds, otherwise how they differ.
std::string instance_rejection(const Certifiable& certificate, const std::string& file, const InstanceFile& given) {
    const std::string held = certificate.held_instance();
    if (held.empty())
        throw InputError::in_file(
            file, fmt::format("expected no --instance: a theorem of kind '{}' holds no instance, it is about {}",
                              certificate.kind(), certificate.instance_name()));
    const std::string other = certificate.as_held(base::Cursor(given.root, given.file));
    if (other == held) return "";
    std::string text = fmt::format("it is not about the instance of {}: its instance has the digest {}, that one {}",
                                   given.file, base::sha256(held), base::sha256(other));
    if (const auto found = first_difference(base::parse_json(held, file, max_certificate_values),
                                            base::parse_json(other, given.file, max_certificate_values), ""))
        text += fmt::format("; the first difference is at {}: {} in the certificate, {} in the file", found->path,
                            found->held, found->given);
    return text;
}

void check_theorem(const base::Node& root, const std::string& file, const InstanceFile* instance, Finding& finding) {
    try {
        const CertificateFile read = read_certificate(root, file);
        finding.certificate = read.certificate;
        finding.kind = read.certificate->kind();
        finding.instance = read.certificate->instance_name();
        finding.policy = read.certificate->policy();
        finding.family = read.certificate->family();
        finding.sentence = read.sentence;
        finding.contents = read.certificate->contents();
        finding.checked = read.certificate->checked();
        if (const std::string held = read.certificate->held_instance(); !held.empty())
            finding.digest = base::sha256(held);
        if (instance != nullptr) finding.rejection = instance_rejection(*read.certificate, file, *instance);
        if (finding.rejection.empty()) finding.rejection = rejection(read);
    } catch (const InputError& error) {
        throw error.within({file, 0, ""});
    }
}

void check_load(const base::Node& root, const std::string& file, const InstanceFile* given, Finding& finding) {
    if (given == nullptr)
        throw InputError::in_file(file, "expected --instance FILE: a certificate of a load does not hold its instance");
    const queueing::Instance instance = queueing::decode_instance(base::Cursor(given->root, given->file));
    const auto certificate = read_load(root, file, instance);
    finding.kind = "capacity";
    finding.instance = instance.name();
    finding.digest = digest_of(instance);
    finding.rejection = capacity::rejection(instance, certificate);
    finding.contents.multipliers =
        certificate.decomposition.size() + certificate.type_price.size() + certificate.server_price.size();
    finding.checked = fmt::format("{} entries of decomposition and prices", finding.contents.multipliers);
    finding.sentence = "The load rho* of " + queueing::in_quotes(instance.name()) + " is " +
                       (certificate.exact() ? certificate.lower.to_string()
                                            : "at least " + certificate.lower.to_string() + " and at most " +
                                                  certificate.upper.to_string()) +
                       ".";
}

}  // namespace

std::string rejection(const CertificateFile& file) {
    file.certificate->require_checkable();
    try {
        if (std::string wrong = definition_rejection(file); !wrong.empty()) return wrong;
        if (std::string wrong = file.certificate->rejection(); !wrong.empty()) return wrong;
        return spelling_rejection(file);
    } catch (const ContractViolation& broken) {
        return std::string("the code cannot be run on these data: ") + broken.what();
    }
}

InstanceFile read_instance_file(const std::string& path) {
    const std::string text = base::read_text(path, base::max_json_bytes);
    InstanceFile instance{base::display_name(path), {}};
    instance.root = base::parse_document(text, base::detect_format(path, text), instance.file);
    return instance;
}

Finding check_text(std::string_view text, const std::string& file, const InstanceFile* instance) {
    const base::Stopwatch watch;
    Finding finding;
    finding.file = file;
    const base::Node root = read_document(text, file);
    const auto* table = std::get_if<base::Node::Table>(&root.value);
    const base::Node* schema = table == nullptr ? nullptr : base::find(*table, "schema");
    const auto* name = schema == nullptr ? nullptr : std::get_if<std::string>(&schema->value);
    if (name != nullptr && *name == "capacity-certificate")
        check_load(root, file, instance, finding);
    else
        check_theorem(root, file, instance, finding);
    finding.seconds = watch.seconds();
    return finding;
}

Finding check_file(const std::string& path, const InstanceFile* instance) {
    return check_text(base::read_text(path, max_certificate_bytes), base::display_name(path), instance);
}

std::string to_text(const Finding& finding) {
    if (!finding.accepted()) return fmt::format("rejected      {}\n  {}\n", finding.file, finding.rejection);
    const std::string instance =
        finding.digest.empty()
            ? ""
            : fmt::format("instance      {}, SHA-256 {}\n", base::in_sentence(finding.instance), finding.digest);
    return base::with_line_breaks(fmt::format(
        "accepted      {}\ntheorem       {}\n{}checked       {}\ntime          {:.2f} s, without any solver\n",
        finding.file, finding.sentence, instance, finding.checked, finding.seconds));
}

const base::Record<Finding>& finding_record() {
    using base::field;
    const auto if_any = [](std::string Finding::*text) {
        return [text](const Finding& f) { return f.*text == "" ? std::nullopt : std::optional(f.*text); };
    };
    const auto count = [](const char* name, std::uint64_t Contents::*number, const char* meaning) {
        return field(
            name, [number](const Finding& f) { return f.contents.*number; }, meaning);
    };
    static const base::Record<Finding> record{
        field("file", &Finding::file, "The file."),
        field("accepted", &Finding::accepted, "Whether it is accepted."),
        field("rejection", if_any(&Finding::rejection), "The first reason to reject it; null when accepted."),
        field("theorem", &Finding::kind, "Kind of theorem, or capacity."),
        field("instance", &Finding::instance, "Name of the instance.").or_empty(),
        field(
            "instance_digest", if_any(&Finding::digest),
            "SHA-256 of the instance that the certificate holds, as it holds it; of a load, of the instance given, as "
            "`show --as json` writes it. Null for a theorem about every instance.")
            .pattern("^[0-9a-f]{64}$"),
        field("policy", if_any(&Finding::policy), "Id of the policy; null for capacity."),
        field("sentence", &Finding::sentence, "What the file claims, in words."),
        count("questions", &Contents::questions, "Questions about the code."),
        count("leaves", &Contents::leaves, "Leaves of their trees."),
        count("closed", &Contents::closed, "Sides shown to be empty."),
        count("multipliers", &Contents::multipliers, "Multipliers, or entries of a capacity certificate."),
        field(
            "seconds", [](const Finding& f) { return std::round(f.seconds * 1000) / 1000; }, "Time to read and check.")
            .least(0)};
    return record;
}

}  // namespace schedproof::certify
