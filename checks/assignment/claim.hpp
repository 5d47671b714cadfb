/// Claims of the assignment family: a scheduler on a domain of problems, judged on one problem by exact computation.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "checks/assignment/exhibit.hpp"
#include "checks/core/judged_claim.hpp"
#include "policies/assignment/registry.hpp"
#include "proofs/assignment/theorems/theorem.hpp"

namespace schedproof::checks {

/// What the words of judged_claim.hpp mean for assignments.
struct AssignmentFamily {
    using Case = AssignmentProblem;
    using Shape = assignment::Family;  ///< all loads, and perhaps all costs, of a shape
    using Policy = assignment::AnyScheduler;
    using Counterexample = AssignmentCounterexample;
    using Certificate = assignment::Certificate;
    [[nodiscard]] static Policy policy(const std::string& id) { return assignment::make_scheduler(id); }
    [[nodiscard]] static Counterexample counterexample(const Case& problem, const std::string& policy) {
        return {std::make_shared<const Case>(problem), policy, ""};
    }
    /// Loads with one core idle, and all others busy for long.
    [[nodiscard]] static std::vector<Case> samples(const Shape& shape);
};

using Domain = ProblemDomain<AssignmentFamily>;
using DomainPtr = std::shared_ptr<const Domain>;
using Scheduling = Trial<AssignmentFamily>;
using AssignmentOracle = TrialOracle<AssignmentFamily>;
using ProblemViolation = CaseViolation<AssignmentFamily>;

/// The named ones: shapes as `2,1:0/01` (cores per server; replica sets per task), `grid`, `random`, and the
/// witnesses by name. Throws InputError for an unknown name.
[[nodiscard]] DomainPtr named_domain(const std::string& name);
/// A problem as a domain of its own.
[[nodiscard]] DomainPtr single(std::string name, AssignmentProblem problem);

struct AssignmentClaim : JudgedClaim<AssignmentFamily> {
    /// What to draw where it fails: assignments before and after, and the path between them.
    std::function<Exhibit(const assignment::AnyScheduler&, const AssignmentProblem&)> exhibit;
};

/// The premise of claims that have no other: there is something to assign.
[[nodiscard]] bool has_tasks(const AssignmentProblem& problem);

/// Asks on every problem of an enumerated domain, or on `settings.cases` random ones.
[[nodiscard]] AssignmentOracle exhaustive_oracle(ProblemViolation violation);
[[nodiscard]] AssignmentOracle sampled_oracle(ProblemViolation violation);
/// Asks the theorem `statement` of the scheduler for all loads of the domain's shape; a point where it fails is a
/// refutation.
[[nodiscard]] AssignmentOracle explore_oracle(std::string statement, Rational bound = Rational(0));
/// The same, with a bound for each scheduler, by id.
[[nodiscard]] AssignmentOracle explore_oracle(std::string statement, std::map<std::string, Rational> bounds);

}  // namespace schedproof::checks
