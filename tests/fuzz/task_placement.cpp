/// Any bytes as a data set of placements: an instance that survives writing and reading, or an InputError.
#include "experiments/input/placement/task_placement.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>

#include "model/core/errors.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace schedproof;
    std::istringstream in(std::string(reinterpret_cast<const char*>(data), size));
    try {
        input::PlacementOptions options;
        options.cores = 1;
        const input::PlacedTasks placed = input::place_data_set(in, "fuzz", {}, options);
        std::ostringstream loads, placement;
        input::write_data_set_loads(placed.instance, loads);
        input::write_data_set_placement(placed.instance, placement);
        std::istringstream loads_back(loads.str()), placement_back(placement.str());
        const input::PlacedTasks again =
            input::place_data_set(placement_back, "again", input::read_loads(loads_back, "loads"), {});
        if (!(again.instance == placed.instance)) std::abort();
    } catch (const InputError& error) {
        // A name that begins with '#' or holds a control character reads well behind other pairs, and cannot be
        // written.
        if (error.expected().empty() || (error.place().file != "fuzz" && error.place().key != "names")) std::abort();
    }
    return 0;
}
