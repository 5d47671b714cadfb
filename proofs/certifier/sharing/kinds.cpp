/// Certificates of the sharing family: statements about a policy at every moment of every cluster.
///
/// They hold no instance. The parameters D, D1, D2 and W are symbols, so what defines a registered policy is its name
/// alone; an added one has the parameters that its author wrote.
#include <fmt/core.h>

#include "model/core/errors.hpp"
#include "policies/core/definition.hpp"
#include "policies/sharing/registry.hpp"
#include "proofs/certifier/certificate_kinds.hpp"
#include "proofs/certifier/proof_codec.hpp"
#include "proofs/sharing/theorems/theorem.hpp"

namespace schedproof::sharing {

namespace {

using certify::json_string;
using certify::StrictCursor;

constexpr std::string_view statement_kind = "sharing";

class CertifiableStatement final : public certify::CertifiableOf<Certificate> {
  public:
    using CertifiableOf::CertifiableOf;

    [[nodiscard]] std::string_view kind() const override { return statement_kind; }
    [[nodiscard]] std::string_view family() const override { return "sharing"; }
    [[nodiscard]] std::string definition() const override {
        const AnyPolicy made = make_policy(policy(), usual_parameters(policy()));
        return is_added(policy()) ? schedproof::definition(made) : "any parameters";
    }
    [[nodiscard]] std::string instance_name() const override { return shape_name(certificate().theorem.most); }
    [[nodiscard]] std::string statement_json() const override {
        return fmt::format("{{\"statement\": {}, \"most\": {}}}", json_string(certificate().theorem.statement),
                           certificate().theorem.most);
    }
};

AnyCertificate read_statement(const StrictCursor& root) {
    Certificate certificate;
    certificate.policy = root.member("policy").text();
    const StrictCursor data = root.member("statement"), name = data.member("statement");
    try {
        certificate.theorem.statement = statement(name.text()).name;
    } catch (const InputError& error) {
        throw error.within({data.file(), name.node().line, name.path()});
    }
    certificate.theorem.most = data.member("most").index(most_moment);
    if (certificate.theorem.most == 0) data.member("most").fail("expected at least 1");
    certificate.proofs = certify::read_proofs(root.member("proofs"));
    return certificate;
}

}  // namespace

std::shared_ptr<const certify::Certifiable> certifiable(Certificate certificate) {
    return std::make_shared<const CertifiableStatement>(std::move(certificate));
}

std::vector<certify::CertificateKind> certificate_kinds() {
    using namespace certify;
    const auto statement = record_shape(
        {member("statement", text_shape("^[a-z0-9-]+$"), "Name of what is stated of the policy."),
         member("most", index_shape(),
                "Jobs with tasks to launch, present jobs where tasks are killed, or nodes that hold the data of a task "
                "that joins a queue: up to so many.")});
    return {{statement_kind, statement, {}, read_statement}};
}

}  // namespace schedproof::sharing
