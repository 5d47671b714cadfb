/// What `schedproof kernel` asks for.
#pragma once

#include <string>

#include "experiments/command/core/requests.hpp"

namespace schedproof::cli {

struct KernelRequest {
    SystemRequest system;
    StateRequest state;
    std::string lyapunov;  ///< a function whose drift to add, or empty
    Destination to;
};

int run(const KernelRequest& request);

}  // namespace schedproof::cli
