#include "experiments/command/worst/redundancy.hpp"

#include <fmt/format.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "experiments/command/core/output.hpp"
#include "experiments/command/prove/prove.hpp"
#include "model/base/split.hpp"
#include "model/redundancy/codec/codec.hpp"
#include "proofs/redundancy/bounds.hpp"
#include "proofs/redundancy/worst.hpp"

namespace schedproof::command {

namespace {

using namespace redundancy;
using nlohmann::ordered_json;

Rational exact(const std::string& option, const std::string& text) {
    const auto value = Rational::parse(text);
    if (!value) throw InputError({"", 0, option}, value.error());
    return *value;
}

struct Search {
    const WorstRequest& request;
    AnyPolicy policy;
    Rational speed;
    Shape shape;
    Worst worst{};
    double seconds = 0;
};

Search search_of(const WorstRequest& request) {
    if (!request.costs.empty() || !request.at_most.empty())
        throw InputError({"", 0, request.costs.empty() ? "--at-most" : "--costs"},
                         "expected none with a policy of the redundancy family");
    const Rational speed = exact("--speed", request.speed);
    if (speed.sign() <= 0) throw InputError({"", 0, "--speed"}, "expected a speed above 0");
    Shape shape = parse_shape(request.shape);
    if (shape.beta && !has_beta(request.policy))
        throw InputError({"", 0, "--shape"}, "expected no beta: " + request.policy + " has none");
    AnyPolicy policy = make_policy(request.policy, shape.beta.value_or(Rational(1) / Rational(2)));
    return {request, std::move(policy), speed, std::move(shape)};
}

/// `0:6:1/2` or `0,1,5/2`, each at least `least`.
std::vector<Rational> values_of(const std::string& option, const std::string& text, bool zero) {
    const bool steps = text.find(':') != std::string::npos;
    std::vector<Rational> values;
    for (const std::string_view word : base::split(text, steps ? ':' : ','))
        values.push_back(exact(option, std::string(word)));
    if (steps) {
        if (values.size() != 3 || values[0] > values[1] || values[2].sign() <= 0 ||
            (values[1] - values[0]) / values[2] > Rational(100'000))
            throw InputError({"", 0, option},
                             "expected FROM:TO:STEP with FROM <= TO, STEP > 0 and at most 100000 steps");
        const Rational from = values[0], to = values[1], step = values[2];
        values.clear();
        for (Rational value = from; value <= to; value += step) values.push_back(value);
    }
    for (const Rational& value : values)
        if (value.sign() < 0 || (value.sign() == 0 && !zero))
            throw InputError({"", 0, option}, zero ? "expected gaps of at least 0" : "expected sizes above 0");
    return values;
}

void look(Search& search) {
    Progress progress("worst");
    const auto begin = std::chrono::steady_clock::now();
    if (search.request.grid.empty()) {
        search.worst =
            worst_over_jobs(search.policy, search.speed, search.shape, budget_of(search.request.budget, progress));
    } else {
        Grid grid{values_of("--gaps", search.request.gaps, true),
                  values_of("--grid", search.request.grid, false),
                  search.request.max_problems,
                  {}};
        grid.progress = [&progress](std::uint64_t done, std::uint64_t all) {
            progress.report("problems", static_cast<double>(done), static_cast<double>(all));
        };
        search.worst = worst_on_grid(search.policy, search.speed, search.shape, grid);
    }
    search.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

std::vector<ProvedBound> bounds_of(const Search& search) {
    return proved_bounds(search.policy, search.speed, search.shape.machines, search.shape.service.peak());
}

/// The policy with its parameter and speed.
std::string policy_in_words(const Search& search) {
    std::string words = search.request.policy;
    if (has_beta(search.request.policy))
        words += fmt::format(" (beta = {})", search.shape.beta.value_or(Rational(1) / Rational(2)).to_string());
    return fmt::format("{} at speed {}", words, search.speed.to_string());
}

std::string sentence(const Search& search) {
    const Worst& worst = search.worst;
    const std::string subject = "the total flowtime of " + policy_in_words(search),
                      where = describe(search.shape) + ", " + search.shape.service.to_string();
    switch (worst.proved) {
        case Worst::Proved::supremum:
            return fmt::format(
                "{} is at most {} times the optimum at speed 1 (no multitasking, decisions at arrivals and "
                "departures), for all arrivals and sizes: {}; {}",
                subject, worst.ratio.to_string(), where,
                worst.attained ? "it is attained" : "it is approached and never attained");
        case Worst::Proved::grid:
            return fmt::format(
                "on {} problems with sizes from {} and gaps from {} {} is at most {} times the optimum at "
                "speed 1 (no multitasking, decisions at arrivals and departures): {}",
                worst.cases, search.request.grid, search.request.gaps, subject, worst.ratio.to_string(), where);
        case Worst::Proved::lower_bound:
            break;
    }
    return fmt::format(
        "{} may be {} times the optimum at speed 1 (no multitasking, decisions at arrivals and departures), and "
        "perhaps more: {}",
        subject, worst.ratio.to_string(), where);
}

const char* verdict(const Worst& worst) {
    return worst.proved == Worst::Proved::supremum ? "Proved: the exact supremum"
           : worst.proved == Worst::Proved::grid   ? "Exhausted: every problem of the grid"
                                                   : "Unknown: a lower bound";
}

std::string to_text(const RatioWitness& witness, const Search& search) {
    std::string text =
        fmt::format("{} {}\n", search.worst.attained ? "worst case   " : "near to it   ", name(search.shape));
    for (std::size_t j = 0; j < witness.problem.jobs.size(); ++j)
        text += fmt::format("  j{:<4}       arrives at {}, size {}; done at {}, at best at {}\n", j,
                            witness.problem.jobs[j].arrival.to_string(), witness.problem.jobs[j].size.to_string(),
                            witness.completion[j].to_string(), witness.best.completion[j].to_string());
    return text + fmt::format("flowtime      {}\noptimum       {}\nits ratio     {}\n", display(witness.flowtime),
                              display(witness.best.value), display(witness.ratio()));
}

ordered_json to_json(const RatioWitness& witness) {
    ordered_json jobs = ordered_json::array();
    for (std::size_t j = 0; j < witness.problem.jobs.size(); ++j)
        jobs.push_back({{"arrival", number(witness.problem.jobs[j].arrival)},
                        {"size", number(witness.problem.jobs[j].size)},
                        {"completion", number(witness.completion[j])},
                        {"optimal", number(witness.best.completion[j])}});
    return {{"jobs", jobs},
            {"flowtime", number(witness.flowtime)},
            {"optimum", number(witness.best.value)},
            {"ratio", number(witness.ratio())}};
}

std::string as_text(const Search& search) {
    const Worst& worst = search.worst;
    std::string text = fmt::format("verdict       {}\nstatement     {}\nratio         {}\n", verdict(worst),
                                   sentence(search), display(worst.ratio));
    const std::vector<ProvedBound> bounds = bounds_of(search);
    for (const ProvedBound& bound : bounds)
        text += fmt::format("proved bound  {} ({})\n", display(bound.ratio), bound.theorem);
    if (bounds.empty()) text += "proved bound  none at this speed\n";
    if (!worst.ended.empty()) text += "ended by      " + worst.ended + "\n";
    if (worst.witness) text += to_text(*worst.witness, search);
    text += search.request.grid.empty()
                ? fmt::format("effort        {} cells, {} linear programs, {} questions to the solver, {:.2f} s\n",
                              worst.cases, worst.programs, worst.statistics.questions, search.seconds)
                : fmt::format("effort        {} problems, {} optima, {:.2f} s\n", worst.cases, worst.programs,
                              search.seconds);
    if (worst.witness && !search.request.instance.empty()) text += "instance      " + search.request.instance + "\n";
    return text;
}

ordered_json as_json(const Search& search) {
    const Worst& worst = search.worst;
    const auto optional = [](const std::string& text) {
        return text.empty() ? ordered_json(nullptr) : ordered_json(text);
    };
    ordered_json bounds = ordered_json::array();
    for (const ProvedBound& bound : bounds_of(search))
        bounds.push_back({{"theorem", bound.theorem}, {"ratio", number(bound.ratio)}});
    return {{"policy", search.request.policy},
            {"speed", number(search.speed)},
            {"problems", name(search.shape)},
            {"proved", to_string(worst.proved)},
            {"statement", sentence(search)},
            {"ratio", number(worst.ratio)},
            {"attained", worst.attained},
            {"bounds", bounds},
            {"ended", optional(worst.ended)},
            {"witness", worst.witness ? to_json(*worst.witness) : ordered_json(nullptr)},
            {"cases", worst.cases},
            {"programs", worst.programs},
            {"questions", worst.statistics.questions},
            {"seconds", search.seconds},
            {"instance", optional(worst.witness ? search.request.instance : "")}};
}

void write_instance(const Search& search) {
    Instance instance;
    instance.name = "worst-" + name(search.shape);
    instance.source = fmt::format("{} against the optimum, ratio {}", policy_in_words(search),
                                  search.worst.witness->ratio().to_string());
    instance.problem = search.worst.witness->problem;
    instance.speed = search.speed;
    if (search.shape.beta) instance.beta = *search.shape.beta;
    const std::string& path = search.request.instance;
    write_text(path, path.ends_with(".json") ? write_json(instance) : write_toml(instance));
}

}  // namespace

bool asks_redundancy(const WorstRequest& request) { return !resolve_policy(request.policy).empty(); }

int run_redundancy(const WorstRequest& request) {
    require_writable({request.to.path, request.instance});
    Search search = search_of(request);
    look(search);
    if (!request.instance.empty() && search.worst.witness) write_instance(search);
    if (request.to.json())
        write_json(request.to.path, "worst-redundancy", as_json(search));
    else
        write_text(request.to.path, as_text(search));
    return search.worst.proved == Worst::Proved::lower_bound ? 3 : 0;
}

}  // namespace schedproof::command
