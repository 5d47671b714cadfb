/// Claims in terms of a family's problems and policies: what every family shares.
///
/// A family F is a struct of these words:
///     F::id                       `queueing`, ...: what ids of its claims begin with
///     F::Case                     one problem, with whatever else a property needs
///     F::Shape                    all inputs of a form, for explore
///     F::System                   a policy on a domain, ready to be asked; F::system(policy id, domain) makes it,
///                                 throwing InputError where there is no such policy or it cannot run
///     F::Policy                   what a property asks, and a System converts to; F::policy(id, case) makes one. It
///                                 is of facts that a mutant can replace, so that a property asks a mutant as it asks
///                                 the policy
///     F::samples(shape)           some cases of a shape, to look for witnesses among
///     F::domain_of(case)          the domain that a case belongs to, or the case alone
///     F::smaller(case, id, take)  calls `take` with smaller variants, the simplest first, until it returns true:
///                                 shrink.hpp
///     F::shrink_limit             how many variants are looked at
///     F::describe(case, id)       a case in a line
///     F::instance(name)           the domain that a claim's line names; throws InputError for an unknown name
///     F::policies(), F::resolve_policy(name), F::claims(), F::strongest_oracle
///                                 as in family.hpp
///     F::Certificate              of what explored<F> proves, where it is used
///     F::refusal(id)              as in family.hpp, where ways of running a policy are compared
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "checks/core/claim.hpp"
#include "checks/core/problem_domain.hpp"
#include "model/core/errors.hpp"

namespace schedproof::checks {

/// A policy on a domain.
template <class F>
struct Trial {
    ProblemDomainPtr<F> domain;
    std::string policy;  ///< its id
    typename F::System system;
};
template <class F>
[[nodiscard]] Trial<F> trial_of(ProblemDomainPtr<F> domain, const std::string& policy) {
    auto system = F::system(policy, *domain);
    return {std::move(domain), policy, std::move(system)};
}

/// How a claim fails on a problem for a policy; empty when it does not.
template <class F>
using Property = std::function<Violation(const typename F::Policy&, const typename F::Case&)>;

/// The property that never fails: a claim's own, switched off.
template <class F>
[[nodiscard]] Property<F> always_holds() {
    return [](const typename F::Policy&, const typename F::Case&) { return Violation(); };
}

template <class F>
struct TrialOracle {
    std::string name;  ///< `explore`, `bounds`, `exhaustive`, `sampled`, `certificate` or `simulation`
    std::function<bool(const ProblemDomain<F>&)> suits;  ///< empty: every domain
    /// Asks, of single problems by the claim's property.
    std::function<Verdict(const Trial<F>&, const Property<F>&, const Settings&)> run;
};

/// A mutant of the system, which the claim's property must refute, asked by an oracle of the claim.
template <class F>
struct MutantSystem {
    std::string name;
    std::string change;  ///< what was done to what
    std::string oracle;  ///< of the claim; `exhaustive` and `sampled`, which ask the property alone, of any claim
    std::function<Trial<F>()> trial;
};

template <class F>
struct FamilyClaim : ClaimText {
    std::vector<TrialOracle<F>> oracles;
    Property<F> property;
    /// No single problem speaks against the claim: what is checked of it is its certificate.
    bool of_no_problem = false;
    std::vector<MutantSystem<F>> mutant_systems;
    /// A problem or number that meets the assumptions, in words; empty when there is none.
    std::function<std::string(const Trial<F>&)> witness;
    /// Why the claim does not speak of a domain; empty when it does, or for a claim of all domains.
    std::function<std::string(const ProblemDomain<F>&)> outside;
    /// Why it does not speak of a problem of a file, under a policy; empty for a claim of all problems.
    std::function<std::optional<Misfit>(const typename F::Case&, const std::string&)> misfit;
    /// Pictures of a problem on which it fails, under a title of some lines; empty where the claim has none of its own.
    std::function<std::vector<Picture>(const typename F::Policy&, const typename F::Case&,
                                       const std::vector<std::string>& title)>
        pictures;
};

/// A refutation by this problem; what fails there is said by the replay.
template <class F>
[[nodiscard]] Verdict refuted(const Trial<F>& trial, typename F::Case problem) {
    return Refuted{counterexample<F>(std::move(problem), trial.policy)};
}

/// The oracle's verdict, a refutation with what fails there by the property.
/// Throws OracleConflict when the property holds there.
template <class F>
[[nodiscard]] Verdict replayed(const TrialOracle<F>& oracle, const Property<F>& property, const Trial<F>& trial,
                               const Settings& settings) {
    Verdict verdict = oracle.run(trial, property, settings);
    if (auto* refuted = std::get_if<Refuted>(&verdict)) {
        Counterexample& found = refuted->counterexample;
        const auto& problem = case_of<F>(found);
        Violation violation = property(trial.system, problem);
        found.place = F::describe(problem, trial.policy);
        if (violation.empty())
            throw OracleConflict("a refutation does not replay on " + trial.domain->name + ": " + found.place);
        found.violation = std::move(violation.text);
        found.kind = std::move(violation.kind);
    }
    return verdict;
}

/// Runs an oracle and replays what it refutes. Throws OracleConflict when the replay finds no violation, or when the
/// certificate of a Proved is not accepted. Limits, and what cannot be stated of a policy, become Unknown.
template <class F>
[[nodiscard]] Verdict consult(const Property<F>& property, const TrialOracle<F>& oracle, const Trial<F>& trial,
                              const Settings& settings) {
    try {
        return replayed(oracle, property, trial, settings);
    } catch (const LimitExceeded& limit) {
        return Unknown{limit.what()};
    } catch (const InputError& error) {
        return Unknown{std::string("not stated here: ") + error.what()};
    }
}

template <class F>
[[nodiscard]] Verdict consult(const FamilyClaim<F>& claim, const TrialOracle<F>& oracle, const Trial<F>& trial,
                              const Settings& settings) {
    return consult(claim.property, oracle, trial, settings);
}

}  // namespace schedproof::checks
