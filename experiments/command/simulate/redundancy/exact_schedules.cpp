/// Exact schedules of redundancy policies on an instance file.
///
/// Nothing is random: the service is the mean one, linear in time, and every time is a rational. The schedule of a
/// policy is that which the proofs and `dual` look at (model/redundancy/history.hpp): its intervals between decisions,
/// with the grants of the active jobs, and the completion of every job. Intervals of length 0, where several things
/// happen at one instant, are left out. Speed and beta are those of the file unless options say otherwise.
#include <fmt/core.h>

#include "experiments/command/core/answer_fields.hpp"
#include "experiments/command/core/exact_option.hpp"
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
    if (!request.speed.empty())
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

/// A job that is served in an interval.
struct Served {
    std::size_t job, copies;
    Rational share, rate, remaining;
};

/// What is described of an interval, and of a policy: with the instance.
struct IntervalOf {
    const redundancy::Instance* instance;
    const Stretch* interval;

    [[nodiscard]] std::vector<Served> served() const {
        const std::vector<const redundancy::Grant*> grants = grants_of(*interval);
        std::vector<Served> list;
        for (std::size_t rank = 0; rank < grants.size(); ++rank)
            if (const redundancy::Grant* grant = grants[rank])
                list.push_back({interval->active[rank].job.index(), grant->copies, Rational(1) / Rational(grant->ways),
                                rate_of(*instance, *grant), interval->active[rank].remaining});
        return list;
    }
    [[nodiscard]] std::vector<std::size_t> waiting() const {
        const std::vector<const redundancy::Grant*> grants = grants_of(*interval);
        std::vector<std::size_t> list;
        for (std::size_t rank = 0; rank < grants.size(); ++rank)
            if (grants[rank] == nullptr) list.push_back(interval->active[rank].job.index());
        return list;
    }
};

struct ScheduledJob {
    Rational arrival, size, completion;
};

struct RunOf {
    const redundancy::Instance* instance;
    const ExactRun* run;

    [[nodiscard]] std::vector<ScheduledJob> jobs() const {
        const auto& jobs = instance->problem.jobs;
        std::vector<ScheduledJob> list;
        for (std::size_t j = 0; j < jobs.size(); ++j)
            list.push_back({jobs[j].arrival, jobs[j].size, run->history.completion[j]});
        return list;
    }
    [[nodiscard]] std::vector<IntervalOf> intervals() const {
        std::vector<IntervalOf> list;
        for (const Stretch& interval : run->history.intervals)
            if (interval.length.sign() > 0) list.push_back({instance, &interval});
        return list;
    }
};

struct Schedules {
    redundancy::Instance instance;
    std::vector<ExactRun> runs;

    [[nodiscard]] std::vector<RunOf> policies() const {
        std::vector<RunOf> list;
        for (const ExactRun& run : runs) list.push_back({&instance, &run});
        return list;
    }
};

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

std::string to_text(const Schedules& of) {
    std::string text = fmt::format("instance  {}: {} jobs\nmachines  {} at speed {}, service {}; exact\n",
                                   of.instance.name, of.instance.problem.jobs.size(), of.instance.problem.machines,
                                   of.instance.speed.to_string(), of.instance.problem.service.to_string());
    for (const ExactRun& run : of.runs) text += to_text(of.instance, run);
    return text;
}

const Record<RunOf>& run_record() {
    const Record<ScheduledJob> job{
        field("arrival", &ScheduledJob::arrival, "Of the instance.").least(0),
        field("size", &ScheduledJob::size, "Work of the job.").least(0).open(),
        field("completion", &ScheduledJob::completion, "When it is done.").least(0),
        field(
            "flowtime", [](const ScheduledJob& j) { return j.completion - j.arrival; }, "completion - arrival.")
            .least(0)
            .open()};
    const Record<Served> served{
        field("job", &Served::job, "Its number."),
        field("copies", &Served::copies, "On machines of their own.").least(1),
        field("share", &Served::share, "Of each of these machines. Range: above 0, at most 1.").least(0).open(),
        field("rate", &Served::rate, "Work done per unit of time.").least(0).open(),
        field("remaining", &Served::remaining, "Work that is left at the start.").least(0)};
    const Record<IntervalOf> interval{
        field(
            "start", [](const IntervalOf& i) { return i.interval->start; }, "When it begins.")
            .least(0),
        field(
            "end", [](const IntervalOf& i) { return i.interval->start + i.interval->length; }, "When it ends.")
            .least(0),
        field("served", &IntervalOf::served, "Jobs with machines, by rank in the policy's order.", served),
        field("waiting", &IntervalOf::waiting, "Active jobs without a machine, by rank.")};
    static const Record<RunOf> record{
        field(
            "policy", [](const RunOf& r) { return r.run->contender.policy; }, "Its id."),
        field(
            "definition", [](const RunOf& r) { return definition(r.run->contender.algorithm); },
            "The values of its parameters."),
        field(
            "beta", [](const RunOf& r) { return r.run->contender.beta; },
            "Parameter of LAPS and LAPS+R; null for other policies.")
            .least(0)
            .open(),
        field(
            "flowtime", [](const RunOf& r) { return r.run->history.total_flowtime(r.instance->problem.jobs); },
            "Sum over the jobs.")
            .least(0),
        field("jobs", &RunOf::jobs, "By number from 0, in the order of the instance.", job),
        field("intervals", &RunOf::intervals,
              "Between decisions, ascending, without gaps from the first arrival to the last completion; none of "
              "length 0.",
              interval)};
    return record;
}

const Answer<Schedules>& schedules_answer() {
    static const Answer<Schedules> answer{
        "redundancy-schedule",
        "Schedules of policies of the redundancy family on an instance file, in exact numbers. Answer of `schedproof "
        "simulate INSTANCE --format json` with such policies. The unit of work is what a machine gets done in a unit "
        "of time on average.",
        Record<Schedules>{
            field(
                "instance", [](const Schedules& s) { return s.instance.name; }, "Name of the instance."),
            field(
                "machines", [](const Schedules& s) { return s.instance.problem.machines; }, "How many.")
                .least(1),
            field(
                "service", [](const Schedules& s) { return s.instance.problem.service.to_string(); },
                "What machines do, as in an instance file."),
            field(
                "speed", [](const Schedules& s) { return s.instance.speed; }, "Of the machines. Range: above 0.")
                .least(0)
                .open(),
            field("policies", &Schedules::policies, "In the order of the command line.", run_record()).items(1)}
            .told_by([](const Schedules& of) { return to_text(of); })};
    return answer;
}

}  // namespace

Forms schedule_forms() { return forms(schedules_answer); }

int answer_schedules(const RedundancySimulation& request, const std::vector<std::string>& policies,
                     const Destination& to) {
    require_writable({to.path});
    Schedules schedules{instance_of(request), {}};
    for (Contender& contender : contenders(request, policies, schedules.instance.beta)) {
        auto history = redundancy::history(contender.algorithm, schedules.instance.problem, schedules.instance.speed);
        schedules.runs.push_back({std::move(contender), std::move(history)});
    }
    return write_answer(to, schedules_answer(), schedules);
}

}  // namespace schedproof::cli
