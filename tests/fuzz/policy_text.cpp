/// Any bytes as a queueing policy: refused with an InputError at a place of the text, or a policy whose text and whose
/// printed rules are read back the same.
#include "model/queueing/codec/policy_text.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "model/core/errors.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace schedproof;
    using namespace queueing::codec;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    try {
        const PolicyText policy = read_policy_text(text, "fuzz.policy");
        const PolicyText again = read_policy_text(written_as_text(policy), "written");
        if (again.id != policy.id || again.source != policy.source || again.summary != policy.summary ||
            again.hopes != policy.hopes || again.lyapunov != policy.lyapunov || !(again.rules == policy.rules))
            std::abort();
        if (!(read_rules(to_string(policy.rules), "printed") == policy.rules)) std::abort();
    } catch (const InputError& error) {
        if (error.expected().empty() || error.place().file != "fuzz.policy") std::abort();
    }
    return 0;
}
