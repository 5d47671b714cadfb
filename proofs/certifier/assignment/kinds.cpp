/// Certificates of statements about policies on all problems of a shape, for the certifier.
#include <fmt/core.h>

#include "model/core/errors.hpp"
#include "proofs/assignment/theorems/theorem.hpp"
#include "proofs/certifier/certificate_kinds.hpp"
#include "proofs/certifier/proof_codec.hpp"

namespace schedproof::assignment {

namespace {

using certify::Spot;

constexpr std::string_view kind_name = "assignment";

class CertifiablePolicy final : public certify::CertifiableOf<Certificate> {
  public:
    using CertifiableOf::CertifiableOf;

    [[nodiscard]] std::string_view kind() const override { return kind_name; }
    [[nodiscard]] std::string instance_name() const override { return name(certificate().theorem.family); }
    [[nodiscard]] std::string statement_json() const override {
        const Theorem& theorem = certificate().theorem;
        return fmt::format("{{\"statement\": {}, \"problems\": {}, \"bound\": {}}}",
                           certify::json_string(theorem.statement), certify::json_string(name(theorem.family)),
                           certify::to_json(theorem.bound));
    }
};

Theorem read_theorem(const Spot& data) {
    data.members({"statement", "problems", "bound"});
    const Spot problems = data.member("problems");
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

AnyCertificate read_certificate(const Spot& root) {
    Certificate certificate;
    certificate.policy = root.member("policy").text();
    certificate.theorem = read_theorem(root.member("statement"));
    certificate.proofs = certify::read_proofs(root.member("proofs"));
    return certificate;
}

}  // namespace

std::shared_ptr<const certify::Certifiable> certifiable(Certificate certificate) {
    return std::make_shared<const CertifiablePolicy>(std::move(certificate));
}

std::vector<certify::CertificateKind> certificate_kinds() { return {{kind_name, false, read_certificate}}; }

}  // namespace schedproof::assignment
