/// `dual`: the dual variables that the analysis of SRPT+R or Fair+R gives one instance.
///
/// alpha_j is what job j could pay, beta(t) what the machines cost; they are feasible when
/// (alpha_j - (t - a_j)) / p_j <= beta(t) + C at every t after the arrival a_j of a job of size p_j (eq. 8). Then the
/// dual value, sum alpha_j - M times the integral of beta, is at most (1 + C Delta) times the least flowtime at speed
/// 1, Delta being the peak rate. The least C that suffices is found exactly and compared with the one that the paper
/// needs.
///
/// The theory is in proofs/redundancy/theorems/duals.hpp.
#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "experiments/command/core/answer_fields.hpp"
#include "experiments/command/core/exact_option.hpp"
#include "experiments/command/core/options.hpp"
#include "experiments/command/core/output.hpp"
#include "experiments/command/core/plot_file.hpp"
#include "experiments/command/dual/picture.hpp"
#include "experiments/command/families/family_files.hpp"
#include "model/base/nearest.hpp"
#include "model/core/errors.hpp"
#include "model/redundancy/codec/codec.hpp"
#include "policies/redundancy/registry.hpp"
#include "proofs/certifier/certificate_codec.hpp"
#include "proofs/redundancy/optimum.hpp"
#include "proofs/redundancy/theorems/dual_certificate.hpp"

namespace schedproof::cli {

struct DualRequest {
    std::string instance;
    std::string rule = "srpt";
    std::string speed;     ///< or empty: the instance's
    std::string constant;  ///< C to be met, or empty: C* = (1 - 1/M) / s
    bool optimum = false;  ///< compare with the exact optimum
    PlotRequest picture;
    std::string certificate;
    Destination to;
};

namespace {

using namespace redundancy;

/// Everything that is printed, in one place.
struct Figures {
    Instance instance;
    DualRule rule = DualRule::srpt;
    Rational constant;  ///< that must suffice
    Duals<Rational> prices;
    Rational flowtime;  ///< of the policy at its speed
    Rational sum, price_of_machines, value;
    Rational least;                   ///< C that suffices
    std::vector<Rational> needs;      ///< C that suffices for each job
    std::optional<Rational> optimum;  ///< exact, where asked for

    /// Steps of length 0, where several things happen at one instant, constrain nothing.
    [[nodiscard]] bool lasts(std::size_t step) const {
        return step + 1 == prices.steps.size() || prices.steps[step].start < prices.steps[step + 1].start;
    }
    [[nodiscard]] bool feasible() const { return least <= constant; }
    /// What (1 + C Delta) OPT >= value says of the optimum, with the least C.
    [[nodiscard]] Rational bound() const { return value / (Rational(1) + least * instance.problem.service.peak()); }
};

DualRule rule_of(const std::string& text) {
    if (const auto rule = parse_rule(text)) return *rule;
    std::vector<std::string> names;
    for (const DualRule rule : dual_rules) names.emplace_back(name(rule));
    throw InputError::at_key(
        "--rule", "expected a rule such as srpt or cap, not '" + text + "'" + base::did_you_mean(text, names));
}

Figures figures_of(const DualRequest& request) {
    Figures all;
    all.rule = rule_of(request.rule);
    all.instance = redundancy::read_instance(request.instance);
    if (!request.speed.empty()) all.instance.speed = option_number(request.speed, "--speed");
    validate(all.instance);
    const Problem<Rational>& problem = all.instance.problem;
    const Rational& speed = all.instance.speed;
    if (problem.jobs.empty()) throw InputError::in_file(request.instance, "jobs", "expected at least one job");
    const Rational machines(problem.machines);
    all.constant = request.constant.empty() ? (Rational(1) - Rational(1) / machines) / speed
                                            : option_number(request.constant, "--constant");
    if (all.constant.sign() < 0) throw InputError::at_key("--constant", "expected at least 0");
    require_agreement("redundancy", std::string(policy_of(all.rule)));
    all.flowtime =
        history(make_policy(policy_of(all.rule), all.instance.beta), problem, speed).total_flowtime(problem.jobs);
    all.prices = duals(all.rule, problem, speed);
    all.sum = all.prices.sum_of_alpha();
    all.value = objective(all.prices, problem.machines);
    all.price_of_machines = all.sum - all.value;
    all.least = least_constant(all.prices, problem);
    for (std::size_t j = 0; j < problem.jobs.size(); ++j) {
        Rational needed;
        for (std::size_t i = 0; i < all.prices.steps.size(); ++i)
            if (all.prices.steps[i].arrived > j && all.lasts(i))
                needed = std::max(needed, constant_at(all.prices, problem, j, i));
        all.needs.push_back(needed);
    }
    if (request.optimum) all.optimum = optimum(problem).value;
    return all;
}

std::string meets(const Figures& fit) {
    return fit.feasible() ? "feasible" : "NOT feasible: C = " + display(fit.least) + " is needed";
}

std::string conclusion(const Figures& fit) {
    if (fit.value.sign() <= 0) return "nothing: the dual value is not above 0";
    return fmt::format(
        "every schedule at speed 1 has flowtime at least {}; {} at speed {} has at most {} times the least",
        display(fit.bound()), policy_of(fit.rule), fit.instance.speed.to_string(), display(fit.flowtime / fit.bound()));
}

std::string text_of(const Figures& fit) {
    const Problem<Rational>& problem = fit.instance.problem;
    std::string text = fmt::format("{}: {} jobs on {} machines, {}, speed {}\n", fit.instance.name, problem.jobs.size(),
                                   problem.machines, problem.service.to_string(), fit.instance.speed.to_string());
    text += fmt::format("flowtime    {} of {}\n", display(fit.flowtime), policy_of(fit.rule));
    text += fmt::format("dual value  {} = sum alpha {} - M int beta {}   (rule {})\n", display(fit.value),
                        fit.sum.to_string(), fit.price_of_machines.to_string(), name(fit.rule));
    text += fmt::format("constant    C = {} demanded: {}; least C = {}\n", display(fit.constant), meets(fit),
                        display(fit.least));
    text += fmt::format("shows       {}\n", conclusion(fit));
    if (fit.optimum)
        text +=
            fmt::format("optimum     {} without multitasking, decisions at arrivals and departures; the ratio is {}\n",
                        display(*fit.optimum), display(fit.flowtime / *fit.optimum));
    text += "\n  job    arrival       size      alpha  alpha/size    least C\n";
    for (std::size_t j = 0; j < problem.jobs.size(); ++j) {
        const Rational& alpha = fit.prices.alpha[j];
        text += fmt::format("  {:<4} {:>9} {:>10} {:>10} {:>11} {:>10}\n", j, problem.jobs[j].arrival.to_string(),
                            problem.jobs[j].size.to_string(), alpha.to_string(),
                            (alpha / problem.jobs[j].size).to_string(), fit.needs[j].to_string());
    }
    text += "\n  from       active       beta\n";
    for (std::size_t i = 0; i < fit.prices.steps.size(); ++i) {
        const auto& step = fit.prices.steps[i];
        if (!fit.lasts(i)) continue;
        text += fmt::format("  {:<10} {:>6} {:>10}\n", step.start.to_string(), step.active,
                            (fit.prices.per_job * Rational(step.active)).to_string());
    }
    return text;
}

/// A job or a step of beta of the figures.
struct DualJob {
    const Figures& fit;
    std::size_t job;
    [[nodiscard]] const Job<Rational>& of() const { return fit.instance.problem.jobs[job]; }
};
struct BetaStep {
    Rational start;
    std::size_t active;
    Rational beta;
};

std::vector<BetaStep> beta_steps(const Figures& fit) {
    std::vector<BetaStep> steps;
    for (std::size_t i = 0; i < fit.prices.steps.size(); ++i)
        if (const auto& step = fit.prices.steps[i]; fit.lasts(i))
            steps.push_back({step.start, step.active, fit.prices.per_job * Rational(step.active)});
    return steps;
}

std::vector<DualJob> dual_jobs(const Figures& fit) {
    std::vector<DualJob> jobs;
    for (std::size_t j = 0; j < fit.instance.problem.jobs.size(); ++j) jobs.push_back({fit, j});
    return jobs;
}

const Answer<Figures>& dual_answer() {
    using F = Figures;
    const Record<DualJob> job{
        field(
            "arrival", [](const DualJob& j) { return j.of().arrival; }, "When it arrives."),
        field(
            "size", [](const DualJob& j) { return j.of().size; }, "Its work."),
        field(
            "alpha", [](const DualJob& j) { return j.fit.prices.alpha[j.job]; }, "Its dual variable."),
        field(
            "least_constant", [](const DualJob& j) { return j.fit.needs[j.job]; },
            "The least C that suffices for this job.")};
    const Record<BetaStep> step{field("start", &BetaStep::start, "When it begins."),
                                field("active", &BetaStep::active, "Active jobs."),
                                field("beta", &BetaStep::beta, "beta(t) until the next step.")};
    static const Answer<F> answer{
        "dual", "Dual fitting of a policy on an instance. Answer of `schedproof dual --format json`.",
        Record<F>{
            field(
                "instance", [](const F& f) { return f.instance.name; }, "Name of the instance."),
            field(
                "policy", [](const F& f) { return policy_of(f.rule); }, "Whose flowtime is bounded.")
                .words({"srpt+r", "fair+r"}),
            field(
                "rule", [](const F& f) { return name(f.rule); }, "How alpha and beta were made.")
                .words([] {
                    std::vector<std::string> rules;
                    for (const DualRule rule : dual_rules) rules.emplace_back(name(rule));
                    return rules;
                }()),
            field(
                "machines", [](const F& f) { return f.instance.problem.machines; }, "M.")
                .least(1),
            field(
                "service", [](const F& f) { return f.instance.problem.service.to_string(); },
                "The service process, as in instance files."),
            field(
                "speed", [](const F& f) { return f.instance.speed; }, "Of the policy; the optimum runs at speed 1."),
            field("flowtime", &F::flowtime, "Of the policy at its speed."),
            field("sum_alpha", &F::sum, "The sum of alpha_j over all jobs."),
            field("price_of_machines", &F::price_of_machines, "M times the integral of beta."),
            field("dual_value", &F::value, "sum_alpha - price_of_machines."),
            field("constant", &F::constant, "The C that was demanded."),
            field("least_constant", &F::least, "The least C for which alpha and beta are feasible."),
            field("feasible", &F::feasible, "Whether the constant demanded suffices."),
            field(
                "lower_bound", [](const F& f) { return f.value.sign() > 0 ? std::optional(f.bound()) : std::nullopt; },
                "Of the flowtime of every schedule at speed 1: dual_value / (1 + least_constant * peak rate); null "
                "when "
                "the dual value is not above 0."),
            field(
                "ratio_at_most",
                [](const F& f) { return f.value.sign() > 0 ? std::optional(f.flowtime / f.bound()) : std::nullopt; },
                "flowtime / lower_bound."),
            field("optimum", &F::optimum, "The exact optimum, where it was asked for."),
            field("jobs", dual_jobs, "By job.", job).items(1),
            field("beta", beta_steps, "Steps of beta(t), each lasting until the next.", step).items(1)}
            .told_by([](const F& f) { return text_of(f); })};
    return answer;
}

/// Throws InputError where there is nothing to certify.
std::string certificate_of(const Figures& fit) {
    const DualCertificate certificate = redundancy::fit(fit.rule, fit.instance);
    if (std::string wrong = rejection(certificate); !wrong.empty() || bound_of(certificate).value != fit.value)
        throw InputError::at_key("--certificate",
                                 "expected dual variables that prove something: " +
                                     (wrong.empty() ? "the beta of this rule is not n(t) / (s M)" : wrong));
    return certify::write_certificate(certificate);
}

}  // namespace

int run(const DualRequest& request) {
    check_plot(request.picture);
    require_writable({request.to.path, request.picture.path, request.certificate});
    const Figures all = with_progress("dual", "run and price", [&] { return figures_of(request); });
    if (!request.picture.path.empty())
        write_text(request.picture.path,
                   draw(dual_picture(all.instance, all.rule, all.prices, all.constant), request.picture));
    if (!request.certificate.empty()) write_text(request.certificate, certificate_of(all));
    return write_answer(request.to, dual_answer(), all, all.feasible() ? 0 : 1);
}

namespace {

OptionTable picture_options(DualRequest& r) {
    OptionTable options = plot_options(r.picture, "alpha, beta and the slack over time");
    options.front().names += ",--plot";
    return options;
}

OptionTable options(DualRequest& r) {
    return joined(
        {{{.names = "INSTANCE",
           .target = &r.instance,
           .meaning = "redundancy instance (TOML or JSON), - for standard input",
           .required = true},
          {.names = "--rule",
           .value = "RULE",
           .target = &r.rule,
           .meaning = "construction of alpha and beta: srpt (for SRPT+R), cap, rank, shifted or naive (for Fair+R), or "
                      "a seeded fault of the first: srpt:unscaled, srpt:floor, srpt:own-count, srpt:forget",
           .show_default = true},
          {.names = "--speed",
           .value = "NUMBER",
           .target = &r.speed,
           .meaning = "speed of the policy's machines, an exact number above 0 (default: the instance's)"},
          {.names = "--constant",
           .value = "NUMBER",
           .target = &r.constant,
           .meaning = "the C of the relaxed problem that must suffice (default: (1 - 1/M) / speed)"},
          {.names = "--optimum",
           .target = &r.optimum,
           .meaning = "compare with the exact optimum of few jobs: no multitasking, decisions at arrivals and "
                      "departures"},
          {.names = "--certificate",
           .value = "FILE",
           .target = &r.certificate,
           .meaning = "write the certificate to this file, for `schedproof certify`"}},
         picture_options(r),
         destination_options(r.to)});
}

}  // namespace

Subcommand dual() {
    return make_subcommand<DualRequest>(
        "dual", "dual fitting of SRPT+R and Fair+R: alpha, beta, slack, and what they prove",
        "schedproof dual experiments/instances/redundancy/beta-of-srpt-r.toml --speed 2 --picture dual.svg "
        "--certificate dual.json",
        options, forms(dual_answer));
}

}  // namespace schedproof::cli
