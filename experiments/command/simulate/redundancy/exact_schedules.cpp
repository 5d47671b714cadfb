/// Exact schedules of redundancy policies on an instance file.
///
/// Nothing is drawn: the service is the mean one, linear in time, and every time is a rational. The schedule of a
/// policy is that which the proofs and `dual` look at (model/redundancy/history.hpp): its intervals between decisions,
/// with the grants of the active jobs, and the completion of every job. Intervals of length 0, where several things
/// happen at one instant, are left out. Speed and beta are those of the file unless options say otherwise.
#include <fmt/core.h>

#include "experiments/command/core/exact_option.hpp"
#include "experiments/command/core/json.hpp"
#include "experiments/command/core/output.hpp"
#include "experiments/command/simulate/redundancy/setting.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"
#include "model/redundancy/codec/codec.hpp"
#include "policies/core/definition.hpp"

namespace schedproof::cli {

namespace {

/// Between two decisions.
using Stretch = redundancy::Interval<Rational>;

struct ExactRun {
    Contender contender;
    redundancy::History<Rational> history;
};

redundancy::Instance instance_of(const RedundancySimulation& request) {
    redundancy::Instance instance = redundancy::read_instance(request.instance);
    if (!instance.problem.service.linear())
        throw InputError::in_file(base::display_name(request.instance), "service",
                                  "expected a service linear in time: det, two-point:FAST,SLOW or "
                                  "gains:G1,G2,...@PEAK");
    if (request.speed_given)
        instance.speed = option_number(request.speed, "--speed", "a speed above 0",
                                       [](const Rational& speed) { return speed.sign() > 0; });
    return instance;
}

/// By rank; null for a job that waits.
std::vector<const redundancy::Grant*> grants_of(const Stretch& interval) {
    std::vector<const redundancy::Grant*> grants(interval.active.size(), nullptr);
    for (const redundancy::Band& band : interval.allocation)
        for (std::size_t rank = band.first; rank < band.last; ++rank) grants[rank] = &band.grant;
    return grants;
}

Rational rate_of(const redundancy::Instance& instance, const redundancy::Grant& grant) {
    return instance.speed * instance.problem.service.gain(static_cast<std::uint32_t>(grant.copies)) /
           Rational(grant.ways);
}

Json to_json(const redundancy::Instance& instance, const Stretch& interval) {
    const std::vector<const redundancy::Grant*> grants = grants_of(interval);
    Json served = Json::array(), waiting = Json::array();
    for (std::size_t rank = 0; rank < grants.size(); ++rank) {
        const auto& active = interval.active[rank];
        if (grants[rank] == nullptr)
            waiting.push_back(active.job.index());
        else
            served.push_back({{"job", active.job.index()},
                              {"copies", grants[rank]->copies},
                              {"share", number(Rational(1) / Rational(grants[rank]->ways))},
                              {"rate", number(rate_of(instance, *grants[rank]))},
                              {"remaining", number(active.remaining)}});
    }
    return {{"start", number(interval.start)},
            {"end", number(interval.start + interval.length)},
            {"served", served},
            {"waiting", waiting}};
}

Json to_json(const redundancy::Instance& instance, const ExactRun& run) {
    const auto& jobs = instance.problem.jobs;
    Json rows = Json::array(), intervals = Json::array();
    for (std::size_t j = 0; j < jobs.size(); ++j)
        rows.push_back({{"arrival", number(jobs[j].arrival)},
                        {"size", number(jobs[j].size)},
                        {"completion", number(run.history.completion[j])},
                        {"flowtime", number(run.history.completion[j] - jobs[j].arrival)}});
    for (const Stretch& interval : run.history.intervals)
        if (interval.length.sign() > 0) intervals.push_back(to_json(instance, interval));
    return {{"policy", run.contender.policy},
            {"definition", definition(run.contender.algorithm)},
            {"beta", number(run.contender.beta)},
            {"flowtime", number(run.history.total_flowtime(jobs))},
            {"jobs", rows},
            {"intervals", intervals}};
}

Json to_json(const redundancy::Instance& instance, const std::vector<ExactRun>& runs) {
    Json list = Json::array();
    for (const ExactRun& run : runs) list.push_back(to_json(instance, run));
    return {{"instance", instance.name},
            {"machines", instance.problem.machines},
            {"service", instance.problem.service.to_string()},
            {"speed", number(instance.speed)},
            {"policies", list}};
}

/// `job 0: 2 copies; jobs 1 2 wait`.
std::string to_text(const Stretch& interval) {
    const std::vector<const redundancy::Grant*> grants = grants_of(interval);
    std::string served, waiting;
    for (std::size_t rank = 0; rank < grants.size(); ++rank) {
        const std::size_t job = interval.active[rank].job.index();
        if (grants[rank] == nullptr) {
            waiting += fmt::format(" {}", job);
            continue;
        }
        const auto& [copies, ways] = *grants[rank];
        served += fmt::format("{}job {}: {} {}{}", served.empty() ? "" : ", ", job, copies,
                              copies == 1 ? "copy" : "copies", ways == 1 ? "" : fmt::format(" at share 1/{}", ways));
    }
    if (grants.empty()) return "no job";
    return served + (waiting.empty() ? "" : "; waiting:" + waiting);
}

std::string to_text(const redundancy::Instance& instance, const ExactRun& run) {
    const auto& jobs = instance.problem.jobs;
    std::string text =
        fmt::format("\n{}\n  total flowtime {}\n", run.contender.name, display(run.history.total_flowtime(jobs)));
    if (jobs.empty()) return text;
    text += fmt::format("  {:<6} {:>12} {:>12} {:>12} {:>12}\n", "job", "arrival", "size", "completion", "flowtime");
    for (std::size_t j = 0; j < jobs.size(); ++j)
        text += fmt::format("  {:<6} {:>12} {:>12} {:>12} {:>12}\n", j, jobs[j].arrival.to_string(),
                            jobs[j].size.to_string(), run.history.completion[j].to_string(),
                            (run.history.completion[j] - jobs[j].arrival).to_string());
    for (const Stretch& interval : run.history.intervals)
        if (interval.length.sign() > 0)
            text += fmt::format("  {:>12} to {:<12} {}\n", interval.start.to_string(),
                                (interval.start + interval.length).to_string(), to_text(interval));
    return text;
}

}  // namespace

int run_instance(const RedundancySimulation& request) {
    require_writable({request.to.path});
    const redundancy::Instance instance = instance_of(request);
    std::vector<ExactRun> runs;
    for (Contender& contender : contenders(request, instance.beta)) {
        auto history = redundancy::history(contender.algorithm, instance.problem, instance.speed);
        runs.push_back({std::move(contender), std::move(history)});
    }
    std::string text = fmt::format("instance  {}: {} jobs\nmachines  {} at speed {}, service {}; exact\n",
                                   instance.name, instance.problem.jobs.size(), instance.problem.machines,
                                   instance.speed.to_string(), instance.problem.service.to_string());
    for (const ExactRun& run : runs) text += to_text(instance, run);
    return write_answer(request.to, "redundancy-schedule", to_json(instance, runs), text);
}

}  // namespace schedproof::cli
