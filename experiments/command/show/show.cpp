#include "experiments/command/show/show.hpp"

#include "experiments/command/core/output.hpp"
#include "experiments/command/families/instance_file.hpp"

namespace schedproof::cli {

int run(const ShowRequest& request) {
    const auto instance = read_any_instance(request.instance);
    write_text(request.to.path, request.to.json() || request.as == "json" ? instance->json()
                                : request.as == "toml"                    ? instance->toml()
                                                                          : instance->summary());
    return 0;
}

}  // namespace schedproof::cli
