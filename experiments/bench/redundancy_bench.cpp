/// Schedules with copies: events a second on rationals and doubles, a point of the paper's simulation, a trace.
///
///   redundancy_bench [TRACE]     TRACE: a file in the format of SWIM, repeated to 25,000 jobs; default: made up
///
/// Times are processor time of one thread, the least of several runs; a target counts as met by it, since other
/// programs can only add to a time. Baselines of the same run: doubles beside rationals; SRPT with two ordered sets,
/// the usual way to simulate it, which knows no other policy; drawing the machines' paths alone, which no simulation in
/// slots can do without. What bounds it: rationals, the size of numbers within a busy period; doubles, one pass over
/// the served jobs per event; slots, one addition per copy and slot, then the random places that copies move to. Exit
/// code 1 when a target is missed, or the baseline has other flowtimes.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numeric>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "experiments/bench/support.hpp"
#include "experiments/input/traces/job_trace.hpp"
#include "experiments/simulators/redundancy/copies_in_slots.hpp"
#include "experiments/simulators/redundancy/mean_service.hpp"
#include "experiments/simulators/redundancy/random_periods.hpp"
#include "experiments/statistics/sample.hpp"
#include "experiments/workload/redundancy_workload.hpp"

namespace {

using namespace schedproof;
using namespace schedproof::redundancy;
using namespace schedproof::simulation;

constexpr const char* every_policy[] = {"srpt", "srpt+r", "fair", "fair+r", "laps", "laps+r"};

AnyPolicy policy_of(const char* id) { return make_policy(id, Rational(Integer(1), Integer(2))); }

/// Counts events, and the jobs that are active at them.
template <Number N>
struct Counter : Observer<N> {
    std::uint64_t events = 0, active = 0, most = 0;
    void arrived(const N&, JobId, const auto& schedule) { count(schedule); }
    void completed(const N&, JobId, const auto& schedule) { count(schedule); }
    void count(const auto& schedule) {
        ++events;
        active += schedule.active().size();
        most = std::max<std::uint64_t>(most, schedule.active().size());
    }
};

template <Number N>
Counter<N> play(const AnyPolicy& policy, const std::vector<Problem<N>>& problems) {
    Counter<N> counter;
    for (const Problem<N>& problem : problems) {
        AnySchedule<N> schedule(policy, problem.machines,
                                LinearSpeedup<N>(problem.service, problem.machines, Rational(1)));
        redundancy::run(schedule, problem.jobs, counter);
    }
    return counter;
}

/// Problems of 20 jobs on 8 machines, close enough that most are active at once, in halves and thirds.
std::vector<Problem<Rational>> small_problems(std::size_t count) {
    statistics::Stream random({1, 0}, "benchmark");
    std::vector<Problem<Rational>> problems;
    for (std::size_t i = 0; i < count; ++i) {
        Problem<Rational> problem{8, Service::parse("two-point:3,0"), {}};
        Rational arrival;
        for (int j = 0; j < 20; ++j) {
            arrival += Rational(Integer(random.below(2)), Integer(2));
            problem.jobs.push_back({arrival, Rational(Integer(1 + random.below(30)), Integer(3))});
        }
        problems.push_back(std::move(problem));
    }
    return problems;
}

bool print_events() {
    const auto exact = small_problems(2000);
    const auto jobs = workload::generate({0.5, workload::Pareto{2, 20}, 200'000}, {1, 0});
    fmt::print("{:<8} {:>8} {:>5} {:>19} {:>11}   {:>8} {:>17} {:>7} {:>8}\n", "policy", "active", "most",
               "rational, events/s", "of 200,000", "active", "double, events/s", "of 5 M", "doubles");
    bool met = true;
    for (const char* id : every_policy) {
        const AnyPolicy policy = policy_of(id);
        Counter<Rational> counted;
        const double slow = bench::least_seconds(3, [&] { counted = play(policy, exact); });
        Run run;
        const double fast = bench::least_seconds(5, [&] {
            run = run_on_mean_service(policy, {100, Service(), jobs}, Rational(1));
        });
        const auto events = static_cast<double>(counted.events);
        const double exactly = events / slow, roughly = static_cast<double>(run.events) / fast;
        fmt::print("{:<8} {:8.1f} {:>5} {:19.0f} {:10.2f}x   {:8.1f} {:17.0f} {:6.2f}x {:7.1f}x\n", id,
                   static_cast<double>(counted.active) / events, counted.most, exactly, exactly / 200'000, run.active,
                   roughly, roughly / 5e6, roughly / exactly);
        met &= exactly >= 200'000 && roughly >= 5e6;
    }
    return met;
}

/// SRPT on machines of rate 1 with two ordered sets: ends of the running jobs, remaining work of the waiting ones.
double srpt_with_sets(const Jobs<Real>& jobs, std::size_t machines) {
    std::multiset<std::pair<double, double>> running, waiting;  // (end or remaining work, arrival)
    double total = 0;
    const auto complete = [&](double until) {
        while (!running.empty() && running.begin()->first <= until) {
            const auto [end, arrival] = *running.begin();
            running.erase(running.begin());
            total += end - arrival;
            if (!waiting.empty()) {
                running.emplace(end + waiting.begin()->first, waiting.begin()->second);
                waiting.erase(waiting.begin());
            }
        }
    };
    for (const auto& job : jobs) {
        const double arrival = job.arrival.value(), size = job.size.value();
        complete(arrival);
        if (running.size() < machines) {
            running.emplace(arrival + size, arrival);
        } else if (const auto last = std::prev(running.end()); last->first > arrival + size) {
            waiting.emplace(last->first - arrival, last->second);
            running.erase(last);
            running.emplace(arrival + size, arrival);
        } else {
            waiting.emplace(size, arrival);
        }
    }
    complete(INFINITY);
    return total;
}

/// Longer runs, where more jobs are active; no target.
bool print_growth() {
    fmt::print("\ndoubles, 100 machines, events/s (mean number of active jobs):\n{:<8}", "rate");
    for (const char* id : every_policy) fmt::print(" {:>19}", id);
    fmt::print(" {:>16}\n", "srpt, two sets");
    bool agree = true;
    for (const double rate : {0.2, 0.5, 1.0, 2.0, 2.4}) {
        const auto jobs = workload::generate({rate, workload::Pareto{2, 20}, 40'000 / rate}, {1, 0});
        fmt::print("{:<8}", rate);
        double total = 0;
        for (const char* id : every_policy) {
            Run run;
            const double time = bench::least_seconds(3, [&] {
                run = run_on_mean_service(policy_of(id), {100, Service(), jobs}, Rational(1));
            });
            if (id == std::string("srpt")) total = std::accumulate(run.flowtime.begin(), run.flowtime.end(), 0.0);
            fmt::print(" {:>19}",
                       fmt::format("{:.2f} M ({:.0f})", static_cast<double>(run.events) / time / 1e6, run.active));
        }
        double baseline = 0;
        const double time = bench::least_seconds(3, [&] { baseline = srpt_with_sets(jobs, 100); });
        fmt::print(" {:>14.2f} M\n", 2 * static_cast<double>(jobs.size()) / time / 1e6);
        agree &= std::abs(baseline - total) <= 1e-9 * total;
    }
    if (!agree) fmt::print("SRPT and its baseline DISAGREE\n");
    return agree;
}

bool print_slots() {
    fmt::print("\nslots: 100 machines, rate 2.5, Pareto sizes of mean 40, horizon 100,000, periods A\n");
    fmt::print("{:<10} {:>8} {:>8} {:>8} {:>12} {:>10}\n", "policy", "s", "target", "of it", "mean flow", "active");
    const auto jobs = workload::generate({2.5, workload::Pareto{2, 20}, 100'000}, {1, 0});
    bool met = true;
    struct PolicyTarget {
        const char* id;
        double target;
    };
    for (const PolicyTarget& row : {PolicyTarget{"srpt+r", 3}, PolicyTarget{"fair+r", 10}, PolicyTarget{"laps+r", 10},
                                    PolicyTarget{"srpt", 3}, PolicyTarget{"fair", 10}, PolicyTarget{"laps", 10}}) {
        Run run;
        const double time = bench::least_seconds(2, [&] {
            RandomPeriods machines(period_law("A"), 100, {1, 0});
            run = run_in_slots(policy_of(row.id), machines, {jobs, 1, {1, 0}});
        });
        fmt::print("{:<10} {:8.2f} {:8.0f} {:8.2f} {:12.1f} {:10.1f}\n", row.id, time, row.target, time / row.target,
                   statistics::Sample(run.flowtime).mean(), run.active);
        met &= time <= row.target;
    }
    std::vector<double> work(100);
    const double paths = bench::least_seconds(3, [&] {
        RandomPeriods machines(period_law("A"), 100, {1, 0});
        for (std::uint64_t slot = 0; slot < 100'000; ++slot) machines.in_slot(slot, work);
    });
    fmt::print("{:<10} {:8.2f}\n", "paths only", paths);
    return met;
}

/// A trace like Facebook's of 2009: nine jobs in ten of one task, few of very many, one job in 15 s.
std::string made_up_trace(std::size_t jobs) {
    statistics::Stream random({1, 0}, "benchmark trace");
    const auto uniform = [&] { return static_cast<double>(1 + random.below(1'000'000'000)) / 1e9; };
    std::string text;
    double submit = 0;
    for (std::size_t j = 0; j < jobs; ++j) {
        const double gap = std::floor(-15 * std::log(uniform()));
        submit += gap;
        const double tasks = uniform() < 0.88 ? 0.5 : std::min(56'000.0, std::pow(uniform(), -1 / 0.55));
        text += fmt::format("job{}\t{:.0f}\t{:.0f}\t{:.0f}\t{}\t{}\n", j, submit, gap, tasks * input::TraceSizes::block,
                            random.below(1'000'000), random.below(1'000'000));
    }
    return text;
}

/// The lines of a trace over and over, each round later than the one before.
std::string repeated(const std::string& path, std::size_t jobs) {
    std::string text;
    double shift = 0, last = 0;
    for (std::size_t count = 0; count < jobs; shift = last + 15) {
        std::ifstream in(path);
        input::SwimReader reader(in, path);
        for (auto job = reader.next(); job && count < jobs; job = reader.next(), ++count) {
            last = shift + job->submit;
            text += fmt::format("{}\t{:.0f}\t0\t{:.0f}\t{:.0f}\t{:.0f}\n", job->name, last, job->map_bytes,
                                job->shuffle_bytes, job->output_bytes);
        }
    }
    return text;
}

bool print_trace(const char* path) {
    constexpr std::size_t jobs = 25'000;
    constexpr double target = 10;
    const std::string text = path != nullptr ? repeated(path, jobs) : made_up_trace(jobs);
    fmt::print("\ntrace of {} jobs, {}, 100 machines, 20 s a task, target {} s\n", jobs,
               path != nullptr ? path : "made up", target);
    bool met = true;
    for (const char* id : every_policy) {
        redundancy::Jobs<Real> read;
        const auto stream = [&] {
            std::istringstream in(text);
            read = input::redundancy_jobs(
                input::read_job_trace(in, "trace", input::TraceKind::swim, {input::TraceSizes::Unit::tasks, 20}));
        };
        Run slots, mean;
        const double in_slots = bench::least_seconds(1, [&] {
            stream();
            RandomPeriods machines(period_law("A"), 100, {1, 0});
            slots = run_in_slots(policy_of(id), machines, {read, 1, {1, 0}});
        });
        const double on_mean = bench::least_seconds(1, [&] {
            stream();
            mean = run_on_mean_service(policy_of(id), {100, Service::parse("two-point:2,0"), read}, Rational(1));
        });
        fmt::print("{:<8} in slots {:6.3f} s, mean flowtime {:9.1f}; mean service {:6.3f} s, {:9.1f}\n", id, in_slots,
                   statistics::Sample(slots.flowtime).mean(), on_mean, statistics::Sample(mean.flowtime).mean());
        met &= in_slots <= target && on_mean <= target;
    }
    return met;
}

}  // namespace

int main(int argc, char** argv) {
    bool met = print_events();
    met &= print_growth();
    met &= print_slots();
    met &= print_trace(argc > 1 ? argv[1] : nullptr);
    return met ? 0 : 1;
}
