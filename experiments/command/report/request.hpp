/// What `schedproof report` asks for.
#pragma once

#include <string>
#include <vector>

#include "experiments/command/core/requests.hpp"

namespace schedproof::cli {

struct ReportRequest {
    std::vector<std::string> claims;        ///< ids, prefixes or patterns; empty: all
    std::string policy;                     ///< the policy that the site is about, or empty
    std::vector<std::string> instances;     ///< files, on which it is asked
    bool beside = false;                    ///< the verdicts about all other policies too
    std::string evidence = "evidence";      ///< what `check --evidence` has left, or will
    std::string reproduced = "reproduced";  ///< what `reproduce` has left
    std::string site = "site";              ///< directory that is written
    std::string format = "text";
};

int run(const ReportRequest& request);

}  // namespace schedproof::cli
