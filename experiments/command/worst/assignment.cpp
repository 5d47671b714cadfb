/// The largest ratio of a policy's makespan to the least one, on one shape or one of each kind in a range.
///
/// Over all loads, the policy is executed symbolically: on each cell of loads (and costs, where these are symbols)
/// it does one thing, its makespan is affine, and so is that of each competing assignment; the ratio's supremum on the
/// cell is a linear-fractional program, solved exactly as a linear one. Competitors are enumerated, or, when there are
/// more than `many_competitors`, left to the solver. On a grid each problem is solved by itself. `--at-most` asks a
/// weaker question, policy - ratio * least <= 0 on every cell, whose proof is checked without a solver.
///
/// The searches are proofs/assignment/worst.hpp; here words become shapes, costs and loads, and results become
/// sentences that name every option they depend on.
#include <fmt/core.h>

#include "experiments/command/core/budget.hpp"
#include "experiments/command/core/exact_option.hpp"
#include "experiments/command/core/json.hpp"
#include "experiments/command/core/output.hpp"
#include "experiments/command/families/family_files.hpp"
#include "experiments/command/worst/instance.hpp"
#include "experiments/command/worst/worst.hpp"
#include "model/assignment/cost.hpp"
#include "policies/assignment/registry.hpp"
#include "proofs/assignment/competitors.hpp"
#include "proofs/assignment/shape_range.hpp"
#include "proofs/assignment/theorems/symbolic_shape.hpp"
#include "proofs/assignment/worst.hpp"
#include "proofs/certifier/binding.hpp"

namespace schedproof::command {

namespace {

using namespace assignment;

/// Beyond this many competitors of a shape the solver looks for one.
constexpr std::size_t many_competitors = 200;

SystemUnderTest system_of(const WorstRequest& request) {
    PolicyOptions options;
    options.wait = option_number(request.wait, "--wait");
    return system_under_test(request.policy, request.makespan == "map" ? Counted::map : Counted::events,
                             [policy = make_policy(request.policy, options), seed = request.seed](const auto& problem) {
                                 Sampler randomness({seed, 0, 0});
                                 return run(policy, problem, randomness);
                             });
}

std::vector<std::shared_ptr<const Shape>> shapes_of(const WorstRequest& request) {
    if (request.shape.find('=') == std::string::npos) return {parse_family(request.shape).shape};
    return shapes(parse_shape_range(request.shape));
}

/// Costs of shapes with up to `tasks` tasks and `servers` servers.
Costs costs_of(const WorstRequest& request, std::size_t tasks, std::size_t servers) {
    Costs costs;
    const std::vector<std::string> words = request.costs.empty() ? std::vector<std::string>{"affine:1"} : request.costs;
    if (words.size() == 1 && (words[0] == "any" || words[0] == "common")) {
        costs.kind = words[0] == "any" ? Costs::Kind::by_server : Costs::Kind::common;
        return costs;
    }
    if (words.size() != 1 && words.size() != servers)
        throw InputError::at_key("--costs", fmt::format("expected one cost, or one for each of {} servers", servers));
    for (const std::string& word : words) {
        const auto cost = parse_cost(word);
        if (!cost) throw InputError::at_key("--costs", cost.error() + "; or any, or common");
        if (cost->cap_is_cores)
            throw InputError::at_key("--costs", "expected a cap in numbers, as in capped:1,2, not '" + word + "'");
        validate(cost->cost);
        costs.functions.push_back(function(cost->cost, tasks));
    }
    return costs;
}

std::vector<Rational> loads_of(const std::string& text) {
    std::vector<Rational> loads = option_numbers(text, "--grid");
    for (const Rational& load : loads)
        if (load.sign() < 0) throw InputError::at_key("--grid", "expected loads of at least 0");
    return loads;
}

struct AssignmentSearch {
    const WorstRequest& request;
    SystemUnderTest policy;
    std::vector<std::shared_ptr<const Shape>> all;
    Worst worst;
    double seconds = 0;
};

std::string costs_text(const WorstRequest& request) {
    if (request.costs.size() == 1 && request.costs[0] == "any")
        return "all costs of remote tasks, on each server its own";
    if (request.costs.size() == 1 && request.costs[0] == "common")
        return "all costs of remote tasks, the same on all servers";
    if (request.costs.empty()) return "remote tasks that cost " + formula(AffineCost{});
    std::string words = "remote tasks that cost ";
    for (std::size_t s = 0; s < request.costs.size(); ++s)
        words += (s > 0 ? ", and on the next server " : "") + formula(parse_cost(request.costs[s])->cost);
    return words;
}

std::string shapes_text(const AssignmentSearch& search) {
    return search.all.size() == 1
               ? describe(*search.all.front())
               : fmt::format("{} shapes, one of each kind of {}", search.all.size(), search.request.shape);
}

/// The statement that the verdict is about.
std::string sentence(const AssignmentSearch& search) {
    const Worst& worst = search.worst;
    const std::string where = fmt::format("{}; {}", shapes_text(search), costs_text(search.request));
    const std::string ratio = worst.ratio ? worst.ratio->to_string() : "";
    switch (worst.proved) {
        case Worst::Proved::supremum:
            if (!worst.ratio)
                return fmt::format("no factor bounds the makespan of {} by the least one: {}, over all initial loads",
                                   search.policy.name, where);
            return fmt::format("the makespan of {} is at most {} times the least, for all initial loads: {}; {}",
                               search.policy.name, ratio, where,
                               worst.attained ? "it is attained" : "it is approached and never attained");
        case Worst::Proved::grid:
            return fmt::format("on {} problems with loads from {} the makespan of {} is at most {} times the least: {}",
                               worst.cases, search.request.grid, search.policy.name, ratio, where);
        case Worst::Proved::lower_bound:
            break;
    }
    return fmt::format("the makespan of {} may be {} times the least, and perhaps more: {}", search.policy.name, ratio,
                       where);
}

/// What is known of several shapes together.
void merge(Worst& all, Worst next) {
    const bool larger = all.cases == 0 || (all.ratio && (!next.ratio || *next.ratio > *all.ratio)) ||
                        (next.ratio && all.ratio == next.ratio && next.attained && !all.attained);
    if (all.cases == 0) all.proved = Worst::Proved::supremum;
    if (larger) {
        all.ratio = next.ratio;
        all.attained = next.attained;
        all.witness = std::move(next.witness);
    }
    if (next.proved == Worst::Proved::lower_bound) {
        all.proved = Worst::Proved::lower_bound;
        all.ended = next.ended;
    }
    if (!all.ratio) all.proved = Worst::Proved::supremum;
    all.cases += next.cases;
    all.competitors += next.competitors;
    all.programs += next.programs;
    all.statistics += next.statistics;
}

/// Over all loads, shape by shape.
void search_loads(AssignmentSearch& search, std::size_t tasks, Progress& progress) {
    const explore::Budget budget = budget_of(search.request.budget, progress);
    for (const auto& shape : search.all) {
        const RatioSpace space(shape, costs_of(search.request, tasks, shape->servers().size()));
        const bool free = search.request.competitor == "free" ||
                          (search.request.competitor == "auto" && competitors(*shape).size() > many_competitors);
        merge(search.worst,
              worst_over_loads(search.policy, space, free ? Competitor::free : Competitor::enumerated, budget));
    }
}

void search_grid(AssignmentSearch& search, std::size_t tasks, Progress& progress) {
    Grid grid;
    grid.loads = loads_of(search.request.grid);
    grid.limit = search.request.max_problems;
    grid.costs = {costs_of(search.request, tasks, search.all.front()->servers().size())};
    if (grid.costs[0].kind != Costs::Kind::given)
        throw InputError::at_key("--costs", "expected costs in numbers: a grid has no symbols");
    for (const auto& shape : search.all)
        if (grid.costs[0].functions.size() > 1 && shape->servers().size() != grid.costs[0].functions.size())
            throw InputError::at_key("--costs", "expected one cost: the range has several numbers of servers");
    grid.progress = problems_done(progress);
    search.worst = worst_on_grid(search.policy, search.all, grid);
}

int give(const AssignmentSearch& search) {
    const Worst& worst = search.worst;
    const WorstRequest& request = search.request;
    std::string text = fmt::format("verdict       {}\nstatement     {}\nratio         {}\n", verdict(worst),
                                   sentence(search), worst.ratio ? display(*worst.ratio) : "unbounded");
    if (!worst.ended.empty()) text += "ended by      " + worst.ended + "\n";
    if (worst.witness) text += to_text(*worst.witness, worst.attained);
    text += effort_line(
        worst, request,
        worst.competitors > 0 ? fmt::format("{} competitors, ", worst.competitors) : std::string("a free competitor, "),
        search.seconds);
    if (worst.witness && !request.instance.empty()) text += "instance      " + request.instance + "\n";
    const Json json{{"policy", search.policy.name},
                    {"proved", to_string(worst.proved)},
                    {"statement", sentence(search)},
                    {"shapes", search.all.size()},
                    {"ratio", number(worst.ratio)},
                    {"attained", worst.attained},
                    {"ended", text_or_null(worst.ended)},
                    {"witness", worst.witness ? to_json(*worst.witness) : Json(nullptr)},
                    {"cases", worst.cases},
                    {"competitors", worst.competitors},
                    {"programs", worst.programs},
                    {"questions", worst.statistics.questions},
                    {"seconds", search.seconds},
                    {"instance", text_or_null(worst.witness ? request.instance : "")}};
    return write_answer(request.to, "worst", json, text, exit_code(worst));
}

/// The statement of `--at-most`: a proof for each shape, which has been checked without a solver, or a problem where
/// it fails.
int prove_ratio(const AssignmentSearch& search, std::size_t tasks, Progress& progress) {
    const WorstRequest& request = search.request;
    const Rational ratio = option_number(request.at_most, "--at-most");
    const explore::Budget budget = budget_of(request.budget, progress);
    std::size_t obligations = 0;
    std::optional<RatioWitness> witness;
    std::string reason;
    const Stopwatch watch;
    for (const auto& shape : search.all) {
        const RatioSpace space(shape, costs_of(request, tasks, shape->servers().size()));
        const explore::Question question = ratio_question(search.policy, space, ratio);
        const explore::Reply reply = explore::ask(question, budget);
        if (const auto* ended = std::get_if<explore::Ended>(&reply.result)) reason = ended->reason;
        if (const auto* point = std::get_if<explore::Counterpoint>(&reply.result)) {
            witness = measure(search.policy, space.at(point->point));
            if (witness->ratio() <= ratio)
                throw OracleConflict("a counterexample of ratio " + witness->ratio().to_string() + " was found");
            break;
        }
        if (const proof::ExploredProof* proof = reply.proof()) {
            if (const std::string wrong = certify::binding_rejection(question, *proof); !wrong.empty())
                throw OracleConflict(wrong);
            for (const auto& leaf : proof->leaves) obligations += leaf.size();
        }
    }
    const double seconds = watch.seconds();
    const std::string words = witness ? "refuted" : reason.empty() ? "proved" : "unknown";
    const std::string statement =
        fmt::format("the makespan of {} is at most {} times the least, for all initial loads: {}; {}",
                    search.policy.name, ratio.to_string(), shapes_text(search), costs_text(request));
    std::string text = fmt::format("verdict       {}\nstatement     {}\n",
                                   witness          ? "Refuted"
                                   : reason.empty() ? "Proved"
                                                    : "Unknown",
                                   statement);
    if (witness)
        text += to_text(*witness, true);
    else if (reason.empty())
        text += fmt::format("checked       {} obligations, without any solver\n", obligations);
    else
        text += "reason        " + reason + "\n";
    text += fmt::format("effort        {:.2f} s\n", seconds);
    if (witness && !request.instance.empty()) {
        write_instance(request.instance, witness->problem, search.policy.name + ": a ratio above " + request.at_most);
        text += "instance      " + request.instance + "\n";
    }
    const Json json{{"policy", search.policy.name},
                    {"verdict", words},
                    {"statement", statement},
                    {"ratio", number(ratio)},
                    {"shapes", search.all.size()},
                    {"obligations", obligations},
                    {"reason", text_or_null(reason)},
                    {"witness", witness ? to_json(*witness) : Json(nullptr)},
                    {"seconds", seconds},
                    {"instance", text_or_null(witness ? request.instance : "")}};
    return write_answer(request.to, "worst-at-most", json, text, witness ? 1 : reason.empty() ? 0 : 3);
}

}  // namespace

int run_assignment(const WorstRequest& request) {
    if (request.speed != "1") throw InputError::at_key("--speed", "expected none with a policy of tasks");
    require_writable({request.to.path, request.instance});
    require_agreement("assignment", request.policy);
    AssignmentSearch search{request, system_of(request), shapes_of(request), {}, 0};
    std::size_t tasks = 0;
    for (const auto& shape : search.all) tasks = std::max(tasks, shape->tasks().size());
    if (search.all.empty() || tasks == 0)
        throw InputError::at_key("--shape", "expected a task: without one there is no makespan");
    Progress progress("worst");
    if (!request.at_most.empty()) return prove_ratio(search, tasks, progress);
    const Stopwatch watch;
    request.grid.empty() ? search_loads(search, tasks, progress) : search_grid(search, tasks, progress);
    search.seconds = watch.seconds();
    if (!request.instance.empty() && search.worst.witness)
        write_instance(request.instance, search.worst.witness->problem,
                       fmt::format("{} against the optimum, ratio {}", search.policy.name,
                                   search.worst.witness->ratio().to_string()));
    return give(search);
}

}  // namespace schedproof::command
