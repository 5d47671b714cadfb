/// Certificates of queueing theorems for the certifier: twelve kinds, by alternative of queueing::Theorem.
///
/// The kinds differ in their statement alone: instance, policy and proofs are written and read alike. Before a file's
/// questions are built their size is bounded from its numbers, since a few bytes can ask for millions of symbols.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <memory>
#include <set>

#include "model/base/cursor.hpp"
#include "model/base/sha256.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"
#include "model/queueing/codec/codec.hpp"
#include "model/queueing/codec/policy_text.hpp"
#include "policies/queueing/temporary_policy.hpp"
#include "proofs/certifier/certificate_codec.hpp"
#include "proofs/certifier/certificate_kinds.hpp"
#include "proofs/certifier/proof_codec.hpp"
#include "proofs/certifier/queueing/theorem_codec.hpp"
#include "proofs/queueing/theorems/about.hpp"

namespace schedproof::certify {

std::string digest_of(const queueing::Instance& instance) { return base::sha256(write_json(instance)); }

namespace {

using queueing::Instance;

/// By alternative of queueing::Theorem.
constexpr std::array<std::string_view, std::variant_size_v<queueing::Theorem>> theorem_names{"drift",
                                                                                             "transience",
                                                                                             "maxweight-drift",
                                                                                             "uniform-drift",
                                                                                             "invariants",
                                                                                             "mean",
                                                                                             "any-policy",
                                                                                             "heavy-traffic-collapse",
                                                                                             "heavy-traffic-lower",
                                                                                             "heavy-traffic-upper",
                                                                                             "heavy-traffic-ray",
                                                                                             "bounded-regret"};

/// A name that two queues of the policy share, such as that of a server called `common`: no sentence tells them apart.
/// Empty when there is none, and where a theorem names no policy or no instance.
std::string shared_name(const queueing::Certificate& certificate) {
    if (!certificate.instance || certificate.policy.empty()) return "";
    const Instance& instance = *certificate.instance;
    const queueing::Layout layout = queueing::policy_of(certificate).layout(instance);
    std::set<std::string> met;
    for (const QueueId q : IdRange<QueueId>(layout.queues()))
        if (const auto [name, is_new] = met.insert(layout.name(instance, q)); !is_new) return *name;
    return "";
}

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

class QueueingCertificate final : public CertifiableOf<queueing::Certificate> {
  public:
    using CertifiableOf::CertifiableOf;

    /// `known` is what know_policy returned for it.
    QueueingCertificate(queueing::Certificate certificate, std::shared_ptr<const void> known)
        : CertifiableOf(std::move(certificate)), known_(std::move(known)) {}

    [[nodiscard]] std::string_view kind() const override { return theorem_names[certificate().theorem.index()]; }
    [[nodiscard]] std::string_view family() const override { return "queueing"; }
    [[nodiscard]] std::string definition() const override {
        return policy().empty() ? "" : queueing::definition(policy());
    }
    [[nodiscard]] std::string instance_name() const override {
        return certificate().instance ? certificate().instance->name() : "every instance";
    }
    [[nodiscard]] std::string spelling_rejection() const override {
        if (!policy().empty() && queueing::resolve_policy(policy()) != policy())
            return "the policy is not named by its id";
        const std::string shared = shared_name(certificate());
        return shared.empty() ? "" : fmt::format("two queues are called {}", queueing::in_quotes(shared));
    }
    /// Every question has all queues as symbols, and there is one per server at least: what a few bytes such as
    /// `"servers": 2000000` ask for must not be built.
    void require_checkable() const override {
        if (!certificate().instance) return;
        constexpr std::size_t most = 50'000'000;
        const queueing::InstanceData& data = certificate().instance->data();
        const std::size_t queues = std::max(data.servers.size() * data.levels.size(), data.types.size() + 1);
        if (queues > most / std::max(data.servers.size(), proofs().size() + 1))
            throw LimitExceeded("certificate", "questions about " + std::to_string(data.servers.size()) +
                                                   " servers would have more than " + std::to_string(most) +
                                                   " symbols");
    }
    [[nodiscard]] std::string statement_json() const override {
        return std::visit([](const auto& theorem) { return to_json(theorem); }, certificate().theorem);
    }
    [[nodiscard]] std::vector<Attachment> attachments() const override {
        if (const auto* mean = std::get_if<queueing::MeanTheorem>(&certificate().theorem))
            return {{table_name(mean->digest), to_bytes(*mean->table)}};
        if (const auto* any_policy = std::get_if<queueing::AnyPolicyTheorem>(&certificate().theorem))
            return {{table_name(any_policy->digest), queueing::to_bytes({any_policy->table.get()})}};
        return {};
    }
    [[nodiscard]] std::string checked() const override {
        if (std::holds_alternative<queueing::HeavyLowerTheorem>(certificate().theorem))
            return "all actions of the servers for every outcome of the arrivals, at both ends of the family";
        const auto* any_policy = std::get_if<queueing::AnyPolicyTheorem>(&certificate().theorem);
        if (any_policy == nullptr) return CertifiableOf::checked();
        return fmt::format("all choices at each of the {} states of a table and at those next to them",
                           any_policy->table->size());
    }
    [[nodiscard]] std::string instance_json() const override {
        return certificate().instance ? " " + indented(write_json(*certificate().instance)) : "";
    }
    [[nodiscard]] std::string digest() const override {
        return certificate().instance ? certify::digest_of(*certificate().instance) : "";
    }
    [[nodiscard]] std::string held_instance() const override {
        return certificate().instance ? write_json(*certificate().instance) : "";
    }
    [[nodiscard]] std::string as_held(const base::Cursor& given) const override {
        return write_json(queueing::decode_instance(given));
    }
    void require_plain_names() const override {
        if (const auto* drift = std::get_if<queueing::DriftTheorem>(&certificate().theorem))
            require_plain("lyapunov", drift->v.name);
        if (const auto* growth = std::get_if<queueing::TransienceTheorem>(&certificate().theorem))
            require_plain("lyapunov", growth->w.name);
        if (const auto* mean = std::get_if<queueing::MeanTheorem>(&certificate().theorem))
            require_plain("lyapunov", mean->setting.w.v.name);
        if (const auto* upper = std::get_if<queueing::HeavyUpperTheorem>(&certificate().theorem)) {
            require_plain("lyapunov", upper->h.name);
            require_plain("lyapunov", upper->k.name);
        }
        if (!certificate().instance) return;
        const queueing::InstanceData& data = certificate().instance->data();
        require_plain("name", data.name);
        for (const auto& level : data.levels) require_plain("levels", level.name);
        for (const auto& server : data.servers) require_plain("servers", server.name);
        for (const auto& type : data.types) require_plain("types", type.name);
        for (const auto& function : data.lyapunov) require_plain("lyapunov", function.name);
        if (const std::string shared = shared_name(certificate()); !shared.empty())
            throw InputError::at_key(
                "servers", fmt::format("expected names under which no two queues of {} are called {}", policy(),
                                       queueing::in_quotes(shared)));
    }

  private:
    std::shared_ptr<const void> known_;
};

/// A certificate as it is read, with the policy that its file brings.
struct ReadCertificate {
    queueing::Certificate certificate;
    std::shared_ptr<const void> known;
};
std::shared_ptr<const Certifiable> certifiable(ReadCertificate read) {
    return std::make_shared<const QueueingCertificate>(std::move(read.certificate), std::move(read.known));
}

/// Whether two documents hold the same, in the same order.
bool same(const base::Node& a, const base::Node& b) {
    using base::Node;
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

/// Throws unless the names that sentences are made of are plain: an accepted sentence says what the theorem says.
void check_names(const StrictCursor& instance) {
    (void)instance.member("name").name();
    for (const std::string_view key : {"levels", "servers", "types", "lyapunov"}) {
        if (!instance.has(key)) continue;
        const StrictCursor list = instance.member(key);
        if (!std::holds_alternative<base::Node::Array>(list.node().value)) continue;  // `"servers": 3` names none
        for (std::size_t i = 0; i < list.size(); ++i) {
            const StrictCursor item = list.item(i);
            (void)item.member("name").name();
        }
    }
}

/// A policy that is not registered is what its file says, as long as what is returned lives: another file may mean
/// another policy by the name. The reader of rules need not be trusted for it: the rules that are checked are printed
/// again, and that text is compared.
std::shared_ptr<const void> know_policy(const StrictCursor& id, const StrictCursor& definition) {
    if (!queueing::resolve_policy(id.text()).empty()) return nullptr;
    const queueing::Rules rules = queueing::codec::read_rules(definition.text(), definition.file());
    if (to_string(rules) != definition.text()) definition.fail("expected the rules as they are printed");
    if (id.text().size() > base::max_name_bytes) id.fail("expected a shorter name");
    try {
        return queueing::add_temporary_policy({{id.text(), "", ""}, rules});
    } catch (const InputError&) {
        id.fail(fmt::format("expected {}", base::name_form));
    }
}

std::shared_ptr<const Instance> read_instance(const StrictCursor& at) {
    const base::Cursor cursor(at.node(), at.file(), at.path());
    auto instance = std::make_shared<const Instance>(queueing::decode_instance(cursor));
    if (!same(base::parse_json(write_json(*instance), at.file()), at.node()))
        throw InputError::at_line(at.file(), at.node().line, at.path(),
                                  "expected the instance as `show --as json` writes it, and nothing else");
    check_names(at);
    return instance;
}

}  // namespace

}  // namespace schedproof::certify

namespace schedproof::queueing {

std::shared_ptr<const certify::Certifiable> certifiable(Certificate certificate) {
    return std::make_shared<const certify::QueueingCertificate>(std::move(certificate));
}

std::vector<certify::CertificateKind> certificate_kinds() {
    using namespace certify;
    const auto instance = named({.kind = base::Shape::Kind::object}, "", "See instances/queueing.schema.json.");
    const auto kind = [&](std::size_t alternative, base::Shape statement, std::optional<base::Shape> held,
                          auto read_theorem) {
        const auto read = [read_theorem,
                           holds_instance = held.has_value()](const StrictCursor& root) -> AnyCertificate {
            Certificate certificate;
            std::shared_ptr<const void> known = know_policy(root.member("policy"), root.member("definition"));
            certificate.policy = root.member("policy").text();
            if (holds_instance) certificate.instance = certify::read_instance(root.member("instance"));
            certificate.theorem = read_theorem(root.member("statement"));
            certificate.proofs = certify::read_proofs(root.member("proofs"));
            return certify::ReadCertificate{std::move(certificate), std::move(known)};
        };
        return CertificateKind{theorem_names[alternative], std::move(statement), std::move(held), read};
    };
    /// Of a theorem about every policy.
    const auto kind_of_all = [&](std::size_t alternative, base::Shape statement, auto read_theorem) {
        const auto read = [read_theorem](const StrictCursor& root) -> AnyCertificate {
            return Certificate{certify::read_instance(root.member("instance")), "",
                               read_theorem(root.member("statement")), certify::read_proofs(root.member("proofs"))};
        };
        return CertificateKind{theorem_names[alternative], std::move(statement), instance, read, false};
    };
    return {kind(0, drift_shape(), instance, read_drift),
            kind(1, transience_shape(), instance, read_transience),
            kind(2, max_weight_shape(), instance, read_max_weight),
            kind(3, uniform_shape(), {}, read_uniform),
            kind(4, invariants_shape(), instance, read_invariants),
            kind(5, mean_shape(), instance, read_mean),
            kind_of_all(6, any_policy_shape(), read_any_policy),
            kind(7, collapse_shape(), instance, read_collapse),
            kind_of_all(8, heavy_lower_shape(), read_heavy_lower),
            kind(9, heavy_upper_shape(), instance, read_heavy_upper),
            kind(10, heavy_ray_shape(), instance, read_heavy_ray),
            kind(11, regret_shape(), {}, read_regret)};
}

}  // namespace schedproof::queueing
