/// Judges of the sharing family: for each claim, how it fails on a case, by exact computation.
///
/// A judge asks a subject what its code does and compares that with the claim's own words, settled by plain rules
/// (plain.hpp), by enumeration of all offers, or by the stationary law of a small chain. It answers with what fails, in
/// exact numbers, or with nothing. Claims that are false are judged like true ones. A mutant is a subject spoiled.
/// Source: [zaharia2010]; docs/models/sharing.md.
#pragma once

#include <string>

#include "checks/sharing/case.hpp"
#include "checks/sharing/policy_under_test.hpp"

namespace schedproof::checks::sharing_judging {

using Judge = std::string(const SharingSubject&, const SharingCase&);

// One offer at a state: judges_offers.cpp
Judge follows_rule;        ///< launch and skip counts are those of the plain rule
Judge one_launch;          ///< nothing changes but a task, the offered slot and skip counts; the level is right
Judge skips_in_words;      ///< a local launch starts the count anew, another leaves it, who is passed over has one more
Judge single_task_fifo;    ///< the launch is that of hadoop-fifo
Judge naive_without_wait;  ///< the launch is that of naive-fair
Judge on_racks;            ///< no launch is remote
Judge resets_alike;        ///< delay-rack and delay-rack:keep leave the same counts
Judge fewest_running;      ///< of the queue that is served, the job with the fewest running tasks
Judge shortest_queue;      ///< every task would join the shortest of its queues, all that tie
Judge kills_by_rule;       ///< whose task is killed
Judge kills_latest;        ///< which tasks die, one after another, and who takes their slots

// Whole courses: judges_courses.cpp
Judge all_end;            ///< every task is done in the end
Judge nothing_lost;       ///< no task is launched twice
Judge wait_in_mean_rate;  ///< the wait until a launch anywhere is allowed is at most (D/S) T
Judge wait_in_rounds;     ///< it is at most ceil(D/S) T

// One job among nodes that are alike: judges_delay.cpp
Judge local_in_time;  ///< P(local task within D offers) = 1 - (1-p)^D
Judge non_locality;   ///< P(launch without data) = (1-p)^(D+1)
Judge head_of_line;   ///< a small job at the head launches on local data with probability p
Judge head_waits;     ///< with probability 1 - (1-p)^(D+1), which is more
Judge mean_wait;      ///< it lets pass so many offers in the mean that it waits (D/S) T at most
Judge printed_mean;   ///< the part of local launches over a whole job is the analysis' one
Judge rule_suffices;  ///< at the rule's D, the paper's formula reaches the goal
Judge rule_tight;     ///< the rule's D is less than 1 + M/(R N) + D/M above the least that does
/// The two judges above of any D.
[[nodiscard]] std::string goal_missed(const SharingCase& c, std::uint64_t skips);
[[nodiscard]] std::string slack_too_large(const SharingCase& c, std::uint64_t skips);
Judge rule_as_printed;  ///< at the rule's D, the algorithm's code reaches the goal

// Jobs that share the slots for ever: judges_sticky.cpp
Judge slots_stick;   ///< at equal shares, a slot returns to the job whose task ended
Judge slots_settle;  ///< jobs with data on nodes of their own run nowhere else in the end

}  // namespace schedproof::checks::sharing_judging
