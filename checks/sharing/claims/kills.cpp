/// Claims about fair sharing by killing: of which job a task dies, and which task.
///
/// The rule is claimed of all states, reachable or not, and of any number of slots. A kill frees a slot that is offered
/// at once, so which task dies is claimed of what is left when no more is killed. Source: [zaharia2010], killing
/// running tasks; docs/models/sharing.md, Interpretation S7.
#include "checks/sharing/claim.hpp"
#include "checks/sharing/mutants.hpp"
#include "checks/sharing/reference_model.hpp"

namespace schedproof::checks {

using namespace sharing;
using namespace sharing_claims;
using namespace sharing_properties;

namespace {

/// The first kill of the policy's, which takes the slot of the task launched first.
State kill_the_first_launched(const SharingPolicyUnderTest& under_test, const Setting& setting, State state) {
    const auto job = under_test.reclaim(setting, state);
    if (!job) return state;
    std::optional<std::size_t> first;
    for (std::size_t s = 0; s < state.slots.size(); ++s)
        if (state.slots[s].busy && state.slots[s].job == *job &&
            (!first || state.slots[s].since < state.slots[*first].since))
            first = s;
    State killed = complete(std::move(state), SlotId(*first), Stage::unlaunched);
    return kill_the_first_launched(under_test, setting, under_test.offer(setting, killed, SlotId(*first)).next);
}

SharingPolicyUnderTest first_launched_dies(const SharingCase& c) {
    SharingPolicyUnderTest under_test = policy_under_test("fair-kill", c.parameters);
    under_test.reclaim_all = [own = under_test](const Setting& setting, const State& state) {
        return std::pair(kill_the_first_launched(own, setting, state), std::vector<Started>());
    };
    return under_test;
}

SharingPolicyUnderTest no_kills(const SharingCase& c) {
    SharingPolicyUnderTest under_test = policy_under_test("fair-kill", c.parameters);
    under_test.reclaim = [](const Setting&, const State&) { return std::optional<JobId>(); };
    return under_test;
}

}  // namespace

void add_sharing_kills(std::vector<Claim>& claims) {
    const std::string states_in_words =
        "three jobs on three nodes of a slot, two on two nodes of two slots, each slot free or run by any of them, two "
        "times of launch, 0..2 further tasks of each job; random states, with a free slot and with none (busy-states)";
    const auto somebody_dies = [](const SharingFamily::Policy&, const SharingCase& c) {
        return reference_reclaim(c.state).has_value();
    };

    claims.push_back(
        claim("kills-by-rule", SharingPart::state)
            .statement("While the free slots are fewer than what jobs below floor(S/J) running tasks lack of it, as "
                       "far as they have waiting tasks, and a job runs more, one of the job with the most running "
                       "tasks is killed, and at no other time.")
            .source(zaharia("killing running tasks; docs/models/sharing.md, Interpretation S7"))
            .property(of_policy(kills_by_rule))
            .oracle(explored_theorem("kills-by-rule"))
            .exhaustive()
            .sampled()
            .instances(states_in_words)
            .needs(somebody_dies)
            .holds({"fair-kill"}, {"killing-states", "busy-states", "states", "n3"})
            .asks(added_policies("kills-by-rule"), {"n3"})
            .mutant_system(
                policy_mutant({.name = "kills-late-explored",
                               .change = "policy: kills nothing while a slot is free",
                               .domain = "n2",
                               .policy = mutant_policy("fair-kill", [](const Parameters&) { return LateKill{}; })}))
            .mutant_system(policy_mutant({.name = "kills-never",
                                          .change = "policy: kills nothing",
                                          .domain = "busy-states",
                                          .policy = no_kills}))
            .mutant_system(
                policy_mutant({.name = "kills-late",
                               .change = "policy: kills nothing while a slot is free",
                               .domain = "killing-states",
                               .policy = mutant_policy("fair-kill", [](const Parameters&) { return LateKill{}; })})));

    claims.push_back(
        claim("kills-latest", SharingPart::state)
            .statement(
                "The job that is to lose a task loses the one launched last, with ties to the slot of largest number; "
                "the slot goes at once to the job with the fewest running tasks, and so on until none is to lose one.")
            .source(zaharia("killing running tasks; docs/models/sharing.md, Interpretation S7"))
            .property(of_policy(kills_latest))
            .oracle(explored_theorem("kills-latest"))
            .exhaustive()
            .sampled()
            .instances(states_in_words +
                       "; n2: one or two jobs run on three nodes of a slot, 0 to 2 tasks of each waiting, at all times")
            .needs(somebody_dies)
            .holds({"fair-kill"}, {"killing-states", "busy-states", "states", "n2"})
            .mutant_system(
                policy_mutant({.name = "kills-nothing-explored",
                               .change = "policy: kills nothing",
                               .domain = "n2",
                               .policy = mutant_policy("fair-kill", [](const Parameters&) { return Spares{}; })}))
            .mutant_system(policy_mutant({.name = "kills-first-launched",
                                          .change = "policy: the task launched first dies",
                                          .domain = "killing-states",
                                          .policy = first_launched_dies})));
}

}  // namespace schedproof::checks
