/// What `schedproof list` asks for.
#pragma once

#include <string>

#include "experiments/command/core/answer_fields.hpp"

namespace schedproof::cli {

struct ListRequest {
    std::string what;    ///< `policies`, `lyapunov`, `options` or `claims`
    std::string family;  ///< only what belongs to this family, or empty
    Destination to;
};

[[nodiscard]] Forms list_forms();

int run(const ListRequest& request);

}  // namespace schedproof::cli
