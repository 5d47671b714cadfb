#include "checks/claims/redundancy_group.hpp"

#include <utility>

#include "checks/redundancy/witnesses.hpp"

namespace schedproof::checks::redundancy_group {

using namespace redundancy;

std::string source(const char* place) { return std::string("Xu et al., arXiv 1707.01655, ").append(place); }

bool has_jobs(const AnyPolicy&, const Instance& instance) { return !instance.problem.jobs.empty(); }

bool bounded(const AnyPolicy& policy, const Instance& instance) {
    const Problem<Rational>& problem = instance.problem;
    return has_jobs(policy, instance) &&
           proved_bound(policy, instance.speed, problem.machines, problem.service.peak()).has_value();
}

RedundancyClaim claim(const std::string& id, std::string statement, std::string source,
                      std::function<run_judging::Judge> judge, RunPremise premise) {
    RedundancyClaim made;
    made.id = "redundancy." + id;
    made.statement = std::move(statement);
    made.source = std::move(source);
    made.family = "at most 7 jobs on 5 machines; all arrivals and sizes of small shapes";
    made.violation =
        judged([judge = std::move(judge)](const AnyPolicy& policy, const Problem<Rational>& problem,
                                          const Rational& speed) { return judge(subject_of(policy), problem, speed); });
    made.oracles = {exhaustive<RedundancyFamily>(made.violation), sampled<RedundancyFamily>(made.violation)};
    made.witness = [premise = std::move(premise)](const RedundancyTrial& trial) {
        return witness_of<RedundancyFamily>(*trial.domain, [&](const Instance& instance) {
            return premise(make_policy(trial.policy, instance.beta), instance);
        });
    };
    return made;
}

void holds(RedundancyClaim& claim, const std::vector<std::string>& policies,
           const std::vector<std::string>& instances) {
    for (const std::string& policy : policies) claim.lines.push_back({policy, instances, Expectation::holds, {}, {}});
}

void fails(RedundancyClaim& claim, const std::vector<std::string>& policies, const std::vector<std::string>& instances,
           const std::string& why) {
    for (const std::string& policy : policies) claim.lines.push_back({policy, instances, Expectation::fails, {}, why});
}

void explore(RedundancyClaim& claim, const std::string& statement, const Rational& bound) {
    claim.oracles.push_back(explored_theorem(statement, bound));
}

void explore_with_c_star(RedundancyClaim& claim, const std::string& statement) {
    RedundancyOracle oracle = explored_theorem(statement);
    oracle.run = [statement](const RedundancyTrial& trial, const Settings& settings) {
        const Rational machines(std::get<Shape>(trial.domain->problems).machines);
        return explored_theorem(statement, Rational(1) - Rational(1) / machines).run(trial, settings);
    };
    claim.oracles.push_back(std::move(oracle));
}

void mutant(RedundancyClaim& claim, const std::string& name, const std::string& fault,
            std::function<run_judging::Judge> judge, const std::string& policy, const std::string& instance,
            Spoil spoil) {
    claim.mutants.push_back(
        {name, fault, "exhaustive", [=, judge = std::move(judge), spoil = std::move(spoil)](const Settings&) {
             const Instance at = redundancy_witness(instance).instance;
             RunSubject subject = subject_of(make_policy(policy, at.beta));
             spoil(subject);
             const std::string found = judge(subject, at.problem, at.speed);
             return found.empty() ? "" : "on " + instance + ": " + found;
         }});
}

void mutant(RedundancyClaim& claim, const std::string& name, const std::string& fault,
            std::function<std::string()> caught) {
    claim.mutants.push_back({name, fault, "exhaustive", [=](const Settings&) { return caught(); }});
}

Spoil dual_rule(DualRule wrong) {
    return [wrong](RunSubject& subject) {
        subject.duals = [wrong](DualRule, const RedundancyProblem& problem, const Rational& speed) {
            return duals(wrong, problem, speed);
        };
    };
}

Spoil slowed(const Rational& factor) {
    return [factor](RunSubject& subject) {
        subject.schedule = [own = subject.schedule, factor](const RedundancyProblem& problem, const Rational& speed) {
            return own(problem, factor * speed);
        };
    };
}

Spoil another_policy(const std::string& id, const Rational& beta) {
    return [=](RunSubject& subject) { subject.schedule = subject_of(make_policy(id, beta)).schedule; };
}

Spoil another_rule(PlainPolicy rule) {
    return [rule = std::move(rule)](RunSubject& subject) {
        subject.schedule = [rule](const RedundancyProblem& problem, const Rational& speed) {
            return *plain_schedule(rule, problem, speed);
        };
    };
}

}  // namespace schedproof::checks::redundancy_group
