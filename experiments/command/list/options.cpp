#include "experiments/command/core/options.hpp"

#include "checks/families.hpp"
#include "experiments/command/list/list.hpp"

namespace schedproof::cli {

namespace {

OptionTable options(ListRequest& r) {
    return joined({{{.names = "WHAT",
                     .target = &r.what,
                     .meaning = "policies, lyapunov (named functions), options (interpretations of the slot) or "
                                "claims",
                     .required = true,
                     .words = {"policies", "lyapunov", "options", "claims"}},
                    {.names = "--family",
                     .target = &r.family,
                     .meaning = "only what belongs to this family",
                     .words = checks::family_ids()}},
                   destination_options(r.to)});
}

}  // namespace

Subcommand list() {
    return make_subcommand<ListRequest>("list", "what is registered: policies, functions, options, claims",
                                        "schedproof list policies", options, list_forms());
}

}  // namespace schedproof::cli
