/// The properties of DynDLOff, in the order of the paper: a group per part of the algorithm, each a table with one row
/// per claim. What a claim means is in its own source: balanced.cpp, deadlines.cpp, candidates.cpp and results.cpp.
/// A row names the interpretation of the paper that the claim is about, so a claim that is false as printed stands
/// beside the one that holds.
#include "checks/assignment/properties/properties.hpp"

#include "checks/assignment/properties/property_functions.hpp"

namespace schedproof::checks {
namespace assignment_properties {
namespace {

using assignment::DynDlOff;

TwoPhasePolicy by_loop() { return two_phase_policy({.search = DynDlOff::Search::loop}, "dyndloff:loop"); }
TwoPhasePolicy all_core_maximum() {
    return two_phase_policy({.max_over_all_cores = true}, "dyndloff:max-over-all-cores");
}
TwoPhasePolicy strict_capacity() { return two_phase_policy({.strict_capacity = true}, "dyndloff:strict-capacity"); }
TwoPhasePolicy all_core_bounds() { return two_phase_policy({.all_core_bounds = true}, "dyndloff:all-core-bounds"); }
TwoPhasePolicy index_levels() { return two_phase_policy({.index_levels = true}, "dyndloff:index-levels"); }
TwoPhasePolicy max_min() { return two_phase_policy({.max_min_placement = true}, "dyndloff:max-min"); }

constexpr const char* section_5_1 = "[jin2018], Section 5.1";
constexpr const char* section_5_2 = "[jin2018], Section 5.2";
constexpr const char* this_project = "[schedproof]";

/// Phase I: the balanced assignment.
std::vector<NamedProperty> phase_1_properties() {
    return {
        {"finish-times", "The k-th task of a core in the balanced assignment finishes at Linit + k.", section_5_1, true,
         "", finish_times, dyndloff},
        {"constraint-1", "Phase I assigns every task to a core that it prefers.", "[jin2018], Constraint 1", true, "",
         constraint_1, dyndloff},
        {"constraint-2",
         "In Phase I's result no task would finish earlier as the last one of another core that it prefers.",
         "[jin2018], Constraint 2", true, "", constraint_2, dyndloff},
        {"constraint-2:max-over-all-cores", "The same with MAX over all cores of a server, as printed.",
         "[jin2018], Algorithm 2", false, "all-core-maximum", constraint_2, all_core_maximum},
        {"property-1.1", "Tasks on a core whose load is more than 1 above another's do not prefer that other.",
         "[jin2018], Property 1.1", true, "", property_1_1, dyndloff},
        {"property-1.2:constraint-2",
         "Every assignment that satisfies Constraints 1 and 2 has the least makespan of all local assignments.",
         "[jin2018], Property 1.2", false, "property-1.2", constraint_2_is_best_local, dyndloff},
        {"property-1.2:no-path",
         "Every local assignment without a cost-reducing path has the least makespan of all local assignments.",
         this_project, true, "", no_path_is_best_local, dyndloff},
        {"no-path", "Phase I leaves no cost-reducing path.", section_5_1, true, "", no_path_left, dyndloff},
        {"best-local", "Phase I's result has the least makespan of all local assignments.", "[jin2018], Property 1.2",
         true, "", best_local, dyndloff},
        {"unique-finishes", "All local assignments without a cost-reducing path have the same sorted finish times.",
         this_project, true, "", unique_finishes, dyndloff},
        {"searches-agree", "All searches of Phase I end with the same sorted finish times.", this_project, true, "",
         same_finishes_as_other_searches, dyndloff},
        {"key-lemma",
         "An assignment of makespan v has at least as many remote tasks as finish later than v in Phase I's result.",
         this_project, true, "", key_lemma, dyndloff},
        {"key-lemma:no-path", "The same for every local assignment without a cost-reducing path.", this_project, true,
         "", key_lemma_without_path, dyndloff},
        {"key-lemma:constraint-2", "The same for every assignment that satisfies Constraints 1 and 2.",
         "[jin2018], proof of Theorem 4", false, "property-1.2", key_lemma_of_constraint_2, dyndloff},
        {"theorem-2", "Single-path search flips at most one path per task and looks at k T (flips + 1) replicas.",
         "[jin2018], Theorem 2", true, "", effort_of_phase_1, by_loop},
    };
}

/// Phase II: what fits before a deadline, and how many of them are tested.
std::vector<NamedProperty> deadline_properties() {
    return {
        {"rmax", "rmax is the most remote tasks that a server can finish by the deadline.", section_5_2, true, "", rmax,
         dyndloff},
        {"rmax:strict", "The same with the printed > in its test.", section_5_2, false, "strict-capacity", rmax,
         strict_capacity},
        {"strict-same-makespan", "The printed > does not change the makespan of the output.", section_5_2, false,
         "strict-capacity", same_makespan_as_dyndloff, strict_capacity},
        {"theorem-1", "gamma - m <= rmax <= gamma, with room and m of the cores that are free before the deadline.",
         "[jin2018], Theorem 1", true, "", theorem_1, dyndloff},
        {"theorem-1:all-cores", "The same with room and m of all cores of the server, as printed.",
         "[jin2018], Theorem 1", false, "all-core-room", theorem_1_all_cores, all_core_bounds},
        {"theorem-1:tighter", "gamma - (m - 1) <= rmax where some core is free before the deadline.", this_project,
         true, "", theorem_1_tighter, dyndloff},
        {"theorem-3", "At most log2 T + 1 deadlines are tested, each with log2 m + 1 numbers per server after gamma.",
         "[jin2018], Theorem 3", true, "", effort_of_phase_2, dyndloff},
        {"effort-in-all",
         "With single-path search, replicas looked at, tests of servers and numbers tried are together at most k T (T "
         "+ 1) + S (log2 T + 1) (log2 (T + 1) + log2 m + 3).",
         "[jin2018], Section 5.3", true, "", effort_in_all, by_loop},
    };
}

/// Phase II: the A_i, with the i latest tasks made remote.
std::vector<NamedProperty> candidate_properties() {
    return {
        {"makespan-of-k", "makespan(A_k) = D[k].", section_5_2, true, "", makespan_of_k, dyndloff},
        {"least-placement", "A_i has the least makespan of all ways to make the i latest tasks remote.", section_5_2,
         true, "", least_placement, dyndloff},
        {"least-placement:max-min", "The same with max-min placement, as printed.", section_5_2, false,
         "max-min-not-least", least_placement, max_min},
        {"max-min-same-makespan", "Max-min placement does not change the makespan of the output.", section_5_2, false,
         "max-min-not-least", same_makespan_as_dyndloff, max_min},
        {"monotone", "Makespans of A_i do not rise up to k and do not fall from k + 1.", section_5_2, true, "",
         monotone, dyndloff},
        {"monotone:max-min", "The same with max-min placement, as printed.", section_5_2, false, "max-min-not-monotone",
         monotone, max_min},
        {"monotone:from-the-output",
         "Makespans of A_i do not rise up to the output, which is one of them, and do not fall from it on.",
         "[jin2018], Section 5.3", true, "", monotone_from_the_output, dyndloff},
        {"best-is-k-or-next", "No A_i has a smaller makespan than the better of A_k and A_{k+1}.", section_5_2, true,
         "", best_is_k_or_next, dyndloff},
        {"levels-same-makespan", "Search by levels and by indices end with the same makespan.", this_project, true, "",
         same_makespan_by_index, dyndloff},
        {"k-or-next-remote", "The output has k or k + 1 remote tasks, by indices.", section_5_2, true, "",
         k_or_next_remote, index_levels},
        {"k-or-next-remote:levels", "The same where k counts the tasks later than the last level that passes.",
         section_5_2, false, "neither-k-nor-k+1", level_or_next_remote, dyndloff},
    };
}

/// The output, and the optimum.
std::vector<NamedProperty> output_properties() {
    return {
        {"moved-are-remote", "Every task that Phase II moves is remote in the output.", section_5_2, true, "",
         moved_are_remote, dyndloff},
        {"actual-is-nominal", "The makespan of the output is the one that Phase II computes with.", this_project, true,
         "", actual_is_nominal, dyndloff},
        {"not-above-balanced", "The output's makespan is at most the balanced assignment's.", section_5_2, true, "",
         not_above_balanced, dyndloff, true},
        {"theorem-4",
         "If an optimum and A_n have n remote tasks and a largest core of A_n has local tasks only, A_n is optimal.",
         "[jin2018], Theorem 4", true, "", theorem_4, dyndloff},
        {"theorem-4:moved-are-local", "The same where some of the n moved tasks land on servers that they prefer.",
         "[jin2018], Theorem 4", false, "theorem-4-with-moved-local", theorem_4_if_moved_are_local, dyndloff},
        {"theorem-4:constraint-2", "The same for A_n made from any assignment with Constraints 1 and 2.",
         "[jin2018], Theorem 4", false, "theorem-4-of-constraint-2", theorem_4_of_constraint_2, dyndloff},
        {"theorem-4:output", "If a largest core of the output has local tasks only, the output is optimal.",
         "[jin2018], Section 5.3", false, "theorem-4-of-the-output", theorem_4_of_output, dyndloff, true},
        {"k-is-optimal", "If some optimum has at most k remote tasks, A_k is optimal.", this_project, true, "",
         k_is_optimal, dyndloff},
        {"twice-the-optimum", "The output's makespan is at most twice the optimum.", this_project, true, "",
         twice_the_optimum, dyndloff, true},
        {"optimal", "The output is optimal.", this_project, false, "not-optimal", optimal, dyndloff, true},
        {"ticks-are-rationals", "Runs on 64-bit ticks and on rationals decide and state the same.", this_project, true,
         "", ticks_are_rationals, dyndloff},
    };
}

}  // namespace
}  // namespace assignment_properties

std::vector<NamedProperty> dyndloff_properties() {
    using namespace assignment_properties;
    std::vector<NamedProperty> all;
    for (const auto& group : {phase_1_properties(), deadline_properties(), candidate_properties(), output_properties()})
        all.insert(all.end(), group.begin(), group.end());
    return all;
}

NamedProperty dyndloff_property(std::string_view id) {
    for (const NamedProperty& property : dyndloff_properties())
        if (property.id == id) return property;
    throw ContractViolation("no property of the assignment family is named so");
}

}  // namespace schedproof::checks
