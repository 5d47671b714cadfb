#include "experiments/command/core/task_json.hpp"

namespace schedproof::cli {

Json task_json(const assignment::Instance& instance, TaskId task, CoreId core) {
    const assignment::Shape& shape = instance.shape();
    const ServerId s = shape.server_of(core);
    return {{"task", task.index()},
            {"name", instance.task_name(task)},
            {"server", instance.server_name(s)},
            {"core", core.index() - shape.core(s, 0).index()},
            {"locality", shape.is_local(task, s) ? "local" : "remote"}};
}

}  // namespace schedproof::cli
