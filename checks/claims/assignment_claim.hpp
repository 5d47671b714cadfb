/// Claims of the assignment family: a scheduler on a domain of problems, judged on one problem by exact computation.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "checks/assignment/exhibit.hpp"
#include "checks/claims/claim_text.hpp"
#include "checks/claims/verdict.hpp"
#include "policies/assignment/registry.hpp"
#include "proofs/theorems/assignment_theorem.hpp"

namespace schedproof::checks {

/// Where a claim about a scheduler is asked: on all loads and costs of a shape, on every problem of a finite list, on
/// random problems, or on one.
struct Domain {
    struct Enumerated {
        /// Calls back with each problem until the callback returns false.
        std::function<void(const std::function<bool(const AssignmentProblem&)>&)> each;
    };
    struct Random {
        std::function<AssignmentProblem(Sampler&)> draw;
    };
    std::string name;
    std::variant<assignment::Family, Enumerated, Random> problems;
};
using DomainPtr = std::shared_ptr<const Domain>;

/// The named ones: shapes as `2,1:0/01` (cores per server; replica sets per task), `grid`, `random`, and the problems
/// of the specification by name. Throws InputError for an unknown name.
[[nodiscard]] DomainPtr named_domain(const std::string& name);
/// A problem as a domain of its own.
[[nodiscard]] DomainPtr single(std::string name, AssignmentProblem problem);

/// A scheduler on a domain.
struct Scheduling {
    DomainPtr domain;
    std::string policy;
    assignment::AnyScheduler scheduler;
};

struct AssignmentOracle {
    std::string name;  ///< `explore`, `exhaustive` or `sampled`
    std::function<bool(const Domain&)> suits;
    std::function<Verdict(const Scheduling&, const Settings&)> run;
};

/// How the claim fails on a problem for a scheduler; empty when it does not.
using ProblemViolation = std::function<std::string(const assignment::AnyScheduler&, const AssignmentProblem&)>;

struct AssignmentClaim : ClaimText {
    std::vector<AssignmentOracle> oracles;
    ProblemViolation violation;
    /// What to draw where it fails: assignments before and after, and the path between them.
    std::function<Exhibit(const assignment::AnyScheduler&, const AssignmentProblem&)> exhibit;
    /// A problem or number that meets the assumptions, in words; empty when there is none.
    std::function<std::string(const Scheduling&)> witness;
};

/// A problem of the domain that meets the premise, in words; empty when none is found among its first 1,000, or, of all
/// loads of a shape, among those with one idle core.
[[nodiscard]] std::string witness_of(const Domain& domain,
                                     const std::function<bool(const AssignmentProblem&)>& premise);
/// The premise of claims that have no other: there is something to assign.
[[nodiscard]] bool has_tasks(const AssignmentProblem& problem);

/// Throws InputError when the scheduler is not registered.
[[nodiscard]] Scheduling subject(const AssignmentClaim& claim, const DomainPtr& domain, const std::string& policy);

/// Runs an oracle and replays what it refutes. Throws OracleConflict when the replay finds no violation, or when the
/// certificate of a Proved is not accepted. Limits become Unknown.
[[nodiscard]] Verdict consult(const AssignmentClaim& claim, const AssignmentOracle& oracle,
                              const Scheduling& scheduling, const Settings& settings);

/// Asks on every problem of an enumerated domain, or on `settings.cases` random ones.
[[nodiscard]] AssignmentOracle exhaustive_oracle(ProblemViolation violation);
[[nodiscard]] AssignmentOracle sampled_oracle(ProblemViolation violation);
/// Asks the theorem `statement` of the scheduler for all loads of the domain's shape; a point where it fails is a
/// refutation.
[[nodiscard]] AssignmentOracle explore_oracle(std::string statement, Rational bound = Rational(0));
/// The same, with a bound for each scheduler, by id.
[[nodiscard]] AssignmentOracle explore_oracle(std::string statement, std::map<std::string, Rational> bounds);

}  // namespace schedproof::checks
