/// Cases of the sharing family to look at: random states and trajectories, grids of all small ones, grids of the
/// analysis.
///
/// What breaks rules of this family are ties: jobs with equally many running tasks, skip counts at D, at D1 and at
/// D1 + D2, times that end in the very tick. So numbers are small and often equal.
#pragma once

#include <functional>

#include "checks/sharing/case.hpp"
#include "model/core/randomness.hpp"

namespace schedproof::checks {

/// Calls back until the callback returns false.
using VisitCase = std::function<bool(const SharingCase&)>;

/// A state of up to 4 jobs of 4 tasks on up to 4 nodes of 2 slots, with a free slot; not only reachable ones.
[[nodiscard]] SharingCase random_sharing_state(Sampler& randomness);
/// The same in which every slot is busy, as policies that kill are asked; `slot` means nothing.
[[nodiscard]] SharingCase random_busy_state(Sampler& randomness);
/// Jobs to be run from an empty cluster to their end.
[[nodiscard]] SharingCase random_sharing_trajectory(Sampler& randomness);

/// All states of one or two jobs of at most two tasks on three nodes of a slot, two on one rack, skip counts 0..2
/// against D = D1 = D2 = 1, the first slot offered.
void for_each_state_with_skips(const VisitCase& visit);
/// The same without skips: tasks in own queues or the common one, priorities equal or not, slot free before the jobs
/// came or after, W = 2.
void for_each_state_with_queues(const VisitCase& visit);
/// Two jobs of a task each and of one priority on two nodes of one or two slots, all stages.
void for_each_single_task_state(const VisitCase& visit);
/// Three jobs on three nodes of a slot, two on two nodes of two slots: each slot free or run by any of them, launched
/// at one of two times, 0..2 further tasks of each job waiting.
void for_each_killing_state(const VisitCase& visit);

/// A job of a task with data on 0..M of M nodes, M = 1..4, one slot each, all free; D = 0..4.
void for_each_one_job(const VisitCase& visit);
/// A job of a task with data on 0..M of M <= 4 nodes at the head, behind it one with data everywhere and more running
/// tasks; D = 0..3.
void for_each_head_of_line(const VisitCase& visit);
/// 1..3 nodes of 1..2 slots, D = 0..4, tasks that run exactly 1..3 ticks; the small job's data on the first node, or on
/// one whose slots never become free.
void for_each_wait(const VisitCase& visit);
/// M in 1..200, R in 1..5, N in 1..100 up to M, goals from 0 to 999/1000: 1,584 settings.
void for_each_analysis(const VisitCase& visit);
/// M <= 12, R <= 3, N <= 8 up to M, D in 0, 1, 2, 5, 12.
void for_each_small_analysis(const VisitCase& visit);
/// Endless jobs with data on nodes of their own: two jobs on two nodes and on four, three on three; D = 1..2.
void for_each_sticky(const VisitCase& visit);

}  // namespace schedproof::checks
