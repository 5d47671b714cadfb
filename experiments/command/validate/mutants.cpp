/// Whether the checks of `validate` would notice a slip in the policy: its rules with one primitive changed.
///
/// A mutant that decides as the policy does at every state that was drawn is set aside: no check could tell it apart.
/// Any other is noticed when a proof of the policy is lost or turns into its opposite, or when the mean delays differ
/// by more than their interval. The solver's budget is that of `validate`.
#include <fmt/core.h>

#include <algorithm>

#include "checks/queueing/family.hpp"
#include "checks/queueing/rule_mutants.hpp"
#include "checks/queueing/sampling.hpp"
#include "checks/queueing/stability_argument.hpp"
#include "experiments/command/validate/validate.hpp"
#include "model/core/errors.hpp"

namespace schedproof::command {

namespace {

using namespace queueing;

constexpr std::size_t states = 100;  // drawn on each instance

/// Whether two policies give the same tied sets at random states of the instance.
bool decide_alike(const ExactSystem& one, const ExactSystem& other, const checks::Settings& settings) {
    for (std::size_t i = 0; i < states; ++i) {
        Sampler randomness = checks::sampler(settings, i);
        const ExactState state = checks::random_state(one, randomness, i % 2 == 0 ? 9 : 1000);
        for (const TaskTypeId type : one.instance().types())
            if (one.route(state, type) != other.route(state, type)) return false;
        for (const ServerId m : one.instance().servers())
            if (one.serve(state, m) != other.serve(state, m)) return false;
    }
    return true;
}

Standing standing_of(const checks::StabilityOutcome& outcome) {
    return outcome.transient() ? Standing::transient : outcome.stable() ? Standing::stable : Standing::unknown;
}

/// Whether a check tells the mutant from the policy: delays first, which cost least, then what is proved of the policy.
bool noticed(const Validated& of, const AnyPolicy& policy, const AnyPolicy& mutant,
             const std::vector<Standing>& standings, const std::vector<std::size_t>& levels) {
    for (const auto& instance : of.instances)
        if (delays_differ(of, instance, policy, mutant)) return true;
    const explore::Budget budget = validation_budget(of.request);
    for (const std::size_t count : levels)
        if (!std::holds_alternative<UniformProof>(prove_uniform(ParametricPolicy(mutant), count, budget))) return true;
    for (std::size_t i = 0; i < of.instances.size(); ++i) {
        if (standings[i] == Standing::unknown) continue;
        const Instance& instance = *of.instances[i];
        const auto outcome =
            checks::settle_stability(SymbolicSystem(instance, mutant), ExactSystem(instance, mutant), budget);
        if (standing_of(outcome) != standings[i]) return true;
    }
    return false;
}

/// Whether the mutant decides as the policy does, at every state drawn on every instance.
bool is_alike(const Validated& of, const AnyPolicy& policy, const AnyPolicy& mutant) {
    checks::Settings settings;
    settings.seed = of.request.seed;
    return std::all_of(of.instances.begin(), of.instances.end(), [&](const auto& instance) {
        return decide_alike(ExactSystem(*instance, policy), ExactSystem(*instance, mutant), settings);
    });
}

}  // namespace

MutationScore validate_mutants(const Validated& of, const std::vector<Standing>& standings,
                               const std::vector<std::size_t>& levels, Journal& journal) {
    const Stopwatch watch;
    const AnyPolicy policy = make_policy(of.id);
    MutationScore score;
    for (const checks::RuleMutant& mutant : checks::rule_mutants(policy.rules())) {
        ++score.mutants;
        const AnyPolicy changed(policy.info(), mutant.rules);
        try {
            if (is_alike(of, policy, changed))
                ++score.alike;
            else if (noticed(of, policy, changed, standings, levels))
                ++score.noticed;
            else
                score.missed.push_back(mutant.change);
        } catch (const InputError&) {  // it does not run where the policy does
            ++score.noticed;
        } catch (const LimitExceeded&) {
            score.missed.push_back(mutant.change);
        }
    }
    journal.add(
        {.part = "mutants",
         .about = "single changes of the rules",
         .verdict = "Measured",
         .says = fmt::format("{} of {} that decide otherwise are told apart; {} decide alike at every state drawn",
                             score.noticed, score.mutants - score.alike, score.alike),
         .seconds = watch.seconds()});
    return score;
}

}  // namespace schedproof::command
