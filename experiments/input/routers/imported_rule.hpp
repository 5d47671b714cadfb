/// What a reader makes of another program's file: the rule by which tasks are sent, and what the rule does not follow.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace schedproof::input {

/// A key that the rule leaves out, or takes otherwise than the other program does.
struct ConfigNote {
    std::size_t line = 0;
    std::string key, says;
};

/// What becomes of a request.
struct RouterRule {
    /// A text of experiments/zoo with values `NAME=VALUE,...` of its parameters, or empty where `route` is stated.
    std::string zoo, values;
    std::string route, summary;
    bool homes = false;      ///< a request has a worker of its own, by a hash or by what is cached there
    bool weighted = false;   ///< the rule knows the workers' weights as their rates
    bool one_queue = false;  ///< a server needs one queue only, since all tasks that join it are served alike
};

struct ImportedRule {
    std::string kind;  ///< such as `HAProxy backend`
    std::string name;  ///< of the backend, the cluster, the profile or the model
    RouterRule rule;
    std::vector<ConfigNote> notes;
};

}  // namespace schedproof::input
