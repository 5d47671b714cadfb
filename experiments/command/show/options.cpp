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
                     .words = {"summary", "toml", "json"}},
                    {.names = "--in-slots",
                     .value = "LENGTH",
                     .target = &r.in_slots,
                     .meaning = "show an instance in continuous time in slots of this length, each rate times "
                                "it a probability"},
                    {.names = "--in-continuous-time",
                     .target = &r.in_continuous_time,
                     .meaning = "show an instance in slots with its probabilities as rates",
                     .excludes = {"--in-slots"}}},
                   destination_options(r.to)});
}

}  // namespace

Subcommand show() {
    return make_subcommand<ShowRequest>("show", "summarise an instance of any family, or turn TOML into JSON and back",
                                        "schedproof show experiments/instances/n2-pandas.toml", options);
}

}  // namespace schedproof::cli
