/// How a claim is written: one value in one place, of named parts.
///
///     ClaimBuilder<F>("lemma-1")
///         .statement("For every ..., ... .")
///         .source("...")
///         .instances("...")                     // of which it speaks, in words
///         .property(lemma_1)                    // how it fails on a problem
///         .exhaustive().sampled()               // oracles that ask the property, and others: .oracle(...)
///         .needs(has_jobs)                      // its assumptions, or .among(...), which leaves other problems out
///         .holds({"policy"}, {"instance", ...})
///         .fails({"policy"}, {"instance"}, "why", {.kinds = {{"sampled", VerdictKind::survived}}})
///         .mutant_system({.name = "...", .change = "what: ...", .oracle = "sampled", .trial = ...})
///
/// The verdict that is expected of each line and oracle is the usual one of Line::expected, or the exception that the
/// line states.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "checks/core/family_of.hpp"
#include "checks/core/property_oracles.hpp"

namespace schedproof::checks {

/// What a line may say besides policies and instances.
struct LineOptions {
    std::vector<std::string> oracles = {};  ///< that are consulted; empty: all of the claim
    Kinds kinds = {};                       ///< expected, where it is not the usual one
};

/// Whether a problem meets a claim's assumptions under a policy.
template <class F>
using Premise = std::function<bool(const typename F::Policy&, const typename F::Case&)>;

/// The oracle, asked of the problems that meet the premise only: the number of cases is theirs. Random problems are
/// drawn until the premise is met, and after many draws no longer.
template <class F>
[[nodiscard]] TrialOracle<F> narrowed(TrialOracle<F> oracle, Premise<F> premise) {
    using Enumerated = typename ProblemDomain<F>::Enumerated;
    using Random = typename ProblemDomain<F>::Random;
    using Case = typename F::Case;
    oracle.run = [run = std::move(oracle.run), premise = std::move(premise)](
                     const Trial<F>& trial, const Property<F>& property, const Settings& settings) {
        const auto met = [premise, policy = trial.system](const Case& problem) { return premise(policy, problem); };
        ProblemDomain<F> domain = *trial.domain;
        if (const auto* all = std::get_if<Enumerated>(&trial.domain->problems)) {
            domain.problems = Enumerated{[each = all->each, met](const std::function<bool(const Case&)>& visit) {
                                             each([&](const Case& problem) { return !met(problem) || visit(problem); });
                                         },
                                         all->bounds + ", where the claim's premise holds"};
        } else if (const auto* random = std::get_if<Random>(&trial.domain->problems)) {
            domain.problems = Random{[draw = random->draw, met](Sampler& source) {
                constexpr int most = 10'000;
                Case drawn = draw(source);
                for (int i = 0; i < most && !met(drawn); ++i) drawn = draw(source);
                return drawn;
            }};
        }
        Trial<F> those = trial;
        those.domain = std::make_shared<const ProblemDomain<F>>(std::move(domain));
        return run(those, property, settings);
    };
    return oracle;
}

template <class F>
class ClaimBuilder {
  public:
    using System = typename F::System;
    using Names = std::vector<std::string>;

    /// `F::id` and a dot stand before the id.
    explicit ClaimBuilder(const std::string& id) { claim_.id = std::string(F::id) + "." + id; }

    ClaimBuilder& statement(std::string text) { return set(claim_.statement, std::move(text)); }
    ClaimBuilder& source(std::string text) { return set(claim_.source, std::move(text)); }
    ClaimBuilder& instances(std::string text) { return set(claim_.instances, std::move(text)); }
    /// Where it holds of a policy on an instance that the user names, the run fails.
    ClaimBuilder& feared() { return set(claim_.feared, true); }

    /// It is asked, and expected, wherever the author of a policy requires that it be stable.
    ClaimBuilder& stability() { return set(claim_.stability, true); }

    /// What is decided on one problem, exactly.
    ClaimBuilder& property(Property<F> fails) { return set(claim_.property, std::move(fails)); }
    /// No single problem speaks against the claim: what its oracles prove is checked by its certificate.
    ClaimBuilder& of_no_problem() {
        claim_.of_no_problem = true;
        return property(always_holds<F>());
    }
    /// Assumptions: a witness is looked for among the problems of each domain.
    ClaimBuilder& needs(Premise<F> premise) {
        return set(claim_.witness, [premise = std::move(premise)](const Trial<F>& trial) {
            return witness_of<F>(*trial.domain,
                                 [&](const typename F::Case& problem) { return premise(trial.system, problem); });
        });
    }
    /// The same, and `exhaustive` and `sampled`, once stated, ask about no other problems.
    ClaimBuilder& among(Premise<F> premise) {
        for (TrialOracle<F>& oracle : claim_.oracles)
            if (oracle.name == "exhaustive" || oracle.name == "sampled") oracle = narrowed<F>(oracle, premise);
        return needs(std::move(premise));
    }
    /// Assumptions that are shown by the system alone: by what, in words; empty when they are not met.
    ClaimBuilder& witness(std::function<std::string(const System&)> shown) {
        return set(claim_.witness, [shown = std::move(shown)](const Trial<F>& trial) { return shown(trial.system); });
    }
    /// Why a domain is not one that the claim speaks of; empty when it is.
    ClaimBuilder& outside(std::function<std::string(const ProblemDomain<F>&)> why) {
        return set(claim_.outside, std::move(why));
    }
    ClaimBuilder& misfit(std::function<std::optional<Misfit>(const typename F::Case&, const std::string&)> why) {
        return set(claim_.misfit, std::move(why));
    }
    template <class Draw>
    ClaimBuilder& pictures(Draw draw) {
        return set(claim_.pictures, std::move(draw));
    }

    // Oracles, in the order in which they are asked.
    ClaimBuilder& exhaustive() { return oracle(checks::exhaustive<F>()); }
    ClaimBuilder& sampled() { return oracle(checks::sampled<F>()); }
    ClaimBuilder& oracle(TrialOracle<F> asked) {
        claim_.oracles.push_back(std::move(asked));
        return *this;
    }
    ClaimBuilder& no_oracles() {
        claim_.oracles.clear();
        return *this;
    }

    // Lines: policies by id, each on instances by name.
    ClaimBuilder& holds(const Names& policies, const Names& named, const LineOptions& options = {}) {
        return lines(policies, named, Expectation::holds, "", options);
    }
    /// False as stated there.
    ClaimBuilder& fails(const Names& policies, const Names& named, const std::string& why,
                        const LineOptions& options = {}) {
        return lines(policies, named, Expectation::fails, why, options);
    }
    /// No oracle settles it there.
    ClaimBuilder& open(const Names& policies, const Names& named, const std::string& why,
                       const LineOptions& options = {}) {
        return lines(policies, named, Expectation::open, why, options);
    }

    /// A claim of every policy, asked where it is not known whether it holds: any verdict is a result.
    ClaimBuilder& asks(const Names& policies, const Names& named, const LineOptions& options = {}) {
        return lines(policies, named, Expectation::unstated, "no expectation is stated", options);
    }
    /// A claim of every policy, not asked of this one.
    ClaimBuilder& leaves_out(const std::string& policy, const std::string& why) {
        claim_.left_out[policy] = why;
        return *this;
    }
    /// Whether a line asks the policy, or it is left out.
    [[nodiscard]] bool mentions(std::string_view policy) const {
        return claim_.left_out.contains(std::string(policy)) ||
               std::any_of(claim_.lines.begin(), claim_.lines.end(),
                           [&](const Line& line) { return line.policy == policy; });
    }

    /// A mutant of the system, which an oracle of the claim refutes by the claim's property.
    ClaimBuilder& mutant_system(MutantSystem<F> system) {
        claim_.mutant_systems.push_back(std::move(system));
        return *this;
    }
    /// Another mutant: a spoiled certificate, which its checker rejects, or a changed statement.
    ClaimBuilder& mutant(Mutant seeded) {
        claim_.mutants.push_back(std::move(seeded));
        return *this;
    }

    [[nodiscard]] const FamilyClaim<F>& claim() const { return claim_; }
    operator Claim() const { return Claim(claim_); }  // NOLINT(google-explicit-constructor)

  private:
    template <class Part, class Value>
    ClaimBuilder& set(Part& part, Value&& value) {
        part = std::forward<Value>(value);
        return *this;
    }
    ClaimBuilder& lines(const Names& policies, const Names& named, Expectation expectation, const std::string& why,
                        const LineOptions& options) {
        for (const std::string& policy : policies)
            claim_.lines.push_back({policy, named, expectation, options.oracles, why, options.kinds});
        return *this;
    }

    FamilyClaim<F> claim_;
};

}  // namespace schedproof::checks
