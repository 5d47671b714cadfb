/// Claims about a policy on one problem, judged by exact computation: what the assignment and redundancy families
/// share.
///
/// A family F says what its words mean:
///     F::Case            one problem, with whatever else a judge needs
///     F::Shape           all inputs of a form, for explore
///     F::Policy          what is judged;  F::policy(id) makes it, throwing InputError for an unknown id
///     F::Counterexample  made by F::counterexample(case, policy id)
///     F::Certificate     {policy, theorem, ...}, proved by F::prove
///     F::samples(shape)  some cases of a shape, to look for witnesses among
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "checks/core/claim_text.hpp"
#include "checks/core/verdict.hpp"
#include "model/core/randomness.hpp"

namespace schedproof::checks {

/// Where a claim about a policy is asked: on all inputs of a shape, on every problem of a finite list, on random ones.
template <class F>
struct ProblemDomain {
    struct Enumerated {
        /// Calls back with each problem until the callback returns false.
        std::function<void(const std::function<bool(const typename F::Case&)>&)> each;
    };
    struct Random {
        std::function<typename F::Case(Sampler&)> draw;
    };
    std::string name;
    std::variant<typename F::Shape, Enumerated, Random> problems;
};

/// A policy on a domain.
template <class F>
struct Trial {
    std::shared_ptr<const ProblemDomain<F>> domain;
    std::string policy;         ///< its id
    typename F::Policy judged;  ///< what the id stands for
};

template <class F>
struct TrialOracle {
    std::string name;  ///< `explore`, `exhaustive` or `sampled`
    std::function<bool(const ProblemDomain<F>&)> suits;
    std::function<Verdict(const Trial<F>&, const Settings&)> run;
};

/// How the claim fails on a problem for a policy; empty when it does not.
template <class F>
using CaseViolation = std::function<std::string(const typename F::Policy&, const typename F::Case&)>;

template <class F>
struct JudgedClaim : ClaimText {
    std::vector<TrialOracle<F>> oracles;
    CaseViolation<F> violation;
    /// A problem or number that meets the assumptions, in words; empty when there is none.
    std::function<std::string(const Trial<F>&)> witness;
};

template <class F>
[[nodiscard]] std::shared_ptr<const ProblemDomain<F>> single_case(std::string name, typename F::Case only) {
    return std::make_shared<const ProblemDomain<F>>(ProblemDomain<F>{
        std::move(name),
        typename ProblemDomain<F>::Enumerated{[only = std::move(only)](const auto& visit) { visit(only); }}});
}

/// Throws InputError when the policy is not registered.
template <class F>
[[nodiscard]] Trial<F> subject(const JudgedClaim<F>&, const std::shared_ptr<const ProblemDomain<F>>& domain,
                               const std::string& policy) {
    return {domain, policy, F::policy(policy)};
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
            Sampler chance(StreamKey{1, tried});
            more = look(random->draw(chance));
        }
    } else {
        std::get<typename ProblemDomain<F>::Enumerated>(domain.problems).each(look);
    }
    return found;
}

/// A refutation by this problem; what fails there is said by the replay.
template <class F>
[[nodiscard]] Verdict refuted(const Trial<F>& trial, const typename F::Case& problem) {
    return Refuted{F::counterexample(problem, trial.policy)};
}

/// Runs an oracle and replays what it refutes. Throws OracleConflict when the replay finds no violation, or when the
/// certificate of a Proved is not accepted. Limits become Unknown.
template <class F>
[[nodiscard]] Verdict consult(const JudgedClaim<F>& claim, const TrialOracle<F>& oracle, const Trial<F>& trial,
                              const Settings& settings) {
    try {
        Verdict verdict = oracle.run(trial, settings);
        if (auto* refuted = std::get_if<Refuted>(&verdict)) {
            auto& found = std::get<typename F::Counterexample>(refuted->counterexample);
            found.violation = claim.violation(trial.judged, *found.problem);
            if (found.violation.empty()) throw OracleConflict("a refutation does not replay on " + trial.domain->name);
        }
        return verdict;
    } catch (const LimitExceeded& limit) { return Unknown{limit.what()}; }
}

/// Asks on every problem of an enumerated domain.
template <class F>
[[nodiscard]] TrialOracle<F> exhaustive(CaseViolation<F> violation) {
    using Enumerated = typename ProblemDomain<F>::Enumerated;
    return {"exhaustive",
            [](const ProblemDomain<F>& domain) { return std::holds_alternative<Enumerated>(domain.problems); },
            [violation = std::move(violation)](const Trial<F>& trial, const Settings&) -> Verdict {
                Exhausted cases;
                std::optional<Verdict> found;
                std::get<Enumerated>(trial.domain->problems).each([&](const typename F::Case& problem) {
                    ++cases.cases;
                    if (!violation(trial.judged, problem).empty()) found = refuted(trial, problem);
                    return !found;
                });
                return found ? *found : Verdict(cases);
            }};
}

/// Asks on `settings.cases` random problems.
template <class F>
[[nodiscard]] TrialOracle<F> sampled(CaseViolation<F> violation) {
    using Random = typename ProblemDomain<F>::Random;
    return {"sampled", [](const ProblemDomain<F>& domain) { return std::holds_alternative<Random>(domain.problems); },
            [violation = std::move(violation)](const Trial<F>& trial, const Settings& settings) -> Verdict {
                const auto& random = std::get<Random>(trial.domain->problems);
                for (std::uint64_t i = 0; i < settings.cases; ++i) {
                    Sampler chance(StreamKey{settings.seed, i});
                    const auto problem = random.draw(chance);
                    if (!violation(trial.judged, problem).empty()) return refuted(trial, problem);
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
                if (const auto* problem = std::get_if<1>(&answer)) return refuted(trial, *problem);
                if (auto* reason = std::get_if<2>(&answer)) return Unknown{std::move(*reason)};
                return proved(AnyCertificate(std::get<0>(std::move(answer))));
            }};
}

}  // namespace schedproof::checks
