/// What every family states (checks/core/family_claim.hpp), for redundancy: policies, claims, systems, domains of
/// problems.
///
/// A policy is tried on four problems of a shape before anything is said of it: jobs that arrive at once and one after
/// another, at the speeds 1 and 5. Its beta is the instance's, so a system under test is made per instance.
#include "checks/redundancy/family.hpp"

#include "checks/core/family_of.hpp"
#include "checks/families.hpp"
#include "checks/redundancy/agreement.hpp"
#include "checks/redundancy/claim.hpp"
#include "checks/redundancy/generate.hpp"
#include "checks/redundancy/witnesses.hpp"
#include "model/core/errors.hpp"

namespace schedproof::checks {

using namespace redundancy;

const Family& redundancy_family() { return family_of<RedundancyFamily>(); }

std::vector<PolicyEntry> RedundancyFamily::policies() {
    std::vector<PolicyEntry> all;
    for (const PolicyInfo& info : redundancy::policies()) all.push_back({info.id, info.summary, info.source});
    return all;
}

std::string RedundancyFamily::resolve_policy(std::string_view name) {
    return std::string(redundancy::resolve_policy(name));
}

std::string RedundancyFamily::refusal(const std::string& policy) {
    return redundancy_disagreement(
        [&](const Rational& beta) { return redundancy_policy_in_modes(make_policy(policy, beta)); });
}

RedundancyFamily::System RedundancyFamily::system(const std::string& policy, const ProblemDomain<RedundancyFamily>&) {
    if (resolve_policy(policy).empty())
        throw InputError::at_key("policy", "expected a policy of the redundancy family, not '" + policy + "'");
    return RedundancyFamily::policy(policy, {});
}

RedundancyFamily::Policy RedundancyFamily::policy(const std::string& name, const Instance&) {
    return [name](const Instance& instance) { return policy_under_test(make_policy(name, instance.beta)); };
}

std::vector<Claim> RedundancyFamily::claims() {
    std::vector<Claim> all;
    add_redundancy_services(all);
    add_redundancy_schedules(all);
    add_redundancy_duality(all);
    add_redundancy_srpt(all);
    add_redundancy_fair(all);
    add_redundancy_laps(all);
    return all;
}

ProblemDomain<RedundancyFamily> RedundancyFamily::domain_of(const Instance& one) {
    return *single_case<RedundancyFamily>(one.name, one);
}

Instance unnamed(const Shape& shape, Problem<Rational> problem) {
    Instance instance;
    instance.name = name(shape);
    instance.problem = std::move(problem);
    if (shape.beta) instance.beta = *shape.beta;
    instance.speed = shape.speed;
    return instance;
}

std::vector<Instance> RedundancyFamily::samples(const Shape& shape) {
    Instance at_once = unnamed(shape, {shape.machines, shape.service, {}});
    Instance in_turn = at_once;
    for (std::size_t j = 0; j < shape.jobs; ++j) {
        at_once.problem.jobs.push_back({0, j + 1});
        in_turn.problem.jobs.push_back({j, j + 1});
    }
    std::vector<Instance> all{at_once, in_turn};
    for (Instance fast : {at_once, in_turn}) {
        fast.speed = Rational(5);
        all.push_back(std::move(fast));
    }
    return all;
}

namespace {

RedundancyDomain::Random random(RedundancySizes sizes) {
    return {[sizes](Sampler& randomness) { return random_redundancy_instance(randomness, sizes); }};
}

RedundancyDomain::Enumerated grid(RedundancyGrid grid) {
    std::string bounds = bounds_text(grid);
    return {[grid = std::move(grid)](const auto& visit) { for_each_small_instance(grid, visit); }, std::move(bounds)};
}

}  // namespace

ProblemDomainPtr<RedundancyFamily> RedundancyFamily::instance(const std::string& name) {
    const auto made = [&](auto problems) {
        return std::make_shared<const RedundancyDomain>(name, std::move(problems));
    };
    if (name.size() > 1 && name[0] == 'n' && name[1] >= '0' && name[1] <= '9')
        return made(redundancy::parse_shape(name));
    if (name == "random") return made(random({}));
    if (name == "random-small") return made(random({3, 3}));
    if (name == "services") return made(RedundancyDomain::Random{random_service_instance});
    if (name == "grid") return made(grid({}));
    if (name == "grid-unit-speed") return made(grid({.machines = 4, .speeds = {"1"}}));
    if (name == "machine-counts")
        return made(grid({.jobs = 1, .machines = 8, .services = {"det"}, .sizes = {"1"}, .speeds = {"1"}}));
    for (const RedundancyWitness& witness : redundancy_witnesses())
        if (witness.name == name) return single_case<RedundancyFamily>(name, witness.instance);
    throw InputError::at_key(
        "instance",
        "expected `random`, `random-small`, `services`, `grid`, `grid-unit-speed`, `machine-counts`, a shape "
        "such as n4-m2-det, or a named instance, not '" +
            name + "'");
}

}  // namespace schedproof::checks
