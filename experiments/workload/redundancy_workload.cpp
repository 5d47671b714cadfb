#include "experiments/workload/redundancy_workload.hpp"

#include <fmt/core.h>

#include "model/core/errors.hpp"

namespace schedproof::workload {

redundancy::Jobs<Real> generate(const RedundancyWorkload& workload, const statistics::Replication& replication) {
    if (!(workload.rate > 0)) throw InputError::at_key("rate", "expected a rate above 0");
    if (!(workload.horizon > 0)) throw InputError::at_key("horizon", "expected a horizon above 0");
    if (!(workload.rate * workload.horizon <= max_generated_jobs))
        throw InputError::at_key("horizon",
                                 fmt::format("expected at most {} jobs, rate times horizon", max_generated_jobs));
    Draws gap(Exponential{1 / workload.rate}, statistics::Stream(replication, "arrivals"));
    Draws size(workload.sizes, statistics::Stream(replication, "sizes"));
    redundancy::Jobs<Real> jobs;
    for (double now = gap(); now < workload.horizon; now += gap()) {
        double work = 0;
        while (!(work > 0)) work = size();
        jobs.push_back({Real(now), Real(work)});
    }
    return jobs;
}

}  // namespace schedproof::workload
