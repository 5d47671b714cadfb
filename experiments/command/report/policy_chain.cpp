/// The chain of a queueing policy on a small cluster, as pictures: all levels merged, and each level opened.
///
/// The cluster is the first that the documentation reasons about, m2-half, and the chain is truncated so that every
/// policy has few enough states for it to be enumerated while the page is made. A policy with counters has too many;
/// its page has no such pictures.
#include <fmt/core.h>

#include "checks/pictures/level_graphs.hpp"
#include "checks/pictures/render.hpp"
#include "checks/queueing/family.hpp"
#include "checks/queueing/instances.hpp"
#include "experiments/command/core/policy_file.hpp"
#include "experiments/command/report/pages.hpp"
#include "experiments/command/report/plates.hpp"
#include "model/base/text.hpp"
#include "policies/queueing/registry.hpp"
#include "proofs/queueing/capacity/plan.hpp"

namespace schedproof::cli::site {

namespace {

constexpr std::uint32_t most_tasks = 3;
constexpr std::size_t most_states = 600;

/// The reachable states; none where they are too many or the policy cannot run on the cluster.
std::optional<queueing::Chain> few_states(const queueing::ExactSystem& system) {
    queueing::ChainLimits limits;
    limits.states = most_states;
    try {
        return system.chain(limits);
    } catch (const LimitExceeded&) {
        return {};
    }
}

}  // namespace

Html policy_chain(const Policy& policy, std::vector<std::string>& scripts) {
    if (policy.family != checks::QueueingFamily::id) return {};
    const checks::InstancePtr cluster = checks::named_instance("m2-half");
    const queueing::ExactSystem system(*cluster, queueing::make_policy(policy.id, *cluster, capacity::fluid_plan),
                                       {queueing::Truncation::Rule::total, most_tasks});
    const auto chain = few_states(system);
    if (!chain) return {};
    const graph::LevelGraphs graphs = graph::level_graphs(
        [&](const graph::GraphOptions& options) { return graph::chain_graph(system, *chain, options); }, {}, "chain");
    std::vector<Picture> pictures{{"chain", graph::picture(graphs.overview, graph::PictureFormat::svg)}};
    for (const auto& [level, graph] : graphs.levels)
        pictures.push_back({graph::level_name("chain", level), graph::picture(graph, graph::PictureFormat::svg)});
    scripts.emplace_back("assets/picture.js");
    std::vector<std::string> command = policy_words(std::string(policy.id), "-p");
    command.insert(command.begin(), {"schedproof", "graph", "experiments/instances/m2-half.toml"});
    command.insert(command.end(), {"--cap-total", std::to_string(most_tasks), "-o", "chain.svg"});
    return element("h2", "Its chain on a small cluster") +
           paragraph(
               Html("Every state that two servers reach under the policy from empty, at half load and with at most ") +
               std::to_string(most_tasks) +
               " tasks. A node that stands for several states leads to a picture of each. " +
               code(base::command_line(command)) + " draws it too.") +
           plates(std::move(pictures), "");
}

}  // namespace schedproof::cli::site
