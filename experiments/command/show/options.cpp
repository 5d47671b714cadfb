#include "experiments/command/core/options.hpp"

#include "experiments/command/show/show.hpp"

namespace schedproof::cli {

namespace {

OptionTable options(ShowRequest& r) {
    return joined({{instance_argument(r.instance),
                    {.names = "--as",
                     .target = &r.as,
                     .meaning = "summary for people, or the whole instance as toml or json",
                     .show_default = true,
                     .words = {"summary", "toml", "json"}}},
                   destination_options(r.to)});
}

}  // namespace

Subcommand show() {
    return make_subcommand<ShowRequest>("show", "summarise an instance of any family, or turn TOML into JSON and back",
                                        "schedproof show experiments/instances/n2-pandas.toml", options);
}

}  // namespace schedproof::cli
