#include "experiments/simulators/sharing/sharing_run.hpp"

#include "experiments/simulators/sharing/simulator.hpp"

namespace schedproof::simulation {

Observation run_sharing(const SharingWorld& world, const sharing::AnyPolicy& policy,
                        const statistics::Replication& replication, const Done& done, SharingWatcher* watcher) {
    JobSource source =
        std::visit([&](const auto& jobs) { return JobSource(world.laws, jobs, replication); }, world.jobs);
    SharingRecorder recorder(world.tick, world.cut, world.cluster.all_slots(), world.classes);
    std::visit([&](const auto& p) { Simulator(world, p, source, recorder, replication, watcher).run(done); }, policy);
    return recorder.finish();
}

}  // namespace schedproof::simulation
