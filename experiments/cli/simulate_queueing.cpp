/// Queueing policies under `simulate`.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "experiments/cli/simulate.hpp"
#include "experiments/cli/system.hpp"
#include "experiments/input/queueing_file.hpp"
#include "model/core/errors.hpp"
#include "policies/registry.hpp"
#include "proofs/capacity/plan.hpp"

namespace schedproof::cli {

namespace {

using namespace queueing;

/// Slot by slot as the exact kernel steps, sampled.
class Sampled : public simulation::Experiment {
  public:
    Sampled(std::shared_ptr<const Instance> instance, std::string policy, const RunLength& length)
        : instance_(std::move(instance)), policy_(std::move(policy)), batches_(length.batches) {
        const double slots = std::ceil(length.horizon.value_or(10'000) / static_cast<double>(batches_));
        if (slots > 1e9) throw InputError({"", 0, "--horizon"}, "expected at most 10^9 slots in a batch");
        batch_ = static_cast<std::uint64_t>(slots);
    }
    [[nodiscard]] const std::vector<simulation::Quantity>& quantities() const override { return quantities_; }
    [[nodiscard]] std::string time_unit() const override { return "slot"; }
    [[nodiscard]] simulation::Observation run(const statistics::Replication& replication,
                                              const simulation::Done& done) const override {
        const ExactSystem system(*instance_, make_policy(policy_, *instance_, capacity::fluid_plan));
        Sampler chance({replication.seed, replication.number, 1});
        ExactState state = system.initial();
        simulation::Observation o{static_cast<double>(batch_), {}, batch_ * batches_};
        for (std::uint64_t b = 0; b < batches_; ++b) {
            simulation::Batch batch{std::vector<simulation::Tally>(2), std::vector<statistics::Histogram>(2)};
            for (std::uint64_t t = 0; t < batch_; ++t) {
                std::int64_t tasks = 0;
                for (const CheckedInt length : state.length) tasks += length.value();
                batch.tallies[0].add(static_cast<double>(tasks));
                batch.histograms[0].add(static_cast<std::uint64_t>(tasks));
                const auto busy = std::count_if(state.serving.begin(), state.serving.end(),
                                                [](const Service& s) { return s.status == Service::Status::busy; });
                batch.tallies[1].add(static_cast<double>(busy) / static_cast<double>(state.serving.size()));
                state = system.sample(state, chance);
            }
            o.batches.push_back(std::move(batch));
            if (done) done(static_cast<double>(b + 1) / static_cast<double>(batches_));
        }
        return o;
    }

  private:
    std::shared_ptr<const Instance> instance_;
    std::string policy_;
    std::uint64_t batches_, batch_ = 1;
    std::vector<simulation::Quantity> quantities_{{"tasks in system", "task", true, 1}, {"utilisation", "1"}};
};

}  // namespace

SimulationSetting queueing_setting(const QueueingSimulation& options, const std::vector<std::string>& policies,
                                   const RunLength& length) {
    if (options.instance.empty()) throw InputError({"", 0, "INSTANCE"}, "expected an instance file");
    SimulationSetting setting;
    setting.inputs = {options.instance};
    const auto instance = std::make_shared<const Instance>(input::read_instance(options.instance));
    setting.lines.emplace_back("cluster", fmt::format("{}: {} servers, {} task types", instance->name(),
                                                      instance->data().servers.size(), instance->data().types.size()));
    setting.lines.emplace_back("arrivals",
                               fmt::format("{:g} tasks a slot", instance->total_arrival_rate().approximate()));
    for (const std::string& policy : policies) {
        const std::string id = policy_id(policy);
        static_cast<void>(ExactSystem(*instance, make_policy(id, *instance, capacity::fluid_plan)));
        setting.policies.push_back({id, {"--policy", id}, std::make_unique<Sampled>(instance, id, length)});
    }
    return setting;
}

}  // namespace schedproof::cli
