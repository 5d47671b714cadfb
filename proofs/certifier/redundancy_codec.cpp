/// Theorems about redundancy policies, and dual variables of one instance.
#include <fmt/core.h>

#include "model/base/sha256.hpp"
#include "model/core/errors.hpp"
#include "proofs/certifier/proof_codec.hpp"
#include "proofs/certifier/theorem_codec.hpp"

namespace schedproof::certify {

using redundancy::DualCertificate;
using redundancy::Service;
using redundancy::Theorem;

std::string to_json(const Theorem& theorem, const std::vector<proof::PolynomialProof>& lemmas) {
    return fmt::format("{{\"statement\": {}, \"problems\": {}, \"bound\": {},\n     \"lemmas\": {}}}",
                       json_string(theorem.statement), json_string(name(theorem.shape)), to_json(theorem.bound),
                       to_json(lemmas));
}

redundancy::Certificate read_redundancy(const Spot& data) {
    data.members({"statement", "problems", "bound", "lemmas"});
    const Spot problems = data.member("problems");
    redundancy::Certificate certificate;
    Theorem& theorem = certificate.theorem;
    try {
        theorem.statement = redundancy::statement(data.member("statement").text()).name;
        theorem.shape = redundancy::parse_shape(problems.text());
    } catch (const InputError& error) { throw error.within({data.file(), data.node().line, data.path()}); }
    if (name(theorem.shape) != problems.text())
        problems.fail("expected the problems as they are written: " + name(theorem.shape));
    theorem.bound = data.member("bound").number();
    certificate.lemmas = read_lemmas(data.member("lemmas"));
    return certificate;
}

std::string instance_json(const DualCertificate& certificate) {
    const auto job = [](const redundancy::Job<Rational>& j) {
        return "[" + to_json(j.arrival) + ", " + to_json(j.size) + "]";
    };
    const auto& problem = certificate.problem;
    return fmt::format(
        "{{\"family\": \"redundancy\", \"name\": {}, \"machines\": {}, \"service\": {}, \"speed\": {},\n"
        "    \"jobs\": {}}}",
        json_string(certificate.name), problem.machines, json_string(problem.service.to_string()),
        to_json(certificate.speed), json_list(problem.jobs, job));
}

std::string statement_json(const DualCertificate& certificate) {
    return fmt::format("{{\"constant\": {}, \"alpha\": {}}}", to_json(certificate.constant),
                       json_list(certificate.alpha, [](const Rational& a) { return to_json(a); }));
}

std::string digest_of(const DualCertificate& certificate) {
    return input::sha256(instance_json(certificate) + statement_json(certificate));
}

DualCertificate read_dual(const Spot& instance, const Spot& statement) {
    constexpr std::uint32_t most = 10'000;  // machines, and jobs: a run is quadratic in both
    instance.members({"family", "name", "machines", "service", "speed", "jobs"});
    if (instance.member("family").text() != "redundancy") instance.member("family").fail("expected \"redundancy\"");
    DualCertificate certificate;
    certificate.name = instance.member("name").text();
    certificate.problem.machines = instance.member("machines").index(most);
    const Spot service = instance.member("service");
    try {
        certificate.problem.service = Service::parse(service.text());
    } catch (const InputError& error) { throw error.within({service.file(), service.node().line, service.path()}); }
    if (certificate.problem.service.to_string() != service.text())
        service.fail("expected the service as it is written: " + certificate.problem.service.to_string());
    certificate.speed = instance.member("speed").number();
    const Spot jobs = instance.member("jobs");
    if (jobs.size() > most) jobs.fail(fmt::format("expected at most {} jobs", most));
    for (std::size_t j = 0; j < jobs.size(); ++j) {
        const Spot job = jobs.item(j);
        if (job.size() != 2) job.fail("expected a pair of arrival and size");
        Rational arrival = job.item(0).number(), size = job.item(1).number();
        certificate.problem.jobs.push_back({std::move(arrival), std::move(size)});
    }
    statement.members({"constant", "alpha"});
    certificate.constant = statement.member("constant").number();
    const Spot alpha = statement.member("alpha");
    for (std::size_t j = 0; j < alpha.size(); ++j) certificate.alpha.push_back(alpha.item(j).number());
    return certificate;
}

}  // namespace schedproof::certify
