/// Flow times as an experiment: which simulator runs, and how its flow times become batches.
///
/// With periods of availability the run is in slots on sample paths, otherwise in continuous time on mean service.
/// Either leaves one flow time per job; the observation is made of them afterwards. A job counts in the batch in which
/// it completes. The number of active jobs is an integral over time, so a job adds to every batch the part of its stay
/// that lies in it. Jobs that complete after the horizon are in no batch: they would be measured without the load of
/// those who come later.
#include "experiments/simulators/redundancy/experiment.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "experiments/simulators/redundancy/copies_in_slots.hpp"
#include "experiments/simulators/redundancy/mean_service.hpp"
#include "model/core/errors.hpp"

namespace schedproof::simulation {

namespace {

void expect(bool holds, const char* field, const char* what) {
    if (!holds) throw InputError::at_key(field, what);
}

double mean_size(const FlowtimeSettings& s) {
    if (!s.jobs) return workload::mean(s.workload.sizes);
    double sum = 0;
    for (const auto& job : *s.jobs) sum += job.size.value();
    return sum / static_cast<double>(s.jobs->size());
}

class FlowtimeExperiment final : public Experiment {
  public:
    explicit FlowtimeExperiment(FlowtimeSettings settings) : settings_(std::move(settings)) {
        expect(settings_.machines >= 1, "machines", "expected at least one machine");
        expect(settings_.batches >= 1 && settings_.batches <= 1'000'000, "batches", "expected 1 to 1,000,000 batches");
        expect(settings_.speed.sign() > 0, "speed", "expected a speed above 0");
        expect(settings_.jobs || settings_.workload.rate > 0, "rate", "expected a rate above 0");
        expect(settings_.workload.horizon > 0, "horizon", "expected a horizon above 0");
        expect(settings_.tick >= 0 && std::isfinite(settings_.tick), "tick", "expected a time of at least 0");
        expect(!settings_.jobs || !settings_.jobs->empty(), "jobs", "expected at least one job");
        expect(settings_.periods.has_value() || settings_.service.linear(), "service", "expected a linear service");
        if (settings_.tick == 0) settings_.tick = mean_size(settings_) / 1000;
        const std::string unit = time_unit();
        quantities_ = {{"flowtime", unit, true, settings_.tick}, {"active jobs", "job"}};
    }

    [[nodiscard]] const std::vector<Quantity>& quantities() const override { return quantities_; }
    [[nodiscard]] std::string time_unit() const override { return settings_.periods ? "slot" : "second"; }
    [[nodiscard]] std::string engine() const override {
        return settings_.periods ? "slots: machine by machine" : "events: mean service";
    }
    [[nodiscard]] Observation run(const statistics::Replication& replication, const Done& done) const override {
        const redundancy::Jobs<Real> drawn =
            settings_.jobs ? redundancy::Jobs<Real>() : workload::generate(settings_.workload, replication);
        const redundancy::Jobs<Real>& jobs = settings_.jobs ? *settings_.jobs : drawn;
        const auto length = static_cast<double>(jobs.size());
        const Progress progress = [&](std::size_t jobs_done) {
            if (done) done(static_cast<double>(jobs_done) / length);
        };
        return observe_flowtimes(jobs, simulate(jobs, replication, progress).flowtime, settings_.workload.horizon,
                                 settings_.batches, settings_.tick);
    }

  private:
    [[nodiscard]] Run simulate(const redundancy::Jobs<Real>& jobs, const statistics::Replication& replication,
                               const Progress& progress) const {
        if (!settings_.periods)
            return run_on_mean_service(settings_.policy, {settings_.machines, settings_.service, jobs}, settings_.speed,
                                       progress);
        RandomPeriods machines(*settings_.periods, settings_.machines, replication);
        SlottedSetting setting{jobs, settings_.speed.approximate(), replication};
        setting.progress = progress;
        return run_in_slots(settings_.policy, machines, setting);
    }

    FlowtimeSettings settings_;
    std::vector<Quantity> quantities_;
};

}  // namespace

Observation observe_flowtimes(const redundancy::Jobs<Real>& jobs, const std::vector<double>& flowtime, double length,
                              std::uint32_t batches, double tick) {
    require(jobs.size() == flowtime.size() && length > 0 && batches >= 1 && tick > 0,
            "flowtimes are observed in batches of some length");
    const double batch = length / batches;
    Observation seen{batch, std::vector<Batch>(batches), 0};
    for (Batch& b : seen.batches) {
        b.tallies = {{0, 0}, {0, batch}};
        b.histograms.resize(2);
    }
    const auto of = [&](double time) {
        return std::min<std::size_t>(batches - 1, static_cast<std::size_t>(time / batch));
    };
    for (std::size_t j = 0; j < jobs.size(); ++j) {
        const double from = jobs[j].arrival.value(), to = from + flowtime[j];
        for (std::size_t i = of(from); i < batches && static_cast<double>(i) * batch < to; ++i)
            seen.batches[i].tallies[1].sum += std::max(
                0.0, std::min(to, static_cast<double>(i + 1) * batch) - std::max(from, static_cast<double>(i) * batch));
        if (to >= length) continue;
        Batch& b = seen.batches[of(to)];
        b.tallies[0].add(flowtime[j]);
        b.histograms[0].add(static_cast<std::uint64_t>(flowtime[j] / tick));
        ++seen.work;
    }
    return seen;
}

std::unique_ptr<Experiment> make_flowtime_experiment(FlowtimeSettings settings) {
    return std::make_unique<FlowtimeExperiment>(std::move(settings));
}

}  // namespace schedproof::simulation
