/// A worst case in three forms: the fields of an answer, an instance file, and a table of its parts.
///
/// Loads and costs are in units of a local task; cores are numbered within their server,
/// as in the instance files, while the problem itself numbers them through.
#include "experiments/command/worst/instance.hpp"

#include <fmt/format.h>

#include "experiments/command/core/output.hpp"
#include "model/assignment/codec/codec.hpp"
#include "model/assignment/cost.hpp"
#include "proofs/assignment/theorems/symbolic_shape.hpp"

namespace schedproof::cli {

using namespace assignment;

namespace {

TableCost cost_of(const CostFunction<Rational>& g) { return {g.values(), g.slope()}; }

std::vector<std::string> loads_of(const Problem<Rational>& problem, ServerId s) {
    std::vector<std::string> loads;
    for (std::size_t i = 0; i < problem.shape->cores_of(s); ++i)
        loads.push_back(problem.load(problem.shape->core(s, i)).to_string());
    return loads;
}

}  // namespace

std::string core_name(const Shape& shape, CoreId p) {
    const ServerId s = shape.server_of(p);
    return fmt::format("s{}.{}", s.index(), p.index() - shape.core(s, 0).index());
}

std::string replicas_text(const Shape& shape, TaskId t) {
    std::vector<std::string> names;
    for (const ServerId s : shape.replicas(t)) names.push_back(fmt::format("s{}", s.index()));
    return fmt::format("{}", fmt::join(names, ", "));
}

std::string to_text(const RatioWitness& witness, bool exact) {
    const Problem<Rational>& problem = witness.problem;
    const Shape& shape = *problem.shape;
    std::string text = fmt::format("{} {}, loads and costs in units of a local task\n",
                                   exact ? "worst case   " : "near to it   ", name(shape));
    for (const ServerId s : shape.servers())
        text += fmt::format("  s{:<4}       loads {}; remote tasks cost {}\n", s.index(),
                            fmt::join(loads_of(problem, s), ", "), formula(cost_of(problem.cost(s))));
    for (const TaskId t : shape.tasks()) {
        const auto where = [&](const Assignment& map) {
            const CoreId p = map[t.index()];
            return core_name(shape, p) + (shape.is_local(t, shape.server_of(p)) ? "" : " (remote)");
        };
        text += fmt::format("  t{:<4}       block on {}; scheduled on {}, at best on {}\n", t.index(),
                            replicas_text(shape, t), where(witness.scheduled), where(witness.optimal));
    }
    return text + fmt::format("makespan      {}\nleast         {}\nits ratio     {}\n", display(witness.makespan),
                              display(witness.optimum), display(witness.ratio()));
}

namespace {

/// A task of a witness, and where it goes.
struct TaskOf {
    const RatioWitness& witness;
    TaskId task;
};
struct ServerOf {
    const RatioWitness& witness;
    ServerId server;
};
struct PlaceOf {
    const Shape& shape;
    TaskId task;
    CoreId core;
    [[nodiscard]] ServerId server() const { return shape.server_of(core); }
};

const Record<PlaceOf>& place_record() {
    using P = PlaceOf;
    static const Record<P> record =
        Record<P>{field(
                      "server", [](const P& p) { return p.server().index(); }, "Position of the server."),
                  field(
                      "core", [](const P& p) { return p.core.index() - p.shape.core(p.server(), 0).index(); },
                      "Position among the cores of its server, from 0."),
                  field(
                      "locality", [](const P& p) { return p.shape.is_local(p.task, p.server()) ? "local" : "remote"; },
                      "Local: the server holds the task's block.")
                      .words({"local", "remote"})}
            .named("place", "Where a task goes.");
    return record;
}

template <class Of, class Ids>
std::vector<Of> each_of(const RatioWitness& witness, const Ids& ids) {
    std::vector<Of> list;
    for (const auto id : ids) list.push_back({witness, id});
    return list;
}

std::vector<Rational> loads(const ServerOf& s) {
    const Problem<Rational>& problem = s.witness.problem;
    std::vector<Rational> list;
    for (std::size_t i = 0; i < problem.shape->cores_of(s.server); ++i)
        list.push_back(problem.load(problem.shape->core(s.server, i)));
    return list;
}

std::vector<std::size_t> replicas(const TaskOf& t) {
    std::vector<std::size_t> list;
    for (const ServerId s : t.witness.problem.shape->replicas(t.task)) list.push_back(s.index());
    return list;
}

}  // namespace

const Record<RatioWitness>& witness_record() {
    using W = RatioWitness;
    const auto place = [](const char* name, Assignment W::*map, const char* meaning) {
        return field(
            name,
            [map](const TaskOf& t) {
                return PlaceOf{*t.witness.problem.shape, t.task, (t.witness.*map)[t.task.index()]};
            },
            meaning, place_record());
    };
    const Record<TaskOf> task{field("replicas", replicas, "Positions of the servers that hold its block.").items(1),
                              place("scheduled", &W::scheduled, "Under the policy."),
                              place("optimal", &W::optimal, "At best.")};
    const Record<ServerOf> server{
        field("loads", loads, "Initial load of each core.").items(1).unit("a local task"),
        field(
            "cost", [](const ServerOf& s) { return formula(cost_of(s.witness.problem.cost(s.server))); },
            "Cost of each remote task by their number on the server, as a formula.")
            .unit("a local task")};
    static const Record<W> record =
        Record<W>{field(
                      "shape", [](const W& w) { return name(*w.problem.shape); },
                      "Cores per server, then the servers of each task's block.")
                      .pattern("^[0-9]+(,[0-9]+)*:[0-9]+(/[0-9]+)*$"),
                  field(
                      "servers", [](const W& w) { return each_of<ServerOf>(w, w.problem.shape->servers()); },
                      "In the order of the shape.", server)
                      .items(1),
                  field(
                      "tasks", [](const W& w) { return each_of<TaskOf>(w, w.problem.shape->tasks()); },
                      "In the order of the shape.", task)
                      .items(1),
                  field("makespan", &W::makespan, "Of the policy."),
                  field("optimum", &W::optimum, "The least makespan."),
                  field("ratio", &W::ratio, "Makespan over optimum.")}
            .named("witness", "A problem, run and solved exactly. Unit of loads, costs and makespans: a local task.");
    return record;
}

void write_instance(const std::string& path, const Problem<Rational>& problem, const std::string& source) {
    InstanceData data;
    const Shape& shape = *problem.shape;
    data.name = "worst-" + name(shape);
    data.source = source;
    data.loads = problem.initial;
    data.replicas = shape.replicas();
    for (const ServerId s : shape.servers()) {
        data.cores.push_back(static_cast<std::uint32_t>(shape.cores_of(s)));
        data.costs.emplace_back(cost_of(problem.cost(s)));
        data.cost_of.push_back(static_cast<std::uint32_t>(s.index()));
    }
    const Instance instance(std::move(data));
    write_text(path, path.ends_with(".json") ? write_json(instance) : write_toml(instance));
}

}  // namespace schedproof::cli
