#include "proofs/redundancy/theorems/dual_certificate.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/base/document.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"

namespace schedproof::redundancy {

namespace {

/// Of the policies that have dual variables, the rule by whose run jobs are counted.
DualRule counting_rule(const std::string& policy) {
    if (policy == policy_of(DualRule::srpt)) return DualRule::srpt;
    if (policy == policy_of(DualRule::cap)) return DualRule::cap;
    throw InputError::at_key("policy", "expected srpt+r or fair+r: no other policy has dual variables");
}

void require_valid(const DualCertificate& certificate) {
    Instance instance;
    instance.problem = certificate.problem;
    instance.speed = certificate.speed;
    validate(instance);
    if (!certificate.problem.service.linear())
        throw InputError::at_key("service", "expected a service that is linear in time, to run jobs exactly");
}

/// The certificate's alpha with the n(t) of the run that counts.
Duals<Rational> duals_of(const DualCertificate& certificate) {
    Duals<Rational> made = duals(counting_rule(certificate.policy), certificate.problem, certificate.speed);
    made.alpha = certificate.alpha;
    return made;
}

Rational flowtime_of(const DualCertificate& certificate) {
    const auto run = counting_rule(certificate.policy) == DualRule::srpt
                         ? history(SrptR{}, certificate.problem, certificate.speed)
                         : history(FairR{}, certificate.problem, certificate.speed);
    return run.total_flowtime(certificate.problem.jobs);
}

}  // namespace

DualBound bound_of(const DualCertificate& certificate) {
    DualBound bound;
    bound.value = objective(duals_of(certificate), certificate.problem.machines);
    bound.flowtime = flowtime_of(certificate);
    bound.optimum = bound.value / (Rational(1) + certificate.constant * certificate.problem.service.peak());
    if (bound.optimum.sign() > 0) bound.ratio = bound.flowtime / bound.optimum;
    return bound;
}

DualCertificate fit(DualRule rule, const Instance& instance) {
    DualCertificate certificate;
    certificate.policy = policy_of(rule);
    certificate.name = instance.name;
    certificate.problem = instance.problem;
    certificate.speed = instance.speed;
    require_valid(certificate);
    certificate.alpha = duals(rule, instance.problem, instance.speed).alpha;
    certificate.constant = least_constant(duals_of(certificate), instance.problem);
    return certificate;
}

std::string sentence(const DualCertificate& certificate) {
    const DualBound bound = bound_of(certificate);
    return fmt::format(
        "On {} ({} jobs, {} machines, service {}): dual variables that are feasible with C = {} are worth {}, so no "
        "schedule at speed 1 has a total flowtime below {}, and the one of {} at speed {}, whose total flowtime is {}, "
        "has at most {} times the optimum.",
        base::shown(certificate.name, base::max_name_bytes + 1), certificate.problem.jobs.size(),
        certificate.problem.machines, certificate.problem.service.to_string(), certificate.constant.to_string(),
        bound.value.to_string(), bound.optimum.to_string(), certificate.policy, certificate.speed.to_string(),
        bound.flowtime.to_string(), bound.ratio.to_string());
}

std::string rejection(const DualCertificate& certificate) {
    require_valid(certificate);
    if (!certificate.proofs.empty()) return "dual variables need no proof by exploration";
    if (certificate.alpha.size() != certificate.problem.jobs.size()) return "there is not one alpha per job";
    if (std::any_of(certificate.alpha.begin(), certificate.alpha.end(), [](const auto& a) { return a.sign() < 0; }))
        return "an alpha is negative";
    if (certificate.constant.sign() < 0) return "the constant is negative";
    const Duals<Rational> made = duals_of(certificate);
    if (const Rational least = least_constant(made, certificate.problem); least > certificate.constant)
        return "eq. 8 needs a constant of at least " + least.to_string();
    if (objective(made, certificate.problem.machines).sign() <= 0) return "the dual variables are worth nothing";
    return "";
}

}  // namespace schedproof::redundancy
