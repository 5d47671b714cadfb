#include "checks/redundancy/claim_group.hpp"

#include <utility>

#include "checks/redundancy/witnesses.hpp"

namespace schedproof::checks::redundancy_group {

using namespace redundancy;

std::string source(const char* place) { return std::string("[xu2017], ").append(place); }

bool has_jobs(const AnyPolicy&, const Instance& instance) { return !instance.problem.jobs.empty(); }

bool has_two_jobs(const AnyPolicy&, const Instance& instance) { return instance.problem.jobs.size() >= 2; }

bool bounded(const AnyPolicy& policy, const Instance& instance) {
    const Problem<Rational>& problem = instance.problem;
    return has_jobs(policy, instance) &&
           proved_bound(policy, instance.speed, problem.machines, problem.service.peak()).has_value();
}

namespace {

using Premise = std::function<bool(const Instance&)>;

RedundancyDomain::Enumerated narrowed(const RedundancyDomain::Enumerated& all, const Premise& premise) {
    return {[=](const auto& visit) {
        all.each([&](const Instance& instance) { return !premise(instance) || visit(instance); });
    }};
}

/// Draws until the premise is met, and after many draws no longer.
RedundancyDomain::Random narrowed(const RedundancyDomain::Random& all, const Premise& premise) {
    return {[=](Sampler& chance) {
        constexpr int most = 10'000;
        Instance drawn = all.draw(chance);
        for (int i = 0; i < most && !premise(drawn); ++i) drawn = all.draw(chance);
        return drawn;
    }};
}

/// The oracle, asked of the instances that meet the premise only: the number of cases is theirs.
RedundancyOracle narrowed(RedundancyOracle oracle, RunPremise premise) {
    oracle.run = [run = std::move(oracle.run), premise = std::move(premise)](const RedundancyTrial& trial,
                                                                             const Settings& settings) {
        const Premise met = [&](const Instance& instance) {
            return premise(make_policy(trial.policy, instance.beta), instance);
        };
        RedundancyDomain domain = *trial.domain;
        if (const auto* listed = std::get_if<RedundancyDomain::Enumerated>(&trial.domain->problems))
            domain.problems = narrowed(*listed, met);
        else if (const auto* random = std::get_if<RedundancyDomain::Random>(&trial.domain->problems))
            domain.problems = narrowed(*random, met);
        const auto met_only = std::make_shared<const RedundancyDomain>(std::move(domain));
        return run({met_only, trial.policy, trial.judged}, settings);
    };
    return oracle;
}

}  // namespace

RedundancyClaim claim(const std::string& id, std::string statement, std::string source,
                      std::function<run_judging::Judge> judge, RunPremise premise) {
    RedundancyClaim made;
    made.id = "redundancy." + id;
    made.statement = std::move(statement);
    made.source = std::move(source);
    made.family =
        "as named: random instances have at most 7 jobs on 5 machines (random-small 3 on 3), a grid at most 3 jobs; a "
        "shape such as n4-m2-det is all arrivals and sizes of 4 jobs on 2 machines";
    made.violation =
        judged([judge = std::move(judge)](const AnyPolicy& policy, const Problem<Rational>& problem,
                                          const Rational& speed) { return judge(subject_of(policy), problem, speed); });
    made.oracles = {narrowed(exhaustive<RedundancyFamily>(made.violation), premise),
                    narrowed(sampled<RedundancyFamily>(made.violation), premise)};
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

void explore_by_policy(RedundancyClaim& claim, const std::string& statement,
                       std::function<Rational(const std::string& policy)> bound) {
    RedundancyOracle oracle = explored_theorem(statement);
    oracle.run = [statement, bound = std::move(bound)](const RedundancyTrial& trial, const Settings& settings) {
        return explored_theorem(statement, bound(trial.policy)).run(trial, settings);
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

Spoil shares_cut(const Rational& factor) {
    return [factor](RunSubject& subject) {
        PlainPolicy less = plain(subject.policy);
        less.rule = [whole = less.rule, factor](std::size_t n, std::size_t machines) {
            std::vector<PlainShare> shares = whole(n, machines);
            for (PlainShare& share : shares) share.share *= factor;
            return shares;
        };
        another_rule(less)(subject);
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
