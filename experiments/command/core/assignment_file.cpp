#include "experiments/command/core/assignment_file.hpp"

#include <fmt/core.h>

#include "experiments/command/core/output.hpp"
#include "model/assignment/codec/codec.hpp"
#include "model/core/errors.hpp"

namespace schedproof::cli {

void write_assignment(const Destination& to, const assignment::Instance& instance) {
    const bool json = to.json() || to.path.ends_with(".json");
    const std::string text = json ? write_json(instance) : write_toml(instance);
    if (text.size() > (json ? base::max_json_bytes : base::max_toml_bytes))
        throw InputError::in_file(
            to.path,
            fmt::format("expected an instance of at most {} MiB; larger ones are kept {}as data "
                        "sets (--placement, --loads)",
                        (json ? base::max_json_bytes : base::max_toml_bytes) >> 20, json ? "" : "in JSON or "));
    write_text(to.path, text);
}

}  // namespace schedproof::cli
