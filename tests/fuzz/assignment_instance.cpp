/// Any bytes as an assignment instance, TOML or JSON: an instance that survives writing and reading, or an InputError.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "model/assignment/codec/codec.hpp"
#include "model/core/errors.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace schedproof;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    try {
        const auto instance = assignment::parse_instance(text, base::detect_format("fuzz", text), "fuzz");
        if (instance.shape().cores().size() + instance.shape().tasks().size() > 10'000) return 0;  // slow to write
        const auto again = assignment::parse_instance(write_json(instance), base::Format::json, "again");
        if (!(again == instance)) std::abort();
    } catch (const InputError& error) {
        if (error.expected().empty() || error.place().file != "fuzz") std::abort();
    }
    return 0;
}
