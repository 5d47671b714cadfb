#include "experiments/command/show/show.hpp"

#include <fmt/core.h>

#include <map>
#include <nlohmann/json.hpp>

#include "experiments/command/core/output.hpp"
#include "experiments/command/families/instance_file.hpp"
#include "model/queueing/instance.hpp"

namespace schedproof::command {

namespace {

using namespace queueing;

constexpr std::size_t longest_table = 40;
constexpr std::size_t longest_row = 12;

std::string summary(const Instance& instance) {
    const InstanceData& data = instance.data();
    std::string text = fmt::format("instance  {}\n", data.name);
    if (!data.source.empty()) text += fmt::format("source    {}\n", data.source);
    text += "levels    ";
    for (const LevelInfo& level : data.levels) text += fmt::format("{} {}   ", level.name, level.rate.to_string());
    text += fmt::format("\nservers   {}", data.servers.size());
    std::map<std::string, std::size_t> racks;
    if (instance.groupings() > 0) {
        for (const Server& server : data.servers) ++racks[server.groups.front()];
        text += fmt::format(" in {} racks", racks.size());
    }
    text += "\n";
    for (std::size_t m = 0; m < data.servers.size() && m < longest_table; ++m) {
        std::string groups;
        for (std::size_t g = 0; g < instance.groupings(); ++g) groups += "  " + data.servers[m].groups[g];
        text += fmt::format("  {}{}\n", data.servers[m].name, groups);
    }
    if (data.servers.size() > longest_table)
        text += fmt::format("  ... and {} more\n", data.servers.size() - longest_table);
    text += fmt::format("types     {}   (replicas; mean arrivals in a slot)\n", data.types.size());
    for (std::size_t t = 0; t < data.types.size() && t < longest_table; ++t) {
        std::string replicas;
        for (const ServerId m : data.types[t].replicas)
            replicas += (replicas.empty() ? "" : " ") + instance.server(m).name;
        text += fmt::format("  {}: {{{}}}  {}\n", data.types[t].name, replicas, display(data.rates[t]));
    }
    if (data.types.size() > longest_table)
        text += fmt::format("  ... and {} more\n", data.types.size() - longest_table);
    text += fmt::format("arrivals  {} in a slot on average; {}\n", display(instance.total_arrival_rate()),
                        data.arrivals ? fmt::format("at most {}", data.arrivals->largest_total())
                                      : "rates only, no law: enough for `capacity`, not for a slot");
    Options options = data.options;
    text += "options   ";
    for_each_option(options, [&](const auto& field) {
        using Names = OptionNames<std::decay_t<decltype(field)>>;
        text += fmt::format("{}={} ", Names::key, Names::values[static_cast<std::size_t>(field)]);
    });
    return text + "\n";
}

/// Initial loads of a server's cores, or how many they are and between what.
std::string loads_of(const assignment::Instance& instance, ServerId s) {
    const std::size_t cores = instance.shape().cores_of(s);
    std::string text;
    Rational least, most;
    for (std::size_t i = 0; i < cores; ++i) {
        const Rational& load = instance.problem().load(instance.shape().core(s, i));
        if (i == 0 || load < least) least = load;
        if (i == 0 || most < load) most = load;
        if (i < longest_row) text += (text.empty() ? "" : " ") + load.to_string();
    }
    return cores <= longest_row ? text : fmt::format("{} to {}", display(least), display(most));
}

std::string summary(const assignment::Instance& instance) {
    const assignment::Shape& shape = instance.shape();
    std::string text = fmt::format("instance  {}\n", instance.name());
    if (!instance.source().empty()) text += fmt::format("source    {}\n", instance.source());
    text += "cost      ";
    for (std::size_t c = 0; c < instance.costs().size() && c < longest_row; ++c)
        text += fmt::format("{}g(n) = {}", c == 0 ? "" : "; ", formula(instance.costs()[c]));
    if (instance.costs().size() > longest_row) text += fmt::format("; ... {} in all", instance.costs().size());
    text +=
        fmt::format("\nservers   {} with {} cores   (initial loads)\n", shape.servers().size(), shape.cores().size());
    for (std::size_t s = 0; s < shape.servers().size() && s < longest_table; ++s) {
        const ServerId id(s);
        const std::string rack =
            instance.racks().empty() || instance.racks()[s].empty() ? "" : "  " + instance.racks()[s];
        const std::string cost = instance.costs().size() < 2 ? "" : "  g(n) = " + formula(instance.cost(id));
        text += fmt::format("  {}{}  {} cores: {}{}\n", instance.server_name(id), rack, shape.cores_of(id),
                            loads_of(instance, id), cost);
    }
    if (shape.servers().size() > longest_table)
        text += fmt::format("  ... and {} more\n", shape.servers().size() - longest_table);
    text += fmt::format("tasks     {}", shape.tasks().size());
    if (instance.has_jobs()) text += fmt::format(" in {} jobs", shape.jobs());
    text += "   (servers that hold the data)\n";
    for (std::size_t t = 0; t < shape.tasks().size() && t < longest_table; ++t) {
        std::string replicas;
        for (const ServerId s : shape.replicas(TaskId(t)))
            replicas += (replicas.empty() ? "" : " ") + instance.server_name(s);
        text += fmt::format("  {}: {{{}}}{}\n", instance.task_name(TaskId(t)), replicas,
                            instance.has_jobs() ? "  " + instance.job_name(shape.job_of(TaskId(t))) : "");
    }
    if (shape.tasks().size() > longest_table)
        text += fmt::format("  ... and {} more\n", shape.tasks().size() - longest_table);
    return text;
}

std::string summary(const redundancy::Instance& instance) {
    const auto& [machines, service, jobs] = instance.problem;
    std::string text = fmt::format("instance  {}\n", instance.name);
    if (!instance.source.empty()) text += fmt::format("source    {}\n", instance.source);
    text += fmt::format("machines  {}\nservice   {}, peak rate {}; gains of copies", machines, service.to_string(),
                        service.peak().to_string());
    for (std::size_t r = 1; r <= machines && r <= longest_row; ++r)
        text += " " + service.gain(static_cast<std::uint32_t>(r)).to_string();
    if (machines > longest_row) text += " ...";
    text += fmt::format("\nspeed     {}\nbeta      {}\njobs      {}   (arrival; size)\n", instance.speed.to_string(),
                        instance.beta.to_string(), jobs.size());
    for (std::size_t j = 0; j < jobs.size() && j < longest_table; ++j)
        text += fmt::format("  {}: {}; {}\n", j, jobs[j].arrival.to_string(), jobs[j].size.to_string());
    if (jobs.size() > longest_table) text += fmt::format("  ... and {} more\n", jobs.size() - longest_table);
    return text;
}

}  // namespace

int run(const ShowRequest& request) {
    const input::AnyInstance any = input::read_any_instance(request.instance);
    std::visit(
        [&](const auto& instance) {
            write_text(request.to.path, request.to.json() || request.as == "json" ? write_json(instance)
                                        : request.as == "toml"                    ? write_toml(instance)
                                                                                  : summary(instance));
        },
        any);
    return 0;
}

}  // namespace schedproof::command
