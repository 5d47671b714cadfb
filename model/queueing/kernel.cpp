#include "model/queueing/kernel.hpp"

#include <fmt/core.h>

namespace schedproof::queueing {

void throw_routes_nowhere(const Instance& instance, const PolicyInfo& policy, TaskTypeId type, const std::string& at) {
    throw InputError::at_key(
        "policy", fmt::format("expected a queue for every arriving task; {} leaves a task of type '{}' none{}",
                              policy.id, instance.type(type).name, at));
}

}  // namespace schedproof::queueing
