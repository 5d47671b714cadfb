/// Problems of the assignment family as files, bundles and pictures (family_files.hpp).
///
/// A summary is for people, so it ends after some rows of each table and says how many more there are; toml and json
/// hold the whole.
#include <fmt/core.h>

#include <algorithm>

#include "checks/assignment/family.hpp"
#include "checks/pictures/assignment_picture.hpp"
#include "checks/pictures/render.hpp"
#include "checks/suite/shown_problem.hpp"
#include "experiments/command/families/family_files.hpp"
#include "experiments/command/families/tables.hpp"
#include "experiments/command/worst/worst.hpp"
#include "model/assignment/codec/codec.hpp"
#include "model/base/output_file.hpp"
#include "policies/assignment/cost_reducing_paths.hpp"
#include "policies/core/definition.hpp"

namespace schedproof::cli {

namespace {

using namespace assignment;
using checks::AssignmentFamily;
using checks::AssignmentProblem;
using checks::Counterexample;

/// Initial loads of a server's cores, or how many they are and between what.
std::string loads_of(const Instance& instance, ServerId s) {
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

std::string summary_of_tasks(const Instance& instance) {
    const Shape& shape = instance.shape();
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

class AssignmentFile final : public InstanceFile {
  public:
    explicit AssignmentFile(Instance instance) : instance_(std::move(instance)) {}
    [[nodiscard]] std::string summary() const override { return summary_of_tasks(instance_); }
    [[nodiscard]] std::string toml() const override { return write_toml(instance_); }
    [[nodiscard]] std::string json() const override { return write_json(instance_); }
    [[nodiscard]] checks::DomainPtr domain() const override {
        return checks::single_case<AssignmentFamily>(instance_.name(), instance_.problem());
    }

  private:
    Instance instance_;
};

/// The worked example of [jin2018], Table 2, with s3 before s2, so that its tie falls as in the paper's Figure 3.
constexpr std::string_view worked_example_of_figure_3 = R"(family = "assignment"
name = "table-2"
cost = {kind = "affine", theta = "1/2"}
servers = [{name = "s1", loads = ["3/4", "1/2"]}, {name = "s3", loads = ["9/4", 14]},
           {name = "s2", loads = ["1/4", 2]}, {name = "s4", loads = ["5/2", "15/4"]}]
tasks = [{name = "t1", replicas = ["s1", "s2"]}, {name = "t2", replicas = ["s2", "s4"]},
         {name = "t3", replicas = ["s2", "s3"]}, {name = "t4", replicas = ["s2", "s3"]},
         {name = "t5", replicas = ["s3", "s4"]}]
)";

graph::AssignmentNames names_of(const Instance& instance) {
    graph::AssignmentNames names;
    for (const TaskId t : instance.shape().tasks()) names.tasks.push_back(instance.task_name(t));
    for (const ServerId s : instance.shape().servers()) {
        names.servers.push_back(instance.server_name(s));
        for (std::size_t i = 1; i <= instance.shape().cores_of(s); ++i)
            names.cores.push_back("p" + names.servers.back().substr(1) + std::to_string(i));
    }
    return names;
}

/// The path from the server of the largest load to the one of the least that it reaches, as Phase I searches it; each
/// server by the first task that leads there. Requires that all tasks are local.
graph::AlternatingPath path_from_largest(const AssignmentProblem& problem, const Assignment& assignment) {
    const Shape& shape = *problem.shape;
    const checks::Totals now = checks::totals(problem, assignment);
    CoreId largest = assignment.front();
    for (const CoreId core : assignment)
        if (now.load[largest.index()] < now.load[core.index()]) largest = core;
    const auto least = [&](ServerId s) {
        Rational load = now.load[shape.core(s, 0).index()];
        for (std::size_t i = 1; i < shape.cores_of(s); ++i) load = std::min(load, now.load[shape.core(s, i).index()]);
        return load;
    };
    std::vector<ServerId> reached{shape.server_of(largest)};
    std::vector<std::optional<std::pair<ServerId, TaskId>>> via(shape.servers().size());
    for (std::size_t i = 0; i < reached.size(); ++i)
        for (const TaskId t : shape.tasks())
            for (const ServerId s : shape.replicas(t))
                if (shape.server_of(assignment[t.index()]) == reached[i] && s != reached.front() && !via[s.index()]) {
                    via[s.index()] = {reached[i], t};
                    reached.push_back(s);
                }
    const auto less = [&](ServerId a, ServerId b) { return least(a) < least(b); };
    graph::AlternatingPath path{{*std::min_element(reached.begin(), reached.end(), less)}, {}};
    while (const auto& from = via[path.servers.front().index()]) {
        path.servers.insert(path.servers.begin(), from->first);
        path.tasks.insert(path.tasks.begin(), from->second);
    }
    return path;
}

/// The assignment with each task of the path on the next server of it, on the core of the least load there.
Assignment flipped(const AssignmentProblem& problem, Assignment assignment, const graph::AlternatingPath& path) {
    const Shape& shape = *problem.shape;
    for (std::size_t i = path.tasks.size(); i-- > 0;) {
        const checks::Totals now = checks::totals(problem, assignment);
        const ServerId s = path.servers[i + 1];
        CoreId best = shape.core(s, 0);
        for (std::size_t core = 1; core < shape.cores_of(s); ++core)
            if (now.load[shape.core(s, core).index()] < now.load[best.index()]) best = shape.core(s, core);
        assignment[path.tasks[i].index()] = best;
    }
    return assignment;
}

/// The loads of the cores under the policy in the worked example. Of one with a balanced assignment also the bipartite
/// graph of the initial assignment with a cost-reducing path, and the graph after it is flipped: [jin2018], Figure 3b
/// and 3c.
PolicyPicture loads_picture(const std::string& policy) {
    const Instance instance = parse_instance(std::string(worked_example_of_figure_3), base::Format::toml, "table-2");
    const AssignmentProblem& problem = instance.problem();
    const graph::AssignmentNames names = names_of(instance);
    const auto drawn = [](const std::string& dot) { return graph::picture(dot, graph::PictureFormat::svg); };
    Sampler randomness(StreamKey{1, 0, 0});
    const ScheduleResult<Rational> made = run(make_policy(policy), problem, randomness);
    PolicyPicture picture{
        "Its assignment in the paper's example",
        "The loads of the cores in the worked example of [jin2018], Table 2: initial load, local tasks, remote tasks.",
        {},
        {{"loads", drawn(graph::load_bars(problem, {{policy, made.assignment}}, {policy}, names))}}};
    if (!checks::AssignmentPolicyUnderTest(policy).two_phases()) return picture;
    Counters counters;
    const Assignment start = CostReducingPaths(problem, Settle::reached, false, counters).initial().assignment();
    const graph::AlternatingPath path = path_from_largest(problem, start);
    picture.words +=
        " The graphs are those of Phase I: the initial assignment with a cost-reducing path (Figure 3b), and the "
        "assignment "
        "after the path is flipped (Figure 3c); t3 and t4, whose data are on the same servers, have changed places.";
    picture.pictures.emplace_back("graph-before",
                                  drawn(graph::assignment_graph(problem, start, {"initial assignment"}, path, names)));
    picture.pictures.emplace_back("graph-flipped", drawn(graph::assignment_graph(problem, flipped(problem, start, path),
                                                                                 {"path flipped"}, {}, names)));
    return picture;
}

constexpr std::string_view assignment_header = R"text(/// @ID@: which core runs which task of a batch.
///
/// What is hoped for, and the commands that decide it; INSTANCE is your instance file:
///   all of it at once               schedproof validate @FILE@
///   its map and makespan            schedproof assign INSTANCE --policy-file @FILE@ -p @ID@ -p dyndloff
///   how much worse than the best    schedproof worst --shape 1,1:0/01 --policy-file @FILE@
///   claims about every policy       schedproof check assignment --policy-file @FILE@
///
/// problem.shape says which tasks, servers and cores there are and where the tasks' data is (model/assignment/shape.hpp);
/// problem.load(core) the work that a core has, problem.local what a local task costs, problem.cost(server)(n) what each
/// of n remote tasks costs on a server. Numbers are added and compared, and nothing else. An online policy, which learns
/// a load when the core becomes free, is written on model/assignment/online.hpp.
#pragma once

#include <array>

#include "model/assignment/policy.hpp"

namespace schedproof::assignment {

struct @TYPE@ {
    /// Its name in commands, where it comes from, what it does in one sentence.
    static constexpr PolicyInfo info{"@ID@", "", "tasks by id, each to the local core of least load"};
    /// Claims of `schedproof list claims` that `validate` checks on all their instances.
    static constexpr std::array<const char*, 0> hopes{};

    /// A core for every task, in the order of the tasks. Parameters, if there are any, are public members that a
    /// `parameters` list names (model/core/parameters.hpp).
    template <Number N>
    [[nodiscard]] ScheduleResult<N> schedule(const Problem<N>& problem) const {
        const Shape& shape = *problem.shape;
        std::vector<N> load = problem.initial;
        ScheduleResult<N> result;
        for (const TaskId t : shape.tasks()) {
            CoreId best = shape.core(shape.replicas(t).front(), 0);
            for (const ServerId s : shape.replicas(t))
                for (std::size_t i = 0; i < shape.cores_of(s); ++i)
                    if (load[shape.core(s, i).index()] < load[best.index()]) best = shape.core(s, i);
            load[best.index()] = load[best.index()] + problem.local;
            result.assignment.push_back(best);
        }
        return result;
    }
};

// Says at the first rule that is broken what the family asks of a policy.
static_assert(admitted<@TYPE@>());

}  // namespace schedproof::assignment
)text";

class AssignmentFiles final : public FamilyFiles {
  public:
    [[nodiscard]] std::string_view family() const override { return AssignmentFamily::id; }
    [[nodiscard]] std::string policy_template() const override { return std::string(assignment_header); }
    [[nodiscard]] std::string shown(const Counterexample& c) const override {
        return suite::shown(checks::case_of<AssignmentFamily>(c));
    }
    /// Source: docs/models/assignment.md, Which statements hold; [jin2018], Section 5.
    [[nodiscard]] std::vector<Argument> arguments() const override {
        return {{"assignment.best-local", {"assignment.no-path", "assignment.property-1.2.no-path"}},
                {"assignment.searches-agree", {"assignment.no-path", "assignment.unique-finishes"}},
                {"assignment.key-lemma", {"assignment.no-path", "assignment.key-lemma.no-path"}},
                {"assignment.best-is-k-or-next", {"assignment.monotone"}},
                {"assignment.twice-the-optimum", {"assignment.key-lemma"}},
                {"assignment.k-is-optimal", {"assignment.key-lemma", "assignment.makespan-of-k"}},
                {"assignment.theorem-4", {"assignment.key-lemma"}},
                {"assignment.theorem-3", {"assignment.theorem-1"}}};
    }
    [[nodiscard]] std::unique_ptr<InstanceFile> decode(const base::Cursor& document) const override {
        return std::make_unique<AssignmentFile>(decode_instance(document));
    }
    [[nodiscard]] std::optional<PolicyHeaders> policy_headers() const override {
        return PolicyHeaders{"model/assignment/policy.hpp", "proofs/assignment/added.hpp"};
    }
    std::string add_policy(const std::any& added) const override {
        const auto& policy = std::any_cast<const assignment::AnyPolicy&>(added);
        assignment::add_policy(policy);
        return std::string(policy.info.id);
    }
    void write_problem(const std::string& folder, const std::string& claim, const Counterexample& c) const override {
        write(folder + "/instance.toml", claim, c);
    }
    [[nodiscard]] std::string write_found(const std::string& folder, const std::string& claim,
                                          const Counterexample& found) const override {
        write(folder + "/found.toml", claim, found);
        return "found.toml";
    }
    [[nodiscard]] std::string definition(const Counterexample& c) const override {
        return schedproof::definition(make_policy(c.policy));
    }
    [[nodiscard]] Counterexample read_problem(const BundleText& bundle, const std::string& policy) const override {
        const Instance instance = assignment::read_instance(bundle.directory() + "/instance.toml");
        return checks::counterexample<AssignmentFamily>(instance.problem(), policy);
    }
    [[nodiscard]] std::optional<PolicyPicture> pictured(const std::string& policy) const override {
        return loads_picture(policy);
    }
    [[nodiscard]] Worst worst() const override { return run_assignment; }
    [[nodiscard]] std::vector<std::string> worst_cases(
        const std::string& policy, const explore::Budget& budget,
        const std::function<void(const WorstFound&)>& found) const override {
        std::vector<std::string> words;
        for (const std::string& what : worst_assignment(policy, budget, found)) words.push_back("worst cases: " + what);
        return words;
    }
    [[nodiscard]] TestCode test_code(const Counterexample& c) const override {
        return {{"checks/assignment/family.hpp", "model/assignment/codec/codec.hpp"},
                "    const assignment::Instance instance = assignment::parse_instance(" +
                    text_literal(write_toml(instance_of(checks::case_of<AssignmentFamily>(c), "counterexample", ""))) +
                    ",\n        base::Format::toml, \"counterexample\");\n",
                "instance.problem()",
                "AssignmentFamily"};
    }

  private:
    static void write(const std::string& path, const std::string& claim, const Counterexample& c) {
        const AssignmentProblem& problem = checks::case_of<AssignmentFamily>(c);
        base::write_file(path, write_toml(instance_of(problem, "counterexample", "counterexample to " + claim)));
    }
};

}  // namespace

std::unique_ptr<const FamilyFiles> assignment_files() { return std::make_unique<AssignmentFiles>(); }

}  // namespace schedproof::cli
