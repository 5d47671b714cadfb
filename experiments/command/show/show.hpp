/// What `schedproof show` asks for.
#pragma once

#include <string>

#include "experiments/command/core/requests.hpp"

namespace schedproof::cli {

struct ShowRequest {
    std::string instance;
    std::string as = "summary";  ///< `summary`, `toml` or `json`
    Destination to;
};

int run(const ShowRequest& request);

}  // namespace schedproof::cli
