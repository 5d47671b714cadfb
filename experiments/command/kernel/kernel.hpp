/// What `schedproof kernel` asks for.
#pragma once

#include <string>
#include <vector>

#include "experiments/command/core/answer_fields.hpp"
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

/// What the policy answers at the state, before anyone picks: of a task type or an idle server, the tied queues.
struct Decision {
    std::string of;
    std::vector<std::string> queues;
};
struct Decisions {
    std::vector<Decision> route, serve;  ///< of each task type; of each idle server
};
[[nodiscard]] Decisions decisions(const queueing::ExactSystem& system, const queueing::ExactState& state);

}  // namespace schedproof::cli
