/// Any bytes as a JSON instance: an instance that survives writing and reading, or an InputError.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "model/core/errors.hpp"
#include "model/queueing/codec/codec.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace schedproof;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    try {
        const queueing::Instance instance = queueing::parse_instance(text, base::Format::json, "fuzz.json");
        if (instance.servers().size() + instance.types().size() > 10'000) return 0;  // valid, but slow to write
        const std::string written = write_json(instance);
        const queueing::Instance again = queueing::parse_instance(written, base::Format::json, "again.json");
        if (write_json(again) != written) std::abort();
    } catch (const InputError& error) {
        if (error.expected().empty() || error.place().file != "fuzz.json") std::abort();
    }
    return 0;
}
