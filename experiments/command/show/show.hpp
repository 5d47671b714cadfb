/// What `schedproof show` asks for.
#pragma once

#include <string>

#include "experiments/command/core/requests.hpp"

namespace schedproof::cli {

struct ShowRequest {
    std::string instance;
    std::string as = "summary";       ///< `summary`, `toml` or `json`
    std::string in_slots;             ///< length of a slot; empty: as the instance is
    bool in_continuous_time = false;  ///< the same cluster in continuous time
    Destination to;
};

int run(const ShowRequest& request);

}  // namespace schedproof::cli
