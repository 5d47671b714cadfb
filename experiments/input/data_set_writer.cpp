/// The paper's two data sets, written.
#include <fmt/core.h>

#include "experiments/input/task_placement.hpp"
#include "experiments/input/text.hpp"
#include "model/core/errors.hpp"

namespace schedproof::input {

namespace {

using assignment::Instance;

/// Cores per server when all have as many and the servers need no names; 0 otherwise.
std::size_t common_cores(const Instance& instance) {
    const std::size_t cores = instance.shape().cores_of(ServerId(0));
    if (instance.has_server_names()) return 0;
    for (const ServerId s : instance.shape().servers())
        if (instance.shape().cores_of(s) != cores) return 0;
    return cores;
}

const std::string& writable(const std::string& name) {
    if (name.find_first_of(" \t\r\n\v\f;") != std::string::npos || name.starts_with('#') || name.empty())
        throw InputError({"", 0, "names"}, "expected names without blanks, ';' and a '#' in front, not " + shown(name));
    return name;
}

}  // namespace

void write_data_set_loads(const Instance& instance, std::ostream& out) {
    const assignment::Shape& shape = instance.shape();
    const std::size_t cores = common_cores(instance);
    out << "# cores " << shape.cores().size();
    if (cores != 0) out << " per-server " << cores;
    out << "\n";
    for (const ServerId s : shape.servers()) {
        const std::string name = cores != 0 ? "" : writable(instance.server_name(s)) + "/";
        for (std::size_t i = 0; i < shape.cores_of(s); ++i) {
            const CoreId p = shape.core(s, i);
            out << (i == 0 ? "" : " ") << name << (cores != 0 ? p.index() : i) << " "
                << instance.problem().load(p).to_string() << ";";
        }
        out << "\n";
    }
}

void write_data_set_placement(const Instance& instance, std::ostream& out) {
    const assignment::Shape& shape = instance.shape();
    const bool bare = common_cores(instance) != 0;
    out << "# tasks " << shape.tasks().size() << "\n";
    for (const TaskId t : shape.tasks()) {
        const std::string name =
            instance.has_task_names() ? writable(instance.task_name(t)) : std::to_string(t.index());
        bool first = true;
        for (const ServerId s : shape.replicas(t)) {
            out << (first ? "" : " ") << name << " ";
            if (bare)
                out << s.index() << ";";
            else
                out << writable(instance.server_name(s)) << ";";
            first = false;
        }
        out << "\n";
    }
}

}  // namespace schedproof::input
