/// Queueing policies in continuous time under `simulate`.
///
/// Gaps are between arrivals, each of one task or of a batch as the instance has them; a load counts the work of all
/// tasks. Of a trace both are as recorded.
#include <fmt/core.h>

#include <cmath>
#include <map>

#include "experiments/command/core/policy_file.hpp"
#include "experiments/command/core/system.hpp"
#include "experiments/command/simulate/queueing/request.hpp"
#include "experiments/input/requests/instance_of_requests.hpp"
#include "experiments/simulators/events/event_experiment.hpp"
#include "experiments/simulators/slotted/question_plan.hpp"
#include "experiments/workload/trace_report.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"
#include "policies/queueing/registry.hpp"
#include "proofs/queueing/capacity/plan.hpp"

namespace schedproof::cli {

namespace {

using simulation::EventSettings;

/// Of one task each, or of batches.
double arrivals_per_time(const simulation::SimulatedSystem& system) {
    return (system.random ? system.arrival_rate() : system.instance->total_batch_rate()).approximate();
}

/// Work that arrives per unit of time until then, where a task of a slot brings 1 in the mean.
double offered(const EventSettings& s, double duration) {
    if (!s.trace)
        return workload::mean(s.size) / workload::mean(s.gap) *
               (s.system.arrival_rate().approximate() / arrivals_per_time(s.system));
    double work = 0;
    for (const input::TracedJob& job : s.trace->jobs)
        if (job.submit <= duration) work += std::floor(job.tasks) * job.seconds;
    return work / duration;
}

/// Jobs submitted after the horizon do not come.
input::JobTrace until(input::JobTrace trace, const std::optional<double>& horizon) {
    if (horizon) std::erase_if(trace.jobs, [&](const input::TracedJob& job) { return job.submit > *horizon; });
    if (trace.jobs.empty()) throw InputError::at_key("--horizon", "expected a horizon within which jobs arrive");
    return trace;
}

/// Jobs of types that are drawn.
void take_jobs(EventSettings& s, const EventSimulation& o, const std::optional<double>& horizon,
               SimulationSetting& setting) {
    input::HashedInput in(o.trace);
    const std::string name = base::display_name(o.trace);
    const input::TraceSizes sizes{input::TraceSizes::Unit::tasks, o.task_seconds};
    const input::TraceKind kind = input::trace_kind(o.trace, "");
    s.trace =
        std::make_shared<const input::JobTrace>(until(input::read_job_trace(in.stream(), name, kind, sizes), horizon));
    setting.inputs.push_back(in.file());
    setting.lines.emplace_back("tasks", fmt::format("{} jobs of {}", s.trace->jobs.size(), name));
    if (s.trace->odd_gaps > 0)
        setting.warnings.push_back(fmt::format("{}: the gap column of {} jobs is not the difference of submit times",
                                               name, s.trace->odd_gaps));
    if (s.trace->without_work > 0)
        setting.warnings.push_back(fmt::format("{}: {} jobs without {} are passed over", name, s.trace->without_work,
                                               input::what_is_missing(kind)));
}

/// Tasks of known types: jobs of one task each.
void take_tasks(EventSettings& s, const EventSimulation& o, const std::optional<double>& horizon,
                SimulationSetting& setting) {
    if (s.system.random) throw InputError::at_key("--trace", "expected INSTANCE, whose types the tasks are of");
    input::HashedInput in(o.trace);
    const std::string name = base::display_name(o.trace);
    input::JobTrace jobs;
    std::vector<simulation::TaskLabel> labels;
    for (const input::TypedTask& task : input::read_typed_tasks(in.stream(), name, *s.system.instance)) {
        jobs.jobs.push_back({task.time, 1, task.size * o.task_seconds});
        labels.push_back({task.type, task.tokens, task.saved});
    }
    jobs = until(std::move(jobs), horizon);
    labels.resize(jobs.jobs.size());
    s.trace = std::make_shared<const input::JobTrace>(std::move(jobs));
    s.labels = std::make_shared<const std::vector<simulation::TaskLabel>>(std::move(labels));
    setting.inputs.push_back(in.file());
    setting.lines.emplace_back("tasks", fmt::format("{} of {}", s.trace->jobs.size(), name));
}

EventSettings settings_of(const simulation::SimulatedSystem& system, const EventSimulation& o,
                          const std::optional<double>& horizon, SimulationSetting& setting) {
    EventSettings s{system, {}};
    if (system.instance->continuous())
        s.unit = system.instance->data().time->unit.empty() ? "unit" : system.instance->data().time->unit;
    s.affinity = o.affinity;
    if (!o.trace.empty()) {
        (o.trace.ends_with(".csv") ? take_tasks : take_jobs)(s, o, horizon, setting);
        return s;
    }
    s.gap =
        o.gaps.empty() ? workload::Exponential{1 / arrivals_per_time(system)} : workload::parse_law(o.gaps, "--gaps");
    if (!o.sizes.empty()) s.size = workload::parse_law(o.sizes, "--task-sizes");
    for (const workload::RealLaw* law : {&s.gap, &s.size})
        if (const auto* recorded = std::get_if<workload::Recorded>(law))
            setting.inputs.push_back({recorded->file, recorded->sha256});
    const std::string batches = system.instance->batches() ? ", batches of the instance" : "";
    setting.lines.emplace_back("time", fmt::format("continuous; gaps {}, sizes {}{}", workload::to_text(s.gap),
                                                   workload::to_text(s.size), batches));
    return s;
}

std::vector<workload::Submission> submissions(const input::JobTrace& trace) {
    std::vector<workload::Submission> jobs;
    for (const input::TracedJob& job : trace.jobs)
        if (const double tasks = std::floor(job.tasks); tasks > 0) jobs.push_back({job.submit, tasks * job.seconds});
    return jobs;
}

/// Complaints about a field name the option that sets it.
std::unique_ptr<const simulation::Experiment> experiment_of(const EventSettings& settings) {
    static const std::map<std::string, std::string> option{
        {"duration", "--horizon"}, {"batches", "--batches"}, {"policy", "--policy"}, {"gap", "--gaps"},
        {"size", "--task-sizes"},  {"trace", "--trace"},     {"start", "--queues"},  {"affinity", "--affinity"}};
    try {
        return make_event_experiment(settings);
    } catch (const InputError& error) {
        const auto known = option.find(error.place().key);
        if (known == option.end()) throw;
        throw InputError::at_key(known->second, error.expected());
    }
}

}  // namespace

void assess_trace(const std::vector<workload::Submission>& jobs, const Rational& capacity, SimulationSetting& setting) {
    if (jobs.empty()) return;
    for (const std::string& finding : workload::report_on(jobs, {capacity}).findings) {
        const std::size_t colon = finding.find(": ");
        setting.lines.emplace_back("trace, " + finding.substr(0, colon), finding.substr(colon + 2));
    }
}

void warn_if_slow(const queueing::Instance& instance, const queueing::AnyPolicy& policy,
                  const simulation::Experiment& experiment, SimulationSetting& setting) {
    constexpr std::size_t few = 50;  // servers over which every engine is fast
    if (experiment.side_by_side() > 1 || instance.servers().size() < few) return;
    if (const std::string why = simulation::QuestionPlan(instance, policy).why_slow(); !why.empty())
        setting.warnings.push_back(fmt::format("{} is slow to simulate: {}", policy.info().id, why));
}

void make_continuous(SimulationSetting& setting, const simulation::SimulatedSystem& system,
                     const QueueingSimulation& options, const std::vector<std::string>& policies,
                     const RunLength& length, const std::optional<Rational>& load) {
    EventSettings settings = settings_of(system, options.events, length.horizon, setting);
    const double trace_end = settings.trace ? settings.trace->jobs.back().submit : 0;
    settings.duration = length.horizon.value_or(trace_end > 0 ? trace_end : 10'000);
    settings.batches = static_cast<std::uint32_t>(length.batches);
    setting.terminating = settings.trace != nullptr;
    if (load && settings.trace) assess_trace(submissions(*settings.trace), system.arrival_rate() / *load, setting);
    if (load) {
        // Per unit of work, the load is that of the instance per task.
        const double rho =
            load->approximate() * offered(settings, settings.duration) / system.arrival_rate().approximate();
        setting.lines.emplace_back("load rho*", fmt::format("{:.6g}", rho));
        if (rho >= 1)
            setting.warnings.push_back(fmt::format("the load rho* is {:.6g}, not below 1: no policy is stable{}", rho,
                                                   settings.trace ? "" : "; `growth` estimates the drift"));
    }
    for (const std::string& policy : policies) {
        const std::string id = policy_id(policy);
        settings.policy = queueing::make_policy(id, *system.instance, capacity::fluid_plan);
        name_discipline(system, settings.policy, setting);
        settings.start = start_of(options, system, settings.policy, {}, setting);
        setting.policies.push_back({.label = id,
                                    .words = policy_words(id),
                                    .experiment = experiment_of(settings),
                                    .definition = queueing::to_string(settings.policy.rules())});
        warn_if_slow(*system.instance, settings.policy, *setting.policies.back().experiment, setting);
    }
}

}  // namespace schedproof::cli
