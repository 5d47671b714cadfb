/// Benchmark of the exact capacity region: figures against their targets, and against linear programming.
///
/// Each entry: time of `solve`, which verifies before it returns, and its target; the load; and other solvers in the
/// same run with their time over ours: Clp's floating-point simplex, which proves nothing, on the full and on the
/// pooled program, and the exact linear programs. Exit code 1 when a target is missed or two exact methods disagree.
/// `--quick` leaves out the baselines and the instance that take longer than a few seconds.

#include <algorithm>
#include <cstdio>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "experiments/bench/support.hpp"
#include "proofs/queueing/capacity/activities.hpp"
#include "proofs/queueing/capacity/region.hpp"

namespace {

using namespace schedproof;
using queueing::Instance;
using queueing::InstanceData;

enum class Placement { uniform, skewed };

// A listing: `types` blocks of three replicas, two in one rack and one in another. Skewed: a twentieth has a single
// replica, weights run over six decades, the first servers are favoured and the last fifth holds nothing.
InstanceData listing(std::size_t types, std::size_t servers, std::size_t racks, Placement placement,
                     std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
    const bool skewed = placement == Placement::skewed;
    const std::size_t width = servers / racks, holders = skewed ? servers * 4 / 5 : servers;
    InstanceData data;
    data.name = "listing";
    data.levels = {{"local", Rational(Integer(4), Integer(5))},
                   {"rack", Rational(Integer(1), Integer(2))},
                   {"remote", Rational(Integer(1), Integer(5))}};
    for (std::size_t m = 0; m < servers; ++m)
        data.servers.push_back({"s" + std::to_string(m), {"r" + std::to_string(m / width)}});
    const auto pick = [&] { return skewed ? std::min(below(holders), below(holders)) : below(holders); };
    for (std::size_t t = 0; t < types; ++t) {
        queueing::TaskType type;
        type.name = "b" + std::to_string(t);
        const std::size_t first = pick();
        type.replicas.emplace_back(first);
        if (!skewed || below(20) != 0) {
            const auto other_rack = [&] {
                for (;;)
                    if (const std::size_t m = pick(); m / width != first / width) return m;
            };
            const std::size_t second = other_rack(), rack = second / width * width;
            std::size_t third = second;
            while (third == second) third = rack + below(std::min(width, servers - rack));
            type.replicas.emplace_back(second), type.replicas.emplace_back(third);
        }
        data.types.push_back(std::move(type));
        const std::size_t weight = skewed ? 1 + 1'000'000 / (1 + below(1'000'000)) : 1;
        data.rates.push_back(Rational(Integer(weight), Integer(1000)));
    }
    return data;
}

// What else solves the instance in this run.
struct Baselines {
    bool clp_full = false, clp_pooled = false;  // floating point
    std::vector<capacity::LinearMethod> exact;  // on the full program
};

bool compare(const Instance& instance, const Rational& load, double time, const Baselines& baselines) {
    const auto by_clp = [&](const char* name, const capacity::LinearProgram& program) {
        double value = 0;
        const double slow = bench::wall_seconds([&] { value = capacity::float_value(program); });
        std::printf("  baseline Clp (floating point, %s program) %.3f s, ratio %.1f, off by %.2e\n", name, slow,
                    slow / time, value - load.approximate());
    };
    if (baselines.clp_full) by_clp("full", capacity::full_program(instance));
    if (baselines.clp_pooled) by_clp("pooled", capacity::pooled_program(capacity::pool(instance).problem));
    bool agree = true;
    for (const capacity::LinearMethod method : baselines.exact) {
        std::optional<capacity::CapacityCertificate> other;
        const capacity::SolveOptions options{capacity::Method::full_program, 1, method};
        const double slow = bench::wall_seconds([&] { other = capacity::solve(instance, options); });
        const bool rational = method == capacity::LinearMethod::rational;
        std::printf("  baseline %s (full program) %.3f s, ratio %.1f\n", rational ? "QSopt_ex" : "Clp + exact repair",
                    slow, slow / time);
        agree = agree && other->load() == load;
    }
    return agree;
}

bool report(const char* name, const InstanceData& data, double target, const Baselines& baselines = {}) {
    const Instance instance(data);
    std::optional<capacity::CapacityCertificate> certificate;
    const double time = bench::wall_seconds([&] { certificate = capacity::solve(instance); });
    bool verified = false;
    const double check = bench::wall_seconds([&] { verified = capacity::verify(instance, *certificate); });
    std::optional<capacity::Activities> activities;
    const double vertex = bench::wall_seconds([&] { activities = capacity::basic_activities(instance, *certificate); });
    std::printf("%-28s %8.3f s (target %g s), of which verification %.3f s; activities %.3f s; peak %.2f GiB\n", name,
                time, target, check, vertex, bench::peak_gib());
    std::printf("  load %.9g, %s; %s, %zu component(s)\n", certificate->lower.approximate(),
                certificate->exact() ? "exact" : "interval", activities->unique ? "unique" : "not unique",
                activities->components);
    return compare(instance, certificate->lower, time, baselines) && verified && certificate->exact() && time <= target;
}

}  // namespace

int main(int argc, char** argv) {
    using capacity::LinearMethod;
    const bool quick = argc > 1 && std::string_view(argv[1]) == "--quick";
    bool good = report("60 servers x 40 types", listing(40, 60, 6, Placement::skewed, 1), 2,
                       {true, true, {LinearMethod::rational, LinearMethod::automatic}});
    good &= report("1,000 servers x 200 types", listing(200, 1000, 40, Placement::skewed, 2), 2, {!quick, true, {}});
    good &=
        report("1,000 servers x 5,000 types", listing(5'000, 1000, 40, Placement::skewed, 3), 60, {false, !quick, {}});
    good &= report("listing, uniform", listing(100'000, 1000, 40, Placement::uniform, 4), 60);
    good &= report("listing, skewed", listing(100'000, 1000, 40, Placement::skewed, 5), 60);
    if (!quick) good &= report("listing, 10x, skewed", listing(1'000'000, 10'000, 400, Placement::skewed, 6), 600);
    return good ? 0 : 1;
}
