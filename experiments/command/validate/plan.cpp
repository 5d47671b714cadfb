/// `validate --dry-run`: the parts of `validate` in their order, with what each would ask.
#include <fmt/core.h>

#include "experiments/command/validate/validate.hpp"

namespace schedproof::cli {

std::string plan_of(const Validated& of) {
    std::string text = planned_claims(of) + "\nthen\n";
    const auto say = [&](std::string_view part, std::string_view what) {
        text += fmt::format("{:<13} {}\n", part, what);
    };
    const std::string runs =
        of.request.slots == 0 ? "none" : fmt::format("{} slots a run, beside other policies", of.request.slots);
    if (of.instances.empty()) {
        say("worst case", "the worst ratio to the optimum on small problems, where the family has an objective");
        say("simulation", runs);
        return text;
    }
    std::string names;
    for (const auto& instance : of.instances) names += (names.empty() ? "" : ", ") + instance->name();
    say("stability", "a drift argument, a Lyapunov function that is looked for, or transience, on " + names);
    say("every cluster", of.request.only.empty()
                             ? "throughput optimal for every number of servers, with 2 levels and with 3"
                             : "throughput optimal for every number of servers, with as many levels as there are");
    say("mean", "an interval of the mean number of tasks where it is stable, and a bound on every policy's");
    say("simulation", runs);
    if (!of.request.no_mutants && !follows_plan(of))
        say("mutants", "whether each single change of the rules would be noticed");
    return text;
}

}  // namespace schedproof::cli
