#include "experiments/command/show/show.hpp"

#include "experiments/command/core/output.hpp"
#include "experiments/command/families/instance_file.hpp"
#include "model/core/errors.hpp"

namespace schedproof::cli {

int run(const ShowRequest& request) {
    auto instance = read_any_instance(request.instance);
    if (request.in_continuous_time) instance = instance->in_time({});
    if (!request.in_slots.empty()) {
        const auto length = Rational::parse(request.in_slots);
        if (!length || length->sign() <= 0)
            throw InputError::at_key("--in-slots", "expected the length of a slot, a number above 0 such as 1/10");
        instance = instance->in_time(*length);
    }
    write_text(request.to.path, request.to.json() || request.as == "json" ? instance->json()
                                : request.as == "toml"                    ? instance->toml()
                                                                          : instance->summary());
    return 0;
}

}  // namespace schedproof::cli
