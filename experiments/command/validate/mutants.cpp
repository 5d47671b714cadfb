/// Whether the checks of `validate` would notice a slip in the policy: its rules with one primitive changed.
///
/// A mutant is held against the policy where the policy runs, and nowhere else: an instance that refuses the policy
/// refuses its mutants too, which shows nothing. A mutant from whose every drawn state the cluster moves as under the
/// policy is set aside: no check could tell it apart there. Any other is noticed when a proof of the policy is lost or
/// turns into its opposite, or when the mean delays differ by more than their interval. The solver's budget is that of
/// `validate`.
#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <utility>
#include <vector>

#include "checks/queueing/family.hpp"
#include "checks/queueing/rule_mutants.hpp"
#include "checks/queueing/sampling.hpp"
#include "checks/queueing/stability_argument.hpp"
#include "experiments/command/validate/validate.hpp"
#include "model/base/parallel.hpp"
#include "model/core/errors.hpp"
#include "model/core/law.hpp"

namespace schedproof::cli {

namespace {

using namespace queueing;

constexpr std::size_t states = 100;            // drawn on each instance, at most,
constexpr std::size_t most_outcomes = 20'000;  // and none more once their slots have as many outcomes

/// An instance on which the policy runs, and what is known of it there.
struct TestedInstance {
    std::shared_ptr<const Instance> instance;
    Standing standing;
    std::vector<std::pair<ExactState, Law<ExactState>>> slots = {};  ///< random states, with the laws of the next ones
};

/// Draws the states of a place. A slot that is too large to be enumerated ends the drawing. Throws InputError when the
/// policy does not run there.
void draw_slots(TestedInstance& place, const AnyPolicy& policy, std::uint64_t seed) {
    checks::Settings settings;
    settings.seed = seed;
    const ExactSystem system(*place.instance, policy);
    std::size_t outcomes = 0;
    try {
        for (std::size_t i = 0; i < states && outcomes < most_outcomes; ++i) {
            Sampler randomness = checks::sampler(settings, i);
            ExactState state = checks::random_state(system, randomness, i % 2 == 0 ? 9 : 1000);
            Law<ExactState> law = system.kernel(state);
            outcomes += law.size();
            place.slots.emplace_back(std::move(state), std::move(law));
        }
    } catch (const LimitExceeded&) {
        return;
    }
}

/// The instances on which the policy runs.
std::vector<TestedInstance> places_of(const Validated& of, const AnyPolicy& policy,
                                      const std::vector<Standing>& standings) {
    std::vector<TestedInstance> places;
    for (std::size_t i = 0; i < of.instances.size(); ++i) {
        TestedInstance place{of.instances[i], standings[i]};
        try {
            draw_slots(place, policy, of.request.seed);
        } catch (const InputError&) {
            continue;
        }
        places.push_back(std::move(place));
    }
    return places;
}

/// Whether a state is one of the system's: two rules may keep the same queues, and only one of them list tasks; and in
/// continuous time idle servers have declined what waits.
bool is_state_of(const ExactSystem& system, const ExactState& state) {
    const Layout& layout = system.layout();
    return state.length.size() == layout.queues() &&
           state.waiting.size() == (layout.lists_tasks() ? layout.queues() : 0) && system.is_settled(state);
}

/// Whether the mutant's law of one slot is the policy's, at every state drawn.
bool move_alike(const std::vector<TestedInstance>& places, const AnyPolicy& mutant) {
    return std::all_of(places.begin(), places.end(), [&](const TestedInstance& place) {
        const ExactSystem system(*place.instance, mutant);
        return std::all_of(place.slots.begin(), place.slots.end(), [&](const auto& slot) {
            return is_state_of(system, slot.first) && system.kernel(slot.first) == slot.second;
        });
    });
}

Standing standing_of(const checks::StabilityOutcome& outcome) {
    return outcome.transient() ? Standing::transient : outcome.stable() ? Standing::stable : Standing::unknown;
}

/// Whether a check tells the mutant from the policy: delays first, which cost least, then what is proved of the policy.
bool noticed(const Validated& of, const AnyPolicy& policy, const AnyPolicy& mutant,
             const std::vector<TestedInstance>& places, const std::vector<std::size_t>& levels) {
    for (const TestedInstance& place : places)
        if (delays_differ(of, place.instance, policy, mutant)) return true;
    const explore::Budget budget = validation_budget(of);
    for (const std::size_t count : levels)
        if (!std::holds_alternative<UniformProof>(prove_uniform(ParametricPolicy(mutant), count, budget))) return true;
    for (const TestedInstance& place : places) {
        if (place.standing == Standing::unknown) continue;
        const auto outcome =
            checks::settle_stability(SymbolicSystem(*place.instance, mutant), ExactSystem(*place.instance, mutant),
                                     budget, stability_options(of));
        if (standing_of(outcome) != place.standing) return true;
    }
    return false;
}

enum class Fate { alike, noticed, missed };

Fate fate_of(const Validated& of, const AnyPolicy& policy, const AnyPolicy& mutant,
             const std::vector<TestedInstance>& places, const std::vector<std::size_t>& levels) {
    try {
        if (move_alike(places, mutant)) return Fate::alike;
    } catch (const InputError&) {  // it does not run where the policy does
        return Fate::noticed;
    } catch (const LimitExceeded&) {
        // Its slots are too large to be enumerated where the policy's are not: they are others.
    }
    try {
        return noticed(of, policy, mutant, places, levels) ? Fate::noticed : Fate::missed;
    } catch (const InputError&) {  // at a state that was not drawn, perhaps under the policy itself
        return Fate::missed;
    } catch (const LimitExceeded&) {
        return Fate::missed;
    }
}

}  // namespace

MutationScore validate_mutants(const Validated& of, const std::vector<Standing>& standings,
                               const std::vector<std::size_t>& levels, Journal& journal) {
    const Stopwatch watch;
    journal.begin("mutants", "single changes of the rules");
    const AnyPolicy policy = make_policy(of.id);
    const std::vector<TestedInstance> places = places_of(of, policy, standings);
    MutationScore score;
    if (places.empty()) return score;
    const std::vector<checks::RuleMutant> mutants = checks::rule_mutants(policy.rules());
    std::vector<Fate> fates(mutants.size());
    std::atomic<std::size_t> done = 0;
    base::for_each_index(mutants.size(), base::default_threads(), [&](std::size_t i) {
        fates[i] = fate_of(of, policy, AnyPolicy(policy.info(), mutants[i].rules), places, levels);
        journal.report("mutants", ++done, mutants.size());
    });
    score.mutants = mutants.size();
    score.alike = static_cast<std::size_t>(std::count(fates.begin(), fates.end(), Fate::alike));
    score.noticed = static_cast<std::size_t>(std::count(fates.begin(), fates.end(), Fate::noticed));
    for (std::size_t i = 0; i < mutants.size(); ++i)
        if (fates[i] == Fate::missed) score.missed.push_back(mutants[i].change);
    if (score.mutants == 0) return score;
    journal.add(
        {.part = "mutants",
         .about = "single changes of the rules",
         .verdict = "Measured",
         .says = fmt::format("{} of {} that move otherwise are told apart; {} move alike from every state drawn",
                             score.noticed, score.mutants - score.alike, score.alike),
         .seconds = watch.seconds()});
    return score;
}

}  // namespace schedproof::cli
