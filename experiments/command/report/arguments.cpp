#include "experiments/command/report/arguments.hpp"

namespace schedproof::cli::site {

namespace {

/// Sources: docs/models/assignment.md, Which statements hold; docs/models/redundancy.md, Optimum and duals, Theorems;
/// [jin2018], Section 5; [xu2017], Sections 3 to 5; [zaharia2010], Analysis of Delay Scheduling.
const std::vector<Argument>& all() {
    static const std::vector<Argument> arguments{
        {"assignment.best-local", {"assignment.no-path", "assignment.property-1.2.no-path"}},
        {"assignment.searches-agree", {"assignment.no-path", "assignment.unique-finishes"}},
        {"assignment.key-lemma", {"assignment.no-path", "assignment.key-lemma.no-path"}},
        {"assignment.best-is-k-or-next", {"assignment.monotone"}},
        {"assignment.twice-the-optimum", {"assignment.key-lemma"}},
        {"assignment.k-is-optimal", {"assignment.key-lemma", "assignment.makespan-of-k"}},
        {"assignment.theorem-4", {"assignment.key-lemma"}},
        {"assignment.theorem-3", {"assignment.theorem-1"}},
        {"queueing.mean-tasks.no-policy-below.m2-half", {"queueing.mean-tasks.m2-half"}},
        {"redundancy.theorem-1",
         {"redundancy.lemma-3", "redundancy.weak-duality", "redundancy.srpt-dual-value", "redundancy.lemma-4",
          "redundancy.copies-help-srpt"}},
        {"redundancy.srpt-dual-value", {"redundancy.lemma-5", "redundancy.alpha-is-an-increment"}},
        {"redundancy.alpha-is-an-increment", {"redundancy.lemma-5"}},
        {"redundancy.lemma-4",
         {"redundancy.lemma-4.static", "redundancy.dominance-step", "redundancy.dominance-arrival"}},
        {"redundancy.copies-help-srpt", {"redundancy.copies-leave-less"}},
        {"redundancy.copies-leave-less", {"redundancy.copies-leave-less.step", "redundancy.dominance-arrival"}},
        {"redundancy.theorem-2",
         {"redundancy.lemma-3", "redundancy.weak-duality", "redundancy.fair-feasible.cap",
          "redundancy.fair-value.cap"}},
        {"redundancy.fair-feasible.cap", {"redundancy.lemma-6"}},
        {"redundancy.fair-feasible.rank", {"redundancy.lemma-6"}},
        {"redundancy.fair-feasible.shifted", {"redundancy.lemma-6"}},
        {"redundancy.fair-value.cap", {"redundancy.lemma-7"}},
        {"redundancy.fair-value.rank", {"redundancy.lemma-7"}},
        {"redundancy.fair-value.shifted", {"redundancy.lemma-7"}},
        {"redundancy.theorem-3", {"redundancy.laps-potential", "redundancy.laps-potential.strengthened"}},
        {"redundancy.laps-potential", {"redundancy.laps-drift"}},
        {"redundancy.laps-potential.strengthened", {"redundancy.laps-drift.strengthened"}},
        {"redundancy.laps-drift.strengthened", {"redundancy.laps-core"}},
        {"redundancy.lemma-1", {"redundancy.lemma-1.pointwise"}},
        {"sharing.head-of-line-waits", {"sharing.local-within-d"}},
    };
    return arguments;
}

}  // namespace

std::span<const Argument> arguments() { return all(); }

}  // namespace schedproof::cli::site
