/// Jobs that share a cluster: tasks a second with subqueues for jobs, and a day of a production trace.
///
///   sharing_bench [TRACE]     TRACE: a file in the format of SWIM, or the environment's SCHEDPROOF_TRACE; without one
///                             a trace is drawn that is like those of 2010: as many jobs in a day, most of them of one
///                             task, nine million tasks in all
///
/// Times are processor time of one thread, the least of several runs, since other programs can only add to a time; on
/// the trace of one run.
/// Baselines of the same run: hand-written loops for one policy and cluster each, on the same random words, whose
/// delays must be the same. On the trace that is dyndlon, the policy for which a loop by itself can be simplest: two
/// lists of ends in order of time, and for each node one queue of the tasks with data there.
/// What bounds it (perf, one core): with subqueues a quarter of the time is the choice among the jobs that wait in a
/// queue, a fifth joining the shortest queue, a tenth the random words, whose number is six a task; the rest is spread
/// over the slots' books, the ring of completions and what is recorded. On the trace, passing over tasks that were
/// launched on another node that holds their data, a fifth; under fair sharing the jobs in their order, a sixth; where
/// data is, a tenth.
/// Exit code 1 when a target is missed, or a baseline has other delays.
#include <fmt/core.h>
#include <unistd.h>

#include <boost/random/exponential_distribution.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <filesystem>
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
        std::fflush(stdout);
        met &= same && rate >= 5e6;
    }
    return met;
}

/// DynDLOn on jobs of a trace, one rack, one priority, constant times, heartbeats, and nothing else. Ends of local
/// tasks come in the order of their launches, and so do those of remote ones.
struct HandWrittenTrace {
    static constexpr std::size_t trace_nodes = 600, slots = 6;
    static constexpr std::int64_t period = 3000, local_time = 30'000, remote_time = 60'000;
    struct Task {
        std::uint32_t job, number;
    };
    struct Job {
        std::int64_t submit = 0;
        std::uint32_t unlaunched = 0, left = 0, first = 0;
        std::vector<bool> launched;
    };
    struct End {
        std::int64_t time;
        std::uint32_t node, job;
    };
    struct Queue {
        std::vector<Task> tasks;
        std::size_t head = 0;
    };
    struct Node {
        std::vector<std::int64_t> free = std::vector<std::int64_t>(slots);  // since when, ascending
        std::int64_t remote = 0;
    };
    std::vector<Job> jobs;
    std::size_t first = 0;  // jobs before it have no unlaunched task
    std::vector<Queue> here = std::vector<Queue>(trace_nodes);
    std::vector<Node> node = std::vector<Node>(trace_nodes);
    std::deque<End> local_ends, remote_ends;
    std::uint64_t tasks = 0, delays = 0;

    void submit(const sharing::Job& arriving) {
        const auto count = static_cast<std::uint32_t>(arriving.tasks.size()),
                   j = static_cast<std::uint32_t>(jobs.size());
        jobs.push_back({arriving.submit, count, count, 0, std::vector<bool>(count)});
        for (std::uint32_t t = 0; t < count; ++t)
            for (const sharing::NodeId n : arriving.tasks[t]) here[n.index()].tasks.push_back({j, t});
    }
    void end(std::deque<End>& ends, std::int64_t now, bool remote) {
        for (; !ends.empty() && ends.front().time <= now; ends.pop_front()) {
            const auto [time, n, j] = ends.front();
            node[n].free.push_back(time);
            node[n].remote -= remote ? 1 : 0;
            if (--jobs[j].left == 0) delays += static_cast<std::uint64_t>(time - jobs[j].submit), jobs[j].launched = {};
        }
    }
    void launch(std::int64_t now, std::size_t n, Task task, bool remote) {
        Job& job = jobs[task.job];
        job.launched[task.number] = true;
        --job.unlaunched;
        ++tasks;
        node[n].remote += remote ? 1 : 0;
        (remote ? remote_ends : local_ends)
            .push_back({now + (remote ? remote_time : local_time), static_cast<std::uint32_t>(n), task.job});
    }
    /// Whether the slot is taken.
    bool offer(std::int64_t now, std::size_t n, std::int64_t since) {
        Queue& queue = here[n];
        while (queue.head < queue.tasks.size()) {
            const Task task = queue.tasks[queue.head++];
            if (jobs[task.job].unlaunched > 0 && !jobs[task.job].launched[task.number])
                return launch(now, n, task, false), true;
        }
        queue = {};
        while (first < jobs.size() && jobs[first].unlaunched == 0) ++first;
        if (first == jobs.size()) return false;
        Job& job = jobs[first];
        if (node[n].remote > 0 && now - std::max(since, job.submit) < remote_time) return false;
        while (job.launched[job.first]) ++job.first;
        return launch(now, n, {static_cast<std::uint32_t>(first), job.first}, true), true;
    }
    void beat(std::int64_t now, std::size_t n) {
        auto& free = node[n].free;
        std::sort(free.begin(), free.end());
        free.erase(std::remove_if(free.begin(), free.end(), [&](std::int64_t since) { return offer(now, n, since); }),
                   free.end());
    }
    void run(JobSource& source, std::size_t count) {
        ArrivingJob next;
        bool more = source.next(next);
        jobs.reserve(count);
        for (std::int64_t k = 0; more || first < jobs.size() || !local_ends.empty() || !remote_ends.empty(); ++k) {
            const std::int64_t of = k % static_cast<std::int64_t>(trace_nodes),
                               now = k / static_cast<std::int64_t>(trace_nodes) * period +
                                     of * period / static_cast<std::int64_t>(trace_nodes);
            end(local_ends, now, false);
            end(remote_ends, now, true);
            for (; more && next.job.submit <= now; more = source.next(next)) submit(next.job);
            while (first < jobs.size() && jobs[first].unlaunched == 0) ++first;
            if (first < jobs.size() && !node[static_cast<std::size_t>(of)].free.empty())
                beat(now, static_cast<std::size_t>(of));
        }
    }
};

/// A day's jobs, in number and sizes like those of the traces of 2010.
void draw_trace(const std::string& path) {
    constexpr int jobs = 25'428;
    const JobSizes sizes("7998:1,600:2..10,600:11..100,470:101..1000,230:1001..5000,85:5001..20000,17:20001..150000");
    statistics::Stream arrivals(replication, "arrivals"), tasks(replication, "sizes");
    boost::random::exponential_distribution<double> gap(jobs / 86'400.0);
    std::ofstream out(path);
    std::int64_t before = 0;
    double time = 0;
    for (int j = 0; j < jobs; ++j) {
        const auto now = static_cast<std::int64_t>(time += gap(arrivals));
        out << fmt::format("job{}\t{}\t{}\t{}\t0\t0\n", j, now, now - before,
                           std::uint64_t{134'217'728} * sizes.draw(tasks));
        before = now;
    }
}

struct TracePolicy {
    const char *id, *skips = "", *wait = "", *job_order = "";
    [[nodiscard]] std::string label() const {
        std::string all = id;
        for (const auto& [name, value] : {std::pair("D", skips), std::pair("W", wait), std::pair("order", job_order)})
            if (*value != 0) all += fmt::format(" {}={}", name, value);
        return all;
    }
};

bool print_trace(const std::string& path, const char* name) {
    SharingSettings settings;
    settings.trace = path;
    settings.nodes = HandWrittenTrace::trace_nodes;
    settings.slots = HandWrittenTrace::slots;
    const JobLaws laws{Placements(3, HandWrittenTrace::trace_nodes), RunTimes(ConstantTime{30'000}, {}, {})};
    HandWrittenTrace hand_written;
    const double bare = bench::least_seconds(1, [&] {
        std::ifstream in(path);
        const std::vector<TracedJob> jobs = read_traced_jobs(in, path, 1000).jobs;
        JobSource source(laws, jobs, replication);
        hand_written = HandWrittenTrace();
        hand_written.run(source, jobs.size());
    });
    fmt::print("\ntrace {}, {} tasks, 600 nodes of 6 slots; target 5 s; hand-written dyndlon {:.3f} s\n", name,
               hand_written.tasks, bare);
    fmt::print("{:<24} {:>10} {:>9} {:>9} {:>16}\n", "policy", "launches", "seconds", "of 5 s", "of hand-written");
    bool met = true;
    for (const TracePolicy& policy :
         {TracePolicy{"dyndlon"}, TracePolicy{"dyndlon", "", "", "fair"}, TracePolicy{"delay-time", "", "6"},
          TracePolicy{"hadoop-fifo"}, TracePolicy{"naive-fair"}, TracePolicy{"delay", "10"},
          TracePolicy{"delay", "1000"}, TracePolicy{"delay-rack"}, TracePolicy{"fair-kill"},
          TracePolicy{"jsq-maxweight:subqueues"}}) {
        settings.policy = policy.id;
        settings.skips = policy.skips;
        settings.wait = policy.wait;
        settings.job_order = policy.job_order;
        Observation seen;
        const double time =
            bench::least_seconds(1, [&] { seen = make_sharing_experiment(settings)->run(replication, {}); });
        fmt::print("{:<24} {:>10} {:9.3f} {:8.2f}x {:15.2f}x\n", policy.label(), seen.work, time, time / 5,
                   time / bare);
        std::fflush(stdout);
        met &= time < 5;
        if (policy.label() != "dyndlon") continue;
        const double delays = sum(seen, SharingRecorder::job_delay);
        const bool same =
            hand_written.tasks == seen.work && std::abs(delays * 1000 - static_cast<double>(hand_written.delays)) <= 1;
        if (!same)
            fmt::print("  the hand-written loop has other delays: {} tasks, {} s, not {} s\n", hand_written.tasks,
                       static_cast<double>(hand_written.delays) / 1000, delays);
        met &= same;
    }
    return met;
}

}  // namespace

int main(int argc, char** argv) {
    bool met = print_subqueues();
    if (const char* given = argc > 1 ? argv[1] : std::getenv("SCHEDPROOF_TRACE")) {
        met &= print_trace(given, given);
    } else {
        const std::string drawn =
            (std::filesystem::temp_directory_path() / fmt::format("sharing_bench.{}.tsv", ::getpid())).string();
        draw_trace(drawn);
        met &= print_trace(drawn, "like those of 2010");
        std::filesystem::remove(drawn);
    }
    return met ? 0 : 1;
}
