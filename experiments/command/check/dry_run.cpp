#include "experiments/command/check/dry_run.hpp"

#include <fmt/core.h>
#include <fmt/format.h>

#include <set>
#include <vector>

namespace schedproof::cli {

namespace {

using namespace checks;

/// Rows of one claim and policy that ask the same oracles.
struct PlannedLine {
    const Claim* claim;
    std::string policy, oracles;
    std::vector<std::string> instances;
};

std::string plural(std::size_t count, const char* thing) {
    return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

}  // namespace

std::string plan_text(const Report& planned, const Selection& selection, const Settings& settings) {
    std::vector<PlannedLine> lines;
    std::set<const Claim*> claims;
    std::size_t questions = 0;
    for (const Row& row : planned.rows) {
        const std::vector<std::string> oracles = oracles_of(row);
        questions += oracles.size();
        claims.insert(row.claim);
        const std::string asked = fmt::format("{}", fmt::join(oracles, ", "));
        if (lines.empty() || lines.back().claim != row.claim || lines.back().policy != row.line.policy ||
            lines.back().oracles != asked)
            lines.push_back({row.claim, row.line.policy, asked, {}});
        lines.back().instances.push_back(row.instance_name());
    }
    std::string text;
    for (const PlannedLine& line : lines)
        text += fmt::format(
            "{:<46} {:<28} {:<22} {}\n", line.claim->id, line.policy, line.oracles,
            line.instances.size() == 1 ? line.instances.front() : plural(line.instances.size(), "instance"));
    return text +
           fmt::format(
               "\n{}, {}, on {}\nrandom cases  {} for each policy and instance, seed {}\na proof       at most {} "
               "cells, and {} resource units of the solver for each question; no clock ends it\n",
               plural(claims.size(), "claim"), plural(questions, "question") + " to oracles",
               plural(selection.jobs, "thread"), settings.cases, settings.seed, settings.budget.paths,
               settings.budget.solver);
}

}  // namespace schedproof::cli
