/// How the groups of claims about redundancy are written: words and a judge, then lines, oracles and mutants.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "checks/redundancy/claim.hpp"
#include "checks/redundancy/properties/properties.hpp"

namespace schedproof::checks::redundancy_group {

using RunPremise = std::function<bool(const redundancy::AnyPolicy&, const redundancy::Instance&)>;
/// A job is there.
[[nodiscard]] bool has_jobs(const redundancy::AnyPolicy& policy, const redundancy::Instance& instance);
/// Two jobs are there.
[[nodiscard]] bool has_two_jobs(const redundancy::AnyPolicy& policy, const redundancy::Instance& instance);
/// A theorem of the policy speaks of the instance's speed.
[[nodiscard]] bool bounded(const redundancy::AnyPolicy& policy, const redundancy::Instance& instance);

// With whom policies are compared, in words.
inline const std::string optimum_in_words =
    "the least flowtime at speed 1 without multitasking and with decisions at arrivals and departures";
inline const std::string schedule_in_words =
    "schedule at speed 1 without multitasking and with decisions at arrivals and departures";

/// A claim `redundancy.ID` on those of finite lists and random instances that meet the premise; no lines yet.
[[nodiscard]] RedundancyClaim claim(const std::string& id, std::string statement, std::string source,
                                    std::function<run_judging::Judge> judge, RunPremise premise = has_jobs);

void holds(RedundancyClaim& claim, const std::vector<std::string>& policies, const std::vector<std::string>& instances);
void fails(RedundancyClaim& claim, const std::vector<std::string>& policies, const std::vector<std::string>& instances,
           const std::string& why);

/// Also asked of all arrivals and sizes of a shape.
void explore(RedundancyClaim& claim, const std::string& statement, const Rational& bound = Rational(0));
/// The same with the bound 1 - 1/M of the shape's M machines.
void explore_with_c_star(RedundancyClaim& claim, const std::string& statement);
/// The same with a bound that depends on the policy.
void explore_by_policy(RedundancyClaim& claim, const std::string& statement,
                       std::function<Rational(const std::string& policy)> bound);

/// The judge on the named instance, of a subject made from the instance's policy: how the claim's check catches a
/// fault. The policy has the instance's beta.
using Spoil = std::function<void(RunSubject&)>;
void mutant(RedundancyClaim& claim, const std::string& name, const std::string& fault,
            std::function<run_judging::Judge> judge, const std::string& policy, const std::string& instance,
            Spoil spoil);
/// A fault that is no subject's.
void mutant(RedundancyClaim& claim, const std::string& name, const std::string& fault,
            std::function<std::string()> caught);

// What may be spoiled.
[[nodiscard]] Spoil dual_rule(redundancy::DualRule wrong);  ///< dual variables by another rule
[[nodiscard]] Spoil slowed(const Rational& factor);         ///< the schedule of another speed
[[nodiscard]] Spoil shares_cut(const Rational& factor);     ///< every share times the factor
[[nodiscard]] Spoil another_policy(const std::string& id, const Rational& beta = Rational(1));
[[nodiscard]] Spoil another_rule(PlainPolicy rule);

/// A place in the paper.
[[nodiscard]] std::string source(const char* place);

}  // namespace schedproof::checks::redundancy_group
