/// What claims about redundancy are written with, besides claim_builder.hpp.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "checks/core/claim_builder.hpp"
#include "checks/redundancy/family.hpp"
#include "checks/redundancy/properties/properties.hpp"

namespace schedproof::checks {

// The groups, each adding its claims to the list.
void add_redundancy_services(std::vector<Claim>& claims);   ///< what copies add to the work on a job
void add_redundancy_schedules(std::vector<Claim>& claims);  ///< what policies do; the optimum
void add_redundancy_duality(std::vector<Claim>& claims);    ///< P1 and its dual
void add_redundancy_srpt(std::vector<Claim>& claims);       ///< dual fitting of SRPT+R
void add_redundancy_fair(std::vector<Claim>& claims);       ///< dual fitting of FAIR+R
void add_redundancy_laps(std::vector<Claim>& claims);       ///< the potential of LAPS+R

/// A problem of a shape, in units in which its policy has speed 1.
[[nodiscard]] redundancy::Instance unnamed(const redundancy::Shape& shape, redundancy::Problem<Rational> problem);

namespace redundancy_claims {

using RunProperty = std::function<Violation(const PolicyUnderTest&, const RedundancyProblem&, const Rational& speed)>;
using RunPremise = std::function<bool(const redundancy::AnyPolicy&, const redundancy::Instance&)>;
/// A job is there.
[[nodiscard]] bool has_jobs(const redundancy::AnyPolicy& policy, const redundancy::Instance& instance);
/// Two jobs are there.
[[nodiscard]] bool has_two_jobs(const redundancy::AnyPolicy& policy, const redundancy::Instance& instance);
/// A job is there, and one machine.
[[nodiscard]] bool on_one_machine(const redundancy::AnyPolicy& policy, const redundancy::Instance& instance);
/// A theorem of the policy speaks of the instance's speed.
[[nodiscard]] bool bounded(const redundancy::AnyPolicy& policy, const redundancy::Instance& instance);

// With whom policies are compared, in words.
inline const std::string optimum_in_words =
    "the least flowtime at speed 1 without multitasking and with decisions at arrivals and departures";
inline const std::string schedule_in_words =
    "schedule at speed 1 without multitasking and with decisions at arrivals and departures";
inline const std::string usual_instances =
    "as named: random instances have at most 7 jobs on 5 machines (random-small 3 on 3), a grid at most 3 jobs; a "
    "shape such as n4-m2-det is all arrivals and sizes of 4 jobs on 2 machines, at speed 2 in n4-m2-s2-det";

/// The named instances and more of them.
inline const std::vector<std::string> everywhere{"random", "grid"};
[[nodiscard]] std::vector<std::string> with(std::vector<std::string> instances, const std::vector<std::string>& more);

/// A claim `redundancy.ID`, of the usual instances.
[[nodiscard]] ClaimBuilder<RedundancyFamily> claim(const std::string& id);
/// Of the registered policy with the instance's beta, at the instance's speed.
[[nodiscard]] Property<RedundancyFamily> of_policy(RunProperty property);
[[nodiscard]] Premise<RedundancyFamily> of_policy(RunPremise premise);

/// A theorem by its statement, with the bound it is asked with.
struct AskedTheorem {
    std::string statement;
    Rational bound;
};
/// Asks the theorem of the policy for all arrivals and sizes of the domain's shape.
[[nodiscard]] RedundancyOracle explored_theorem(
    std::function<AskedTheorem(const std::string& policy, const redundancy::Shape&)> asked);
[[nodiscard]] RedundancyOracle explored_theorem(const std::string& statement, const Rational& bound = Rational(0));
/// With the bound 1 - 1/M of the shape's M machines.
[[nodiscard]] RedundancyOracle explored_with_c_star(const std::string& statement);
/// With a bound that depends on the policy.
[[nodiscard]] RedundancyOracle explored_by_policy(const std::string& statement,
                                                  std::function<Rational(const std::string& policy)> bound);
/// That the ratio to the optimum is at most what the paper's theorems, or ours, prove of the policy at the shape's
/// speed.
[[nodiscard]] RedundancyOracle explored_proved_bound();

/// What an oracle that proves says of a registered policy on a domain.
[[nodiscard]] Verdict verdict_of(const RedundancyOracle& oracle, const ProblemDomainPtr<RedundancyFamily>& domain,
                                 const std::string& policy, const Settings& settings);
/// The instance of a shape by which the solver refutes a theorem with this bound; nothing where it does not.
[[nodiscard]] std::optional<redundancy::Instance> refuted_with(const AskedTheorem& theorem, const std::string& policy,
                                                               const std::string& shape, const Settings& settings);
/// The mutant of a claim whose explored theorem has a bound that is too small.
[[nodiscard]] Mutant with_smaller_bound(std::string name, const AskedTheorem& theorem, const std::string& policy,
                                        const std::string& shape);

/// Replaces a part of the policy under test by a mutant.
using Spoil = std::function<void(PolicyUnderTest&)>;
/// The claim's property must fail on the named witness, of the spoiled policy with the instance's beta.
struct PolicyMutant {
    std::string name;
    std::string change;
    std::string policy;
    std::string instance;
    Spoil spoil;
    std::optional<redundancy::Instance> problem = {};  ///< in place of the witness of that name
};
[[nodiscard]] MutantSystem<RedundancyFamily> policy_mutant(PolicyMutant mutant);

/// A theorem on a policy's ratio to the optimum, and how its claim is shown to look: the explored bound is cut below
/// the supremum, the schedule slowed on a witness.
struct RatioTheorem {
    std::string id;
    std::string statement;
    std::string source;
    std::vector<std::string> policies;
    std::string shape;  ///< for all of whose problems the bound is proved
    std::string policy;
    Rational below_supremum;
    std::string slowed_on;
    Rational slowed_to;
    std::string slowed_in_words;
};
[[nodiscard]] Claim claim_of(const RatioTheorem& theorem);

// What may be spoiled.
[[nodiscard]] Spoil dual_rule(redundancy::DualRule wrong);  ///< dual variables by another rule
[[nodiscard]] Spoil slowed(const Rational& factor);         ///< the schedule of another speed
/// The schedule whose intervals are cut into `parts`, with the copies of every second one on half the share.
[[nodiscard]] Spoil cut_finely(std::size_t parts);
[[nodiscard]] Spoil shares_cut(const Rational& factor);  ///< every share times the factor
[[nodiscard]] Spoil another_policy(const std::string& id, const Rational& beta = Rational(1));
[[nodiscard]] Spoil another_rule(ReferencePolicy rule);
[[nodiscard]] Spoil another_service(MeanWork work);  ///< machines with another h, whatever the problem says

/// A place in the paper.
[[nodiscard]] std::string source(const char* place);

}  // namespace redundancy_claims
}  // namespace schedproof::checks
