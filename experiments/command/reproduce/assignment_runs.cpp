/// Assignment figures: instances, policies, and what is measured of a schedule.
///
/// The makespan is that of the map, of every policy; the event makespan is the end of an online policy's event loop,
/// and others have none; the latest finish is the event makespan where there is one, otherwise the map's. A policy that
/// gave up has no values there. Running times are those of the processor, one run at a time. The phases of DynDLOff are
/// timed by the two calls that its `schedule` makes. On an instance from a file nothing is drawn: ties and picks go by
/// the numbers of tasks and servers, so what is measured is exact and stands for itself.
#include "experiments/command/reproduce/assignment_runs.hpp"

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <limits>

#include "experiments/command/assign/map.hpp"
#include "experiments/command/reproduce/assignment_plan.hpp"
#include "model/base/nearest.hpp"
#include "model/base/parallel.hpp"
#include "policies/assignment/dyndloff.hpp"

namespace schedproof::cli {

namespace {

using assignment::Problem;
using assignment::ScheduleResult;
using Step = AssignmentCurve::Step;

constexpr std::array<std::string_view, 8> measured_quantities{"makespan",     "event makespan", "latest finish",
                                                              "local tasks",  "remote tasks",   "time",
                                                              "phase 1 time", "phase 2 time"};
enum Quantity : std::size_t {
    makespan,
    event_makespan,
    latest_finish,
    local_tasks,
    remote_tasks,
    time_used,
    phase_1_time,
    phase_2_time
};
bool is_time(std::size_t quantity) { return quantity >= time_used; }

constexpr double none = std::numeric_limits<double>::quiet_NaN();

/// A schedule's figures, by quantity; not finite when the policy gave up, or has no such thing.
using Values = std::vector<double>;

/// What this thread has used of a processor, which other programs do not lengthen. Unit: millisecond
double processor_time() {
    timespec now{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

Problem<CheckedInt> problem_at(const AssignmentPoint& point, const std::vector<AssignmentCurve>& curves,
                               std::uint64_t replication) {
    if (point.instance) {
        std::vector<Rational> waits{point.options.wait};
        for (const AssignmentCurve& curve : curves)
            if (curve.wait) waits.push_back(*curve.wait);
        return point.instance->ticks(waits);
    }
    workload::AssignmentWorkload drawn = point.workload;
    drawn.seed += replication;
    return workload::generate(drawn);
}

assignment::AnyPolicy policy_of(const AssignmentCurve& curve, const AssignmentPoint& point) {
    assignment::PolicyOptions options = point.options;
    if (curve.wait) options.wait = *curve.wait;
    return assignment::make_policy(curve.policy.empty() ? curve.name : curve.policy, options);
}

/// Whether the figure leaves the curve out there.
bool absent(const AssignmentCurve& curve, const AssignmentPoint& point) {
    const auto& places = curve.only_at;
    return !places.empty() && std::find(places.begin(), places.end(), point.x) == places.end();
}

/// Of two curves that are alike the same, of others different ones.
std::string key_of(const AssignmentCurve& curve, const AssignmentPoint& point) {
    const workload::AssignmentWorkload& w = point.workload;
    std::string who = curve.name;
    if (curve.step == Step::whole) {
        const assignment::AnyPolicy policy = policy_of(curve, point);
        who = fmt::format("{}: {}", policy.info.id, policy.definition());
    }
    return fmt::format("{}; {} tasks, {} x {} cores, {} replicas, alpha {}, beta {}, theta {}, seed {} + {}, at {}{}",
                       who, w.tasks, w.servers, w.cores, w.replicas, w.alpha.to_string(), w.beta.to_string(),
                       w.theta.to_string(), w.seed, point.replications, point.x,
                       absent(curve, point) ? ", absent" : "");
}

/// Throws LimitExceeded when the policy gives up.
ScheduleResult<CheckedInt> schedule_of(const AssignmentCurve& curve, const AssignmentPoint& point,
                                       const Problem<CheckedInt>& problem) {
    assignment::Counters counters;
    switch (curve.step) {
        case Step::whole: {
            Sampler randomness({point.workload.seed, 0, 0});
            return assignment::run(policy_of(curve, point), problem, randomness);
        }
        case Step::greedy: {
            assignment::CostReducingPaths paths(problem, assignment::Settle::reached, false, counters);
            return {paths.initial().assignment(), {}, {}};
        }
        case Step::balanced:
            return {assignment::DynDlOff{}.balance(problem).assignment(), {}, {}};
        case Step::remote:
            break;
    }
    const auto balanced = assignment::DynDlOff{}.balance(problem);
    return {assignment::with_remote(problem, balanced, order_by_deadline(balanced), curve.remote).assignment, {}, {}};
}

void time_phases(const Problem<CheckedInt>& problem, Values& values) {
    assignment::Counters counters;
    const double begin = processor_time();
    const auto balanced = assignment::DynDlOff{}.balance(problem, &counters);
    const double middle = processor_time();
    static_cast<void>(assignment::DeadlineSearch<CheckedInt>(problem, balanced, counters).assignment());
    values[phase_1_time] = middle - begin;
    values[phase_2_time] = processor_time() - middle;
}

Values values_of(const AssignmentCurve& curve, const AssignmentPoint& point, const Problem<CheckedInt>& problem,
                 bool phases) {
    Values values(measured_quantities.size(), none);
    if (absent(curve, point)) return values;
    const double begin = processor_time();
    ScheduleResult<CheckedInt> result;
    try {
        result = schedule_of(curve, point, problem);
    } catch (const LimitExceeded&) {
        return values;
    }
    values[time_used] = processor_time() - begin;
    const auto seen = assignment::evaluate(problem, result.assignment);
    if (seen.makespan) values[makespan] = in_local_tasks(*seen.makespan, problem.local).approximate();
    if (result.event_makespan)
        values[event_makespan] = in_local_tasks(*result.event_makespan, problem.local).approximate();
    values[latest_finish] = result.event_makespan ? values[event_makespan] : values[makespan];
    values[local_tasks] = static_cast<double>(seen.local_tasks);
    values[remote_tasks] = static_cast<double>(seen.remote_tasks);
    if (phases && curve.name == assignment::DynDlOff::info.id) time_phases(problem, values);
    return values;
}

std::size_t quantity_index(const FigureDeclaration& figure, const AssignmentPlan& plan,
                           const reproduction::Measure& measure) {
    const auto other = plan.quantities.find(measure.name);
    const std::string& quantity = other == plan.quantities.end() ? measure.quantity : other->second;
    const auto* const found = std::find(measured_quantities.begin(), measured_quantities.end(), quantity);
    if (found == measured_quantities.end() || measure.statistic != reproduction::Statistic::mean)
        throw InputError::in_file(
            figure.file.path, "measure",
            fmt::format("expected the mean of one of {}, not '{}'{}", fmt::join(measured_quantities, ", "), quantity,
                        base::did_you_mean(quantity, measured_quantities)));
    return static_cast<std::size_t>(found - measured_quantities.begin());
}

/// Who runs what on which core, and when. The curve must not give up.
ShownSchedule shown(const AssignmentCurve& curve, const AssignmentPoint& point) {
    const Problem<CheckedInt> problem = problem_at(point, {curve}, 0);
    const assignment::Shape& shape = *problem.shape;
    const auto server = [&](ServerId s) {
        return point.instance ? point.instance->server_name(s) : fmt::format("s{}", s.index());
    };
    ShownSchedule schedule{curve.name + point.suffix, {}, {}};
    for (const ServerId s : shape.servers())
        for (std::size_t i = 0; i < shape.cores_of(s); ++i) {
            const double load = in_local_tasks(problem.load(shape.core(s, i)), problem.local).approximate();
            if (load > 0) schedule.bars.push_back({schedule.cores.size(), 0, load, ShownBar::What::load, ""});
            schedule.cores.push_back(fmt::format("{}.{}", server(s), i + 1));
        }
    for (const MapRow& row : map_rows(problem, schedule_of(curve, point, problem)))
        schedule.bars.push_back(
            {row.core.index(), row.start.approximate(), row.finish.approximate(),
             row.local ? ShownBar::What::local : ShownBar::What::remote,
             point.instance ? point.instance->task_name(row.task) : fmt::format("t{}", row.task.index())});
    return schedule;
}

/// Every replication of every curve; those of `known` are not run again. Null: all are run.
std::vector<std::vector<Values>> runs_at(const AssignmentPlan& plan, const AssignmentPoint& point, std::size_t runs,
                                         bool phases, unsigned threads, KnownRuns* known) {
    std::vector<std::vector<Values>> found(plan.curves.size());
    std::vector<std::size_t> missing;
    for (std::size_t c = 0; c < plan.curves.size(); ++c)
        if (known != nullptr && known->contains(key_of(plan.curves[c], point))) {
            found[c] = known->at(key_of(plan.curves[c], point));
        } else {
            found[c].resize(runs);
            missing.push_back(c);
        }
    base::for_each_index(missing.empty() ? 0 : runs, threads, [&](std::size_t r) {
        const Problem<CheckedInt> problem = problem_at(point, plan.curves, r);
        for (const std::size_t c : missing) found[c][r] = values_of(plan.curves[c], point, problem, phases);
    });
    if (known != nullptr)
        for (const std::size_t c : missing) (*known)[key_of(plan.curves[c], point)] = found[c];
    return found;
}

/// Runs all curves at one point.
void measure_point(const FigureDeclaration& figure, const AssignmentPlan& plan, const AssignmentPoint& point,
                   unsigned threads, KnownRuns& known, MeasuredSetting& setting) {
    std::vector<std::size_t> wanted;
    for (const auto& measure : figure.measures) wanted.push_back(quantity_index(figure, plan, measure));
    const bool phases = std::any_of(wanted.begin(), wanted.end(), [](auto q) { return q >= phase_1_time; });
    const std::size_t runs = point.instance ? 1 : point.replications;
    const bool once = point.instance != nullptr || std::any_of(wanted.begin(), wanted.end(), is_time);
    const auto found = runs_at(plan, point, runs, phases, threads, once ? nullptr : &known);
    setting.replications = runs;
    for (std::size_t c = 0; c < plan.curves.size(); ++c) {
        const std::string name = plan.curves[c].name + point.suffix;
        if (std::find(setting.curves.begin(), setting.curves.end(), name) == setting.curves.end())
            setting.curves.push_back(name);
        for (std::size_t m = 0; m < wanted.size(); ++m) {
            reproduction::Sample sample{{}, point.instance != nullptr && !is_time(wanted[m])};
            for (const Values& values : found[c]) sample.values.push_back(values[wanted[m]]);
            setting.measurements.add({figure.measures[m].name, name, point.x}, std::move(sample));
        }
        if (figure.drawing == Drawing::schedules) setting.schedules.push_back(shown(plan.curves[c], point));
    }
}

}  // namespace

bool is_assignment_figure(const FigureDeclaration& figure) {
    return base::Cursor(*figure.document, figure.file.path).find("assign").has_value();
}

MeasuredSetting measure_assignment(const FigureDeclaration& figure, const ReproduceRequest& request,
                                   const Alternative* alternative, KnownRuns& known,
                                   const std::function<void(double)>& done) {
    const AssignmentPlan plan = assignment_plan(figure, !request.full, alternative);
    const bool timed = std::any_of(figure.measures.begin(), figure.measures.end(),
                                   [&](const auto& measure) { return is_time(quantity_index(figure, plan, measure)); });
    const unsigned threads = timed                  ? 1
                             : request.threads == 0 ? base::default_threads()
                                                    : static_cast<unsigned>(request.threads);
    MeasuredSetting setting;
    for (std::size_t p = 0; p < plan.points.size(); ++p) {
        measure_point(figure, plan, plan.points[p], threads, known, setting);
        done(static_cast<double>(p + 1) / static_cast<double>(plan.points.size()));
    }
    return setting;
}

}  // namespace schedproof::cli
