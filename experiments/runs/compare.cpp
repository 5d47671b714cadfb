#include "experiments/runs/compare.hpp"

#include <algorithm>

#include "model/core/errors.hpp"

namespace schedproof::runs {

PointReport compare(const std::vector<Contender>& contenders, const CompareOptions& options) {
    Study study{SCHEDPROOF_VERSION, {"compare"}, {}, {StudyPoint{}}};
    StudyPoint& point = study.points[0];
    point.seed = options.seed;
    point.replications = options.replications;
    point.options.confidence = options.confidence;
    point.options.warm_up = options.warm_up;
    PointRun run{&study, 0, {}, options.threads};
    run.progress = options.progress;
    for (const Contender& contender : contenders) {
        run.experiments.push_back(contender.experiment);
        point.policies.push_back({contender.label, {"compare"}, {}});
    }
    return report(point, run_point(run));
}

std::size_t quantity_named(const PointReport& report, const std::string& name) {
    if (const auto found = position_of(report.policies.front().quantities, name)) return *found;
    throw InputError::at_key("quantity", "expected one that is recorded, not '" + name + "'");
}

const QuantitySummary& summary_of(const PointReport& report, const std::string& name, std::size_t policy) {
    return report.policies.at(policy).summary.quantities[quantity_named(report, name)];
}

}  // namespace schedproof::runs
