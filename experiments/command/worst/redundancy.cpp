/// The largest ratio of a redundancy policy's total flowtime, at a speed, to the optimum's at speed 1.
///
/// Arrivals and sizes are symbols, and so is every decision of a competing schedule without multitasking that decides
/// at arrivals and departures: on each cell both schedules are fixed, their flowtimes are affine, and one linear
/// program gives the supremum of the ratio. On a grid the optimum of each problem is found by looking at every
/// schedule. The ratios that theorems prove at this speed are printed beside it: the supremum of a shape can only be
/// smaller.
///
/// The searches are proofs/redundancy/worst.hpp.
#include <fmt/format.h>

#include "experiments/command/core/answer_fields.hpp"
#include "experiments/command/core/budget.hpp"
#include "experiments/command/core/exact_option.hpp"
#include "experiments/command/core/output.hpp"
#include "experiments/command/families/family_files.hpp"
#include "experiments/command/worst/worst.hpp"
#include "model/redundancy/codec/codec.hpp"
#include "proofs/certifier/certificate_codec.hpp"
#include "proofs/redundancy/bounds.hpp"
#include "proofs/redundancy/theorem_proof.hpp"
#include "proofs/redundancy/worst.hpp"

namespace schedproof::cli {

namespace {

struct RedundancySearch {
    const WorstRequest& request;
    redundancy::AnyPolicy policy;
    redundancy::Shape shape;
    redundancy::Worst worst{};
    double seconds = 0;
    std::string certificate{};  ///< that the supremum is not exceeded, as text
};

RedundancySearch search_of(const WorstRequest& request) {
    for (const auto& [option, given] :
         {std::pair("--costs", !request.costs.empty()), std::pair("--at-most", !request.at_most.empty())})
        if (given) throw InputError::at_key(option, "cannot be used with a policy of the redundancy family");
    const Rational speed = option_number(request.speed, "--speed");
    if (speed.sign() <= 0) throw InputError::at_key("--speed", "expected a speed above 0");
    redundancy::Shape shape = redundancy::parse_shape(request.shape);
    if (shape.speed != Rational(1)) throw InputError::at_key("--shape", "expected no speed here: --speed says it");
    shape.speed = speed;
    if (shape.beta && !redundancy::has_beta(request.policy))
        throw InputError::at_key("--shape", "expected no beta: " + request.policy + " has none");
    require_agreement("redundancy", request.policy);
    const redundancy::AnyPolicy policy =
        redundancy::make_policy(request.policy, shape.beta.value_or(Rational(1) / Rational(2)));
    return {request, policy, std::move(shape)};
}

/// Gaps may be 0, sizes may not.
std::vector<Rational> values_of(const std::string& option, const std::string& text, bool zero) {
    std::vector<Rational> values = option_numbers(text, option);
    for (const Rational& value : values)
        if (value.sign() < 0 || (value.sign() == 0 && !zero))
            throw InputError::at_key(option, zero ? "expected gaps of at least 0" : "expected sizes above 0");
    return values;
}

void look(RedundancySearch& search) {
    Progress progress("worst");
    const Stopwatch watch;
    if (search.request.grid.empty()) {
        search.worst = worst_over_jobs(search.policy, search.shape, budget_of(search.request.budget, progress));
    } else {
        redundancy::Grid grid{values_of("--gaps", search.request.gaps, true),
                              values_of("--grid", search.request.grid, false),
                              search.request.max_problems,
                              {}};
        grid.progress = problems_done(progress);
        search.worst = worst_on_grid(search.policy, search.shape, grid);
    }
    search.seconds = watch.seconds();
}

/// Certifies that the ratio is at most the supremum: the theorem `ratio`, checked without a solver. Where no
/// multipliers are found for it, the supremum is not called proved either.
void certify_bound(RedundancySearch& search) {
    if (search.worst.proved != redundancy::Worst::Proved::supremum) return;
    Progress progress("worst");
    const std::string policy(redundancy::resolve_policy(search.request.policy));
    redundancy::Theorem theorem{"ratio", search.shape, search.worst.ratio};
    if (redundancy::has_beta(policy) && !theorem.shape.beta) theorem.shape.beta = Rational(1) / Rational(2);
    const redundancy::TheoremProof proof = prove(policy, theorem, budget_of(search.request.budget, progress));
    if (proof.refuted()) throw OracleConflict("a ratio above the supremum was found");
    const redundancy::Certificate* certificate = proof.certificate();
    if (certificate == nullptr) {
        search.worst.proved = redundancy::Worst::Proved::lower_bound;
        search.worst.ended = std::get<explore::Ended>(proof.result).reason;
        return;
    }
    if (const std::string wrong = rejection(*certificate); !wrong.empty()) throw OracleConflict(wrong);
    search.certificate = certify::write_certificate(*certificate);
    if (!search.request.certificate.empty()) write_text(search.request.certificate, search.certificate);
}

/// The file of the certificate, where one was written.
std::string certificate_of(const RedundancySearch& search) {
    return search.worst.proved == redundancy::Worst::Proved::supremum ? search.request.certificate : "";
}

std::vector<redundancy::ProvedBound> bounds_of(const RedundancySearch& search) {
    return proved_bounds(search.policy, search.shape.speed, search.shape.machines, search.shape.service.peak());
}

/// The policy with its parameter and speed.
std::string policy_text(const RedundancySearch& search) {
    std::string words = search.request.policy;
    if (redundancy::has_beta(search.request.policy))
        words += fmt::format(" (beta = {})", search.shape.beta.value_or(Rational(1) / Rational(2)).to_string());
    return fmt::format("{} at speed {}", words, search.shape.speed.to_string());
}

std::string sentence(const RedundancySearch& search) {
    const redundancy::Worst& worst = search.worst;
    const std::string quantity = "the total flowtime of " + policy_text(search),
                      where = describe(search.shape) + ", " + search.shape.service.to_string();
    switch (worst.proved) {
        case redundancy::Worst::Proved::supremum:
            return fmt::format(
                "{} is at most {} times the optimum at speed 1 (no multitasking, decisions at arrivals and "
                "departures), for all arrivals and sizes: {}; {}",
                quantity, worst.ratio.to_string(), where,
                worst.attained ? "it is attained" : "it is approached and never attained");
        case redundancy::Worst::Proved::grid:
            return fmt::format(
                "on {} problems with sizes from {} and gaps from {} {} is at most {} times the optimum at "
                "speed 1 (no multitasking, decisions at arrivals and departures): {}",
                worst.cases, search.request.grid, search.request.gaps, quantity, worst.ratio.to_string(), where);
        case redundancy::Worst::Proved::lower_bound:
            break;
    }
    return fmt::format(
        "{} may be {} times the optimum at speed 1 (no multitasking, decisions at arrivals and departures), and "
        "perhaps more: {}",
        quantity, worst.ratio.to_string(), where);
}

std::string to_text(const redundancy::RatioWitness& witness, const RedundancySearch& search) {
    std::string text =
        fmt::format("{} {}\n", search.worst.attained ? "worst case   " : "near to it   ", name(search.shape));
    for (std::size_t j = 0; j < witness.problem.jobs.size(); ++j)
        text += fmt::format("  j{:<4}       arrives at {}, size {}; done at {}, at best at {}\n", j,
                            witness.problem.jobs[j].arrival.to_string(), witness.problem.jobs[j].size.to_string(),
                            witness.completion[j].to_string(), witness.best.completion[j].to_string());
    return text + fmt::format("flowtime      {}\noptimum       {}\nits ratio     {}\n", display(witness.flowtime),
                              display(witness.best.value), display(witness.ratio()));
}

/// A job of a witness.
struct JobOf {
    const redundancy::RatioWitness& witness;
    std::size_t job;
};

const Record<redundancy::RatioWitness>& jobs_record() {
    using W = redundancy::RatioWitness;
    const Record<JobOf> job{
        field(
            "arrival", [](const JobOf& j) { return j.witness.problem.jobs[j.job].arrival; }, "When it arrives."),
        field(
            "size", [](const JobOf& j) { return j.witness.problem.jobs[j.job].size; }, "Its work."),
        field(
            "completion", [](const JobOf& j) { return j.witness.completion[j.job]; },
            "When it is done under the policy."),
        field(
            "optimal", [](const JobOf& j) { return j.witness.best.completion[j.job]; },
            "When it is done in an optimal schedule.")};
    static const Record<W> record =
        Record<W>{field(
                      "jobs",
                      [](const W& w) {
                          std::vector<JobOf> jobs;
                          for (std::size_t j = 0; j < w.problem.jobs.size(); ++j) jobs.push_back({w, j});
                          return jobs;
                      },
                      "By arrival.", job)
                      .items(1),
                  field("flowtime", &W::flowtime, "Of the policy, all jobs together."),
                  field(
                      "optimum", [](const W& w) { return w.best.value; }, "The least total flowtime."),
                  field("ratio", &W::ratio, "Flowtime over optimum.")}
            .named("witness", "A problem, run and solved exactly.");
    return record;
}

std::string as_text(const RedundancySearch& search) {
    const redundancy::Worst& worst = search.worst;
    std::string text = fmt::format("verdict       {}\nstatement     {}\nratio         {}\n", verdict(worst),
                                   sentence(search), display(worst.ratio));
    const std::vector<redundancy::ProvedBound> bounds = bounds_of(search);
    for (const redundancy::ProvedBound& bound : bounds)
        text += fmt::format("proved bound  {} ({})\n", display(bound.ratio), bound.theorem);
    if (bounds.empty()) text += "proved bound  none at this speed\n";
    if (!worst.ended.empty()) text += "ended by      " + worst.ended + "\n";
    if (worst.witness) text += to_text(*worst.witness, search);
    if (const std::string file = certificate_of(search); !file.empty())
        text += "certificate   " + file + ", that it is not exceeded\n";
    text += effort_line(worst, search.request, "", search.seconds);
    if (worst.witness && !search.request.instance.empty()) text += "instance      " + search.request.instance + "\n";
    return text;
}

const Answer<RedundancySearch>& redundancy_answer() {
    using S = RedundancySearch;
    const Record<redundancy::ProvedBound> bound{
        field("theorem", &redundancy::ProvedBound::theorem, "Where it is proved."),
        field("ratio", &redundancy::ProvedBound::ratio, "The ratio is at most this.")};
    static const Answer<S> answer{
        "worst-redundancy",
        "How much worse than the optimum a redundancy policy can be. Answer of `schedproof worst --format json` with a "
        "policy of that family.",
        Record<S>{
            policy_field([](const S& s) { return s.request.policy; }),
            field(
                "speed", [](const S& s) { return s.shape.speed; },
                "Of the policy's machines; the optimum has speed 1."),
            field(
                "problems", [](const S& s) { return name(s.shape); }, "Jobs, machines, beta of LAPS, service.")
                .pattern("^n[0-9]+-m[0-9]+-.+$"),
            proved_field<S>("all arrivals and sizes"),
            field(
                "statement", [](const S& s) { return sentence(s); }, "The answer in words, with its quantifiers."),
            field(
                "ratio", [](const S& s) { return s.worst.ratio; },
                "Total flowtime of the policy divided by the least one."),
            attained_field<S>(),
            field("bounds", bounds_of,
                  "What the theorems prove of the ratio at this speed; empty when they say nothing.", bound),
            ended_field<S>(),
            field(
                "witness", [](const S& s) { return s.worst.witness; }, "The worst problem found, or one near to it.",
                jobs_record()),
            cases_field<S>(), programs_field<S>(), questions_field<S>(), seconds_field(&S::seconds),
            field(
                "certificate", [](const S& s) { return if_any(certificate_of(s)); },
                "File that holds the proof that the ratio is not exceeded; null when none was asked for or nothing was "
                "proved."),
            witness_file_field<S>()}
            .told_by(as_text)};
    return answer;
}

void write_worst(const RedundancySearch& search) {
    redundancy::Instance instance;
    instance.name = "worst-" + name(search.shape);
    instance.source =
        fmt::format("{} against the optimum, ratio {}", policy_text(search), search.worst.witness->ratio().to_string());
    instance.problem = search.worst.witness->problem;
    instance.speed = search.shape.speed;
    if (search.shape.beta) instance.beta = *search.shape.beta;
    const std::string& path = search.request.instance;
    write_text(path, path.ends_with(".json") ? write_json(instance) : write_toml(instance));
}

}  // namespace

Forms worst_redundancy_forms() { return forms(redundancy_answer); }

WorstFound worst_redundancy(const std::string& policy, const std::string& shape, const explore::Budget& budget) {
    WorstRequest request;
    request.policy = policy;
    request.shape = shape;
    request.budget.rlimit = budget.solver;
    request.budget.max_cells = budget.paths;
    RedundancySearch search = search_of(request);
    look(search);
    certify_bound(search);
    return {shape, search.worst.proved, sentence(search), search.worst.ended, search.certificate};
}

int run_redundancy(const WorstRequest& request) {
    require_writable({request.to.path, request.instance, request.certificate});
    RedundancySearch search = search_of(request);
    look(search);
    if (!request.certificate.empty()) certify_bound(search);
    if (!request.instance.empty() && search.worst.witness) write_worst(search);
    return write_answer(request.to, redundancy_answer(), search, exit_code(search.worst));
}

}  // namespace schedproof::cli
