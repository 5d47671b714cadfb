/// Any bytes as a configuration of a load balancer, of each kind: a rule that the policy language reads, or an
/// InputError.
#include "experiments/input/routers/router_config.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "model/core/errors.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace schedproof;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto read_dynamo = [](std::string_view from, const std::string& file, const std::string& name) {
        return input::read_dynamo(from, file, name, 11'000);
    };
    using Reader = input::RouterConfig (*)(std::string_view, const std::string&, const std::string&);
    for (const Reader read : {input::read_haproxy, input::read_envoy, input::read_endpoint_picker, Reader(read_dynamo)})
        try {
            const input::RouterConfig config = read(text, "fuzz", "");
            require(config.rule.zoo.empty() != config.rule.route.empty(), "a configuration has one rule");
        } catch (const InputError&) {}
    return 0;
}
