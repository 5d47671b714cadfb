/// What `schedproof kernel` asks for.
#pragma once

#include <string>

#include "experiments/command/core/json.hpp"
#include "experiments/command/core/requests.hpp"
#include "policies/queueing/exact.hpp"

namespace schedproof::cli {

struct KernelRequest {
    SystemRequest system;
    StateRequest state;
    std::string lyapunov;  ///< a function whose drift to add, or empty
    Destination to;
};

int run(const KernelRequest& request);

/// What the policy answers at the state, before anyone picks: of each task type, and of each idle server, the tied
/// queues by name.
[[nodiscard]] Json decisions_json(const queueing::ExactSystem& system, const queueing::ExactState& state);

}  // namespace schedproof::cli
