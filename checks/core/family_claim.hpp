/// Claims in terms of a family's problems and policies: what every family shares.
///
/// A family F is a struct of these words:
///     F::id                       `queueing`, ...: what ids of its claims begin with
///     F::Case                     one problem, with whatever else a property needs
///     F::Shape                    all inputs of a form, for explore
///     F::System                   a policy on a domain, ready to be asked; F::system(policy id, domain) makes it,
///                                 throwing InputError where there is no such policy or it cannot run
///     F::Policy                   what a property asks, and a System converts to; F::policy(id, case) makes one
///     F::samples(shape)           some cases of a shape, to look for witnesses among
///     F::domain_of(case)          the domain that a case belongs to, or the case alone
///     F::smaller(case, id, take)  calls `take` with smaller variants, the simplest first, until it returns true:
///                                 shrink.hpp
///     F::shrink_limit             how many variants are looked at
///     F::describe(case, id)       a case in a line
///     F::instance(name)           the domain that a claim's line names; throws InputError for an unknown name
///     F::policies(), F::resolve_policy(name), F::claims(), F::strongest_oracle,
///     F::exemptions               as in family.hpp
///     F::Certificate              of what explored<F> proves, where it is used
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "checks/core/claim.hpp"
#include "model/core/errors.hpp"
#include "model/core/randomness.hpp"

namespace schedproof::checks {

/// Where a claim about a policy is asked: on all inputs of a shape, on every problem of a finite list, on random ones.
template <class F>
struct ProblemDomain : Domain {
    struct Enumerated {
        /// Calls back with each problem until the callback returns false.
        std::function<void(const std::function<bool(const typename F::Case&)>&)> each;
    };
    struct Random {
        std::function<typename F::Case(Sampler&)> draw;
    };
    using Problems = std::variant<typename F::Shape, Enumerated, Random>;
    Problems problems;

    ProblemDomain(std::string its_name, Problems its_problems)
        : Domain(std::move(its_name)), problems(std::move(its_problems)) {}
};
template <class F>
using ProblemDomainPtr = std::shared_ptr<const ProblemDomain<F>>;

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

template <class F>
struct TrialOracle {
    std::string name;  ///< `explore`, `exhaustive`, `sampled`, `certificate` or `simulation`
    std::function<bool(const ProblemDomain<F>&)> suits;  ///< empty: every domain
    std::function<Verdict(const Trial<F>&, const Settings&)> run;
};

/// How a claim fails on a problem for a policy; empty when it does not.
template <class F>
using Property = std::function<std::string(const typename F::Policy&, const typename F::Case&)>;

template <class F>
struct FamilyClaim : ClaimText {
    std::vector<TrialOracle<F>> oracles;
    Property<F> property;
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

template <class F>
[[nodiscard]] ProblemDomainPtr<F> single_case(std::string name, typename F::Case only) {
    return std::make_shared<const ProblemDomain<F>>(
        std::move(name),
        typename ProblemDomain<F>::Enumerated{[only = std::move(only)](const auto& visit) { visit(only); }});
}

/// A problem of the domain that meets the premise, in words; empty when none is found among its first 1,000, or, of a
/// shape, among its samples.
template <class F>
[[nodiscard]] std::string witness_of(const ProblemDomain<F>& domain,
                                     const std::function<bool(const typename F::Case&)>& premise) {
    constexpr std::size_t most = 1000;
    std::size_t tried = 0;
    std::string found;
    const auto look = [&](const typename F::Case& problem) {
        ++tried;
        if (premise(problem)) found = "problem " + std::to_string(tried) + " of " + domain.name;
        return found.empty() && tried < most;
    };
    if (const auto* shape = std::get_if<typename F::Shape>(&domain.problems)) {
        for (const auto& problem : F::samples(*shape))
            if (!look(problem)) break;
    } else if (const auto* random = std::get_if<typename ProblemDomain<F>::Random>(&domain.problems)) {
        for (bool more = true; more;) {
            Sampler source(StreamKey{1, tried});
            more = look(random->draw(source));
        }
    } else {
        std::get<typename ProblemDomain<F>::Enumerated>(domain.problems).each(look);
    }
    return found;
}

/// What `complain` says of the first problem of which it says anything: of a finite list all are looked at, of random
/// ones `settings.cases`.
template <class F>
[[nodiscard]] std::string first_complaint(const ProblemDomain<F>& domain, const Settings& settings,
                                          const std::function<std::string(const typename F::Case&)>& complain) {
    std::string found;
    const auto look = [&](const typename F::Case& problem) {
        found = complain(problem);
        return found.empty();
    };
    if (const auto* listed = std::get_if<typename ProblemDomain<F>::Enumerated>(&domain.problems)) listed->each(look);
    if (const auto* random = std::get_if<typename ProblemDomain<F>::Random>(&domain.problems))
        for (std::uint64_t i = 0; i < settings.cases; ++i) {
            Sampler source(StreamKey{settings.seed, i});
            if (!look(random->draw(source))) break;
        }
    return found;
}

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
    Verdict verdict = oracle.run(trial, settings);
    if (auto* refuted = std::get_if<Refuted>(&verdict)) {
        Counterexample& found = refuted->counterexample;
        const auto& problem = case_of<F>(found);
        found.violation = property(trial.system, problem);
        if (found.violation.empty())
            throw OracleConflict("a refutation does not replay on " + trial.domain->name + ": " +
                                 F::describe(problem, trial.policy));
    }
    return verdict;
}

/// Runs an oracle and replays what it refutes. Throws OracleConflict when the replay finds no violation, or when the
/// certificate of a Proved is not accepted. Limits, and what cannot be stated of a policy, become Unknown.
template <class F>
[[nodiscard]] Verdict consult(const FamilyClaim<F>& claim, const TrialOracle<F>& oracle, const Trial<F>& trial,
                              const Settings& settings) {
    try {
        return replayed(oracle, claim.property, trial, settings);
    } catch (const LimitExceeded& limit) {
        return Unknown{limit.what()};
    } catch (const InputError& error) {
        return Unknown{std::string("not stated here: ") + error.what()};
    }
}

/// Asks on every problem of an enumerated domain.
template <class F>
[[nodiscard]] TrialOracle<F> exhaustive(Property<F> property) {
    using Enumerated = typename ProblemDomain<F>::Enumerated;
    return {"exhaustive",
            [](const ProblemDomain<F>& domain) { return std::holds_alternative<Enumerated>(domain.problems); },
            [property = std::move(property)](const Trial<F>& trial, const Settings&) -> Verdict {
                Exhausted cases;
                std::optional<Verdict> found;
                std::get<Enumerated>(trial.domain->problems).each([&](const typename F::Case& problem) {
                    ++cases.cases;
                    if (!property(trial.system, problem).empty()) found = refuted<F>(trial, problem);
                    return !found;
                });
                return found ? *found : Verdict(cases);
            }};
}

/// Asks on `settings.cases` random problems.
template <class F>
[[nodiscard]] TrialOracle<F> sampled(Property<F> property) {
    using Random = typename ProblemDomain<F>::Random;
    return {"sampled", [](const ProblemDomain<F>& domain) { return std::holds_alternative<Random>(domain.problems); },
            [property = std::move(property)](const Trial<F>& trial, const Settings& settings) -> Verdict {
                const auto& random = std::get<Random>(trial.domain->problems);
                for (std::uint64_t i = 0; i < settings.cases; ++i) {
                    Sampler source(StreamKey{settings.seed, i});
                    const auto problem = random.draw(source);
                    if (!property(trial.system, problem).empty()) return refuted<F>(trial, problem);
                }
                return Survived{settings.cases, settings.seed};
            }};
}

/// Asks a theorem for all inputs of the domain's shape; a point where it fails is a refutation.
/// `prove(trial, shape, budget)` is a certificate, a case where the theorem fails, or the reason why neither was found.
template <class F>
using Prove = std::function<std::variant<typename F::Certificate, typename F::Case, std::string>(
    const Trial<F>&, const typename F::Shape&, const explore::Budget&)>;
template <class F>
[[nodiscard]] TrialOracle<F> explored(Prove<F> prove) {
    using Shape = typename F::Shape;
    return {"explore", [](const ProblemDomain<F>& domain) { return std::holds_alternative<Shape>(domain.problems); },
            [prove = std::move(prove)](const Trial<F>& trial, const Settings& settings) -> Verdict {
                auto answer = prove(trial, std::get<Shape>(trial.domain->problems), settings.budget);
                if (auto* problem = std::get_if<1>(&answer)) return refuted<F>(trial, std::move(*problem));
                if (auto* reason = std::get_if<2>(&answer)) return Unknown{std::move(*reason)};
                return proved(AnyCertificate(std::get<0>(std::move(answer))));
            }};
}

}  // namespace schedproof::checks
