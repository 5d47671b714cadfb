/// The largest ratio of a policy's makespan to the least one, on one shape or one of each kind in a range.
///
/// Over all loads, the policy is executed symbolically: on each cell of loads (and costs, where these are symbols)
/// it does one thing, its makespan is affine, and so is that of each competing assignment; the ratio's supremum on the
/// cell is a linear-fractional program, solved exactly as a linear one. On a grid each problem is solved by itself.
/// `--at-most` asks whether a given ratio is exceeded. A supremum and a ratio that is not exceeded become certificates,
/// which are checked without a solver before anything is printed.
///
/// The searches are proofs/assignment/worst.hpp; here words become shapes, costs and loads. What is proved is stated by
/// the theorem (theorems/worst_ratio.hpp), whose words name every option that it depends on.
#include <fmt/core.h>

#include "experiments/command/core/answer_fields.hpp"
#include "experiments/command/core/budget.hpp"
#include "experiments/command/core/exact_option.hpp"
#include "experiments/command/core/output.hpp"
#include "experiments/command/families/family_files.hpp"
#include "experiments/command/worst/instance.hpp"
#include "experiments/command/worst/worst.hpp"
#include "model/assignment/cost.hpp"
#include "policies/assignment/registry.hpp"
#include "proofs/assignment/theorems/shape_range.hpp"
#include "proofs/assignment/theorems/symbolic_shape.hpp"
#include "proofs/assignment/worst.hpp"
#include "proofs/certifier/certificate_codec.hpp"

namespace schedproof::cli {

namespace {

using namespace assignment;

/// The text of a shape or a range as a certificate writes it.
std::string spelled(const std::string& shapes) {
    return shapes.find('=') == std::string::npos ? name(*shapes_of(shapes).front()) : name(parse_shape_range(shapes));
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

/// What is asked, and what was found.
struct AssignmentSearch {
    const WorstRequest& request;
    WorstCertificate certificate;  ///< its theorem without ratio, approach and proofs at first
    SystemUnderTest policy;
    std::vector<std::shared_ptr<const Shape>> all;
    Worst worst;
    double seconds = 0;
};

/// The statement that the verdict is about.
std::string sentence(const AssignmentSearch& search) {
    const Worst& worst = search.worst;
    const WorstTheorem& theorem = search.certificate.theorem;
    if (worst.proved == Worst::Proved::supremum) return statement(search.certificate);
    const std::string makespan = makespan_text(search.certificate.policy, theorem.wait, theorem.counted),
                      where = shapes_text(theorem.shapes) + "; " + costs_text(theorem.costs);
    const std::string ratio = worst.ratio ? worst.ratio->to_string() : "";
    if (worst.proved == Worst::Proved::grid)
        return fmt::format("on {} problems with loads from {} {} is at most {} times the least: {}", worst.cases,
                           search.request.grid, makespan, ratio, where);
    return fmt::format("{} may be {} times the least, and perhaps more: {}", makespan, ratio, where);
}

/// Writes a certificate, which was checked, where it was asked for.
void write_certificate(const AssignmentSearch& search) {
    if (!search.request.certificate.empty())
        write_text(search.request.certificate, certify::write_certificate(search.certificate));
}

std::string checked_lines(const AssignmentSearch& search) {
    std::string text =
        fmt::format("checked       {}, without any solver\n", AnyCertificate(search.certificate)->checked());
    if (!search.request.certificate.empty()) text += "certificate   " + search.request.certificate + "\n";
    return text;
}

/// Over all loads.
void search_loads(AssignmentSearch& search, Progress& progress) {
    const std::string& word = search.request.competitor;
    CertifiedWorst found = certified_worst(std::move(search.certificate),
                                           word == "free"         ? Competitor::free
                                           : word == "enumerated" ? Competitor::enumerated
                                                                  : Competitor::automatic,
                                           budget_of(search.request.budget, progress));
    search.worst = std::move(found.worst);
    search.certificate = std::move(found.certificate);
    if (search.worst.proved == Worst::Proved::supremum) write_certificate(search);
}

void search_grid(AssignmentSearch& search, Progress& progress) {
    Grid grid;
    grid.loads = loads_of(search.request.grid);
    grid.limit = search.request.max_problems;
    grid.costs = {search.certificate.theorem.costs};
    if (grid.costs[0].kind != Costs::Kind::given)
        throw InputError::at_key("--costs", "expected costs in numbers: a grid has no symbols");
    grid.progress = problems_done(progress);
    search.worst = worst_on_grid(search.policy, search.all, grid);
}

std::string search_text(const AssignmentSearch& search) {
    const Worst& worst = search.worst;
    const WorstRequest& request = search.request;
    std::string text = fmt::format("verdict       {}\nstatement     {}\nratio         {}\n", verdict(worst),
                                   sentence(search), worst.ratio ? display(*worst.ratio) : "unbounded");
    if (!worst.ended.empty()) text += "ended by      " + worst.ended + "\n";
    if (worst.witness) text += to_text(*worst.witness, worst.attained);
    if (worst.proved == Worst::Proved::supremum) text += checked_lines(search);
    text += effort_line(
        worst, request,
        worst.competitors > 0 ? fmt::format("{} competitors, ", worst.competitors) : std::string("a free competitor, "),
        search.seconds);
    if (worst.witness && !request.instance.empty()) text += "instance      " + request.instance + "\n";
    return text;
}

const Answer<AssignmentSearch>& worst_answer() {
    using S = AssignmentSearch;
    static const Answer<S> answer{
        "worst", "How much worse than the best a policy can be. Answer of `schedproof worst --format json`.",
        Record<S>{
            policy_field([](const S& s) { return s.policy.name; }),
            proved_field<S>("all initial loads (and over all costs, where these are `any` or `common`)"),
            field(
                "statement", [](const S& s) { return sentence(s); }, "The answer in words, with its quantifiers."),
            field(
                "shapes", [](const S& s) { return s.all.size(); },
                "Shapes looked at; of a range, every order of servers and tasks.")
                .least(1),
            field(
                "ratio", [](const S& s) { return s.worst.ratio; },
                "Makespan of the policy divided by the least makespan; null when nothing bounds it."),
            attained_field<S>(), ended_field<S>(),
            field(
                "witness", [](const S& s) { return s.worst.witness; }, "The worst problem found, or one near to it.",
                witness_record()),
            cases_field<S>(),
            field(
                "competitors", [](const S& s) { return s.worst.competitors; },
                "Assignments that can be the best, enumerated in the search; 0 when the solver was free to find one "
                "there, and on a grid."),
            programs_field<S>(), questions_field<S>(), seconds_field(&S::seconds),
            field(
                "certificate",
                [](const S& s) {
                    return if_any(s.worst.proved == Worst::Proved::supremum ? s.request.certificate : "");
                },
                "File that holds the proof; null when none was asked for or nothing was proved."),
            witness_file_field<S>()}
            .told_by(search_text)};
    return answer;
}

/// What became of the statement of `--at-most`.
struct AtMost {
    RatioProof proof;
    std::optional<RatioWitness> witness;  ///< where it fails
    std::size_t obligations = 0;
    double seconds = 0;
    [[nodiscard]] bool proved() const { return !witness && proof.ended.empty(); }
    [[nodiscard]] const char* verdict() const { return witness ? "Refuted" : proved() ? "Proved" : "Unknown"; }
};

struct AtMostAnswer {
    const AssignmentSearch& search;
    const AtMost& found;

    [[nodiscard]] std::string instance() const { return found.witness ? search.request.instance : ""; }
    [[nodiscard]] std::string text() const {
        std::string text =
            fmt::format("verdict       {}\nstatement     {}\n", found.verdict(), statement(search.certificate));
        if (found.witness)
            text += to_text(*found.witness, true);
        else if (found.proved())
            text += checked_lines(search);
        else
            text += "reason        " + found.proof.ended + "\n";
        text += fmt::format("effort        {:.2f} s\n", found.seconds);
        if (!instance().empty()) text += "instance      " + instance() + "\n";
        return text;
    }
};

const Answer<AtMostAnswer>& at_most_answer() {
    using A = AtMostAnswer;
    static const Answer<A> answer{
        "worst-at-most",
        "Whether a policy's makespan is at most some multiple of the least. Answer of `schedproof worst --at-most "
        "RATIO "
        "--format json`.",
        Record<A>{
            policy_field([](const A& a) { return a.search.policy.name; }),
            field(
                "verdict",
                [](const A& a) { return a.found.witness    ? "refuted"
                                        : a.found.proved() ? "proved"
                                                           : "unknown"; },
                "Proved for all initial loads of the shapes (and all costs, where these are `any` or `common`); "
                "refuted by the witness; or a budget ended.")
                .words({"proved", "refuted", "unknown"}),
            field(
                "statement", [](const A& a) { return statement(a.search.certificate); }, "The statement in words."),
            field(
                "ratio", [](const A& a) { return *a.search.certificate.theorem.ratio; }, "The multiple."),
            field(
                "shapes", [](const A& a) { return a.search.all.size(); }, "Shapes spoken of.")
                .least(1),
            field(
                "obligations", [](const A& a) { return a.found.obligations; },
                "Lists of constraints that were refuted by multipliers, which were checked without a solver."),
            field(
                "reason", [](const A& a) { return if_any(a.found.proof.ended); },
                "Why the verdict is unknown; null otherwise.")
                .null_unless("verdict", {"unknown"}),
            field(
                "witness", [](const A& a) { return a.found.witness; },
                "A problem with a larger ratio; null unless refuted.", witness_record())
                .null_unless("verdict", {"refuted"}),
            field(
                "seconds", [](const A& a) { return a.found.seconds; }, "Time of the search.")
                .least(0),
            field(
                "certificate", [](const A& a) { return if_any(a.found.proved() ? a.search.request.certificate : ""); },
                "File that holds the proof; null when none was asked for or nothing was proved."),
            field(
                "instance", [](const A& a) { return if_any(a.instance()); },
                "File that holds the witness as an instance; null when there is none.")}
            .told_by(&A::text)};
    return answer;
}

/// The statement of `--at-most`: a proof for each shape, which has been checked without a solver, or a problem where
/// it fails.
int prove_at_most(AssignmentSearch& search, Progress& progress) {
    const WorstRequest& request = search.request;
    const Rational ratio = option_number(request.at_most, "--at-most");
    if (ratio.sign() <= 0) throw InputError::at_key("--at-most", "expected a ratio above 0");
    search.certificate.theorem.ratio = ratio;
    const Stopwatch watch;
    AtMost found{prove_ratio(search.policy, search.certificate.theorem, budget_of(request.budget, progress)), {}, 0, 0};
    if (found.proof.counterexample) {
        found.witness = measure(search.policy, *found.proof.counterexample);
        if (found.witness->ratio() <= ratio)
            throw OracleConflict("a counterexample of ratio " + found.witness->ratio().to_string() + " was found");
    }
    if (found.proved()) {
        for (const proof::ExploredProof& one : found.proof.proofs)
            for (const auto& leaf : one.leaves) found.obligations += leaf.size();
        search.certificate.proofs = std::move(found.proof.proofs);
        if (const std::string wrong = rejection(search.certificate); !wrong.empty()) throw OracleConflict(wrong);
        write_certificate(search);
    }
    found.seconds = watch.seconds();
    if (found.witness && !request.instance.empty())
        write_instance(request.instance, found.witness->problem,
                       search.policy.name + ": a ratio above " + request.at_most);
    return write_answer(request.to, at_most_answer(), {search, found}, found.witness ? 1 : found.proved() ? 0 : 3);
}

/// What is asked, in the words of a theorem.
AssignmentSearch asked(const WorstRequest& request) {
    const std::string policy(resolve_policy(request.policy));
    PolicyOptions options;
    options.wait = option_number(request.wait, "--wait");
    const AnyPolicy made = make_policy(policy, options);
    AssignmentSearch search{request, {policy, {}, {}}, {}, shapes_of(request.shape), {}, 0};
    std::size_t tasks = 0;
    for (const auto& shape : search.all) tasks = std::max(tasks, shape->tasks().size());
    if (search.all.empty() || tasks == 0)
        throw InputError::at_key("--shape", "expected a task: without one there is no makespan");
    WorstTheorem& theorem = search.certificate.theorem;
    theorem.shapes = spelled(request.shape);
    theorem.costs = costs_of(request, tasks, search.all.front()->servers().size());
    for (const auto& shape : search.all)
        if (theorem.costs.functions.size() > 1 && shape->servers().size() != theorem.costs.functions.size())
            throw InputError::at_key("--costs", "expected one cost: the range has several numbers of servers");
    theorem.wait = wait_of(made);
    theorem.counted = made.is_online() && request.makespan == "events" ? Counted::events : Counted::map;
    search.policy = registered_system(policy, options.wait, theorem.counted);
    return search;
}

}  // namespace

Forms worst_assignment_forms() { return forms(worst_answer, at_most_answer); }

std::vector<std::string> worst_assignment(const std::string& policy, const explore::Budget& budget,
                                          const std::function<void(const WorstFound&)>& found) {
    const WorstRequest request;
    const SmallWorst small = worst_on_small_shapes(policy, budget, [&](const CertifiedWorst& one) {
        const AssignmentSearch search{request, one.certificate, {}, {}, one.worst, 0};
        const bool proved = one.worst.proved == Worst::Proved::supremum;
        found({one.certificate.theorem.shapes, one.worst.proved, sentence(search), one.worst.ended,
               proved ? certify::write_certificate(one.certificate) : ""});
    });
    return small.not_covered;
}

int run_assignment(const WorstRequest& request) {
    if (request.speed != "1") throw InputError::at_key("--speed", "cannot be used with a policy of tasks");
    require_writable({request.to.path, request.instance, request.certificate});
    require_agreement("assignment", request.policy);
    AssignmentSearch search = asked(request);
    Progress progress("worst");
    if (!request.at_most.empty()) return prove_at_most(search, progress);
    const Stopwatch watch;
    request.grid.empty() ? search_loads(search, progress) : search_grid(search, progress);
    search.seconds = watch.seconds();
    if (!request.instance.empty() && search.worst.witness)
        write_instance(request.instance, search.worst.witness->problem,
                       fmt::format("{} against the optimum, ratio {}", search.policy.name,
                                   search.worst.witness->ratio().to_string()));
    return write_answer(request.to, worst_answer(), search, exit_code(search.worst));
}

}  // namespace schedproof::cli
