#include "experiments/simulators/sharing/sharing_run.hpp"

#include "experiments/simulators/sharing/asked_policy.hpp"
#include "experiments/simulators/sharing/run_policy.hpp"

namespace schedproof::simulation {

Observation run_sharing(const SharingWorld& world, const sharing::AnyPolicy& policy,
                        const statistics::Replication& replication, const Done& done, SharingWatcher* watcher) {
    return std::visit(
        [&]<sharing::PolicyForm form>(const sharing::ErasedAs<form>& p) {
            return run_policy(world, AskedPolicy<form>(p), replication, done, watcher);
        },
        policy);
}

}  // namespace schedproof::simulation
