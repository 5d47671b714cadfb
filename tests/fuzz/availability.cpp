/// Any bytes as a table of availability: intervals that ascend apart within the record, or an InputError.
#include "experiments/input/traces/availability.hpp"

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
        const input::Availability table = input::read_availability(in, "fuzz");
        if (table.machines.empty() || table.machines.size() != table.available.size()) std::abort();
        for (const auto& intervals : table.available) {
            if (intervals.empty()) std::abort();
            double last = -1;
            for (const auto& interval : intervals) {
                if (!(last < interval.start && interval.start < interval.end && interval.end <= table.length))
                    std::abort();
                last = interval.end;
            }
        }
    } catch (const InputError& error) {
        if (error.expected().empty() || error.place().file != "fuzz") std::abort();
    }
    return 0;
}
