/// What `schedproof dual` asks for.
#pragma once

#include <string>

#include "experiments/command/core/requests.hpp"

namespace CLI {
class App;
}

namespace schedproof::command {

struct DualRequest {
    std::string instance;
    std::string rule = "srpt";
    std::string speed;     ///< or empty: the instance's
    std::string constant;  ///< C to be met, or empty: C* = (1 - 1/M) / s
    bool optimum = false;  ///< compare with the exact optimum
    std::string plot;      ///< .svg or .png, or empty
    std::string certificate;
    Destination to;
};

int run(const DualRequest& request);

void add_dual(CLI::App& app, DualRequest& request, int& exit_code);

}  // namespace schedproof::command
