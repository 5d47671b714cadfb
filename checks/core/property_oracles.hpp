/// The oracles that every family has: its problems one by one, random ones, and a theorem about all of a shape.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "checks/core/family_claim.hpp"

namespace schedproof::checks {

/// Asks the property of every problem of an enumerated domain.
template <class F>
[[nodiscard]] TrialOracle<F> exhaustive() {
    using Enumerated = typename ProblemDomain<F>::Enumerated;
    return {"exhaustive",
            [](const ProblemDomain<F>& domain) { return std::holds_alternative<Enumerated>(domain.problems); },
            [](const Trial<F>& trial, const Property<F>& property, const Settings&) -> Verdict {
                const auto& enumerated = std::get<Enumerated>(trial.domain->problems);
                Exhausted cases{0, enumerated.bounds};
                std::optional<Verdict> found;
                enumerated.each([&](const typename F::Case& problem) {
                    ++cases.cases;
                    if (!property(trial.system, problem).empty()) found = refuted<F>(trial, problem);
                    return !found;
                });
                return found ? *found : Verdict(cases);
            }};
}

/// Asks the property of `settings.cases` random problems.
template <class F>
[[nodiscard]] TrialOracle<F> sampled() {
    using Random = typename ProblemDomain<F>::Random;
    return {"sampled", [](const ProblemDomain<F>& domain) { return std::holds_alternative<Random>(domain.problems); },
            [](const Trial<F>& trial, const Property<F>& property, const Settings& settings) -> Verdict {
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
            [prove = std::move(prove)](const Trial<F>& trial, const Property<F>&, const Settings& settings) -> Verdict {
                auto answer = prove(trial, std::get<Shape>(trial.domain->problems), settings.budget);
                if (auto* problem = std::get_if<1>(&answer)) return refuted<F>(trial, std::move(*problem));
                if (auto* reason = std::get_if<2>(&answer)) return Unknown{std::move(*reason)};
                return proved(AnyCertificate(std::get<0>(std::move(answer))));
            }};
}

}  // namespace schedproof::checks
