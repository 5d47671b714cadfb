/// Certificates of statements about policies on all problems of a shape, and of worst ratios, for the certifier.
///
/// Each kind has a class that writes its members and a strict reader. Shapes and ranges are text that could be spelled
/// in several ways; only the spelling that the writer uses is accepted. A worst ratio holds no instance: the sentence
/// repeats every number of its approach, so that none can be altered without notice.
#include <fmt/core.h>

#include "model/core/errors.hpp"
#include "policies/assignment/registry.hpp"
#include "policies/core/definition.hpp"
#include "proofs/assignment/theorems/shape_range.hpp"
#include "proofs/assignment/theorems/theorem.hpp"
#include "proofs/assignment/theorems/worst_ratio.hpp"
#include "proofs/certifier/certificate_kinds.hpp"
#include "proofs/certifier/proof_codec.hpp"

namespace schedproof::assignment {

namespace {

using certify::StrictCursor;

constexpr std::string_view kind_name = "assignment";
constexpr std::string_view worst_kind_name = "worst-ratio";

class CertifiablePolicy final : public certify::CertifiableOf<Certificate> {
  public:
    using CertifiableOf::CertifiableOf;

    [[nodiscard]] std::string_view kind() const override { return kind_name; }
    [[nodiscard]] std::string_view family() const override { return "assignment"; }
    [[nodiscard]] std::string definition() const override { return schedproof::definition(make_policy(policy())); }
    [[nodiscard]] std::string instance_name() const override { return name(certificate().theorem.family); }
    [[nodiscard]] std::string statement_json() const override {
        const Theorem& theorem = certificate().theorem;
        return fmt::format("{{\"statement\": {}, \"problems\": {}, \"bound\": {}}}",
                           certify::json_string(theorem.statement), certify::json_string(name(theorem.family)),
                           certify::to_json(theorem.bound));
    }
};

Theorem read_theorem(const StrictCursor& data) {
    const StrictCursor problems = data.member("problems");
    Theorem theorem;
    try {
        theorem.statement = statement(data.member("statement").text()).name;
        theorem.family = parse_family(problems.text());
    } catch (const InputError& error) {
        throw error.within({data.file(), data.node().line, data.path()});
    }
    if (name(theorem.family) != problems.text())
        problems.fail("expected the problems as they are written: " + name(theorem.family));
    theorem.bound = data.member("bound").number();
    return theorem;
}

AnyCertificate read_certificate(const StrictCursor& root) {
    Certificate certificate;
    certificate.policy = root.member("policy").text();
    certificate.theorem = read_theorem(root.member("statement"));
    certificate.proofs = certify::read_proofs(root.member("proofs"));
    return certificate;
}

std::string_view word(Counted counted) { return counted == Counted::events ? "events" : "map"; }

std::string numbers(const std::vector<Rational>& values) {
    return certify::json_list(values, [](const Rational& value) { return certify::to_json(value); });
}

std::string to_json(const Costs& costs) {
    if (costs.kind == Costs::Kind::by_server) return "\"any\"";
    if (costs.kind == Costs::Kind::common) return "\"common\"";
    return certify::json_list(costs.functions, [](const CostFunction<Rational>& g) {
        return fmt::format("{{\"values\": {}, \"slope\": {}}}", numbers(g.values()), certify::to_json(g.slope()));
    });
}

std::string to_json(const Approach& approach) {
    return fmt::format("{{\"shape\": {}, \"far\": {}, \"from\": {}, \"direction\": {}, \"competitor\": {}}}",
                       certify::json_string(approach.shape), approach.far, numbers(approach.from),
                       numbers(approach.direction),
                       certify::json_list(approach.competitor, [](CoreId p) { return std::to_string(p.index()); }));
}

class CertifiableWorst final : public certify::CertifiableOf<WorstCertificate> {
  public:
    using CertifiableOf::CertifiableOf;

    [[nodiscard]] std::string_view kind() const override { return worst_kind_name; }
    [[nodiscard]] std::string_view family() const override { return "assignment"; }
    [[nodiscard]] std::string definition() const override {
        PolicyOptions options;
        if (certificate().theorem.wait) options.wait = *certificate().theorem.wait;
        return schedproof::definition(make_policy(policy(), options));
    }
    [[nodiscard]] std::string instance_name() const override { return certificate().theorem.shapes; }
    [[nodiscard]] std::string statement_json() const override {
        const WorstTheorem& theorem = certificate().theorem;
        std::string text =
            fmt::format("{{\"shapes\": {}, \"costs\": {}, \"makespan\": {}", certify::json_string(theorem.shapes),
                        to_json(theorem.costs), certify::json_string(word(theorem.counted)));
        if (theorem.wait) text += ", \"wait\": " + certify::to_json(*theorem.wait);
        if (theorem.ratio) text += ", \"ratio\": " + certify::to_json(*theorem.ratio);
        if (theorem.approach) text += ",\n     \"approach\": " + to_json(*theorem.approach);
        return text + "}";
    }
    [[nodiscard]] std::string checked() const override {
        return (certificate().proofs.empty() ? std::string() : Certifiable::checked()) +
               (certificate().proofs.empty() || !certificate().theorem.approach ? "" : "; ") +
               (certificate().theorem.approach ? "a run of " + policy() + " along the approach" : std::string());
    }
};

Costs read_costs(const StrictCursor& at) {
    Costs costs;
    if (at.is_text()) {
        if (at.text() != "any" && at.text() != "common") at.fail("expected \"any\", \"common\" or cost functions");
        costs.kind = at.text() == "any" ? Costs::Kind::by_server : Costs::Kind::common;
        return costs;
    }
    for (std::size_t i = 0; i < at.size(); ++i) {
        const StrictCursor function = at.item(i);
        std::vector<Rational> values = certify::read_numbers(function.member("values"));
        if (values.empty()) function.fail("expected a first value");
        Rational slope = function.member("slope").number();
        costs.functions.emplace_back(std::move(values), std::move(slope));
    }
    return costs;
}

Approach read_approach(const StrictCursor& at) {
    Approach approach;
    approach.shape = at.member("shape").text();
    approach.far = at.member("far").flag();
    approach.from = certify::read_numbers(at.member("from"));
    approach.direction = certify::read_numbers(at.member("direction"));
    const StrictCursor competitor = at.member("competitor");
    for (std::size_t i = 0; i < competitor.size(); ++i)
        approach.competitor.emplace_back(competitor.item(i).index(certify::max_index));
    return approach;
}

Counted read_counted(const StrictCursor& at) {
    if (at.text() != "events" && at.text() != "map") at.fail("expected \"events\" or \"map\"");
    return at.text() == "events" ? Counted::events : Counted::map;
}

/// The shapes as they are written.
std::string read_shapes(const StrictCursor& at) {
    const std::string& text = at.text();
    std::string own;
    try {
        own = text.find('=') == std::string::npos ? name(*shapes_of(text).front()) : name(parse_shape_range(text));
    } catch (const InputError& error) {
        throw error.within({at.file(), at.node().line, at.path()});
    }
    if (own != text) at.fail("expected the shapes as they are written: " + own);
    return own;
}

AnyCertificate read_worst(const StrictCursor& root) {
    WorstCertificate certificate;
    certificate.policy = root.member("policy").text();
    const StrictCursor data = root.member("statement");
    WorstTheorem& theorem = certificate.theorem;
    theorem.shapes = read_shapes(data.member("shapes"));
    theorem.costs = read_costs(data.member("costs"));
    theorem.counted = read_counted(data.member("makespan"));
    if (data.has("wait")) theorem.wait = data.member("wait").number();
    if (data.has("ratio")) theorem.ratio = data.member("ratio").number();
    if (data.has("approach")) theorem.approach = read_approach(data.member("approach"));
    certificate.proofs = certify::read_proofs(root.member("proofs"));
    return certificate;
}

}  // namespace

std::shared_ptr<const certify::Certifiable> certifiable(Certificate certificate) {
    return std::make_shared<const CertifiablePolicy>(std::move(certificate));
}

std::shared_ptr<const certify::Certifiable> certifiable(WorstCertificate certificate) {
    return std::make_shared<const CertifiableWorst>(std::move(certificate));
}

std::vector<certify::CertificateKind> certificate_kinds() {
    using namespace certify;
    const auto statement = record_shape(
        {member("statement", text_shape("^[a-z0-9-]+$"), "Name of what is stated of the policy."),
         member("problems", text_shape("^[0-9,]+:[0-9/]*(@[0-9/,.]+([+][0-9/.]+)?)?$"),
                "All loads of a shape: cores per server, replicas per task, and costs where they are not all."),
         member("bound", number_shape(), "Where the statement has one; otherwise 0.")});
    const auto function = record_shape({member("values", list_shape(number_shape(), 1), "Of the first remote tasks."),
                                        member("slope", number_shape(), "Growth beyond the values.")});
    const auto approach =
        record_shape({member("shape", text_shape("^[0-9,]+:[0-9/]*$"), "Cores and replicas."),
                      member("far", flag_shape(), "t grows without end; otherwise t > 0 tends to 0."),
                      member("from", list_shape(number_shape()), "Where the problems begin."),
                      member("direction", list_shape(number_shape()), "All 0: one problem, which attains the ratio."),
                      member("competitor", list_shape(index_shape()), "The core of each task.")});
    const auto worst = record_shape(
        {member("shapes", text_shape("^([0-9,]+:[0-9/]*|servers=[a-z0-9=. ]+)$"),
                "All loads of a shape, or of all shapes of a range of sizes, in every order of servers and tasks."),
         member(
             "costs", choice_shape({word_shape({"any", "common"}), list_shape(function, 1)}),
             "Of remote tasks: every function, on each server its own (any) or the same (common); or given ones, one "
             "for all servers or one each."),
         member(
             "makespan", word_shape({"events", "map"}),
             "Of an online policy: that of its event loop, or that of the map it ends with. Of an offline one: map."),
         optional("wait", number_shape(), "W of a policy that waits, in local tasks; absent otherwise."),
         optional(
             "ratio", number_shape(),
             "The makespan is at most this times the least, or below it where the approach has a direction; absent "
             "when nothing bounds it."),
         optional(
             "approach", approach,
             "Problems from + t * direction, by symbol of the space, on which the ratio to the competitor tends to "
             "the ratio; absent when an upper bound alone is stated.")});
    return {{kind_name, statement, {}, read_certificate}, {worst_kind_name, worst, {}, read_worst}};
}

}  // namespace schedproof::assignment
