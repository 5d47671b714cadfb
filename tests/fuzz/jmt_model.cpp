/// Any bytes as a model of JMT: an instance and a rule that can be written and read, or an InputError.
#include "experiments/input/jmt/jmt_model.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "model/core/errors.hpp"
#include "model/queueing/codec/codec.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace schedproof;
    try {
        input::JmtModel model = input::read_jmt({reinterpret_cast<const char*>(data), size}, "fuzz");
        require(!model.rule.route.empty(), "a model has a rule");
        model.data.name = "fuzz";
        const queueing::Instance instance(std::move(model.data));
        const std::string text = queueing::write_toml(instance);
        require(queueing::write_toml(queueing::parse_instance(text, base::Format::toml, "written")) == text,
                "an instance is read as it was written");
    } catch (const InputError&) {}
    return 0;
}
