/// Any bytes as a trace of jobs: jobs with work that ascend in time, or an InputError.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>

#include "experiments/input/traces/job_trace.hpp"
#include "model/core/errors.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace schedproof;
    using Unit = input::TraceSizes::Unit;
    for (const Unit unit : {Unit::tasks, Unit::bytes}) {
        std::istringstream in(std::string(reinterpret_cast<const char*>(data), size));
        try {
            double last = 0;
            for (const auto& job : input::read_job_trace(in, "fuzz", input::TraceKind::swim, {unit, 1}).jobs) {
                if (!(job.submit >= last) || !(job.work() > 0)) std::abort();
                last = job.submit;
            }
        } catch (const InputError& error) {
            if (error.expected().empty() || error.place().file != "fuzz") std::abort();
        }
    }
    return 0;
}
