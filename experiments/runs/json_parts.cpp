#include "experiments/runs/json_parts.hpp"

#include <nlohmann/json.hpp>

namespace schedproof::runs {

nlohmann::ordered_json inputs_json(const std::vector<InputFile>& inputs) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const InputFile& input : inputs) list.push_back({{"file", input.path}, {"sha256", input.sha256}});
    return list;
}

std::vector<InputFile> inputs_of(const base::Cursor& at) {
    std::vector<InputFile> inputs;
    for (const base::Cursor& input : at.items("a list of inputs"))
        inputs.push_back({input.require("file", "a path").text("a path"),
                          input.require("sha256", "a fingerprint").text("a fingerprint")});
    return inputs;
}

std::uint64_t number_of(const base::Cursor& at, std::string_view key) {
    return at.require(key, "an integer of at least 0").count(0, UINT64_MAX, "a number");
}

}  // namespace schedproof::runs
