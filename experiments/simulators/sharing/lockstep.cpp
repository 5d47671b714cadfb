#include "experiments/simulators/sharing/lockstep.hpp"

#include <algorithm>

namespace schedproof::simulation {

using namespace sharing;

Setting lockstep_setting(const Choose& choose) {
    Setting setting;
    Cluster& cluster = setting.cluster;
    const int nodes = choose(1, 4), racks = choose(1, 4);
    for (int n = 0; n < nodes; ++n) cluster.rack.emplace_back(static_cast<std::size_t>(choose(0, racks)));
    cluster.slots = static_cast<std::size_t>(choose(1, 3));
    cluster.rate = {choose(2, 5), 1, 1};
    cluster.remote_time = {choose(1, 4), choose(4, 7)};
    Ticks submit = 0;
    for (int j = choose(1, 6); j > 0; --j) {
        Job job{submit += choose(0, 3), static_cast<Priority>(choose(0, 5)), {}};
        for (int t = choose(1, 9); t > 0; --t) {
            Replicas data;
            for (int n = 0; n < nodes; ++n)
                if (choose(0, 3) == 0) data.emplace_back(static_cast<std::size_t>(n));
            if (data.empty()) data.emplace_back(static_cast<std::size_t>(choose(0, nodes)));
            job.tasks.push_back(data);
            for (int p = choose(0, 3); p > 0; --p) job.probes.emplace_back(static_cast<std::size_t>(choose(0, nodes)));
        }
        std::sort(job.probes.begin(), job.probes.end());
        setting.jobs.push_back(job);
    }
    setting.validate();
    return setting;
}

std::string lockstep_refusal(const sharing::AnyPolicy& policy) {
    constexpr std::uint64_t seed = 0x5eed, trajectories = 50;
    constexpr int events = 60;
    for (std::uint64_t i = 0; i < trajectories; ++i) {
        Sampler randomness(StreamKey{seed, i});
        const Choose choose = [&](int from, int to) {
            return from + static_cast<int>(randomness.below(static_cast<std::uint64_t>(to - from)));
        };
        const Setting setting = lockstep_setting(choose);
        std::string found = std::visit(
            [&](const auto& p) -> std::string {
                Lockstep lockstep(setting, p, choose);
                try {
                    for (int event = 0; event < events && lockstep.difference().empty(); ++event)
                        lockstep.random_event();
                } catch (const ContractViolation& broken) {
                    return std::string("it breaks a contract: ") + broken.what();
                }
                return lockstep.difference().empty()
                           ? ""
                           : "the simulator and a scan of the state differ in " + lockstep.difference();
            },
            policy);
        if (!found.empty()) return found;
    }
    return {};
}

}  // namespace schedproof::simulation
