/// Any bytes as loads of a cluster, with and without a number of cores: loads that belong together, or an InputError.
#include "experiments/input/placement/cluster_loads.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <string>

#include "model/core/errors.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace schedproof;
    for (const std::optional<std::uint32_t> cores : {std::optional<std::uint32_t>(), std::optional<std::uint32_t>(2)}) {
        std::istringstream in(std::string(reinterpret_cast<const char*>(data), size));
        try {
            const input::ClusterLoads loads = input::read_loads(in, "fuzz", cores);
            std::size_t sum = 0;
            for (const std::uint32_t n : loads.cores) sum += n;
            if (loads.servers.size() != loads.cores.size() || sum != loads.loads.size() || sum == 0) std::abort();
            for (const Rational& load : loads.loads)
                if (load.sign() < 0) std::abort();
        } catch (const InputError& error) {
            if (error.expected().empty() || error.place().file != "fuzz") std::abort();
        }
    }
    return 0;
}
