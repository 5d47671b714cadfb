/// Known answers of queueing theory: over many studies, 95 % confidence intervals cover the exact value as
/// often as they say, and a system that is off by 5 % is found out.
#include <gtest/gtest.h>

#include <boost/math/distributions/binomial.hpp>
#include <functional>
#include <memory>
#include <vector>

#include "experiments/simulators/events/event_experiment.hpp"
#include "experiments/simulators/redundancy/experiment.hpp"
#include "experiments/statistics/sample.hpp"
#include "policies/queueing/fifo.hpp"
#include "policies/queueing/join_shortest_queue.hpp"

namespace schedproof::simulation {
namespace {

constexpr std::size_t studies = 200, replications = 5;
constexpr double level_of_intervals = 0.95, warm_up = 0.2;

/// Mean of a quantity after the warm-up.
double mean_of(const Observation& seen, std::size_t quantity) {
    Tally sum;
    const auto from = static_cast<std::size_t>(warm_up * static_cast<double>(seen.batches.size()));
    for (std::size_t i = from; i < seen.batches.size(); ++i) {
        const Tally& tally = seen.batches[i].tallies[quantity];
        sum.add(tally.sum, tally.weight);
    }
    return sum.sum / sum.weight;
}

struct Known {
    std::size_t quantity;
    double exact;
};

/// Per quantity the number of studies whose interval, from independent replications, covers the exact value.
std::vector<std::size_t> covered(const Experiment& experiment, const std::vector<Known>& known) {
    std::vector<std::size_t> counts(known.size(), 0);
    for (std::uint64_t seed = 1; seed <= studies; ++seed) {
        std::vector<std::vector<double>> means(known.size());
        for (std::uint64_t r = 0; r < replications; ++r) {
            const Observation seen = experiment.run({seed, r}, {});
            for (std::size_t k = 0; k < known.size(); ++k) means[k].push_back(mean_of(seen, known[k].quantity));
        }
        for (std::size_t k = 0; k < known.size(); ++k) {
            const statistics::Estimate e = statistics::estimate(means[k], level_of_intervals);
            counts[k] += std::abs(e.mean - known[k].exact) <= *e.half_width ? 1 : 0;
        }
    }
    return counts;
}

/// Whether so many of `studies` are within the central 99.9 % of what 95 % intervals give.
bool as_stated(std::size_t count) {
    const boost::math::binomial law(studies, level_of_intervals);
    const auto k = static_cast<double>(count);
    return k >= quantile(law, 0.0005) && k <= quantile(complement(law, 0.0005));
}

/// Servers of rate 1 and one type whose data are everywhere.
EventSettings system(std::size_t servers, queueing::AnyPolicy policy, double load, const char* sizes) {
    queueing::InstanceData data;
    data.name = "alike";
    data.levels = {{"local", Rational(1)}, {"remote", Rational(Integer(1), Integer(2))}};
    data.types = {{"any", {}}};
    for (std::size_t m = 0; m < servers; ++m) {
        data.servers.push_back({"s" + std::to_string(m), {}});
        data.types[0].replicas.emplace_back(m);
    }
    data.rates = {Rational(1)};
    EventSettings s;
    s.system.instance = std::make_shared<const queueing::Instance>(std::move(data));
    s.policy = std::move(policy);
    s.size = workload::parse_law(sizes, "sizes");
    s.gap = workload::Exponential{workload::mean(s.size) / (load * static_cast<double>(servers))};
    s.batches = 20;
    return s;
}

/// The system with a rate of arrivals 5 % above what it is said to be.
EventSettings mutant(EventSettings s) {
    s.gap = workload::Exponential{workload::mean(s.gap) / 1.05};
    return s;
}

/// Positions of the quantities in continuous time.
struct Place {
    static constexpr std::size_t delay = 0, wait = 1, in_system = 2, utilisation = 4;
};

void expect_known(const Experiment& sound, const Experiment& mutant, const std::vector<Known>& known) {
    const auto counts = covered(sound, known), of_mutant = covered(mutant, known);
    for (std::size_t k = 0; k < known.size(); ++k) {
        const std::string& name = sound.quantities()[known[k].quantity].name;
        EXPECT_TRUE(as_stated(counts[k])) << name << " " << known[k].exact << ": " << counts[k];
        EXPECT_FALSE(as_stated(of_mutant[k])) << name << " " << known[k].exact << ": mutant " << of_mutant[k];
    }
}

void expect_known(EventSettings settings, double duration, const std::vector<Known>& known) {
    settings.duration = duration;
    expect_known(*make_event_experiment(settings), *make_event_experiment(mutant(settings)), known);
}

/// Pollaczek and Khinchine: mean wait of M/G/1 in order of arrival.
double mean_wait(double load, const workload::RealLaw& size) {
    return load * workload::mean(size) * (1 + workload::squared_variation(size)) / 2 / (1 - load);
}

/// Erlang's C: probability that a task of M/M/c waits.
double erlang_c(double servers, double offered) {
    double term = 1, sum = 1;
    for (double k = 1; k < servers; ++k) {
        term *= offered / k;
        sum += term;
    }
    term *= offered / servers / (1 - offered / servers);
    return term / (sum + term);
}

TEST(KnownAnswers, OneServerExponential) {
    // Delay 1/(1 - rho), rho/(1 - rho) tasks in the system.
    expect_known(system(1, queueing::JoinShortestQueue{}, 0.5, "exponential:1"), 8000,
                 {{Place::delay, 2}, {Place::wait, 1}, {Place::in_system, 1}, {Place::utilisation, 0.5}});
}

TEST(KnownAnswers, ManyServersExponential) {
    const double c = 5, load = 0.7, wait_of = erlang_c(c, c * load) / (c * (1 - load));
    expect_known(system(5, queueing::Fifo{}, load, "exponential:1"), 1500,
                 {{Place::delay, 1 + wait_of}, {Place::in_system, c * load * (1 + wait_of)}});
}

TEST(KnownAnswers, OneServerInOrderOfArrival) {
    for (const char* sizes : {"constant:2", "gamma:0.5,2"}) {
        const double load = 0.6;
        const EventSettings s = system(1, queueing::Fifo{}, load, sizes);
        expect_known(s, 7000 * workload::mean(s.size), {{Place::wait, mean_wait(load, s.size)}});
    }
}

TEST(KnownAnswers, OneServerWithBatches) {
    // rho (1 + E X^2 / E X) / (2 (1 - rho)) tasks, X being 1 or 3 with probability 1/2; the delay by Little's law.
    queueing::InstanceData data;
    data.name = "batches";
    data.time = queueing::ContinuousTime{};
    data.servers = {{"s0", {}}};
    data.types = {{"A", {}}};
    data.types[0].at_servers = {Rational(1)};
    data.rates = {Rational(Integer(3), Integer(5))};
    data.batches = {{{3, Rational(Integer(1), Integer(2))}}};
    EventSettings s;
    s.system.instance = std::make_shared<const queueing::Instance>(std::move(data));
    s.gap = workload::Exponential{10.0 / 3};
    s.batches = 20;
    s.policy = queueing::Fifo{};
    expect_known(s, 8'000, {{Place::in_system, 21.0 / 8}, {Place::delay, 35.0 / 8}});
}

TEST(KnownAnswers, OneServerShared) {
    // Processor sharing: the mean flowtime depends on the sizes by their mean alone.
    for (const char* sizes : {"constant:1", "hyperexponential:0.9,0.8,0.1,2.8"}) {
        FlowtimeSettings s;
        s.policy = redundancy::make_policy("fair", Rational(1));
        s.machines = 1;
        s.workload = {0.5, workload::parse_law(sizes, "sizes"), 6000};
        s.batches = 20;
        FlowtimeSettings mutant = s;
        mutant.workload.rate *= 1.05;
        expect_known(*make_flowtime_experiment(s), *make_flowtime_experiment(mutant), {{0, 2}, {1, 1}});
    }
}

}  // namespace
}  // namespace schedproof::simulation
