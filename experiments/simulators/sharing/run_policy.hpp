/// One run of the simulator of jobs that share a cluster, under a policy of any type.
#pragma once

#include <variant>

#include "experiments/simulators/sharing/simulator.hpp"

namespace schedproof::simulation {

/// As run_sharing, under one policy.
template <sharing::SharingPolicy P>
[[nodiscard]] Observation run_policy(const SharingWorld& world, const P& policy,
                                     const statistics::Replication& replication, const Done& done,
                                     SharingWatcher* watcher) {
    // Few policies ask for reservations, and those at their first offer; one that asks later is run again.
    for (const bool keeps_launches : {watcher != nullptr, true}) {
        JobSource source =
            std::visit([&](const auto& jobs) { return JobSource(world.laws, jobs, replication); }, world.jobs);
        SharingRecorder recorder(world.tick, world.cut, world.cluster.all_slots(), world.classes);
        if (Simulator(world, policy, source, recorder, replication, watcher, keeps_launches).run(done))
            return recorder.finish();
    }
    throw ContractViolation("a run that keeps its launches lacks one");
}

}  // namespace schedproof::simulation
