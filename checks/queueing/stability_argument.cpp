/// The arguments in the order of what they cost and how much they say.
///
/// MaxWeight's drift argument needs no search and covers every number of servers. Of a cluster that is stable the
/// search for transience fails slowly, and of one that is not every drift does; so random states far out are tried
/// first. Where the function that the policy names, or the usual one of its queues, grows at one of them, drifts could
/// hardly be proved, and transience is searched for first; where it grows at none, transience comes after the drifts.
/// A rule with constants holds to MaxWeight's only up to a slack, which takes two attempts; on one or two servers,
/// where a drift has few cells, that of the function comes before them. A drift bounded summand by summand, whose cost
/// does not grow with the combinations of statuses, comes before its cells where these are many and in their place
/// where they are too many, and else after them, since the second checker decides cells alone. Last, where there are
/// not too many, is a search for a function. Whoever asks for `terms_first` has both arguments by terms before all
/// this. An argument that does not apply, or whose budget ends, is a reason and no verdict.
#include "checks/queueing/stability_argument.hpp"

#include <fmt/core.h>

#include <optional>
#include <utility>

#include "checks/queueing/sampling.hpp"
#include "model/core/errors.hpp"
#include "proofs/queueing/drift/summand_search.hpp"
#include "proofs/queueing/drift/synthesis.hpp"
#include "proofs/queueing/theorems/lyapunov.hpp"
#include "proofs/queueing/theorems/lyapunov_expression.hpp"

namespace schedproof::checks {

namespace {

using namespace queueing;

/// A proof, or why there is none.
using Attempt = std::variant<StabilityArgument, std::string>;

Attempt by_max_weight(const SymbolicSystem& symbolic, const explore::Budget& budget) {
    MaxWeightOutcome outcome = prove_max_weight(symbolic, Rational(1), budget);
    if (auto* proof = std::get_if<MaxWeightProof>(&outcome)) return StabilityArgument(std::move(*proof));
    if (const auto* failure = std::get_if<LeafFailure>(&outcome))
        return fmt::format("{}, on a small cluster that shows the leaf, not {}: {}", failure->leaf,
                           symbolic.instance().name(), failure->decision);
    return std::get<UniformUnknown>(outcome).reason;
}

/// Increments of a table in W: few, since most policies asked are stable, and of them every table is tried.
constexpr std::size_t small_table = 4;

Attempt by_transience(const SymbolicSystem& symbolic, const explore::Budget& budget) {
    TransienceOutcome outcome = search_transience(symbolic, budget, small_table);
    if (auto* proof = std::get_if<TransienceProof>(&outcome)) return StabilityArgument(std::move(*proof));
    return std::get<TransienceUnknown>(outcome).reason;
}

Attempt by_transience_of_terms(const SymbolicSystem& symbolic) {
    if (auto proof = search_transience_by_terms(symbolic)) return StabilityArgument(std::move(*proof));
    return "no function grows by the terms of its drift alone";
}

/// A drift proof counts where stability follows from it.
Attempt of_drift(const SymbolicSystem& symbolic, DriftProof proof) {
    std::string gap = stability_gap(symbolic, proof.theorem);
    if (!gap.empty()) return gap;
    return StabilityArgument(std::move(proof));
}

/// Tasks at a state of idle servers and queues of up to a million at which V grows, if one of some random ones is such.
/// A function that falls outside a finite set seldom grows there, and to look is cheap beside exploring every cell;
/// with more than eight servers, whose slots have many outcomes, none is looked at.
std::optional<CheckedInt> grows_at(const ExactSystem& exact, const LyapunovForm& v) {
    constexpr std::uint64_t draws = 200;
    const std::size_t servers = exact.instance().servers().size();
    if (servers > 8) return {};
    const Statuses idle(servers, {Service()});
    for (std::uint64_t i = 0; i < draws; ++i) {
        Sampler randomness = sampler({}, i);
        const ExactState state = random_state(exact, randomness, 1'000'000, &idle);
        CheckedInt tasks(0);
        for (const CheckedInt& length : state.length) tasks += length;
        if (tasks > CheckedInt(1000) && queueing::drift(exact, state, v).sign() > 0) return tasks;
    }
    return {};
}

/// Whether no random state speaks against the drift of the function; false where it is no function of these queues.
bool may_fall(const SymbolicSystem& symbolic, const ExactSystem& exact, const std::string& lyapunov) {
    try {
        return !grows_at(exact, find_lyapunov(lyapunov, symbolic.instance(), symbolic.layout()).form);
    } catch (const InputError&) {
        return false;
    } catch (const LimitExceeded&) {
        return false;
    }
}

/// Whether the drift of a function is sooner explored than MaxWeight's argument is tried with every slack.
bool few_cells(const SymbolicSystem& symbolic) {
    const auto has_constants = [](const language::Tree& rule) {
        for (std::size_t i = 0; i < rule.size(); ++i)
            if (rule[i].op == language::Op::constant) return true;
        return false;
    };
    const AnyPolicy& policy = symbolic.policy();
    return symbolic.instance().servers().size() <= 2 &&
           (has_constants(policy.rules().route()) || has_constants(policy.rules().serve()));
}

Attempt by_drift(const SymbolicSystem& symbolic, const ExactSystem& exact, const std::string& lyapunov,
                 const explore::Budget& budget) {
    DriftGoal goal;
    goal.v = find_lyapunov(lyapunov, symbolic.instance(), symbolic.layout()).form;
    if (const auto tasks = grows_at(exact, goal.v))
        return fmt::format("the drift of {} is above 0 at a state of {} tasks", goal.v.name, tasks->value());
    DriftOutcome outcome = prove_drift(symbolic, exact, goal, budget);
    if (auto* proof = std::get_if<DriftProof>(&outcome)) return of_drift(symbolic, std::move(*proof));
    if (const auto* unknown = std::get_if<DriftUnknown>(&outcome)) return unknown->reason;
    return "the drift of " + goal.v.name + " is not negative outside a finite set";
}

Attempt by_summands(const SymbolicSystem& symbolic) {
    auto outcome = find_by_summands(symbolic, DriftGoal(), {variables_unasked, {}});
    if (auto* proof = std::get_if<DriftProof>(&outcome)) return of_drift(symbolic, std::move(*proof));
    return std::get<DriftUnknown>(outcome).reason;
}

Attempt by_synthesis(const SymbolicSystem& symbolic, const ExactSystem& exact, const explore::Budget& budget,
                     std::optional<std::uint64_t> cells) {
    SynthesisBudget limits;
    limits.explore = budget;
    limits.cells = cells;
    auto outcome = synthesise(symbolic, exact, pair_template(symbolic.instance(), symbolic.layout()), limits);
    if (auto* found = std::get_if<FoundLyapunov>(&outcome)) return of_drift(symbolic, std::move(found->proof));
    return std::get<SynthesisFailure>(outcome).reason;
}

}  // namespace

StabilityOutcome settle_stability(const SymbolicSystem& symbolic, const ExactSystem& exact,
                                  const explore::Budget& budget, const StabilityOptions& options) {
    const std::string& lyapunov = options.lyapunov;
    StabilityOutcome outcome;
    const auto settled = [&](const char* name, auto&& attempt) {
        if (options.begins) options.begins(name);
        Attempt made = [&]() -> Attempt {
            try {
                return attempt();
            } catch (const InputError& error) {  // what the argument does not speak of
                return std::string(error.what());
            } catch (const LimitExceeded& limit) {
                return std::string(limit.what());
            }
        }();
        if (auto* argument = std::get_if<StabilityArgument>(&made)) {
            outcome.argument = std::move(*argument);
            outcome.by = name;
            return true;
        }
        outcome.why_not.push_back(std::string(name) + ": " + std::get<std::string>(made));
        return false;
    };
    const std::string usual(argument_function(symbolic.layout().arrangement()));
    const auto transience = [&] { return settled("transience", [&] { return by_transience(symbolic, budget); }); };
    const auto own = [&] {
        return !lyapunov.empty() &&
               settled(("drift of " + lyapunov).c_str(), [&] { return by_drift(symbolic, exact, lyapunov, budget); });
    };
    const auto drift = [&] { return settled("drift", [&] { return by_drift(symbolic, exact, usual, budget); }); };
    const auto max_weight = [&] { return settled("MaxWeight drift", [&] { return by_max_weight(symbolic, budget); }); };
    bool summands_failed = false;
    const auto summands = [&] {
        summands_failed = summands_failed || !settled("drift by summands", [&] { return by_summands(symbolic); });
        return !summands_failed;
    };
    const auto transience_of_terms = [&] {
        return settled("transience by terms", [&] { return by_transience_of_terms(symbolic); });
    };
    // Cells of the joint state are as many as combinations of statuses at least. Of rules without terms these are not
    // counted.
    std::size_t statuses = combined_statuses(symbolic, too_many_statuses);
    if (statuses == 0 && symbolic.instance().servers().size() > 5) statuses = too_many_statuses;
    const auto by_cells = [&] { return statuses < too_many_statuses && drift(); };
    const auto by_drifts = [&] {
        if (few_cells(symbolic)) return own() || drift() || max_weight() || summands();
        return max_weight() || own() || (statuses < many_statuses ? drift() || summands() : summands() || by_cells());
    };
    const bool falls = may_fall(symbolic, exact, lyapunov.empty() ? usual : lyapunov);
    if (options.terms_first && (falls ? summands() || transience_of_terms() : transience_of_terms() || summands()))
        return outcome;
    if (falls ? by_drifts() || transience() : transience() || by_drifts()) return outcome;
    if (statuses < too_many_statuses)
        settled(search_for_function, [&] { return by_synthesis(symbolic, exact, budget, options.search_cells); });
    else
        outcome.why_not.emplace_back(
            "cells of the joint state: not tried, since they multiply with the servers' statuses");
    return outcome;
}

}  // namespace schedproof::checks
