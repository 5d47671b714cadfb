/// Runs of the redundancy family as experiments, for studies of many runs.
///
/// A run ends with its jobs and is one batch, in which every job counts, those too that are done after the horizon: the
/// observation holds what the table of `simulate` is made of.
#include <algorithm>
#include <cmath>
#include <utility>

#include "experiments/command/simulate/redundancy/setting.hpp"
#include "experiments/command/simulate/simulate.hpp"
#include "model/core/errors.hpp"
#include "policies/core/definition.hpp"

namespace schedproof::cli {

namespace {

/// Of the histogram of flowtimes, in their unit: a power of two, so that whole times are borders of its bins.
constexpr double tick = 1.0 / 8;

class RunsOfJobs final : public simulation::Experiment {
  public:
    RunsOfJobs(std::shared_ptr<const RedundancySetting> setting, std::size_t contender)
        : setting_(std::move(setting)), contender_(contender) {
        quantities_ = {{"flowtime", time_unit(), true, tick}, {"active jobs", "job"}};
    }

    [[nodiscard]] const std::vector<simulation::Quantity>& quantities() const override { return quantities_; }
    [[nodiscard]] std::string time_unit() const override { return setting_->in_slots() ? "slot" : "second"; }
    [[nodiscard]] std::string engine() const override {
        return setting_->in_slots() ? "slots: machine by machine" : "events: mean service";
    }
    [[nodiscard]] simulation::Observation run(const statistics::Replication& replication,
                                              const simulation::Done& done) const override {
        const redundancy::Jobs<Real> jobs = setting_->jobs(replication.number);
        const simulation::Run run =
            setting_->run(setting_->contenders()[contender_], jobs, replication.number, [&](std::size_t so_far) {
                if (done) done(static_cast<double>(so_far) / static_cast<double>(jobs.size()));
            });
        simulation::Batch batch{std::vector<simulation::Tally>(2), std::vector<statistics::Histogram>(2)};
        double end = 0;
        for (std::size_t j = 0; j < jobs.size(); ++j) {
            batch.tallies[0].add(run.flowtime[j]);
            // A flowtime on a border belongs below it.
            batch.histograms[0].add(static_cast<std::uint64_t>(std::ceil(run.flowtime[j] / tick)));
            end = std::max(end, jobs[j].arrival.value() + run.flowtime[j]);
        }
        batch.tallies[1].add(run.active);
        return {std::max(end, 1.0), {std::move(batch)}, run.events};
    }

  private:
    std::shared_ptr<const RedundancySetting> setting_;
    std::size_t contender_;
    std::vector<simulation::Quantity> quantities_;
};

}  // namespace

SimulationSetting redundancy_setting(const RedundancySimulation& simulation) {
    if (!simulation.jobs.empty() || !simulation.availability.empty() || !simulation.instance.empty())
        throw InputError::at_key(simulation.jobs.empty() ? "--availability" : "--trace",
                                 "cannot be used with runs that are kept for later: their jobs and machines are drawn");
    const auto system = std::make_shared<const RedundancySetting>(simulation);
    SimulationSetting setting;
    setting.lines = {{"jobs", system->workload_line()}, {"machines", system->machines_line()}};
    setting.varied = {"--beta"};
    setting.terminating = true;
    for (std::size_t c = 0; c < system->contenders().size(); ++c) {
        const Contender& contender = system->contenders()[c];
        SimulatedPolicy policy{.label = contender.name,
                               .words = {"--policy", contender.policy},
                               .experiment = std::make_unique<RunsOfJobs>(system, c),
                               .definition = definition(contender.algorithm)};
        if (contender.beta) {
            policy.words.insert(policy.words.end(), {"--beta", contender.beta->to_string()});
            policy.parameter = contender.beta->approximate();
            policy.parameter_name = "beta";
        }
        setting.policies.push_back(std::move(policy));
    }
    return setting;
}

}  // namespace schedproof::cli
