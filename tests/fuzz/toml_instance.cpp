/// Any bytes as a TOML instance: an instance that survives writing and reading, or an InputError.
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
        const queueing::Instance instance = queueing::parse_instance(text, base::Format::toml, "fuzz.toml");
        if (instance.servers().size() + instance.types().size() > 10'000) return 0;  // valid, but slow to write
        const std::string written = write_toml(instance);
        const queueing::Instance again = queueing::parse_instance(written, base::Format::toml, "again.toml");
        if (write_toml(again) != written) std::abort();
    } catch (const InputError& error) {
        if (error.expected().empty() || error.place().file != "fuzz.toml") std::abort();
    }
    return 0;
}
