/// Assignment figures: the table `assign` and its grid, instances, policies, and what is measured of a schedule.
///
///     [assign]     # policy (a list); tasks, servers, cores, replicas, alpha, beta, theta of the instances;
///                  # wait of delay and dyndlon, timeout of hta in seconds, replications, seed
///     [grid]       # lists of those that are numbers
///
/// The makespan of an online policy is the end of its event loop, that of an offline policy the static one. A policy
/// that gave up has no values there. Running times are those of the processor, one run at a time.
#include "experiments/command/reproduce/assignment_runs.hpp"

#include <fmt/core.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>

#include "experiments/workload/assignment_generator.hpp"
#include "model/base/nearest.hpp"
#include "model/base/parallel.hpp"
#include "policies/assignment/registry.hpp"

namespace schedproof::cli {

namespace {

using base::Cursor;

constexpr std::array<std::string_view, 4> quantities{"makespan", "local tasks", "remote tasks", "time"};

struct AssignmentPoint {
    workload::AssignmentWorkload workload;
    assignment::PolicyOptions options;
    std::uint64_t replications = 20;
    double x = 0;
};

/// Sets the parameter of a key.
void set(AssignmentPoint& point, const std::string& key, const Cursor& at) {
    const auto whole = [&](std::uint64_t most) { return at.count(1, most, "a whole number above 0"); };
    if (key == "tasks") {
        point.workload.tasks = whole(1'000'000);
    } else if (key == "servers") {
        point.workload.servers = whole(1'000'000);
    } else if (key == "cores") {
        point.workload.cores = static_cast<std::uint32_t>(whole(100'000));
    } else if (key == "replicas") {
        point.workload.replicas = static_cast<std::uint32_t>(whole(1'000));
    } else if (key == "alpha") {
        point.workload.alpha = at.rate(false);
    } else if (key == "beta") {
        point.workload.beta = at.rate(false);
    } else if (key == "theta") {
        point.workload.theta = at.rate(false);
    } else if (key == "wait") {
        point.options.wait = at.rate(false);
    } else if (key == "timeout") {
        point.options.timeout = std::chrono::seconds(whole(100'000));
    } else if (key == "replications") {
        point.replications = whole(100'000);
    } else if (key == "seed") {
        point.workload.seed = whole(std::numeric_limits<std::int64_t>::max());
    } else {
        constexpr std::array<std::string_view, 12> known{"policy",   "tasks",        "servers", "cores",
                                                         "replicas", "alpha",        "beta",    "theta",
                                                         "wait",     "replications", "seed",    "timeout"};
        at.fail(fmt::format("expected a parameter of an assignment figure, not '{}'{}", key,
                            base::did_you_mean(key, known)));
    }
}

/// The tables of a figure: the policies, what is fixed, and the list along the x axis.
struct AssignmentPlan {
    std::vector<std::string> policies;
    AssignmentPoint fixed;
    std::optional<std::vector<Cursor>> along;

    void take(const FigureDeclaration& figure, const Cursor& table) {
        for (const base::Field& field : table.table("a table of parameters")) {
            const Cursor at = table.entry(field);
            if (field.key == "policy")
                policies = policies_of(at);
            else if (!at.is_array())
                take_fixed(figure, field.key, at);
            else if (field.key != figure.x)
                at.fail(fmt::format("expected a list of the parameter on the x axis alone, {}", figure.x));
            else
                along = at.items("a list of values");
        }
    }

  private:
    void take_fixed(const FigureDeclaration& figure, const std::string& key, const Cursor& at) {
        set(fixed, key, at);
        if (key == figure.x) along.reset();
    }
    static std::vector<std::string> policies_of(const Cursor& at) {
        std::vector<std::string> names = at.texts("a list of policies");
        std::vector<std::string_view> known;
        for (const auto& info : assignment::policies()) known.push_back(info.id);
        for (const std::string& name : names)
            if (assignment::resolve_policy(name).empty())
                at.fail(fmt::format("expected a policy of `schedproof list policies --family assignment`, not '{}'{}",
                                    name, base::did_you_mean(name, known)));
        return names;
    }
};

/// A schedule's figures, by quantity; not finite when the policy gave up.
using Values = std::array<double, quantities.size()>;

/// What this thread has used of a processor, which other programs do not lengthen. Unit: millisecond
double processor_time() {
    timespec now{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

Values values_of(const std::string& policy, const AssignmentPoint& point,
                 const assignment::Problem<CheckedInt>& problem) {
    const auto none = std::numeric_limits<double>::quiet_NaN();
    const assignment::AnyPolicy code = assignment::make_policy(policy, point.options);
    Sampler randomness({point.workload.seed, 0, 0});
    const double begin = processor_time();
    assignment::ScheduleResult<CheckedInt> result;
    try {
        result = assignment::run(code, problem, randomness);
    } catch (const LimitExceeded&) {
        return {none, none, none, none};
    }
    const double time = processor_time() - begin;
    const auto seen = assignment::evaluate(problem, result.assignment);
    const auto makespan = result.event_makespan ? result.event_makespan : seen.makespan;
    const double ticks = static_cast<double>(problem.local.value());
    return {makespan ? static_cast<double>(makespan->value()) / ticks : none, static_cast<double>(seen.local_tasks),
            static_cast<double>(seen.remote_tasks), time};
}

std::size_t quantity_index(const FigureDeclaration& figure, const reproduction::Measure& measure) {
    const auto* const found = std::find(quantities.begin(), quantities.end(), measure.quantity);
    if (found == quantities.end() || measure.statistic != reproduction::Statistic::mean)
        throw InputError::in_file(
            figure.file.path, "measure",
            fmt::format("expected the mean of makespan, local tasks, remote tasks or time, not '{}'{}",
                        measure.quantity, base::did_you_mean(measure.quantity, quantities)));
    return static_cast<std::size_t>(found - quantities.begin());
}

std::vector<AssignmentPoint> points_of(const FigureDeclaration& figure, const AssignmentPlan& plan) {
    std::vector<AssignmentPoint> points;
    if (!plan.along) return {plan.fixed};
    for (const Cursor& at : *plan.along) {
        AssignmentPoint point = plan.fixed;
        set(point, figure.x, at);
        point.x = at.number().approximate();
        points.push_back(std::move(point));
    }
    return points;
}

}  // namespace

bool is_assignment_figure(const FigureDeclaration& figure) {
    return Cursor(*figure.document, figure.file.path).find("assign").has_value();
}

MeasuredSetting measure_assignment(const FigureDeclaration& figure, const ReproduceRequest& request,
                                   const Alternative* alternative, const std::function<void(double)>& done) {
    const Cursor root(*figure.document, figure.file.path);
    AssignmentPlan plan;
    plan.fixed.options.wait = Rational(3);
    plan.take(figure, *root.find("assign"));
    if (const auto grid = root.find("grid")) plan.take(figure, *grid);
    for (const Cursor& over : figure.options(!request.full, alternative)) plan.take(figure, over);
    if (plan.policies.empty()) root.find("assign")->fail("expected policies");
    std::vector<std::size_t> shown;
    bool timed = false;
    for (const auto& measure : figure.measures) {
        shown.push_back(quantity_index(figure, measure));
        timed = timed || measure.quantity == "time";
    }
    const unsigned threads = timed                  ? 1
                             : request.threads == 0 ? base::default_threads()
                                                    : static_cast<unsigned>(request.threads);
    MeasuredSetting setting;
    setting.curves = plan.policies;
    const std::vector<AssignmentPoint> points = points_of(figure, plan);
    for (std::size_t p = 0; p < points.size(); ++p) {
        const AssignmentPoint& point = points[p];
        setting.replications = point.replications;
        std::vector<std::vector<Values>> found(plan.policies.size(), std::vector<Values>(point.replications));
        base::for_each_index(point.replications, threads, [&](std::size_t r) {
            workload::AssignmentWorkload drawn = point.workload;
            drawn.seed += r;
            const auto problem = workload::generate(drawn);
            for (std::size_t c = 0; c < plan.policies.size(); ++c)
                found[c][r] = values_of(plan.policies[c], point, problem);
        });
        for (std::size_t c = 0; c < plan.policies.size(); ++c)
            for (std::size_t m = 0; m < shown.size(); ++m) {
                reproduction::Sample sample;
                for (const Values& values : found[c]) sample.values.push_back(values[shown[m]]);
                setting.measurements.add({figure.measures[m].name, plan.policies[c], point.x}, std::move(sample));
            }
        done(static_cast<double>(p + 1) / static_cast<double>(points.size()));
    }
    return setting;
}

}  // namespace schedproof::cli
