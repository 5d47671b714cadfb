/// Experiments whose truth is known, for tests of what stands above simulators.
#pragma once

#include <algorithm>
#include <boost/random/exponential_distribution.hpp>
#include <cmath>

#include "experiments/simulators/core/observation.hpp"

namespace schedproof::testing_support {

/// Uniform words as a number in (0, 1).
inline double uniform(statistics::Stream& stream) {
    return (static_cast<double>(stream() >> 12) + 0.5) / static_cast<double>(std::uint64_t{1} << 52);
}

/// Independent values, `each` a batch: x exponential with mean 2, in hundredths, and a control that explains half of
/// x's variance: the same value plus noise, with its exact mean.
class Independent : public simulation::Experiment {
  public:
    Independent(std::size_t batches, std::size_t each) : batches_(batches), each_(each) {}
    [[nodiscard]] const std::vector<simulation::Quantity>& quantities() const override { return quantities_; }
    [[nodiscard]] std::string time_unit() const override { return "slot"; }
    [[nodiscard]] simulation::Observation run(const statistics::Replication& replication,
                                              const simulation::Done& done) const override {
        statistics::Stream values(replication, "values"), noise(replication, "noise");
        simulation::Observation o{static_cast<double>(each_), {}, batches_ * each_};
        for (std::size_t b = 0; b < batches_; ++b) {
            simulation::Batch batch{std::vector<simulation::Tally>(2), std::vector<statistics::Histogram>(2)};
            for (std::size_t i = 0; i < each_; ++i) {
                const double x = -2 * std::log(uniform(values)), y = -2 * std::log(uniform(noise));
                batch.tallies[0].add(x);
                batch.tallies[1].add(x + y);
                batch.histograms[0].add(static_cast<std::uint64_t>(x * 100));
            }
            o.batches.push_back(std::move(batch));
            if (done) done(static_cast<double>(b + 1) / static_cast<double>(batches_));
        }
        return o;
    }

  private:
    std::size_t batches_, each_;
    std::vector<simulation::Quantity> quantities_{{"value", "slot", true, 0.01}, {"input", "slot", false, 1, 4.0}};
};

/// Times in system of an M/M/1 queue at load 1/2, by Lindley's recursion: mean 2, exponential in steady state. It may
/// start with work before it, which takes long to forget.
class Lindley : public simulation::Experiment {
  public:
    Lindley(std::size_t batches, std::size_t each, double backlog = 0)
        : batches_(batches), each_(each), backlog_(backlog) {}
    [[nodiscard]] const std::vector<simulation::Quantity>& quantities() const override { return quantities_; }
    [[nodiscard]] std::string time_unit() const override { return "second"; }
    [[nodiscard]] simulation::Observation run(const statistics::Replication& replication,
                                              const simulation::Done&) const override {
        statistics::Stream gaps(replication, "arrivals"), sizes(replication, "sizes");
        boost::random::exponential_distribution<double> gap(0.5), size(1);
        simulation::Observation o{static_cast<double>(each_) * 2, {}, batches_ * each_};
        double wait = backlog_;
        for (std::size_t b = 0; b < batches_; ++b) {
            simulation::Batch batch{std::vector<simulation::Tally>(3), std::vector<statistics::Histogram>(3)};
            for (std::size_t i = 0; i < each_; ++i) {
                const double work = size(sizes), until = gap(gaps);
                batch.tallies[0].add(wait + work);
                batch.histograms[0].add(static_cast<std::uint64_t>((wait + work) * 1000));
                batch.tallies[1].add(work);
                batch.tallies[2].add(until);
                wait = std::max(0.0, wait + work - until);
            }
            o.batches.push_back(std::move(batch));
        }
        return o;
    }

  private:
    std::size_t batches_, each_;
    double backlog_;
    std::vector<simulation::Quantity> quantities_{
        {"time in system", "second", true, 0.001}, {"size", "second", false, 1, 1.0}, {"gap", "second", false, 1, 2.0}};
};

}  // namespace schedproof::testing_support
