/// What claims about assignments are written with, besides claim_builder.hpp.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "checks/assignment/exhibit.hpp"
#include "checks/assignment/family.hpp"
#include "checks/core/claim_builder.hpp"

namespace schedproof::checks {

// The groups, each adding its claims to the list.
void add_assignment_dyndloff(std::vector<Claim>& claims);  ///< the two phases of DynDLOff
void add_assignment_policies(std::vector<Claim>& claims);  ///< outcomes of every policy

namespace assignment_claims {

/// The premise of claims that have no other: there is something to assign.
[[nodiscard]] bool has_tasks(const assignment::AnyPolicy& policy, const AssignmentProblem& problem);

/// What to draw where a claim fails: assignments before and after, and the path between them.
using MakeExhibit = std::function<Exhibit(const AssignmentPolicyUnderTest&, const AssignmentProblem&)>;
/// An outcome, and an optimum beside it.
[[nodiscard]] Exhibit with_optimum(const AssignmentPolicyUnderTest& policy, const AssignmentProblem& problem);
/// The graph of the assignment that fails, and the loads of all; nothing of a problem without tasks.
[[nodiscard]] std::function<std::vector<Picture>(const AssignmentPolicyUnderTest&, const AssignmentProblem&,
                                                 const std::vector<std::string>& title)>
drawn(MakeExhibit exhibit);

/// The policy's bound. Throws InputError when there is none, so that nothing is stated of it.
[[nodiscard]] const Rational& stated(const std::map<std::string, Rational>& bounds, const std::string& policy);

/// Asks the theorem `statement` of the policy for all loads of the domain's shape; a point where it fails is a
/// refutation.
[[nodiscard]] AssignmentOracle explored_theorem(const std::string& statement, const Rational& bound = Rational(0));
/// The same, with a bound for each policy, by id; it is not stated of others.
[[nodiscard]] AssignmentOracle explored_theorem(const std::string& statement,
                                                const std::map<std::string, Rational>& bounds);

}  // namespace assignment_claims
}  // namespace schedproof::checks
