/// The simulator in slots: processor time a task on Wang's cluster, with delays and counts only, under several
/// policies, registered and others; a million servers; two cores.
///
/// Times are processor time of one thread, the least of several runs of the simulators and of their baselines in turn;
/// the least decides whether a target is met, since other programs can only add to a time. The baselines are
/// hand-written loops for Wang's policy on this cluster (limit_loops.hpp): what one core can do, exact as the
/// simulators are. What bounds the dense simulator: choosing queues, a quarter of the time random words, and with
/// delays the stamps, which are written and read one by one. Under Balanced-Pandas it takes 311 instructions a task: a
/// sixth of the time joining tasks, where it is unpredictable whether a local server is the best, a fifth stamps, a
/// seventh recording delays, and an eighth each random words and choosing among local servers. What bounds the indexed
/// simulator: about ten accesses a task to counts, lists and calendar, the indexes, and unpredictable branches. Exit
/// code 1 when a target is missed, or a baseline's mean delay differs by more than a hundredth.
#include <fmt/core.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "experiments/bench/limit_loops.hpp"
#include "experiments/bench/support.hpp"
#include "experiments/runs/replicate.hpp"
#include "experiments/simulators/slotted/dense_run.hpp"
#include "experiments/simulators/slotted/slotted.hpp"
#include "experiments/simulators/slotted/slotted_experiment.hpp"
#include "policies/queueing/exact.hpp"
#include "policies/queueing/wang_jsq_maxweight.hpp"

namespace {

using namespace schedproof;
using namespace schedproof::simulation;

/// Tasks that were done, the time it took, and their mean delay, 0 where it was not recorded.
struct Result {
    double tasks = 0, seconds = INFINITY, delay = 0;
    [[nodiscard]] double nanoseconds() const { return 1e9 * seconds / tasks; }
};

template <class Body>
void take(Result& least, Body&& body) {
    const double start = bench::thread_seconds();
    Result result = body();
    result.seconds = bench::thread_seconds() - start;
    if (result.seconds < least.seconds) least = result;
}

SimulatedSystem wang_cluster(std::uint32_t servers, std::uint32_t with_data, const Rational& rate) {
    RandomCluster cluster;
    cluster.servers = servers;
    cluster.data_servers = with_data;
    cluster.rates = {Rational(Integer(4), Integer(5)), Rational(Integer(1), Integer(5))};
    return random_cluster(cluster, PoissonArrivals{rate});
}

template <class Run>
Result simulated(Run&& run, bool delays) {
    const Observation o = run.run({});
    Result result{static_cast<double>(o.work), 0, 0};
    if (!delays) return result;
    Tally all;
    for (const Batch& batch : o.batches) {
        const Tally& delay = batch.tallies[batch.tallies.size() - 2];
        all.add(delay.sum, delay.weight);
    }
    result.delay = all.sum / all.weight;
    return result;
}

bool missed = false;
std::string verdict(bool met) {
    missed = missed || !met;
    return met ? "met" : "MISSED";
}

Result of_loop(const bench::LoopResult& loop) { return {static_cast<double>(loop.tasks), 0, loop.mean_delay}; }

void row(const std::string& name, const Result& ours, const std::string& beside, const Result& other, double target) {
    const double ratio = ours.nanoseconds() / other.nanoseconds();
    fmt::print("  {:<34} {:7.2f} ns a task  {:<28} {:7.2f}: {:5.2f} times (target {}: {})\n", name, ours.nanoseconds(),
               beside, other.nanoseconds(), ratio, target, verdict(ratio <= target));
}

constexpr int rounds = 5;
constexpr std::uint64_t slots = 20'000;

void wang() {
    const SimulatedSystem system = wang_cluster(1000, 800, Rational(600));
    const queueing::WangJsqMaxWeight policy;
    const SlottedSettings with{slots, 20, true, {}}, without{slots, 20, false, {}};
    Result delays, looked_up, naive, calendar_delays, calendar_counts, wide, counts[3];
    const auto best = available_simd();
    for (int i = 0; i < rounds; ++i) {
        take(delays, [&] { return simulated(DenseRun(system, policy, with, {1, 0}), true); });
        take(looked_up, [&] { return simulated(SlottedRun<>(system, policy, with, {1, 0}), true); });
        take(calendar_delays, [&] { return of_loop(bench::calendar_loop(slots, 600, 1, true)); });
        for (const SimdLevel simd : {SimdLevel::none, SimdLevel::avx2, SimdLevel::avx512})
            if (simd <= best)
                take(counts[static_cast<int>(simd)], [&] {
                    return simulated(DenseRun(system, policy, without, {1, 0}, simd), false);
                });
        take(calendar_counts, [&] { return of_loop(bench::calendar_loop(slots, 600, 1, false)); });
        if (bench::has_wide_loop()) take(wide, [&] { return of_loop(bench::wide_loop(slots, 600, 1)); });
        take(naive, [&] { return of_loop(bench::naive_loop(slots / 4, 600, 1)); });
    }
    fmt::print("Wang's cluster: 1000 servers, 800 with data, 600 tasks a slot, wang-jsq-maxweight\n");
    row("with delays", delays, "calendar loop, delays", calendar_delays, 1.3);
    if (best >= SimdLevel::avx512 && bench::has_wide_loop()) row("counts, AVX-512", counts[2], "wide loop", wide, 1.3);
    if (best >= SimdLevel::avx2) row("counts, AVX2", counts[1], "calendar loop", calendar_counts, 1);
    row("counts, no SIMD", counts[0], "calendar loop", calendar_counts, 1.3);
    row("with delays", delays, "naive loop, counts", naive, 1);
    fmt::print("  with delays, the indexed simulator: {:.2f} ns a task\n", looked_up.nanoseconds());
    fmt::print("  mean delay {:.3f} slots, calendar loop {:.3f}: {}\n", delays.delay, calendar_delays.delay,
               verdict(std::abs(delays.delay - calendar_delays.delay) < 0.01 * calendar_delays.delay));
}

/// Through the experiment, as `simulate` runs them.
void other_policies() {
    const SlottedSettings with{slots, 20, true, {}};
    struct Case {
        std::string name, id;
        SimulatedSystem system;
        Result result = {};
    };
    const SimulatedSystem three = wang_cluster(1000, 800, Rational(600));
    SimulatedSystem two = three;
    two.random->replicas = 2;
    std::vector<Case> cases{{"Wang", "wang-jsq-maxweight", three},
                            {"JSQ-MaxWeight", "jsq-maxweight", three},
                            {"Balanced-Pandas", "balanced-pandas", three},
                            {"power of 2", "join-shortest-queue", two},
                            {"Pandas", "pandas:plain", three}};
    for (int i = 0; i < rounds; ++i)
        for (Case& one : cases) {
            const auto policy = queueing::make_policy(one.id, *one.system.instance, queueing::no_planner);
            const auto experiment = slotted_experiment(one.system, policy, with);
            take(one.result, [&] { return Result{static_cast<double>(experiment->run({1, 0}, {}).work), 0, 0}; });
        }
    fmt::print("Other policies on it, with delays\n");
    for (const Case& one : cases)
        if (&one != &cases.front()) row(one.name, one.result, "wang-jsq-maxweight", cases.front().result, 1.6);
}

/// Policies that nobody registered, beside the registered one of the same shape: a set around one with an index, a
/// question in other words, a gate.
void policies_of_others() {
    using namespace queueing::language;
    const auto shared = queueing::language::common;
    const auto heaviest = argmax(nonempty(reachable), rate * length);
    const auto longest = greatest(servers, server_length), shortest = least(servers, server_length);
    struct Case {
        std::string name, beside;
        queueing::Rules rules;
        Result result = {}, registered = {};
    };
    std::vector<Case> cases{
        {"where(heaviest, length >= 2)",
         "jsq-maxweight",
         {keep(queueing::Arrangement::per_server), route(argmin(local, length)),
          serve(first_of(where(heaviest, !(length < tasks(2))), own))}},
        {"heaviest, asked twice",
         "jsq-maxweight",
         {keep(queueing::Arrangement::per_server), route(argmin(local, length)),
          serve(first_of(heaviest, heaviest, own))}},
        {"first_of(shortest local, common)",
         "wang-jsq-maxweight",
         {keep(queueing::Arrangement::per_server_and_common), route(first_of(argmin(local, length), shared)),
          serve(when(least(own, rate * servable) >= least(shared, rate * servable), own, shared))}},
        {"gate",
         "balanced-pandas",
         {keep(queueing::Arrangement::per_server_and_level),
          route(when(longest - shortest > tasks(8) && 2 * longest > 3 * shortest, argmin(servers, server_length),
                     argmin(local, server_length))),
          serve(most_local(nonempty(own_levels)))}}};
    const SlottedSettings with{slots / 4, 20, true, {}};
    const SimulatedSystem system = wang_cluster(1000, 800, Rational(600));
    const auto run = [&](Result& least, const queueing::AnyPolicy& policy) {
        const auto experiment = slotted_experiment(system, policy, with);
        take(least, [&] { return Result{static_cast<double>(experiment->run({1, 0}, {}).work), 0, 0}; });
    };
    for (int i = 0; i < rounds; ++i)
        for (Case& one : cases) {
            run(one.result, queueing::AnyPolicy({"of-others", "benchmark", one.name}, one.rules));
            run(one.registered, queueing::make_policy(one.beside, *system.instance, queueing::no_planner));
        }
    fmt::print("Policies of others on it, with delays\n");
    for (const Case& one : cases) row(one.name, one.result, one.beside, one.registered, 3);
}

/// The same load per server: 0.9 of what the servers do locally.
void a_million_servers() {
    const queueing::WangJsqMaxWeight policy;
    const auto cost = [&](std::uint32_t servers, std::uint64_t of_slots) {
        const SimulatedSystem system =
            wang_cluster(servers, servers, Rational(servers) * Rational(Integer(18), Integer(25)));
        Result result;
        for (int i = 0; i < 3; ++i)
            take(result, [&] { return simulated(DenseRun(system, policy, {of_slots, 1, true, {}}, {1, 0}), true); });
        return result;
    };
    const Result small = cost(1000, 20'000), large = cost(1'000'000, 60);
    const double gib = bench::peak_gib();
    fmt::print(
        "Three replicas anywhere, load 0.9\n  1,000 servers {:.1f} ns a task, 1,000,000 servers {:.1f}: {:.1f} times "
        "(target 4: {}), {:.2f} GiB (target 2: {})\n",
        small.nanoseconds(), large.nanoseconds(), large.nanoseconds() / small.nanoseconds(),
        verdict(large.nanoseconds() <= 4 * small.nanoseconds()), gib, verdict(gib < 2));
}

void two_cores() {
    const auto experiment =
        slotted_experiment(wang_cluster(1000, 800, Rational(600)), queueing::WangJsqMaxWeight{}, {4000, 20, true, {}});
    const auto wall = [&](unsigned threads) {
        double least = INFINITY;
        for (int i = 0; i < 3; ++i) {
            least = std::min(least, bench::wall_seconds([&] {
                                 static_cast<void>(runs::replicate(*experiment, {1, 0}, 8, threads));
                             }));
        }
        return least;
    };
    const double one = wall(1), two = wall(2);
    fmt::print("Eight replications: one thread {:.2f} s, two {:.2f} s, {:.2f} times as fast (target 1.8: {})\n", one,
               two, one / two, verdict(one / two >= 1.8));
}

}  // namespace

int main() {
    wang();
    other_policies();
    policies_of_others();
    a_million_servers();
    two_cores();
    return missed ? 1 : 0;
}
