/// A worst case in three forms. Loads and costs are in units of a local task; cores are numbered within their server,
/// as in the instance files, while the problem itself numbers them through.
#include "experiments/command/worst/instance.hpp"

#include <fmt/format.h>

#include "experiments/command/core/json.hpp"
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

Json to_json(const RatioWitness& witness) {
    const Problem<Rational>& problem = witness.problem;
    const Shape& shape = *problem.shape;
    Json servers = Json::array(), tasks = Json::array();
    for (const ServerId s : shape.servers()) {
        Json loads = Json::array();
        for (std::size_t i = 0; i < shape.cores_of(s); ++i) loads.push_back(number(problem.load(shape.core(s, i))));
        servers.push_back({{"loads", loads}, {"cost", formula(cost_of(problem.cost(s)))}});
    }
    for (const TaskId t : shape.tasks()) {
        Json replicas = Json::array();
        for (const ServerId s : shape.replicas(t)) replicas.push_back(s.index());
        const auto place = [&](const Assignment& map) {
            const CoreId p = map[t.index()];
            const ServerId s = shape.server_of(p);
            return Json{{"server", s.index()},
                        {"core", p.index() - shape.core(s, 0).index()},
                        {"locality", shape.is_local(t, s) ? "local" : "remote"}};
        };
        tasks.push_back(
            {{"replicas", replicas}, {"scheduled", place(witness.scheduled)}, {"optimal", place(witness.optimal)}});
    }
    return {{"shape", name(shape)},
            {"servers", servers},
            {"tasks", tasks},
            {"makespan", number(witness.makespan)},
            {"optimum", number(witness.optimum)},
            {"ratio", number(witness.ratio())}};
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
