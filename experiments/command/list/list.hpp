/// What `schedproof list` asks for.
#pragma once

#include <string>

#include "experiments/command/core/requests.hpp"

namespace schedproof::command {

struct ListRequest {
    std::string what;  ///< `policies`, `schedulers`, `lyapunov`, `options` or `claims`
    Destination to;
};

int run(const ListRequest& request);

}  // namespace schedproof::command
