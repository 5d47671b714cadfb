/// Properties of the sharing family: for each claim, how it fails on a case, by exact computation.
///
/// A property asks the policy under test what its code does and compares that with the claim's own words, settled by
/// the reference model (reference_model.hpp), by enumeration of all offers, or by the stationary law of a small chain.
/// It answers with what fails, in exact numbers, or with nothing. Claims that are false have a property like true ones.
/// Source: [zaharia2010]; docs/models/sharing.md.
#pragma once

#include <string>

#include "checks/sharing/case.hpp"
#include "checks/sharing/policy_under_test.hpp"
#include "model/core/errors.hpp"

namespace schedproof::checks::sharing_properties {

using Property = std::string(const SharingPolicyUnderTest&, const SharingCase&);

/// Throws InputError unless the policy is one of which a property speaks.
inline void require_stated(bool holds, const char* expected) {
    if (!holds) throw InputError::at_key("policy", expected);
}
inline constexpr const char* with_queues = "expected a policy with queues";
inline constexpr const char* without_queues = "expected a policy without queues";

// One offer at a state: offers.cpp
Property follows_rule;    ///< launch and skip counts are those of the reference rule
Property one_launch;      ///< nothing changes but a task, the offered slot and skip counts; the level is right
Property skips_in_words;  ///< a local launch starts the count anew, another leaves it, who is passed over has one more
Property head_is_passed_over;  ///< the job at the head launches, or has one more skip, at most D of them
Property single_task_fifo;     ///< the launch is that of hadoop-fifo
Property naive_without_wait;   ///< the launch is that of naive-fair
Property on_racks;             ///< no launch is remote
Property resets_alike;         ///< delay-rack and delay-rack:keep leave the same counts
Property fewest_running;       ///< of the queue that is served, the job with the fewest running tasks
Property shortest_queue;       ///< every task would join the shortest of its queues, all that tie
Property kills_by_rule;        ///< whose task is killed
Property kills_latest;         ///< which tasks die, one after another, and who takes their slots

// Whole trajectories: trajectories.cpp
inline constexpr sharing::Ticks most_ticks = 2000;  ///< that a trajectory is followed
Property all_end;                                   ///< every task is done by then
Property nothing_lost;                              ///< no task is launched twice
Property wait_in_mean_rate;                         ///< the wait until a launch anywhere is allowed is at most (D/S) T
Property wait_in_rounds;                            ///< it is at most ceil(D/S) T
Property fair_after_a_turn;  ///< when every slot was free once, no job waits that runs two tasks fewer than another

// One job among nodes that are alike: delay.cpp
Property local_in_time;    ///< P(local task within D offers) = 1 - (1-p)^D
Property non_locality;     ///< P(launch without data) = (1-p)^(D+1)
Property head_of_line;     ///< the job at the head launches wherever it is offered; a small one is local with chance p
Property head_waits;       ///< with probability 1 - (1-p)^(D+1), which is more
Property mean_wait;        ///< it lets pass so many offers in the mean that it waits (D/S) T at most
Property printed_mean;     ///< the part of local launches over a whole job is the analysis' one
Property rule_suffices;    ///< at the rule's D, the paper's formula reaches the goal
Property rule_tight;       ///< the rule's D is less than 1 + M/(R N) + D/M above the least that does
Property rule_as_printed;  ///< at the rule's D, the algorithm's code reaches the goal

// Jobs that share the slots for ever: sticky_slots.cpp
Property slots_stick;   ///< at equal shares, a slot returns to the job whose task ended
Property slots_settle;  ///< jobs with data on nodes of their own run nowhere else in the end

}  // namespace schedproof::checks::sharing_properties
