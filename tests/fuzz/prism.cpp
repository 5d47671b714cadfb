/// Any bytes as each of the PRISM explicit files: a value, or an InputError. The first byte picks the kind of file.
#include "checks/prism/prism.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "model/core/errors.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace schedproof;
    if (size == 0) return 0;
    const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
    constexpr std::size_t states = 3;
    try {
        switch (data[0] % 4) {
            case 0:
                graph::parse_tra(text, "fuzz").require_closed();
                break;
            case 1:
                if (graph::parse_sta(text, states, "fuzz").values.size() != states) std::abort();
                break;
            case 2:
                static_cast<void>(graph::parse_lab(text, states, "fuzz"));
                break;
            default:
                if (graph::parse_srew(text, states, "fuzz").value.size() != states) std::abort();
        }
    } catch (const InputError& error) {
        if (error.expected().empty()) std::abort();
    }
    return 0;
}
