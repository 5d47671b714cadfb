#include "experiments/input/placement/data_set_writer.hpp"

#include <vector>

#include "experiments/input/placement/task_placement.hpp"
#include "model/base/text.hpp"
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

std::string writable(std::string name) {
    if (name.find_first_of(" \t\r\n\v\f;") != std::string::npos || name.starts_with('#') || name.empty())
        throw InputError::at_key("names",
                                 "expected names without blanks, ';' and a '#' in front, not " + base::shown(name));
    return name;
}

}  // namespace

void announce_cores(std::ostream& out, std::uint64_t cores, std::uint64_t per_server) {
    out << "# cores " << cores;
    if (per_server != 0) out << " per-server " << per_server;
    out << "\n";
}

void announce_tasks(std::ostream& out, std::uint64_t tasks, std::uint64_t pairs) {
    out << "# tasks " << tasks << " pairs " << pairs << "\n";
}

void write_core_pairs(std::ostream& out, const std::string& prefix, std::uint64_t first,
                      std::span<const Rational> loads) {
    for (std::size_t i = 0; i < loads.size(); ++i)
        out << (i == 0 ? "" : " ") << prefix << first + i << " " << loads[i].to_string() << ";";
    out << "\n";
}

void write_task_pairs(std::ostream& out, const std::string& task, std::span<const std::string> servers) {
    for (std::size_t i = 0; i < servers.size(); ++i) out << (i == 0 ? "" : " ") << task << " " << servers[i] << ";";
    out << "\n";
}

void write_data_set_loads(const Instance& instance, std::ostream& out) {
    const assignment::Shape& shape = instance.shape();
    const std::size_t cores = common_cores(instance);
    announce_cores(out, shape.cores().size(), cores);
    std::span<const Rational> loads = instance.problem().initial;
    for (const ServerId s : shape.servers()) {
        const std::string prefix = cores != 0 ? "" : writable(instance.server_name(s)) + "/";
        write_core_pairs(out, prefix, cores != 0 ? shape.core(s, 0).index() : 0, loads.first(shape.cores_of(s)));
        loads = loads.subspan(shape.cores_of(s));
    }
}

void write_data_set_placement(const Instance& instance, std::ostream& out) {
    const assignment::Shape& shape = instance.shape();
    const bool bare = common_cores(instance) != 0;
    announce_tasks(out, shape.tasks().size(), shape.replicas().total());
    std::vector<std::string> servers;
    for (const TaskId t : shape.tasks()) {
        servers.clear();
        for (const ServerId s : shape.replicas(t))
            servers.push_back(bare ? std::to_string(s.index()) : writable(instance.server_name(s)));
        write_task_pairs(out, instance.has_task_names() ? writable(instance.task_name(t)) : std::to_string(t.index()),
                         servers);
    }
}

}  // namespace schedproof::input
