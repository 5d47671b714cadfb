/// The simulator in slots: tasks a second on Wang's cluster, with delays and counts only; a million servers; two cores.
///
/// Times are processor time of one thread, the least of several runs of the simulator and of its baseline in turn; the
/// least decides whether a target is met, since other programs can only add to a time. The baseline is a hand-written
/// loop for this one policy, cluster and choice of options: no views, no indexes, nothing shared but the random
/// numbers. What bounds it: with delays, about ten accesses a task to counts, lists and calendar, and unpredictable
/// branches (whether a server is idle, whether it finds a task): a quarter of the time starts services, a fifth routes.
/// Counts only: two fifths route tasks, which depend on each other, a quarter makes random words and compares them
/// (SIMD), the rest asks and matches idle servers one by one. A million servers: cache misses of the same accesses.
/// Exit code 1 when a target is missed, or the baseline's mean delay differs by more than a tenth.
#include <fmt/core.h>
#include <sys/resource.h>

#include <algorithm>
#include <boost/random/poisson_distribution.hpp>
#include <cmath>
#include <vector>

#include "experiments/bench/support.hpp"
#include "experiments/runs/replicate.hpp"
#include "experiments/simulators/slotted/dense_counts.hpp"
#include "experiments/simulators/slotted/slotted.hpp"
#include "experiments/simulators/slotted/slotted_experiment.hpp"
#include "policies/queueing/wang_jsq_maxweight.hpp"

namespace {

using namespace schedproof;
using namespace schedproof::simulation;

/// Tasks that were done, the time it took, and their mean delay, 0 where it was not recorded.
struct Result {
    double tasks = 0, seconds = INFINITY, delay = 0;
    [[nodiscard]] double nanoseconds() const { return 1e9 * seconds / tasks; }
    [[nodiscard]] double millions() const { return 1e-6 * tasks / seconds; }
};

template <class Body>
void take(Result& least, Body&& body) {
    const double start = bench::thread_seconds();
    Result result = body();
    result.seconds = bench::thread_seconds() - start;
    if (result.seconds < least.seconds) least = result;
}

/// Wang's policy on 1000 servers with data on 800, as a hand-written loop. It is one long function on purpose: a
/// baseline calls nothing that it could share with the simulator.
Result hand_written(std::uint64_t slots, double rate, bool delays) {
    constexpr std::uint32_t servers = 1000, with_data = 800, common = servers, ring_length = 64;
    const statistics::Replication replication{1, 0};
    statistics::Stream arrivals(replication, "arrivals"), ties(replication, "ties"), services(replication, "services");
    ReplicaSource replicas(replication, {with_data, 3});
    const Geometric local(Rational(Integer(4), Integer(5))), remote(Rational(Integer(1), Integer(5)));
    std::vector<std::uint32_t> length(servers + 1, 0), settled(length), in_service(length), serves(servers, 0), joined;
    std::vector<std::vector<std::uint32_t>> ring(ring_length);
    std::vector<std::uint64_t> due(servers, 0);
    std::vector<std::uint8_t> busy(servers, 0);
    TaskLists lists(servers + 1);
    statistics::Histogram histogram;
    std::uint64_t done = 0, sum = 0, started = 0;
    boost::random::poisson_distribution<std::int64_t> number(rate);
    for (std::uint64_t t = 0; t < slots; ++t) {
        joined.clear();
        const std::uint32_t common_before = settled[common];
        for (std::int64_t k = number(arrivals); k > 0; --k) {
            const auto held = replicas.next();
            const std::size_t a = held[0].index(), b = held[1].index(), c = held[2].index();
            const std::uint32_t least = std::min(std::min(length[a], length[b]), std::min(length[c], length[common]));
            const std::uint32_t at_a = length[a] == least, at_b = length[b] == least, at_c = length[c] == least;
            const std::uint32_t tied = at_a + at_b + at_c;
            auto q = static_cast<std::uint32_t>(at_a ? a : at_b ? b : at_c ? c : common);
            if (length[common] == least && tied > 0 && ties.below_half(tied + 1) == 0) q = common;
            ++length[q];
            joined.push_back(q);
            if (delays) lists.push(q, {static_cast<std::uint32_t>(t), 0});
        }
        for (std::uint32_t m = 0; m < servers; ++m) {
            if (busy[m]) continue;
            const std::uint32_t q = 4 * settled[m] >= common_before ? m : common;
            if (length[q] <= in_service[q]) continue;
            const std::uint64_t slots_of_service = (q == common ? remote : local)(services);
            ++in_service[q];
            ++started;
            busy[m] = 1;
            serves[m] = q;
            due[m] = t + slots_of_service;
            ring[(slots_of_service < ring_length ? due[m] : t + ring_length - 1) % ring_length].push_back(m);
            if (!delays) continue;
            const std::uint64_t delay = due[m] - lists.pop(q).arrived;
            histogram.add(delay);
            sum += delay;
        }
        for (const std::uint32_t q : joined) ++settled[q];
        auto& ending = ring[(t + 1) % ring_length];
        for (std::size_t i = 0; i < ending.size(); ++i) {
            const std::uint32_t m = ending[i];
            if (due[m] != t + 1) {
                ring[(due[m] - t - 1 < ring_length ? due[m] : t + ring_length) % ring_length].push_back(m);
                continue;
            }
            --length[serves[m]];
            --settled[serves[m]];
            --in_service[serves[m]];
            busy[m] = 0;
            ++done;
        }
        ending.clear();
    }
    return {static_cast<double>(done), 0,
            static_cast<double>(sum) / static_cast<double>(std::max<std::uint64_t>(1, started))};
}

System wang_cluster(std::uint32_t servers, std::uint32_t with_data, const Rational& rate) {
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

/// The rules of this policy, known when the simulator is compiled; and any rules, looked up at each question.
using Known =
    AskedRules<queueing::RoutingRule::shortest_local_or_common, queueing::ServingRule::largest_of_own_and_common>;

void wang() {
    const System system = wang_cluster(1000, 800, Rational(600));
    const queueing::WangJsqMaxWeight policy;
    constexpr std::uint64_t slots = 20'000;
    const SlottedSettings with{slots, 20, true, {}}, without{slots, 20, false, {}};
    Result delays, looked_up, hand_delays, hand_counts, counts[3];
    const auto best = available_simd();
    for (int i = 0; i < 5; ++i) {
        take(delays, [&] { return simulated(SlottedRun<Known>(system, policy, with, {1, 0}), true); });
        take(looked_up, [&] { return simulated(SlottedRun<AnyRules>(system, policy, with, {1, 0}), true); });
        take(hand_delays, [&] { return hand_written(slots, 600, true); });
        for (const SimdLevel simd : {SimdLevel::none, SimdLevel::avx2, SimdLevel::avx512})
            if (simd <= best)
                take(counts[static_cast<int>(simd)], [&] {
                    return simulated(DenseRun<Known>(system, policy, without, {1, 0}, simd), false);
                });
        take(hand_counts, [&] { return hand_written(slots, 600, false); });
    }
    const char* names[] = {"no SIMD", "AVX2", "AVX-512"};
    fmt::print("Wang's cluster: 1000 servers, 800 with data, 600 tasks a slot, wang-jsq-maxweight\n");
    const auto row = [](const std::string& name, const Result& ours, double target, const Result& hand) {
        fmt::print(
            "  {:<28} {:7.1f} million tasks/s (target {:3.0f}: {})  {:6.2f} ns a task, hand-written {:6.2f}: {:.2f} "
            "times "
            "(target 1.5: {})\n",
            name, ours.millions(), target, verdict(ours.millions() >= target), ours.nanoseconds(), hand.nanoseconds(),
            ours.nanoseconds() / hand.nanoseconds(), verdict(ours.nanoseconds() <= 1.5 * hand.nanoseconds()));
    };
    row("with delays", delays, 60, hand_delays);
    for (const SimdLevel u : {SimdLevel::avx512, SimdLevel::avx2, SimdLevel::none})
        if (u <= best)
            row(fmt::format("counts, {}", names[static_cast<int>(u)]), counts[static_cast<int>(u)],
                u == SimdLevel::avx512 ? 150 : 60, hand_counts);
    fmt::print(
        "  with delays, rules looked up at each question: {:.2f} times the time of rules known to the compiler\n",
        looked_up.nanoseconds() / delays.nanoseconds());
    fmt::print("  mean delay {:.3f} slots, hand-written {:.3f}: {}\n", delays.delay, hand_delays.delay,
               verdict(std::abs(delays.delay - hand_delays.delay) < 0.1 * hand_delays.delay));
}

/// The same load per server: 0.9 of what the servers do locally.
void a_million_servers() {
    const queueing::WangJsqMaxWeight policy;
    const auto cost = [&](std::uint32_t servers, std::uint64_t slots) {
        const System system = wang_cluster(servers, servers, Rational(servers) * Rational(Integer(18), Integer(25)));
        Result result;
        for (int i = 0; i < (servers > 10'000 ? 1 : 3); ++i)
            take(result, [&] {
                return simulated(SlottedRun<Known>(system, policy, {slots, 1, true, {}}, {1, 0}), true);
            });
        return result;
    };
    const Result small = cost(1000, 20'000), large = cost(1'000'000, 60);
    const double gib = bench::peak_gib();
    fmt::print(
        "Three replicas anywhere, load 0.9\n  1,000 servers {:.1f} ns a task, 1,000,000 servers {:.1f}: {:.1f} times "
        "(target 6: {}), {:.2f} GiB (target 2: {})\n",
        small.nanoseconds(), large.nanoseconds(), large.nanoseconds() / small.nanoseconds(),
        verdict(large.nanoseconds() <= 6 * small.nanoseconds()), gib, verdict(gib < 2));
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
    a_million_servers();
    two_cores();
    return missed ? 1 : 0;
}
