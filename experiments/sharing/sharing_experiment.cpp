#include "experiments/sharing/sharing_experiment.hpp"

#include <utility>

#include "experiments/sharing/sharing_world.hpp"
#include "model/core/errors.hpp"

namespace schedproof::simulation {

namespace {

class SharingExperiment final : public Experiment {
  public:
    explicit SharingExperiment(detail::SharingPlan plan)
        : plan_(std::move(plan)), quantities_(Recorder::quantities(time_unit(), plan_.world.tick)) {}

    [[nodiscard]] const std::vector<Quantity>& quantities() const override { return quantities_; }
    [[nodiscard]] std::string time_unit() const override { return plan_.slotted ? "slot" : "second"; }
    [[nodiscard]] Observation run(const statistics::Replication& replication, const Done& done) const override {
        return run_sharing(plan_.world, plan_.policy, replication, done);
    }

  private:
    detail::SharingPlan plan_;
    std::vector<Quantity> quantities_;
};

}  // namespace

std::vector<SharingSettings> each_skip_count(const SharingSettings& settings) {
    std::vector<SharingSettings> all;
    for (std::size_t at = 0; at <= settings.skips.size();) {
        const std::size_t end = std::min(settings.skips.find(',', at), settings.skips.size());
        all.push_back(settings);
        all.back().skips = settings.skips.substr(at, end - at);
        at = end + 1;
        if (all.back().skips.empty() && !settings.skips.empty())
            throw InputError({"", 0, "--skips"}, "expected numbers between commas, not " + settings.skips);
    }
    return all;
}

std::vector<std::string> input_files(const SharingSettings& settings) {
    std::vector<std::string> files;
    for (const std::string& file : {settings.trace, settings.placement})
        if (!file.empty()) files.push_back(file);
    return files;
}

std::unique_ptr<Experiment> make_sharing_experiment(const SharingSettings& settings) {
    return std::make_unique<SharingExperiment>(detail::plan_of(settings));
}

}  // namespace schedproof::simulation
