/// The queueing family's share of the commands: summaries of instance files, and bundles of counterexamples.
///
/// A bundle holds the shrunk instance as TOML and the state as words, so that a replay uses the readers that users
/// have. What the policy does at the state is the answer of `schedproof kernel`, as text and as JSON, beside a picture
/// of the states one slot away. For a test the state is written as C++, entry by entry. Summaries cut long lists and
/// say how much they leave out.
/// Long: what all commands need of the family is one record.
#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "checks/pictures/dot.hpp"
#include "checks/pictures/level_graphs.hpp"
#include "checks/pictures/render.hpp"
#include "checks/queueing/family.hpp"
#include "checks/queueing/instances.hpp"
#include "checks/suite/shown_problem.hpp"
#include "experiments/command/core/answer_fields.hpp"
#include "experiments/command/core/output.hpp"
#include "experiments/command/core/policy_file.hpp"
#include "experiments/command/core/state_json.hpp"
#include "experiments/command/core/system.hpp"
#include "experiments/command/families/family_files.hpp"
#include "experiments/command/families/queueing_steps.hpp"
#include "experiments/command/families/queueing_template.hpp"
#include "experiments/command/families/tables.hpp"
#include "experiments/command/kernel/kernel.hpp"
#include "experiments/command/simulate/queueing/request.hpp"
#include "model/base/output_file.hpp"
#include "model/queueing/codec/codec.hpp"
#include "model/queueing/codec/policy_text.hpp"
#include "model/queueing/load.hpp"
#include "model/queueing/option_meanings.hpp"
#include "model/queueing/options.hpp"
#include "policies/queueing/registry.hpp"
#include "proofs/queueing/capacity/plan.hpp"
#include "proofs/queueing/theorems/about.hpp"
#include "proofs/queueing/theorems/lyapunov.hpp"

namespace schedproof::cli {

namespace {

using namespace queueing;
using checks::ClusterState;
using checks::Counterexample;
using checks::QueueingFamily;

/// The sizes of a type's batches; nothing where its tasks come one by one.
std::string batches_of(const Instance& instance, TaskTypeId type) {
    std::string text;
    if (!instance.batches() || instance.data().batches[type.index()].empty()) return text;
    for (const BatchSize& size : instance.arriving_together(type))
        text += fmt::format("{}{} with probability {}", text.empty() ? "  in batches of " : ", ", size.tasks,
                            size.probability.to_string());
    return text;
}

std::string summary_of_cluster(const Instance& instance) {
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
    text += fmt::format("types     {}   (replicas; mean arrivals {})\n", data.types.size(),
                        instance.continuous() ? per_time(instance) : "in a slot");
    for (std::size_t t = 0; t < data.types.size() && t < longest_table; ++t) {
        std::string replicas;
        for (const ServerId m : data.types[t].replicas)
            replicas += (replicas.empty() ? "" : " ") + instance.server(m).name;
        std::string rates;
        const TaskType& type = data.types[t];
        if (type.at_servers.empty())
            for (const Rational& rate : type.rates) rates += (rates.empty() ? "  rates " : " ") + rate.to_string();
        for (std::size_t m = 0; m < type.at_servers.size(); ++m)
            if (type.at_servers[m])
                rates += fmt::format("{}{} at {}", rates.empty() ? "  rates " : ", ", type.at_servers[m]->to_string(),
                                     data.servers[m].name);
        text += fmt::format("  {}: {{{}}}  {}{}{}\n", data.types[t].name, replicas, display(data.rates[t]), rates,
                            batches_of(instance, TaskTypeId(t)));
    }
    if (data.types.size() > longest_table)
        text += fmt::format("  ... and {} more\n", data.types.size() - longest_table);
    if (instance.continuous())
        text +=
            fmt::format("time      continuous: Poisson arrivals, exponential services, {} events {}\narrivals  {} {}\n",
                        display(instance.event_rate()), per_time(instance), display(instance.total_arrival_rate()),
                        per_time(instance));
    else
        text += fmt::format("arrivals  {} in a slot on average; {}\n", display(instance.total_arrival_rate()),
                            data.arrivals ? fmt::format("at most {}", data.arrivals->largest_total())
                                          : "rates only, no law: enough for `capacity`, not for a slot");
    text += "options   ";
    const auto add = [&](const auto& field) {
        using Names = OptionNames<std::decay_t<decltype(field)>>;
        text += fmt::format("{}={} ", Names::key, Names::values[static_cast<std::size_t>(field)]);
    };
    instance.continuous() ? for_each_event_option(data.options, add) : for_each_option(data.options, add);
    return text + "\n";
}

class QueueingFile final : public InstanceFile {
  public:
    explicit QueueingFile(Instance instance) : instance_(std::move(instance)) {}
    [[nodiscard]] std::string summary() const override { return summary_of_cluster(instance_); }
    [[nodiscard]] std::string toml() const override { return write_toml(instance_); }
    [[nodiscard]] std::string json() const override { return write_json(instance_); }
    [[nodiscard]] checks::DomainPtr domain() const override {
        return checks::all_states(std::make_shared<const Instance>(instance_));
    }
    [[nodiscard]] std::unique_ptr<InstanceFile> in_time(const std::optional<Rational>& slot) const override {
        return std::make_unique<QueueingFile>(slot ? in_slots(instance_, *slot) : in_continuous_time(instance_));
    }

  private:
    Instance instance_;
};

/// The lines that make the state of a test.
std::string state_code(const ExactState& state) {
    std::string body;
    for (std::size_t q = 0; q < state.length.size(); ++q)
        if (state.length[q].value() > 0)
            body += fmt::format("    state.length[{}] = CheckedInt({});\n", q, state.length[q].value());
    for (std::size_t m = 0; m < state.serving.size(); ++m)
        if (const Service& s = state.serving[m]; s.status != Service::Status::idle)
            body +=
                fmt::format("    state.serving[{}] = {{Service::Status::{}, Level({}), QueueId({})}};\n", m,
                            s.status == Service::Status::busy ? "busy" : "phantom", s.level.index(), s.queue.index());
    for (std::size_t q = 0; q < state.waiting.size(); ++q)
        for (const TaskTypeId type : state.waiting[q])
            body += fmt::format("    state.waiting[{}].emplace_back({});\n", q, type.index());
    for (std::size_t i = 0; i < state.memory.size(); ++i)
        if (state.memory[i].value() != 0)
            body += fmt::format("    state.memory[{}] = CheckedInt({});\n", i, state.memory[i].value());
    return body;
}

/// The lines that make a policy of the user's own known to a test.
std::string policy_code(const std::string& id) {
    return fmt::format("    add_policy({{{{\"{0}\", \"\", \"\"}}, codec::read_rules({1}, \"{0}\")}});\n", id,
                       text_literal(queueing::definition(id)));
}

/// The steps of a ray, as `place` writes them.
Direction read_direction(const base::Cursor& at, const ExactState& state) {
    constexpr std::int64_t most = 1'000'000'000;
    const std::string form = fmt::format("a list of {} steps, of queues at least 0, not all of them 0",
                                         state.length.size() + state.memory.size());
    Direction direction;
    for (const base::Cursor& step : at.items(form))
        direction.push_back(step.integer(direction.size() < state.length.size() ? 0 : -most, most, form));
    if (direction.size() != state.length.size() + state.memory.size() ||
        std::all_of(direction.begin(), direction.end(), [](std::int64_t step) { return step == 0; }))
        at.fail(form);
    return direction;
}

/// The decision that fails, in the lines of the state's node: what the policy does, and what was expected.
void mark_decision(graph::StateGraph& picture, const Counterexample& c) {
    const auto at = std::find_if(picture.nodes.begin(), picture.nodes.end(),
                                 [](const graph::Node& node) { return node.kind == graph::Node::Kind::start; });
    if (c.kind.empty() || at == picture.nodes.end()) return;
    const std::string decision = c.violation.substr(0, c.violation.find("; "));
    const std::size_t comma = decision.find(", expected ");
    at->lines.push_back("✗ " + decision.substr(0, comma));
    if (comma != std::string::npos) at->lines.push_back(decision.substr(comma + 2));
    picture.notes.emplace_back("✗: the decision at which the claim fails");
}

/// The states that a slot leads to from the state of a counterexample. Where levels of them are merged there is one
/// more picture for each level that can be opened, and a node of it leads there.
void write_neighbourhood(const std::string& folder, const ExactSystem& system, const Counterexample& c) {
    graph::GraphOptions options;
    const ExactState& state = checks::case_of<QueueingFamily>(c).state;
    options.highlighted = {state};
    options.max_nodes = 40;
    options.unjoined = unjoined_queues(system);
    const auto draw = [&](const graph::GraphOptions& with) {
        graph::StateGraph picture = graph::neighbourhood_graph(system, state, 1, with);
        picture.caption.front() = "instance " + system.instance().name() + ", shrunk";
        picture.caption.push_back(c.violation);
        mark_decision(picture, c);
        return picture;
    };
    const auto write = [&](const graph::StateGraph& picture, const std::string& name) {
        graph::write_dot(picture, folder + "/" + name + ".dot");
        graph::write_picture(picture, folder + "/" + name + ".svg", graph::PictureFormat::svg);
    };
    const graph::LevelGraphs graphs = graph::level_graphs(draw, options, "state");
    write(graphs.overview, "state");
    for (const auto& [level, picture] : graphs.levels) write(picture, graph::level_name("state", level));
}

constexpr std::uint32_t most_tasks = 3;
constexpr std::size_t most_states = 600;

/// The reachable states; none where they are too many.
std::optional<Chain> few_states(const ExactSystem& system) {
    ChainLimits limits;
    limits.states = most_states;
    try {
        return system.chain(limits);
    } catch (const LimitExceeded&) {
        return {};
    }
}

/// The chain of the policy on the first cluster that the documentation reasons about, truncated so that it has few
/// states: all levels merged, and each level opened. A policy with counters has too many states; of it the picture is
/// what two slots lead to from the empty state.
PolicyPicture chain_picture(const std::string& policy) {
    const checks::InstancePtr cluster = checks::named_instance("m2-half");
    const ExactSystem system(*cluster, make_policy(policy, *cluster, capacity::fluid_plan),
                             {Truncation::Rule::total, most_tasks});
    const std::optional<Chain> chain = few_states(system);
    const std::string name = chain ? "chain" : "state";
    const graph::LevelGraphs graphs = graph::level_graphs(
        [&](const graph::GraphOptions& options) {
            return chain ? graph::chain_graph(system, *chain, options)
                         : graph::neighbourhood_graph(system, system.initial(), 2, options);
        },
        {}, name);
    PolicyPicture made{
        chain ? "Its chain on a small cluster" : "Two slots on a small cluster",
        chain ? fmt::format("Every state that two servers reach under the policy from empty, at half load "
                            "and with at most {} tasks. A node that stands for several states leads to a "
                            "picture of each.",
                            most_tasks)
              : fmt::format("The states that two servers, at half load and with at most {} tasks, reach "
                            "under the policy within two slots from empty; in all there are too many, since "
                            "the policy counts slots.",
                            most_tasks),
        policy_words(policy, "-p"),
        {{name, graph::picture(graphs.overview, graph::PictureFormat::svg)}}};
    made.command.insert(made.command.begin(), {"schedproof", "graph", "experiments/instances/m2-half.toml"});
    made.command.insert(made.command.end(), {"--cap-total", std::to_string(most_tasks)});
    if (!chain) made.command.insert(made.command.end(), {"--around", "2"});
    made.command.insert(made.command.end(), {"-o", name + ".svg"});
    for (const auto& [level, graph] : graphs.levels)
        made.pictures.emplace_back(graph::level_name(name, level), graph::picture(graph, graph::PictureFormat::svg));
    return made;
}

/// What the policy does at the state and where the slot leads: the answer of `schedproof kernel`, in both forms.
void write_trace(const std::string& folder, const std::string& policy, const StateRequest& state) {
    for (const bool json : {false, true}) {
        // The answer names its own file alone, as it stands in the bundle, which is so the same wherever it is written.
        const base::FileLog trace(folder);
        KernelRequest request;
        request.system = {folder + "/instance.toml", policy, {}, {}};
        request.state = state;
        request.to = {json ? "json" : "text", folder + (json ? "/trace.json" : "/trace.txt")};
        (void)run(request);
    }
}

std::vector<Listed> listed_functions() {
    std::vector<Listed> list;
    for (const auto& lyapunov : lyapunov_functions())
        list.push_back({std::string(lyapunov.id), std::string(lyapunov.formula)});
    return list;
}

/// The interpretations of a slot, then what continuous time has besides.
std::vector<Listed> listed_options() {
    std::vector<Listed> list;
    const Options options;
    const auto add = [&](const auto& field) {
        using Enum = std::decay_t<decltype(field)>;
        using Names = OptionNames<Enum>;
        using Meanings = OptionMeanings<Enum>;
        static_assert(Names::values.size() == Meanings::values.size());
        Listed entry{std::string(Names::key), std::string(Meanings::question)};
        for (std::size_t i = 0; i < Names::values.size(); ++i)
            entry.values.emplace_back(Names::values[i], Meanings::values[i]);
        list.push_back(std::move(entry));
    };
    for_each_option(options, add);
    add(options.preemption);
    return list;
}

class QueueingFiles final : public FamilyFiles {
  public:
    [[nodiscard]] std::string_view family() const override { return QueueingFamily::id; }
    [[nodiscard]] std::string policy_template() const override { return queueing_header_template(); }
    [[nodiscard]] std::string policy_text_template() const override { return queueing_text_template(); }
    [[nodiscard]] std::string policy_from(const std::string& file, std::string_view id, std::string_view type,
                                          bool text) const override {
        return queueing_policy_from(file, id, type, text);
    }
    [[nodiscard]] std::vector<Listed> listed(std::string_view what) const override {
        return what == "lyapunov" ? listed_functions() : what == "options" ? listed_options() : std::vector<Listed>();
    }
    [[nodiscard]] std::vector<std::string> language_claims() const override {
        return {"queueing.explore-agrees", "queueing.renaming-servers"};
    }
    [[nodiscard]] std::string shown(const Counterexample& c) const override {
        return suite::shown(checks::case_of<QueueingFamily>(c), c.policy);
    }
    [[nodiscard]] std::vector<Argument> arguments() const override {
        return {{"queueing.mean-tasks.no-policy-below.m2-half", {"queueing.mean-tasks.m2-half"}}};
    }
    [[nodiscard]] std::shared_ptr<FamilySimulation> simulation() const override { return queueing_simulation(); }
    [[nodiscard]] std::unique_ptr<InstanceFile> decode(const base::Cursor& document) const override {
        return std::make_unique<QueueingFile>(decode_instance(document));
    }
    void write_problem(const std::string& folder, const std::string& claim, const Counterexample& c) const override {
        InstanceData data = checks::case_of<QueueingFamily>(c).instance->data();
        data.name += ", shrunk";
        data.source = "counterexample to " + claim;
        base::write_file(folder + "/instance.toml", write_toml(Instance(std::move(data))));
    }
    [[nodiscard]] std::string write_found(const std::string&, const std::string&,
                                          const Counterexample& found) const override {
        return checks::case_of<QueueingFamily>(found).instance->name();
    }
    [[nodiscard]] std::string definition(const Counterexample& c) const override {
        return queueing::definition(c.policy);
    }
    std::string add_policy(const std::any& added) const override {
        const auto& policy = std::any_cast<const AddedPolicy&>(added);
        queueing::add_policy(policy);
        return std::string(policy.info.id);
    }
    /// Whether the rules are as they are printed is seen when the definition is compared.
    void know_policy(const BundleText& bundle) const override {
        const std::string id = bundle.text("policy");
        if (!resolve_policy(id).empty()) return;
        queueing::add_policy({{id, "", ""}, codec::read_rules(bundle.text("definition"), bundle.file())});
    }
    [[nodiscard]] Counterexample read_problem(const BundleText& bundle, const std::string& policy) const override {
        const LoadedSystem loaded = load({bundle.directory() + "/instance.toml", policy, {}, {}});
        ExactState state = parse_state(loaded.system, read_state(bundle.member("state")));
        Direction direction;
        if (bundle.has("direction")) direction = read_direction(bundle.member("direction"), state);
        return checks::counterexample<QueueingFamily>(
            {std::make_shared<const Instance>(loaded.instance->data()), std::move(state), std::move(direction)},
            policy);
    }
    [[nodiscard]] bool has_states() const override { return true; }
    [[nodiscard]] Json place(const Counterexample& c) const override {
        const ClusterState& at = checks::case_of<QueueingFamily>(c);
        const ExactSystem system = QueueingFamily::policy(c.policy, at);
        Json place{{"queue_names", queue_names(*at.instance, system.layout())},
                   {"state", state_json(system, at.state)}};
        if (!at.direction.empty()) place["direction"] = at.direction;
        return place;
    }
    void illustrate(const std::string& folder, const std::string&, const Counterexample& c) const override {
        const ClusterState& at = checks::case_of<QueueingFamily>(c);
        const ExactSystem system = QueueingFamily::policy(c.policy, at);
        write_trace(folder, c.policy, to_words(system, at.state).request());
        write_steps(folder, system, at.state, c.violation);
        write_neighbourhood(folder, system, c);
    }
    [[nodiscard]] std::optional<PolicyPicture> pictured(const std::string& policy) const override {
        return chain_picture(policy);
    }
    [[nodiscard]] TestCode test_code(const Counterexample& c) const override {
        const ClusterState& at = checks::case_of<QueueingFamily>(c);
        const bool own = is_added(c.policy);
        std::vector<std::string> includes{"checks/queueing/family.hpp", "model/queueing/codec/codec.hpp"};
        if (own) {
            includes.emplace_back("model/queueing/codec/policy_text.hpp");
            includes.emplace_back("policies/queueing/registry.hpp");
        }
        const std::string setup =
            "    using namespace schedproof::queueing;\n" + (own ? policy_code(c.policy) : "") +
            "    const auto instance = std::make_shared<const Instance>(\n        parse_instance(" +
            text_literal(write_toml(*at.instance)) +
            ",\n                       base::Format::toml, \"counterexample\"));\n"
            "    ExactState state = checks::registered_exact(*instance, \"" +
            c.policy + "\").initial();\n" + state_code(at.state);
        return {includes, setup,
                at.direction.empty() ? "{instance, state}"
                                     : fmt::format("{{instance, state, {{{}}}}}", fmt::join(at.direction, ", ")),
                "QueueingFamily"};
    }
};

}  // namespace

std::unique_ptr<const FamilyFiles> queueing_files() { return std::make_unique<QueueingFiles>(); }

}  // namespace schedproof::cli
