/// Oracles and seeded faults of the redundancy family, each one line in a claim.
///
/// A mutant changes one part of the system under test (its schedule, its duals, the work of its copies, its rule) and
/// leaves the rest, so that a property is shown to look at that part. Theorems are asked with a bound that may depend
/// on the policy and the shape: C* = 1 - 1/M for dual fitting.
#include "checks/redundancy/claim.hpp"

#include <utility>

#include "checks/redundancy/witnesses.hpp"
#include "model/core/errors.hpp"
#include "proofs/redundancy/bounds.hpp"
#include "proofs/redundancy/theorem_proof.hpp"

namespace schedproof::checks::redundancy_claims {

using namespace redundancy;

std::string source(const char* place) { return std::string("[xu2017], ").append(place); }

bool has_jobs(const AnyPolicy&, const Instance& instance) { return !instance.problem.jobs.empty(); }

bool has_two_jobs(const AnyPolicy&, const Instance& instance) { return instance.problem.jobs.size() >= 2; }

bool on_one_machine(const AnyPolicy&, const Instance& instance) {
    return !instance.problem.jobs.empty() && instance.problem.machines == 1;
}

bool bounded(const AnyPolicy& policy, const Instance& instance) {
    const Problem<Rational>& problem = instance.problem;
    return has_jobs(policy, instance) &&
           proved_bound(policy, instance.speed, problem.machines, problem.service.peak()).has_value();
}

std::vector<std::string> with(std::vector<std::string> instances, const std::vector<std::string>& more) {
    instances.insert(instances.end(), more.begin(), more.end());
    return instances;
}

ClaimBuilder<RedundancyFamily> claim(const std::string& id) {
    return ClaimBuilder<RedundancyFamily>(id).instances(usual_instances);
}

Property<RedundancyFamily> of_policy(RunProperty property) {
    return [property = std::move(property)](const RedundancyFamily::Policy& policy, const Instance& instance) {
        return property(policy(instance), instance.problem, instance.speed);
    };
}

Premise<RedundancyFamily> of_policy(RunPremise premise) {
    return [premise = std::move(premise)](const RedundancyFamily::Policy& policy, const Instance& instance) {
        return premise(policy(instance).policy, instance);
    };
}

namespace {

std::variant<redundancy::Certificate, Instance, std::string> settle(const std::string& policy, const Theorem& theorem,
                                                                    const explore::Budget& budget) {
    TheoremProof found = prove(policy, theorem, budget);
    if (auto* certificate = std::get_if<redundancy::Certificate>(&found.result)) return std::move(*certificate);
    if (auto* ended = std::get_if<explore::Ended>(&found.result)) return std::move(ended->reason);
    auto& refuted = std::get<redundancy::Refuted>(found.result);
    if (!refuted.problem) return "fails, though not at an instance: " + refuted.question;
    return unnamed(theorem.shape, std::move(*refuted.problem));
}

}  // namespace

RedundancyOracle explored_theorem(std::function<AskedTheorem(const std::string& policy, const Shape&)> asked) {
    return explored<RedundancyFamily>(
        [asked = std::move(asked)](const RedundancyTrial& trial, const Shape& shape, const auto& budget) {
            AskedTheorem theorem = asked(trial.policy, shape);
            return settle(trial.policy, {std::move(theorem.statement), shape, std::move(theorem.bound)}, budget);
        });
}

RedundancyOracle explored_theorem(const std::string& statement, const Rational& bound) {
    return explored_theorem([=](const std::string&, const Shape&) -> AskedTheorem { return {statement, bound}; });
}

RedundancyOracle explored_with_c_star(const std::string& statement) {
    return explored_theorem([=](const std::string&, const Shape& shape) -> AskedTheorem {
        return {statement, Rational(1) - Rational(1) / Rational(shape.machines)};
    });
}

RedundancyOracle explored_by_policy(const std::string& statement,
                                    std::function<Rational(const std::string& policy)> bound) {
    return explored_theorem(
        [statement, bound = std::move(bound)](const std::string& policy, const Shape&) -> AskedTheorem {
            return {statement, bound(policy)};
        });
}

RedundancyOracle explored_proved_bound() {
    return explored_theorem([](const std::string& policy, const Shape& shape) -> AskedTheorem {
        const auto bound = proved_bound(make_policy(policy, shape.beta.value_or(Rational(1))), shape.speed,
                                        shape.machines, shape.service.peak());
        if (!bound)
            throw InputError::at_key(
                "instance", "expected a speed at which a bound is proved of " + policy + ", as in n2-m2-s5-det");
        return {"ratio", *bound};
    });
}

Verdict verdict_of(const RedundancyOracle& oracle, const ProblemDomainPtr<RedundancyFamily>& domain,
                   const std::string& policy, const Settings& settings) {
    return oracle.run(trial_of<RedundancyFamily>(domain, policy), always_holds<RedundancyFamily>(), settings);
}

std::optional<Instance> refuted_with(const AskedTheorem& theorem, const std::string& policy, const std::string& shape,
                                     const Settings& settings) {
    const Verdict verdict = verdict_of(explored_theorem(theorem.statement, theorem.bound),
                                       RedundancyFamily::instance(shape), policy, settings);
    const auto* refuted = std::get_if<checks::Refuted>(&verdict);
    return refuted == nullptr ? std::nullopt : std::optional(case_of<RedundancyFamily>(refuted->counterexample));
}

Mutant with_smaller_bound(std::string name, const AskedTheorem& theorem, const std::string& policy,
                          const std::string& shape) {
    return {.name = std::move(name),
            .change = "bound: " + theorem.bound.to_string(),
            .oracle = "explore",
            .caught = [=](const Settings& settings) {
                const auto found = refuted_with(theorem, policy, shape, settings);
                return found ? "refuted by a problem of " + found->name : "";
            }};
}

MutantSystem<RedundancyFamily> policy_mutant(PolicyMutant mutant) {
    std::string name = mutant.name, change = mutant.change;
    return {std::move(name), std::move(change), "exhaustive", [mutant = std::move(mutant)]() -> RedundancyTrial {
                return {mutant.problem ? single_case<RedundancyFamily>(mutant.instance, *mutant.problem)
                                       : single_case<RedundancyFamily>(mutant.instance,
                                                                       redundancy_witness(mutant.instance).instance),
                        mutant.policy, [mutant](const Instance& at) {
                            PolicyUnderTest under_test = policy_under_test(make_policy(mutant.policy, at.beta));
                            mutant.spoil(under_test);
                            return under_test;
                        }};
            }};
}

Claim claim_of(const RatioTheorem& theorem) {
    return claim(theorem.id)
        .statement(theorem.statement)
        .source(theorem.source)
        .property(of_policy(redundancy_properties::theorem))
        .exhaustive()
        .sampled()
        .among(of_policy(bounded))
        .oracle(explored_proved_bound())
        .holds(theorem.policies, {"random-small", "grid", theorem.shape})
        .mutant(with_smaller_bound(theorem.id + "-below-supremum", {"ratio", theorem.below_supremum}, theorem.policy,
                                   theorem.shape))
        .mutant_system(policy_mutant({.name = theorem.id + "-slow",
                                      .change = "policy: " + theorem.slowed_in_words + " of its speed",
                                      .policy = theorem.policy,
                                      .instance = theorem.slowed_on,
                                      .spoil = slowed(theorem.slowed_to)}));
}

Spoil dual_rule(DualRule wrong) {
    return [wrong](PolicyUnderTest& under_test) {
        under_test.duals = [wrong](DualRule, const RedundancyProblem& problem, const Rational& speed) {
            return duals(wrong, problem, speed);
        };
    };
}

Spoil slowed(const Rational& factor) {
    return [factor](PolicyUnderTest& under_test) {
        under_test.schedule = [own = under_test.schedule, factor](const RedundancyProblem& problem,
                                                                  const Rational& speed) {
            return own(problem, factor * speed);
        };
    };
}

Spoil cut_finely(std::size_t parts) {
    return [parts](PolicyUnderTest& under_test) {
        under_test.schedule = [own = under_test.schedule, parts](const RedundancyProblem& problem,
                                                                 const Rational& speed) {
            ReferenceSchedule run = own(problem, speed);
            std::vector<ReferenceInterval> whole = std::move(run.intervals);
            run.intervals.clear();
            for (ReferenceInterval& interval : whole) {
                interval.length /= Rational(parts);
                for (std::size_t i = 0; i < parts; ++i) {
                    run.intervals.push_back(interval);
                    if (i % 2 == 1)
                        for (ReferenceShare& share : run.intervals.back().shares) share.share /= Rational(2);
                    interval.start += interval.length;
                }
            }
            return run;
        };
    };
}

Spoil shares_cut(const Rational& factor) {
    return [factor](PolicyUnderTest& under_test) {
        ReferencePolicy less = reference_policy(under_test.policy);
        less.rule = [whole = less.rule, factor](std::size_t n, std::size_t machines) {
            std::vector<ReferenceShare> shares = whole(n, machines);
            for (ReferenceShare& share : shares) share.share *= factor;
            return shares;
        };
        another_rule(less)(under_test);
    };
}

Spoil another_policy(const std::string& id, const Rational& beta) {
    return
        [=](PolicyUnderTest& under_test) { under_test.schedule = policy_under_test(make_policy(id, beta)).schedule; };
}

Spoil another_service(MeanWork work) {
    return [work = std::move(work)](PolicyUnderTest& under_test) {
        under_test.work = [work](const RedundancyProblem&) { return work; };
    };
}

Spoil another_rule(ReferencePolicy rule) {
    return [rule = std::move(rule)](PolicyUnderTest& under_test) {
        under_test.schedule = [rule](const RedundancyProblem& problem, const Rational& speed) {
            return *reference_schedule(rule, problem, speed);
        };
    };
}

}  // namespace schedproof::checks::redundancy_claims
