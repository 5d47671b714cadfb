/// Exact transitions per second, on chains of three servers, for every policy that has a finite chain.
///
/// A transition is a pair of states with its exact probability, equal ones merged, as a chain holds them: enumerating
/// outcomes, merging and hashing states included. Target: at least 300,000 a second on one core. The baseline is the
/// bare arithmetic without kernel, policy or states: one product and one sum of probabilities per enumerated outcome,
/// in the same fractions. What bounds it: copying, hashing and finding states; in GMP rationals the probabilities alone
/// took two thirds of the time, hence fraction.hpp.
#include <fmt/core.h>

#include <string>
#include <vector>

#include "experiments/bench/support.hpp"
#include "policies/queueing/exact.hpp"
#include "proofs/queueing/capacity/plan.hpp"

namespace {

using namespace schedproof;
using namespace schedproof::queueing;

/// Racks {0,1} and {2}; types {0}, {1,2}, {0,2}.
Instance three_servers() {
    const auto q = [](const char* text) { return *Rational::parse(text); };
    InstanceData data;
    data.name = "three-servers";
    data.levels = {{"local", q("1/2")}, {"rack", q("2/5")}, {"remote", q("1/20")}};
    data.servers = {{"s0", {"r0"}}, {"s1", {"r0"}}, {"s2", {"r1"}}};
    data.types = {{"A", {ServerId(0)}}, {"B", {ServerId(1), ServerId(2)}}, {"C", {ServerId(0), ServerId(2)}}};
    const std::vector<Rational> rates{q("1/3"), q("1/4"), q("1/5")};
    data.arrivals = ArrivalLaw::bernoulli(rates);
    return Instance(std::move(data));
}

/// Products and sums of probabilities, as many as `paths`, over a tree of two-way choices.
double arithmetic_only(std::size_t paths) {
    const Fraction p(2, 5);
    const bench::Stopwatch watch;
    Fraction prefix(1, 100), sum;
    for (std::size_t i = 0; i < paths; ++i) {
        const Fraction leaf = prefix * p;
        if (i % 32 == 0) sum = leaf;
        sum += leaf;
    }
    if (sum.rational().sign() < 0) std::abort();  // the sum is used
    return watch.seconds();
}

}  // namespace

int main() {
    constexpr double target = 300'000;
    const Instance instance = three_servers();
    fmt::print("exact kernels, three servers, three levels, one core (target: {:.0f} transitions a second)\n", target);
    fmt::print("{:<30} {:>8} {:>12} {:>10} {:>14} {:>8} {:>22}\n", "policy", "states", "transitions", "seconds",
               "transitions/s", "target", "time / bare arithmetic");
    bool reached = true;
    for (const PolicyInfo& info : policies()) {
        if (find_rules(info.id)->keeps_counters()) continue;  // its chain is infinite
        const ExactSystem system(instance, make_policy(info.id, instance, capacity::fluid_plan),
                                 {Truncation::Rule::total, 6});
        const bench::Stopwatch watch;
        const Chain chain = system.chain();
        const double time = watch.seconds();
        const double rate = static_cast<double>(chain.matrix.transitions()) / time;
        reached = reached && rate >= target;
        fmt::print("{:<30} {:>8} {:>12} {:>10.3f} {:>14.0f} {:>7.1f}x {:>21.1f}x\n", std::string(info.id),
                   chain.states.size(), chain.matrix.transitions(), time, rate, rate / target,
                   time / arithmetic_only(chain.paths));
    }
    fmt::print("{}\n", reached ? "target reached for every policy" : "TARGET MISSED for some policy");
    return reached ? 0 : 1;
}
