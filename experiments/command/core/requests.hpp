/// What the requests of several subcommands have in common; each subcommand's own request is in its folder.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace schedproof::cli {

/// Where the answer goes, and in which form.
struct Destination {
    std::string format = "text";  ///< `text` or `json`
    std::string path = "-";       ///< a file, or `-` for standard output
    std::string command = {};     ///< that asks for the answer, as it was typed; empty where none was
    [[nodiscard]] bool json() const { return format == "json"; }
};

/// A cluster under a policy.
struct SystemRequest {
    std::string instance;
    std::string policy;
    std::optional<std::uint32_t> cap_total;
    std::optional<std::uint32_t> cap_queue;
};

/// A state in words; see system.hpp. Empty parts mean: every queue empty, every server idle.
struct StateRequest {
    std::string queues;
    std::string serving;
    std::string counters;
};

/// How much an exploration may cost before it ends as Unknown.
struct BudgetRequest {
    std::optional<std::uint64_t> rlimit;     ///< the solver's resource units per question
    std::optional<std::uint64_t> max_cells;  ///< of one question
};

}  // namespace schedproof::cli
