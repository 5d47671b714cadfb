/// A second implementation of one event of a cluster in continuous time: the oracle of the first.
///
/// Written from docs/models/queueing.md on laws of plain numbers, as that of a slot is (queueing_oracle.hpp), with
/// which it shares the policies' rules and nothing of the code under test.
#pragma once

#include <string>

#include "tests/model/queueing_generators.hpp"
#include "tests/model/queueing_oracle.hpp"

namespace schedproof::oracle {

/// The exact law of the state after one event. Requires: time is continuous in the instance; a state that fits the
/// policy's queues; a policy without counters. `offered` says what servers start, in rounds, before anything happens.
[[nodiscard]] Pmf<OracleState> next_event(const queueing::Instance& instance, const std::string& policy_id,
                                          const OracleState& state, queueing::Truncation truncation = {});

/// The law of the state after every idle server was offered what waits, in the order of the ids.
[[nodiscard]] Pmf<OracleState> settled(const queueing::Instance& instance, const std::string& policy_id,
                                       const OracleState& state);

/// Policies of the oracle that can run in continuous time.
[[nodiscard]] std::vector<std::string> policies_in_continuous_time();

/// The cluster of `small_instance` in continuous time: its rates times a factor, types that never arrive at rate 1/2,
/// some with one that comes in batches.
[[nodiscard]] rc::Gen<queueing::Instance> small_cluster_in_time(const std::string& policy_id, InstanceWish wish = {});

}  // namespace schedproof::oracle
