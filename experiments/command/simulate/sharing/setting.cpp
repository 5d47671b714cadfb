/// Sharing policies under `simulate`.
#include <fmt/core.h>

#include <string>
#include <vector>

#include "experiments/command/core/policy_file.hpp"
#include "experiments/command/families/family_files.hpp"
#include "experiments/command/simulate/sharing/request.hpp"
#include "model/core/errors.hpp"
#include "policies/sharing/registry.hpp"

namespace schedproof::cli {

namespace {

/// The values of D that show locality against D when none are given.
const std::vector<std::string> usual_skips{"0", "1", "5", "20", "100"};

SimulationSetting sharing_setting(const simulation::SharingSettings& options, const std::vector<std::string>& policies,
                                  const RunLength& length) {
    simulation::SharingSettings settings = options;
    if (length.horizon) settings.horizon = fmt::format("{:.6f}", *length.horizon);
    settings.batches = length.batches;
    const simulation::SharingSystem system(settings);
    SimulationSetting setting;
    setting.lines = system.lines();
    assess_trace(system.submissions(), system.capacity(), setting);
    setting.warnings = system.warnings();
    setting.inputs = system.inputs();
    setting.varied = {"--skips"};
    setting.terminating = !settings.trace.empty() || settings.at_once;
    const std::vector<std::string> counts = simulation::skip_counts(settings.skips);
    const auto add = [&](const std::string& policy, const std::string& label, const std::string& d) {
        setting.policies.push_back({.label = label,
                                    .words = policy_words(policy),
                                    .experiment = system.under(policy, d),
                                    .definition = system.definition(policy, d)});
        if (d.empty()) return;
        SimulatedPolicy& added = setting.policies.back();
        added.words.insert(added.words.end(), {"--skips", d});
        added.parameter = std::stod(d);
        added.parameter_name = "D (offers passed over)";
    };
    for (const std::string& policy : policies) {
        require_agreement("sharing", policy);
        // D or D1 is a parameter of it.
        const bool counts_skips = system.definition(policy, "1") != system.definition(policy, "2");
        if (!counts_skips || (counts.empty() && policy != "delay")) {
            add(policy, policy, "");
            continue;
        }
        for (const std::string& d : counts.empty() ? usual_skips : counts)
            add(policy, fmt::format("{} D={}", policy, d), d);
    }
    return setting;
}

class SharingRuns final : public FamilySimulation {
  public:
    [[nodiscard]] OptionTable options() override { return sharing_options(settings_); }
    [[nodiscard]] SimulationSetting setting(const SimulateRequest& request) const override {
        return sharing_setting(settings_, request.policies, request.length);
    }

  private:
    simulation::SharingSettings settings_;
};

}  // namespace

std::shared_ptr<FamilySimulation> sharing_simulation() { return std::make_shared<SharingRuns>(); }

}  // namespace schedproof::cli
