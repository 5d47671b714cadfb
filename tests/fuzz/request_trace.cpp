/// Any bytes as a trace of requests, of the format that the first byte names: requests that ascend, of which an
/// instance can be made, or an InputError.
#include "experiments/input/requests/request_trace.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>

#include "experiments/input/requests/instance_of_requests.hpp"
#include "model/core/errors.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace schedproof;
    using input::RequestFormat;
    if (size == 0) return 0;
    const std::string text(reinterpret_cast<const char*>(data), size);
    const RequestFormat format = text.front() == '{'   ? RequestFormat::mooncake
                                 : text.front() == 'T' ? RequestFormat::azure
                                 : text.front() == 'g' ? RequestFormat::lora
                                 : text.front() == ';' ? RequestFormat::swf
                                 : text.front() == '#' ? RequestFormat::swim
                                                       : RequestFormat::csv;
    std::istringstream in(text);
    try {
        const input::RequestTrace trace = input::read_requests(in, "fuzz", format, {});
        double last = 0;
        for (const input::TracedRequest& request : trace.requests) {
            if (request.time < last || !(0 < request.hit && request.hit <= request.miss)) std::abort();
            if (request.saved < 0 || request.saved > request.tokens) std::abort();
            last = request.time;
        }
        if (last == 0) return 0;
        const input::ImportedRequests imported = input::import_requests(trace, {});
        if (imported.tasks.size() != trace.requests.size()) std::abort();
    } catch (const InputError& error) {
        if (error.expected().empty()) std::abort();
    }
    return 0;
}
