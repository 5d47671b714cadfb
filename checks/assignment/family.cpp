#include "checks/assignment/family.hpp"

#include "checks/assignment/agreement.hpp"
#include "checks/assignment/claim.hpp"
#include "checks/assignment/generate.hpp"
#include "checks/assignment/properties/schedule_properties.hpp"
#include "checks/assignment/witnesses.hpp"
#include "checks/core/family_of.hpp"
#include "checks/families.hpp"
#include "model/core/errors.hpp"

namespace schedproof::checks {

using namespace assignment;

const checks::Family& assignment_family() { return family_of<AssignmentFamily>(); }

std::string AssignmentPolicyUnderTest::violation(
    const AssignmentProblem& problem, const std::function<std::string(const ScheduleResult<Rational>&)>& fails) const {
    for (ScheduleResult<Rational>& result : outcomes_of(policy, problem)) {
        if (spoil) spoil(result);
        if (std::string found = fails(result); !found.empty()) return found;
    }
    return {};
}

std::optional<TwoPhasePolicy> AssignmentPolicyUnderTest::two_phases() const {
    if (facts) return facts;
    if (const auto* dyndloff = policy.as<DynDlOff>()) return two_phase_policy(*dyndloff, id);
    return std::nullopt;
}

std::vector<PolicyEntry> AssignmentFamily::policies() {
    std::vector<PolicyEntry> all;
    for (const PolicyInfo& info : assignment::policies()) all.push_back({info.id, info.summary, info.source});
    return all;
}

std::string AssignmentFamily::resolve_policy(std::string_view name) {
    return std::string(assignment::resolve_policy(name));
}

std::string AssignmentFamily::refusal(const std::string& policy) {
    return assignment_disagreement([&] { return assignment_policy_in_modes(make_policy(policy)); });
}

std::vector<Claim> AssignmentFamily::claims() {
    std::vector<Claim> all;
    add_assignment_dyndloff(all);
    add_assignment_policies(all);
    return all;
}

ProblemDomain<AssignmentFamily> AssignmentFamily::domain_of(const AssignmentProblem& one) {
    return *single_case<AssignmentFamily>(describe(one, ""), one);
}

std::string AssignmentFamily::describe(const AssignmentProblem& one, const std::string&) {
    return std::to_string(one.shape->tasks().size()) + " tasks on " + std::to_string(one.shape->cores().size()) +
           " cores";
}

std::vector<AssignmentProblem> AssignmentFamily::samples(const Shape& family) {
    std::vector<AssignmentProblem> problems;
    const std::size_t cores = family.shape->cores().size();
    for (std::size_t idle = 0; idle < cores; ++idle) {
        std::vector<Rational> loads(cores, Rational(8));
        loads[idle] = Rational(0);
        problems.push_back(at(family, loads, false));
    }
    // Loads of few sizes, for premises that need two cores with work between them.
    std::size_t mixed = 1;
    for (std::size_t core = 0; core < cores && cores <= 4; ++core) mixed *= 3;
    for (std::size_t number = 0; mixed > 1 && number < mixed; ++number) {
        std::vector<Rational> loads;
        for (std::size_t core = 0, rest = number; core < cores; ++core, rest /= 3)
            loads.emplace_back(rest % 3 == 2 ? 8 : rest % 3);
        problems.push_back(at(family, loads, false));
    }
    return problems;
}

ProblemDomainPtr<AssignmentFamily> AssignmentFamily::instance(const std::string& name) {
    const auto made = [&](auto problems) {
        return std::make_shared<const AssignmentDomain>(name, std::move(problems));
    };
    if (name.find(':') != std::string::npos) return made(parse_family(name));
    if (name == "random")
        return made(
            AssignmentDomain::Random{[](Sampler& randomness) { return random_assignment_problem(randomness); }});
    if (name == "grid")
        return made(AssignmentDomain::Enumerated{[](const auto& visit) { for_each_small_problem({}, visit); },
                                                 bounds_text(SmallGrid{})});
    for (const AssignmentWitness& witness : assignment_witnesses())
        if (witness.name == name) return single_case<AssignmentFamily>(name, witness.problem);
    throw InputError::at_key("instance", "expected `random`, `grid`, a shape or a named problem, not '" + name + "'");
}

}  // namespace schedproof::checks
