/// From the words of a request to a cluster under a policy, and states in words.
///
/// A state is given by two lists, queues in the order of the policy's layout and servers in the order of the instance:
///   --queues 2,0,1            tasks in each queue, those in execution included
///   --queues A+B,0            a queue that lists its tasks: the types that wait, head first; 0 when none waits
///   --serving idle,s0,common  what each server does: `idle`, or the name of the queue whose task it executes
///   --serving queue@remote    with the level of the task, needed where the queue does not determine it
///   --counters 0,3,-2         counters of the policy, where it keeps some
///   --serving phantom:s0      committed to a queue without a task (option unmatched = phantom)
/// `kernel` prints states in these words; `own` stands for the server's own local queue.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "experiments/command/core/requests.hpp"
#include "policies/queueing/exact.hpp"

namespace schedproof::cli {

/// An instance and a system on it, kept together.
struct LoadedSystem {
    std::unique_ptr<const queueing::Instance> instance;
    queueing::ExactSystem system;
};

/// Throws InputError for an unreadable instance, an unknown policy (with the nearest name) or two truncation rules.
[[nodiscard]] LoadedSystem load(const SystemRequest& request);

/// The reachable states of the system. Throws LimitExceeded beyond the limit, with the options that make it finite.
[[nodiscard]] queueing::Chain chain_of(const queueing::ExactSystem& system, const queueing::ChainLimits& limits);

/// The queues that no task joins under a registered policy, so that pictures leave them out. None where that is not
/// known: where the search for them ends at its budget, and on instances and policies of which closed_set_search.hpp
/// says so.
[[nodiscard]] std::vector<QueueId> unjoined_queues(const queueing::ExactSystem& system);

/// Throws InputError when a queue or type has a name that would read as something else in a state.
void require_plain_names(const queueing::ExactSystem& system);

/// Throws InputError naming the option and the position when the words are no valid state of the system.
[[nodiscard]] queueing::ExactState parse_state(const queueing::ExactSystem& system, const StateRequest& request);

/// The words that parse_state reads back, a word per queue, server and counter.
struct StateWords {
    std::vector<std::string> queues;
    std::vector<std::string> serving;
    std::vector<std::string> counters;  ///< empty for a policy that keeps none

    /// `--queues 2,0,1 --serving idle,s0`.
    [[nodiscard]] StateRequest request() const;
    /// For people: `Q 2,0,1  f idle,s0`.
    [[nodiscard]] std::string line() const;
};
[[nodiscard]] StateWords to_words(const queueing::ExactSystem& system, const queueing::ExactState& state);

/// The registered policy that a name means. Throws InputError with the nearest name at the option.
[[nodiscard]] std::string policy_id(const std::string& name, const char* option = "--policy");

/// Throws InputError that names the file when it cannot be read, or has no arrival law.
[[nodiscard]] std::shared_ptr<const queueing::Instance> read_instance_with_law(const std::string& file);

}  // namespace schedproof::cli
