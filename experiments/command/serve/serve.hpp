/// `schedproof serve`: answers to other programs, one line of JSON for each.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace schedproof::cli {

struct ServeRequest {
    bool stdio = false;
    std::vector<std::string> instances;  ///< files that questions may name
    std::optional<unsigned> threads;     ///< questions at a time; none: as many as the machine runs
    std::uint64_t seconds = 60;          ///< the most that a question may take
    std::uint64_t megabytes = 2'048;
};

int run(const ServeRequest& request);

}  // namespace schedproof::cli
