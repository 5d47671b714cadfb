/// Any bytes as a trace of jobs: jobs with work that ascend in time, or an InputError.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>

#include "experiments/input/swim_reader.hpp"
#include "model/core/errors.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace schedproof;
    using Unit = input::TraceSizes::Unit;
    for (const Unit unit : {Unit::tasks, Unit::bytes}) {
        std::istringstream in(std::string(reinterpret_cast<const char*>(data), size));
        try {
            double last = 0;
            for (const auto& job : input::read_trace_jobs(in, "fuzz", {unit, 1})) {
                if (!(job.arrival.value() >= last) || !(job.size.value() > 0)) std::abort();
                last = job.arrival.value();
            }
        } catch (const InputError& error) {
            if (error.expected().empty() || error.place().file != "fuzz") std::abort();
        }
    }
    return 0;
}
