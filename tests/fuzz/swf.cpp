/// Any bytes as a log of jobs in SWF: jobs with work that ascend in time, or an InputError.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>

#include "experiments/input/traces/job_trace.hpp"
#include "model/core/errors.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace schedproof;
    std::istringstream in(std::string(reinterpret_cast<const char*>(data), size));
    try {
        double last = 0;
        for (const auto& job : input::read_job_trace(in, "fuzz", input::TraceKind::swf, {}).jobs) {
            if (!(job.submit >= last) || !(job.work() > 0)) std::abort();
            last = job.submit;
        }
    } catch (const InputError& error) {
        if (error.expected().empty() || error.place().file != "fuzz") std::abort();
    }
    return 0;
}
