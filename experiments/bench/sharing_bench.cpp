/// Jobs that share a cluster: tasks a second with subqueues for jobs, and a day of a production trace.
///
///   sharing_bench [TRACE]     TRACE: a file in the format of SWIM, or the environment's SCHEDPROOF_TRACE; without one
///                             its rows are left out
///
/// Times are processor time of one thread, the least of several runs, since other programs can only add to a time.
/// Baselines of the same run: a hand-written loop for this one policy and cluster, on the same random words, whose
/// delays must be the same; and for the trace, reading it and drawing where its data is.
/// What bounds it (perf, one core): with subqueues a quarter of the time is the choice among the jobs that wait in a
/// queue, a fifth joining the shortest queue, a tenth the random words, whose number is six a task; the rest is spread
/// over the slots' books, the ring of completions and what is recorded. On the trace, beats at which jobs decline.
/// Exit code 1 when a target is missed, or the baseline has other delays.
#include <fmt/core.h>

#include <boost/random/exponential_distribution.hpp>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "experiments/bench/support.hpp"
#include "experiments/simulators/sharing/job_recorder.hpp"
#include "experiments/simulators/sharing/job_source.hpp"
#include "experiments/simulators/sharing/sharing_experiment.hpp"

namespace {

using namespace schedproof;
using namespace schedproof::simulation;

constexpr std::size_t nodes = 1000, data_nodes = 800, horizon = 10'000;
constexpr double load = 600;
constexpr statistics::Replication replication{1, 0};

double sum(const Observation& seen, std::size_t quantity) {
    double all = 0;
    for (const Batch& b : seen.batches) all += b.tallies[quantity].sum;
    return all;
}

/// JSQ-MaxWeight with subqueues on Wang's cluster and nothing else: tasks launched, and the sum of job delays.
struct HandWrittenLoop {
    struct Subqueue {
        std::uint32_t job, tasks;
    };
    struct Job {
        std::int64_t submit;
        std::uint32_t left;
    };
    std::vector<std::int64_t> length = std::vector<std::int64_t>(nodes + 1);
    std::vector<std::vector<Subqueue>> waiting = std::vector<std::vector<Subqueue>>(nodes + 1);
    std::vector<std::uint32_t> running, free_jobs;
    std::vector<Job> jobs;
    std::vector<std::uint32_t> job_of = std::vector<std::uint32_t>(nodes), queue_of = job_of;
    std::vector<bool> idle = std::vector<bool>(nodes, true);
    std::vector<std::vector<std::uint32_t>> ring = std::vector<std::vector<std::uint32_t>>(1024);
    statistics::Stream arrivals{replication, "arrivals"}, sizes{replication, "sizes"},
        placement{replication, "placement"}, ties{replication, "ties"}, services{replication, "services"};
    GeometricTimes local{Rational(Integer(4), Integer(5))}, remote{Rational(Integer(1), Integer(5))};
    std::uint64_t tasks = 0, delays = 0;

    void join(std::uint32_t job) {
        std::size_t choice[4] = {0, 0, 0, nodes};
        for (std::size_t i = 0; i < 3; ++i) {
            const std::size_t last = data_nodes - 3 + i, drawn = placement.below(last + 1);
            choice[i] = std::find(choice, choice + i, drawn) == choice + i ? drawn : last;
        }
        std::sort(choice, choice + 3);
        std::int64_t least = INT64_MAX;
        std::size_t tied = 0, best[4];
        for (const std::size_t q : choice) {
            if (length[q] > least) continue;
            if (length[q] < least) tied = 0;
            least = length[q];
            best[tied++] = q;
        }
        const std::size_t q = best[tied == 1 ? 0 : ties.below(tied)];
        ++length[q];
        if (waiting[q].empty() || waiting[q].back().job != job) waiting[q].push_back({job, 0});
        ++waiting[q].back().tasks;
    }
    void submit(std::int64_t t, const JobSizes& law) {
        if (free_jobs.empty()) {
            free_jobs.push_back(static_cast<std::uint32_t>(jobs.size()));
            jobs.emplace_back();
            running.emplace_back();
        }
        const std::uint32_t job = free_jobs.back();
        free_jobs.pop_back();
        jobs[job] = {t, law.draw(sizes)};
        for (std::uint32_t i = jobs[job].left; i > 0; --i) join(job);
    }
    void serve(std::int64_t t, std::uint32_t n) {
        const std::size_t q = 4 * length[n] >= length[nodes] ? n : nodes;
        auto& here = waiting[q];
        if (here.empty()) return;
        auto best = here.begin();
        for (auto s = here.begin(); s != here.end(); ++s)
            if (running[s->job] < running[best->job]) best = s;
        const std::uint32_t job = best->job;
        if (--best->tasks == 0) here.erase(best);
        ++running[job];
        ++tasks;
        idle[n] = false;
        job_of[n] = job;
        queue_of[n] = static_cast<std::uint32_t>(q);
        ring[static_cast<std::size_t>(t + (q == nodes ? remote : local).draw(services)) % ring.size()].push_back(n);
    }
    void run(const JobSizes& law) {
        boost::random::exponential_distribution<double> gap(load / law.mean().approximate());
        double next = gap(arrivals);
        for (std::int64_t t = 0; t < static_cast<std::int64_t>(horizon); ++t) {
            auto& ended = ring[static_cast<std::size_t>(t) % ring.size()];
            for (const std::uint32_t n : ended) {
                idle[n] = true;
                --length[queue_of[n]];
                --running[job_of[n]];
                Job& job = jobs[job_of[n]];
                if (--job.left > 0) continue;
                delays += static_cast<std::uint64_t>(t - job.submit);
                free_jobs.push_back(job_of[n]);
            }
            ended.clear();
            for (; next < static_cast<double>(t + 1); next += gap(arrivals)) submit(t, law);
            for (std::uint32_t n = 0; n < nodes; ++n)
                if (idle[n]) serve(t, n);
        }
    }
};

bool print_subqueues() {
    bool met = true;
    fmt::print("subqueues, {} nodes, {} tasks a slot, {} slots; target 5 M tasks/s\n", nodes, load, horizon);
    fmt::print("{:<52} {:>9} {:>7} {:>13} {:>7}\n", "tasks per job", "tasks/s", "of 5 M", "hand-written", "ratio");
    for (const char* sizes : {"100", "85:1..10,4:11..50,8:51..150,2:151..500,1:501..5000"}) {
        SharingSettings settings;
        settings.policy = "jsq-maxweight:subqueues";
        settings.nodes = nodes;
        settings.data_nodes = data_nodes;
        settings.heartbeat = "0";
        settings.rates = "4/5,1/5";
        settings.load = "600";
        settings.sizes = sizes;
        settings.horizon = std::to_string(horizon);
        const auto experiment = make_sharing_experiment(settings);
        Observation seen;
        const double time = bench::least_seconds(3, [&] { seen = experiment->run(replication, {}); });
        HandWrittenLoop hand_written;
        const double bare = bench::least_seconds(3, [&] {
            hand_written = HandWrittenLoop();
            hand_written.run(JobSizes(sizes));
        });
        const double rate = static_cast<double>(seen.work) / time;
        fmt::print("{:<52} {:9.0f} {:6.2f}x {:13.0f} {:6.2f}x\n", sizes, rate, rate / 5e6,
                   static_cast<double>(hand_written.tasks) / bare, time / bare);
        const bool same = hand_written.tasks == seen.work &&
                          static_cast<double>(hand_written.delays) == sum(seen, SharingRecorder::job_delay);
        if (!same)
            fmt::print("  the hand-written loop has other delays: {} tasks, {}\n", hand_written.tasks,
                       hand_written.delays);
        met &= same && rate >= 5e6;
    }
    return met;
}

bool print_trace(const std::string& path) {
    SharingSettings settings;
    settings.trace = path;
    settings.nodes = 600;
    settings.slots = 6;
    const JobLaws laws{Placements(3, 600), RunTimes(ConstantTime{30'000}, {}, {})};
    const double input = bench::least_seconds(3, [&] {
        std::ifstream in(path);
        const std::vector<TracedJob> jobs = read_traced_jobs(in, path, 1000).jobs;
        JobSource source(laws, jobs, replication);
        for (ArrivingJob job; source.next(job);) {}
    });
    fmt::print("\ntrace {}, 600 nodes of 6 slots; target 5 s\n", path);
    fmt::print("{:<24} {:>10} {:>9} {:>9} {:>13} {:>7}\n", "policy", "tasks", "seconds", "of 5 s", "input alone",
               "ratio");
    bool met = true;
    for (const auto& [policy, skips] :
         {std::pair("naive-fair", ""), std::pair("delay", "10"), std::pair("delay", "1000"), std::pair("dyndlon", ""),
          std::pair("fair-kill", "")}) {
        settings.policy = policy;
        settings.skips = skips;
        std::uint64_t tasks = 0;
        const double time =
            bench::least_seconds(3, [&] { tasks = make_sharing_experiment(settings)->run(replication, {}).work; });
        fmt::print("{:<24} {:>10} {:9.3f} {:8.2f}x {:13.3f} {:6.1f}x\n",
                   *skips == 0 ? std::string(policy) : fmt::format("{} D={}", policy, skips), tasks, time, time / 5,
                   input, time / input);
        met &= time < 5;
    }
    return met;
}

}  // namespace

int main(int argc, char** argv) {
    bool met = print_subqueues();
    const char* given = argc > 1 ? argv[1] : std::getenv("SCHEDPROOF_TRACE");
    if (given == nullptr)
        fmt::print("\nno trace given: its rows are left out\n");
    else
        met &= print_trace(given);
    return met ? 0 : 1;
}
