/// DynDLOff from ten thousand tasks to ten million: Phase I and II on one core, generation of the problem excluded.
///
/// Times are processor time of one thread, the least and the median of several runs; a target counts as met by the
/// least, since other programs can only add to it. Beside it the paper's own search, literally: depth first, over
/// everything that can be reached, one server settled at a time, Phase II with sorted deadlines. On the larger problems
/// it does not end in minutes. Then the growth in tasks, servers and cores, fitted as a power, and the parameters of
/// the paper's Figure 9 for the policies that it shows.
/// What bounds it: on small problems the first touch of every server's cores and of the memory; on large ones the
/// scans of replicas in the flow, a word of random access each, then the greedy pass (three random reads a task).
/// Exit code 1 when a target is missed, or ticks and rationals do not make the same assignment.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "experiments/bench/support.hpp"
#include "experiments/workload/assignment_generator.hpp"
#include "policies/assignment/bar.hpp"
#include "policies/assignment/dyndloff.hpp"
#include "policies/assignment/ltfpa.hpp"

namespace {

using namespace schedproof;
using namespace schedproof::assignment;
using workload::AssignmentWorkload;

struct Times {
    double least = 0, median = 0;
};

template <class Body>
Times measure(int runs, Body&& body) {
    std::vector<double> times;
    for (int i = 0; i < runs; ++i) {
        const double start = bench::thread_seconds();
        body();
        times.push_back(bench::thread_seconds() - start);
    }
    std::sort(times.begin(), times.end());
    return {times.front(), times[times.size() / 2]};
}

AssignmentWorkload sized(std::size_t tasks, std::size_t servers, std::uint32_t cores) {
    AssignmentWorkload w;
    w.tasks = tasks;
    w.servers = servers;
    w.cores = cores;
    w.beta = Rational(1000);
    return w;
}

struct BenchCase {
    std::size_t tasks, servers;
    std::uint32_t cores;
    double target;  // seconds
    int runs;
    bool literal;  // whether the paper's search ends soon enough to be timed
};

/// Whether the target is met.
bool print_row(const BenchCase& row) {
    const auto problem = workload::generate(sized(row.tasks, row.servers, row.cores));
    ScheduleResult<CheckedInt> outcome;
    const Times all = measure(row.runs, [&] { outcome = DynDlOff{}.schedule(problem); });
    const Times balance = measure(row.runs, [&] { (void)DynDlOff{}.balance(problem); });
    const auto account = evaluate(problem, outcome.assignment);
    fmt::print("{:>10} {:>7} x {:<3} {:9.2f} {:9.2f} {:9.2f}   {:5.0f} ms, {:4.2f} of it", row.tasks, row.servers,
               row.cores, 1e3 * balance.least, 1e3 * all.least, 1e3 * all.median, 1e3 * row.target,
               all.least / row.target);
    if (row.literal) {
        DynDlOff literal;
        literal.search = DynDlOff::Search::paper;
        const Times paper = measure(3, [&] { (void)literal.trace(problem); });
        fmt::print("   {:9.1f} ms, {:6.1f} times", 1e3 * paper.least, paper.least / all.least);
    } else {
        fmt::print("   {:>24}", "-");
    }
    fmt::print("   makespan {:.2f}, {} remote\n",
               static_cast<double>(account.makespan->value()) / static_cast<double>(problem.local.value()),
               account.remote_tasks);
    return all.least <= row.target;
}

/// Whether ticks and rationals make the same assignment of a problem.
bool numbers_agree() {
    const auto ticks = workload::generate(sized(5000, 500, 10));
    const auto rationals = in_rationals(ticks);
    Assignment of_ticks, of_rationals;
    const Times fast = measure(5, [&] { of_ticks = DynDlOff{}.schedule(ticks).assignment; });
    const Times exact = measure(3, [&] { of_rationals = DynDlOff{}.schedule(rationals).assignment; });
    const bool agree = of_ticks == of_rationals;
    fmt::print("\nrationals, 5,000 tasks on 500 x 10: {:.1f} ms, ticks {:.1f} ms, {}\n", 1e3 * exact.least,
               1e3 * fast.least, agree ? "the same assignment" : "DIFFERENT ASSIGNMENTS");
    return agree;
}

/// Times at sizes that double from one to the next, and the power of the size that fits them best.
void print_growth(const char* in, std::size_t first, int sizes,
                  const std::function<AssignmentWorkload(std::size_t)>& at) {
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    fmt::print("{:<8}", in);
    std::size_t size = first;
    for (int i = 0; i < sizes; ++i, size *= 2) {
        const auto problem = workload::generate(at(size));
        const Times t = measure(3, [&] { (void)DynDlOff{}.schedule(problem); });
        const double x = std::log(static_cast<double>(size)), y = std::log(t.least);
        sx += x;
        sy += y;
        sxx += x * x;
        sxy += x * y;
        fmt::print("  {}: {:.1f}", size, 1e3 * t.least);
    }
    fmt::print(" ms   power {:.2f}\n", (sizes * sxy - sx * sy) / (sizes * sxx - sx * sx));
}

/// One of the paper's Figure 9: running times of three policies over one parameter.
void print_figure(const char* name, const std::vector<std::size_t>& values,
                  const std::function<AssignmentWorkload(std::size_t)>& at) {
    fmt::print("{:<10} {:>9} {:>9} {:>9} {:>9}\n", name, "LTFPA", "BAR", "DynDLOff", "Phase II");
    for (const std::size_t value : values) {
        const auto problem = workload::generate(at(value));
        const Times ltfpa = measure(1, [&] { (void)Ltfpa{}.schedule(problem); });
        const Times bar = measure(1, [&] { (void)Bar{}.schedule(problem); });
        const Times off = measure(5, [&] { (void)DynDlOff{}.schedule(problem); });
        const Times balance = measure(5, [&] { (void)DynDlOff{}.balance(problem); });
        fmt::print("{:<10} {:9.2f} {:9.2f} {:9.2f} {:9.2f}\n", value, 1e3 * ltfpa.least, 1e3 * bar.least,
                   1e3 * off.least, 1e3 * std::max(0.0, off.least - balance.least));
    }
}

}  // namespace

int main() {
    fmt::print("{:>10} {:>7}   {:<3} {:>9} {:>9} {:>9}   {:<17}   {:>24}\n", "tasks", "servers", "c", "Phase I",
               "I+II min", "median", "target", "the paper's, literally");
    bool met = true;
    for (const BenchCase& row :
         {BenchCase{10'000, 1'000, 10, 0.004, 25, true}, BenchCase{10'000, 10'000, 10, 0.012, 25, true},
          BenchCase{1'000'000, 10'000, 40, 0.5, 5, false}, BenchCase{1'000'000, 10'000, 10, 3, 3, false}})
        met &= print_row(row);
    met &= numbers_agree();
    fmt::print("\nGrowth, ms:\n");
    print_growth("tasks", 12'500, 6, [](std::size_t n) { return sized(n, 1000, 10); });
    print_growth("servers", 500, 6, [](std::size_t n) { return sized(100'000, n, 10); });
    print_growth("cores", 5, 5, [](std::size_t n) { return sized(100'000, 2000, static_cast<std::uint32_t>(n)); });
    fmt::print("\nFigure 9, ms (the paper, in Java: a 39 to 124, b 49 to 107, c 84 to 342 for DynDLOff):\n");
    print_figure("(a) tasks", {500, 1500, 2500, 3500}, [](std::size_t n) { return sized(n, 1000, 10); });
    print_figure("(b) cores", {10, 30, 50, 70},
                 [](std::size_t n) { return sized(3500, 1000, static_cast<std::uint32_t>(n)); });
    print_figure("(c) servers", {100, 400, 700, 1000}, [](std::size_t n) { return sized(10'000, n, 10); });
    fmt::print("\n");
    met &= print_row({10'000'000, 100'000, 40, 8, 3, false});
    fmt::print("peak {:.2f} GiB, {:.2f} of the 4 GiB target\n", bench::peak_gib(), bench::peak_gib() / 4);
    return met && bench::peak_gib() < 4 ? 0 : 1;
}
