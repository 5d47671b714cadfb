#include "experiments/simulate_policy.hpp"

#include "experiments/simulators/sharing/lockstep.hpp"
#include "model/core/errors.hpp"

namespace schedproof::simulation {

namespace {

using Experiments = std::vector<std::unique_ptr<const Experiment>>;

runs::PointReport compared(const Experiments& experiments, const std::vector<std::string>& policies,
                           const runs::CompareOptions& options) {
    std::vector<runs::Contender> contenders;
    for (std::size_t i = 0; i < experiments.size(); ++i) contenders.push_back({policies[i], experiments[i].get()});
    return runs::compare(contenders, options);
}

}  // namespace

runs::PointReport simulate(const queueing::Instance& instance, const SlottedSettings& settings,
                           const std::vector<std::string>& policies, const runs::CompareOptions& options) {
    const SimulatedSystem system{std::make_shared<const queueing::Instance>(instance)};
    Experiments experiments;
    for (const std::string& id : policies)
        experiments.push_back(slotted_experiment(system, queueing::make_policy(id), settings));
    return compared(experiments, policies, options);
}

runs::PointReport simulate(const SharingSettings& settings, const std::vector<std::string>& policies,
                           const runs::CompareOptions& options) {
    const SharingSystem system(settings);
    Experiments experiments;
    for (const std::string& id : policies) {
        const sharing::AnyPolicy policy = sharing::make_policy(id, sharing::usual_parameters(id));
        if (const std::string refused = lockstep_refusal(policy); !refused.empty())
            throw OracleConflict(id + " is refused: " + refused);
        experiments.push_back(system.under(id, ""));
    }
    return compared(experiments, policies, options);
}

runs::PointReport simulate(const FlowtimeSettings& settings, const std::vector<std::string>& policies,
                           const runs::CompareOptions& options) {
    Experiments experiments;
    for (const std::string& id : policies) {
        FlowtimeSettings own = settings;
        own.policy = redundancy::make_policy(id, Rational(1) / Rational(2));
        experiments.push_back(make_flowtime_experiment(std::move(own)));
    }
    return compared(experiments, policies, options);
}

}  // namespace schedproof::simulation
