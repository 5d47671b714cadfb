/// Tasks of the assignment family in JSON answers, in one form.
#pragma once

#include "experiments/command/core/json.hpp"
#include "model/assignment/instance.hpp"

namespace schedproof::cli {

/// Who runs a task: `{"task": 0, "name": "t0", "server": "s1", "core": 2, "locality": "remote"}`. `task` is its
/// position in the instance, `core` the position within the server.
[[nodiscard]] Json task_json(const assignment::Instance& instance, TaskId task, CoreId core);

}  // namespace schedproof::cli
