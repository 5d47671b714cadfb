#include <fmt/core.h>

#include <map>
#include <nlohmann/json.hpp>

#include "experiments/cli/output.hpp"
#include "experiments/cli/requests.hpp"
#include "experiments/input/queueing_file.hpp"
#include "model/queueing/instance.hpp"

namespace schedproof::cli {

namespace {

using namespace queueing;

constexpr std::size_t longest_table = 40;

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

}  // namespace

int run(const ShowRequest& request) {
    const Instance instance = input::read_instance(request.instance);
    if (request.to.json() || request.as == "json")
        write_text(request.to.path, input::write_json(instance));
    else if (request.as == "toml")
        write_text(request.to.path, input::write_toml(instance));
    else
        write_text(request.to.path, summary(instance));
    return 0;
}

}  // namespace schedproof::cli
