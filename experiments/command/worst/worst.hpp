/// What `schedproof worst` asks for, and what its two families share: policies of the assignment family against the
/// least makespan, policies of the redundancy family against the least total flowtime.
#pragma once

#include <fmt/core.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/command/core/output.hpp"
#include "experiments/command/core/requests.hpp"
#include "experiments/command/core/state_json.hpp"
#include "proofs/explore/explorer.hpp"

namespace schedproof::cli {

struct WorstFound;

struct WorstRequest {
    std::string policy;              ///< of the assignment or the redundancy family
    std::string shape;               ///< `2,1:0/01`, or a range: `servers=2 cores=1..2 tasks=3`; or `n2-m2-det`
    std::vector<std::string> costs;  ///< one for all servers or one for each, or `any`, or `common`
    std::string grid;                ///< initial loads, or sizes, `0:6:1/2` or `0,1,5/2`; empty: all of them
    std::string gaps = "0,1,2";      ///< between arrivals, on a grid of jobs
    std::string speed = "1";         ///< of a policy of the redundancy family
    std::string at_most;             ///< a ratio to prove or refute instead, or empty
    std::string competitor = "auto";
    std::string makespan = "events";
    std::string wait = "3";
    std::string instance;                     ///< file for the worst problem, or empty
    std::string certificate;                  ///< file for the proof, or empty
    std::uint64_t max_problems = 10'000'000;  ///< of a grid
    BudgetRequest budget;
    Destination to;
};

/// Of a policy: the supremum over all loads of a shape, the largest ratio on a grid, or a statement on a ratio.
int run_assignment(const WorstRequest& request);
/// Of a redundancy policy: the supremum over all arrivals and sizes of a shape, or the largest ratio on a grid, beside
/// the proved bounds.
int run_redundancy(const WorstRequest& request);

/// The search of run_redundancy at speed 1, without an answer; its supremum is certified.
[[nodiscard]] WorstFound worst_redundancy(const std::string& policy, const std::string& shape,
                                          const explore::Budget& budget);
/// Their answers.
[[nodiscard]] Forms worst_assignment_forms();
[[nodiscard]] Forms worst_redundancy_forms();

/// The searches of run_assignment on small shapes; suprema are certified. Returns what was not covered.
[[nodiscard]] std::vector<std::string> worst_assignment(const std::string& policy, const explore::Budget& budget,
                                                        const std::function<void(const WorstFound&)>& found);

/// The strength of what a search found; `Worst` is that of either family.
template <class Worst>
[[nodiscard]] const char* verdict(const Worst& worst) {
    return worst.proved == Worst::Proved::supremum ? "Proved: the exact supremum"
           : worst.proved == Worst::Proved::grid   ? "Exhausted: every problem of the grid"
                                                   : "Unknown: a lower bound";
}

template <class Worst>
[[nodiscard]] int exit_code(const Worst& worst) {
    return worst.proved == Worst::Proved::lower_bound ? 3 : 0;
}

/// What the search cost, as a line; `more` is put before the time of a search over all problems.
template <class Worst>
[[nodiscard]] std::string effort_line(const Worst& worst, const WorstRequest& request, std::string_view more,
                                      double seconds) {
    return request.grid.empty()
               ? fmt::format("effort        {} cells, {} linear programs, {} questions to the solver, {}{:.2f} s\n",
                             worst.cases, worst.programs, worst.statistics.questions, more, seconds)
               : fmt::format("effort        {} problems, {} optima, {:.2f} s\n", worst.cases, worst.programs, seconds);
}

// Fields that the answers of both families have; `Search` is that of either.

/// `all`: what the supremum is over.
template <class Search>
[[nodiscard]] auto proved_field(const std::string& all) {
    return field(
               "proved", [](const Search& s) { return to_string(s.worst.proved); },
               "What the ratio is: the exact supremum over " + all +
                   "; the largest on a grid that was looked at in full; or the largest found before a budget ended.")
        .words({"supremum", "grid", "lower-bound"});
}
template <class Search>
[[nodiscard]] auto attained_field() {
    return field(
        "attained", [](const Search& s) { return s.worst.attained; },
        "The witness attains the ratio; otherwise it is near.");
}
template <class Search>
[[nodiscard]] auto ended_field() {
    return field(
               "ended", [](const Search& s) { return if_any(s.worst.ended); },
               "Which budget ended the search; null when none did.")
        .null_unless("proved", {"lower-bound"});
}
template <class Search>
[[nodiscard]] auto cases_field() {
    return field(
        "cases", [](const Search& s) { return s.worst.cases; }, "Cells of the exploration, or problems of the grid.");
}
template <class Search>
[[nodiscard]] auto programs_field() {
    return field(
        "programs", [](const Search& s) { return s.worst.programs; },
        "Linear programs solved; on a grid, optima found.");
}
template <class Search>
[[nodiscard]] auto questions_field() {
    return field(
        "questions", [](const Search& s) { return s.worst.statistics.questions; }, "Put to the solver.");
}
template <class Search>
[[nodiscard]] auto witness_file_field() {
    return field(
        "instance", [](const Search& s) { return if_any(s.worst.witness ? s.request.instance : ""); },
        "File that holds the witness as an instance; null when none was asked for.");
}

/// Progress of a search on a grid. Borrows `progress`.
[[nodiscard]] inline std::function<void(std::uint64_t, std::uint64_t)> problems_done(Progress& progress) {
    return [&progress](std::uint64_t done, std::uint64_t all) {
        progress.report("problems", static_cast<double>(done), static_cast<double>(all));
    };
}

}  // namespace schedproof::cli
