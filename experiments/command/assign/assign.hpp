/// What `schedproof assign` asks for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "experiments/command/core/answer_fields.hpp"

namespace schedproof::cli {

/// Schedulers of the assignment family, on an instance or on what a real cluster says.
struct AssignRequest {
    std::string instance;   ///< or empty with `placement`
    std::string placement;  ///< listing of fsck, or data set
    std::string loads;      ///< CSV or data set, or empty with `cores`
    std::string path = "/";
    std::optional<std::uint32_t> cores;  ///< of servers without loads; per server, where cores are numbered through
    std::string by = "host";
    std::string cost;   ///< as `assignment::parse_cost` reads it, or empty
    std::string theta;  ///< short for `capped:THETA`, or empty
    bool erasure_coded = false;
    bool incomplete = false;
    bool job_per_file = false;          ///< of a listing
    std::string name = "placement";     ///< of the instance that a placement makes
    std::vector<std::string> policies;  ///< none: all that suit
    std::string map;                    ///< .json or .csv, or empty
    std::string wait;
    std::string threshold;                 ///< of ltfpa, or empty
    std::optional<std::uint64_t> timeout;  ///< of hta, in seconds
    std::string job_order = "fifo";
    bool random_picks = false;
    std::uint64_t seed = 1;
    Destination to;
};

int run(const AssignRequest& request);

/// The answer and the map.
[[nodiscard]] Forms assign_forms();

}  // namespace schedproof::cli
