/// Certificates of the redundancy family: statements about all problems of a shape, and dual variables of one instance.
///
/// Each kind has a class that writes its members and a strict reader. Shapes and services are text that could be
/// spelled in several ways; only the spelling that the writer uses is accepted, so a certificate has one form. A dual
/// certificate carries its instance, and its digest covers the dual variables too: two alphas that trade places have
/// the same sum, so the value alone would not show the change. Of an instance file it holds what bears on the bound:
/// neither source nor beta.
/// Source: docs/models/redundancy.md, Optimum and duals, Theorems.
#include <fmt/core.h>

#include "model/base/sha256.hpp"
#include "model/core/errors.hpp"
#include "model/redundancy/codec/codec.hpp"
#include "policies/core/definition.hpp"
#include "policies/redundancy/registry.hpp"
#include "proofs/certifier/certificate_kinds.hpp"
#include "proofs/certifier/proof_codec.hpp"
#include "proofs/redundancy/theorems/dual_certificate.hpp"
#include "proofs/redundancy/theorems/theorem.hpp"

namespace schedproof::redundancy {

namespace {

using certify::Contents;
using certify::json_list;
using certify::json_string;
using certify::StrictCursor;
using certify::to_json;

constexpr std::string_view statement_kind = "redundancy", dual_kind = "dual";

class CertifiableStatement final : public certify::CertifiableOf<Certificate> {
  public:
    using CertifiableOf::CertifiableOf;

    [[nodiscard]] std::string_view kind() const override { return statement_kind; }
    [[nodiscard]] std::string_view family() const override { return "redundancy"; }
    /// A theorem without a beta is about every beta, or about no run of the policy.
    [[nodiscard]] std::string definition() const override {
        const std::optional<Rational>& beta = certificate().theorem.shape.beta;
        if (!beta && has_beta(policy())) return "any beta";
        return schedproof::definition(make_policy(policy(), beta.value_or(Rational(1))));
    }
    [[nodiscard]] std::string instance_name() const override { return name(certificate().theorem.shape); }
    [[nodiscard]] std::string statement_json() const override {
        const Theorem& theorem = certificate().theorem;
        return fmt::format("{{\"statement\": {}, \"problems\": {}, \"bound\": {},\n     \"lemmas\": {}}}",
                           json_string(theorem.statement), json_string(name(theorem.shape)), to_json(theorem.bound),
                           to_json(certificate().lemmas));
    }
    [[nodiscard]] Contents contents() const override {
        Contents all = CertifiableOf::contents();
        for (const proof::PolynomialProof& identity : certificate().lemmas) all.multipliers += identity.terms.size();
        return all;
    }
};

std::string instance_object(const DualCertificate& certificate) {
    const auto job = [](const Job<Rational>& j) { return "[" + to_json(j.arrival) + ", " + to_json(j.size) + "]"; };
    const auto& problem = certificate.problem;
    return fmt::format(
        "{{\"family\": \"redundancy\", \"name\": {}, \"machines\": {}, \"service\": {}, \"speed\": {},\n"
        "    \"jobs\": {}}}",
        json_string(certificate.name), problem.machines, json_string(problem.service.to_string()),
        to_json(certificate.speed), json_list(problem.jobs, job));
}

class CertifiableDual final : public certify::CertifiableOf<DualCertificate> {
  public:
    using CertifiableOf::CertifiableOf;

    [[nodiscard]] std::string_view kind() const override { return dual_kind; }
    [[nodiscard]] std::string_view family() const override { return "redundancy"; }
    [[nodiscard]] std::string definition() const override {
        return schedproof::definition(make_policy(policy(), Rational(1)));
    }
    [[nodiscard]] std::string instance_name() const override { return certificate().name; }
    [[nodiscard]] std::string statement_json() const override {
        return fmt::format("{{\"constant\": {}, \"alpha\": {}}}", to_json(certificate().constant),
                           json_list(certificate().alpha, [](const Rational& a) { return to_json(a); }));
    }
    [[nodiscard]] std::string instance_json() const override { return "\n    " + held_instance(); }
    /// Guards the statement too: two alphas that trade places are worth the same.
    [[nodiscard]] std::string digest() const override { return base::sha256(held_instance() + statement_json()); }
    [[nodiscard]] std::string_view digest_of() const override { return "the instance and the statement"; }
    [[nodiscard]] std::string held_instance() const override { return instance_object(certificate()); }
    [[nodiscard]] std::string as_held(const base::Cursor& given) const override {
        Instance instance = decode_instance(given);
        DualCertificate other;
        other.name = std::move(instance.name);
        other.problem = std::move(instance.problem);
        other.speed = std::move(instance.speed);
        return instance_object(other);
    }
    void require_plain_names() const override { certify::require_plain("name", certificate().name); }
    [[nodiscard]] Contents contents() const override {
        Contents all = CertifiableOf::contents();
        all.multipliers = certificate().alpha.size();
        return all;
    }
    [[nodiscard]] std::string checked() const override {
        return fmt::format("{} dual variables of {}, at every time", contents().multipliers, policy());
    }
};

Theorem read_theorem(const StrictCursor& data) {
    const StrictCursor problems = data.member("problems");
    Theorem theorem;
    try {
        theorem.statement = statement(data.member("statement").text()).name;
        theorem.shape = parse_shape(problems.text());
    } catch (const InputError& error) {
        throw error.within({data.file(), data.node().line, data.path()});
    }
    if (name(theorem.shape) != problems.text())
        problems.fail("expected the problems as they are written: " + name(theorem.shape));
    theorem.bound = data.member("bound").number();
    return theorem;
}

AnyCertificate read_statement(const StrictCursor& root) {
    Certificate certificate;
    certificate.policy = root.member("policy").text();
    certificate.theorem = read_theorem(root.member("statement"));
    certificate.lemmas = certify::read_lemmas(root.member("statement").member("lemmas"));
    certificate.proofs = certify::read_proofs(root.member("proofs"));
    return certificate;
}

void read_instance(const StrictCursor& instance, DualCertificate& certificate) {
    constexpr std::uint32_t most = 10'000;  // machines, and jobs: a run is quadratic in both
    if (instance.member("family").text() != "redundancy") instance.member("family").fail("expected \"redundancy\"");
    certificate.name = instance.member("name").name();
    certificate.problem.machines = instance.member("machines").index(most);
    const StrictCursor service = instance.member("service");
    try {
        certificate.problem.service = Service::parse(service.text());
    } catch (const InputError& error) {
        throw error.within({service.file(), service.node().line, service.path()});
    }
    if (certificate.problem.service.to_string() != service.text())
        service.fail("expected the service as it is written: " + certificate.problem.service.to_string());
    certificate.speed = instance.member("speed").number();
    const StrictCursor jobs = instance.member("jobs");
    if (jobs.size() > most) jobs.fail(fmt::format("expected at most {} jobs", most));
    for (std::size_t j = 0; j < jobs.size(); ++j) {
        const StrictCursor job = jobs.item(j);
        if (job.size() != 2) job.fail("expected a pair of arrival and size");
        Rational arrival = job.item(0).number(), size = job.item(1).number();
        certificate.problem.jobs.push_back({std::move(arrival), std::move(size)});
    }
}

AnyCertificate read_dual(const StrictCursor& root) {
    DualCertificate certificate;
    certificate.policy = root.member("policy").text();
    read_instance(root.member("instance"), certificate);
    const StrictCursor statement = root.member("statement");
    certificate.constant = statement.member("constant").number();
    certificate.alpha = certify::read_numbers(statement.member("alpha"));
    certificate.proofs = certify::read_proofs(root.member("proofs"));
    return certificate;
}

}  // namespace

std::shared_ptr<const certify::Certifiable> certifiable(Certificate certificate) {
    return std::make_shared<const CertifiableStatement>(std::move(certificate));
}

std::shared_ptr<const certify::Certifiable> certifiable(DualCertificate certificate) {
    return std::make_shared<const CertifiableDual>(std::move(certificate));
}

std::vector<certify::CertificateKind> certificate_kinds() {
    using namespace certify;
    const auto statement =
        record_shape({member("statement", text_shape("^[a-z0-9-]+$"), "Name of what is stated of the policy."),
                      member("problems", text_shape("^n[0-9]+-m[0-9]+-(b[0-9/]+-)?[a-z][a-z0-9:,/@.-]*$"),
                             "All arrivals and sizes of a shape: jobs, machines, beta of LAPS, service."),
                      member("bound", number_shape(), "Where the statement has one; otherwise 0."),
                      member("lemmas", lemmas_shape(), "Their identities.")});
    const auto dual = record_shape(
        {member("constant", number_shape(), "C of eq. 8."), member("alpha", list_shape(number_shape()), "By job.")});
    const auto instance = record_shape(
        {member("family", word_shape({"redundancy"}), "Of the instance."),
         member("name", text_shape("^[-A-Za-z0-9_.:]+$"), "Its name."), member("machines", index_shape(), "M."),
         member("service", text_shape(), "det, two-point:FAST,SLOW or gains:G1,G2,...@PEAK."),
         member("speed", number_shape(), "Of the policy; the optimum runs at speed 1."),
         member("jobs", list_shape(tuple_shape({number_shape(), number_shape()})),
                "Arrival and size of each, sorted by arrival.")});
    return {{statement_kind, statement, {}, read_statement}, {dual_kind, dual, instance, read_dual}};
}

}  // namespace schedproof::redundancy
