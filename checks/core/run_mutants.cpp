/// Runs of mutants: whether each oracle catches those that are stated for it, and whether a property that is switched
/// off is missed, so that it decides something.
#include <algorithm>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "checks/core/run.hpp"
#include "model/base/parallel.hpp"
#include "model/core/errors.hpp"

namespace schedproof::checks {

namespace {

/// What an oracle says once the property is switched off; empty where it refutes all the same.
std::string without_property(const std::function<Verdict()>& ask) {
    try {
        const Verdict verdict = ask();
        return kind_of(verdict) == VerdictKind::refuted ? "" : short_text(verdict);
    } catch (const OracleConflict&) {
        return "a refutation that does not replay";
    }
}

/// Of a claim's mutants of the system, which its property refutes.
std::string missed_by_systems(const Claim& claim, std::size_t count, const Settings& settings) {
    std::string noticed;
    for (std::size_t i = 0; i < count; ++i) {
        const std::string found = without_property([&] { return claim.any->ask_mutant(i, false, settings); });
        if (found.empty()) return "";
        noticed += (i > 0 ? "; " : "") + claim.mutants[i].name + ": " + found;
    }
    return noticed;
}

/// Of the first line that is false as stated, on its first instance.
std::string missed_by_line(const Claim& claim, const Settings& settings) {
    const auto line = std::find_if(claim.lines.begin(), claim.lines.end(),
                                   [](const Line& l) { return l.expectation == Expectation::fails; });
    if (line == claim.lines.end()) return "";
    const DomainPtr instance = claim.family().instance(line->instances.front());
    const auto trial = claim.any->trial(instance, line->policy);
    const std::vector<std::string> oracles = claim.any->oracles();
    std::string noticed;
    for (std::size_t i = 0; i < oracles.size(); ++i) {
        if (!line->asks(oracles[i]) || !claim.any->suits(i, *instance)) continue;
        const std::string found = without_property([&] { return trial->ask_without_property(i, settings); });
        if (found.empty()) return "";
        noticed += (noticed.empty() ? "" : "; ") + line->policy + " on " + instance->name + ": " + found;
    }
    return noticed;
}

/// `mutants` are the claim's, of which those of the system come first.
std::string missed(const Claim& claim, std::span<const MutantRow> mutants, const Settings& settings) {
    if (claim.any->of_no_problem())
        return mutants.empty() ? "" : "no property of single problems: its certificates are checked";
    const std::size_t systems = claim.any->mutant_systems().size();
    if (systems == 0) return missed_by_line(claim, settings);
    const auto with = mutants.first(systems);
    return std::any_of(with.begin(), with.end(), [](const MutantRow& row) { return row.caught.empty(); })
               ? ""
               : missed_by_systems(claim, systems, settings);
}

}  // namespace

bool MutantReport::all_caught() const {
    return std::none_of(mutants.begin(), mutants.end(), [](const MutantRow& row) { return row.caught.empty(); }) &&
           std::none_of(claims.begin(), claims.end(), [](const NullMutantRow& row) { return row.noticed.empty(); });
}

MutantReport run_mutants(const std::vector<const Claim*>& claims, const Settings& settings, unsigned jobs) {
    MutantReport report;
    for (const Claim* claim : claims) {
        report.claims.push_back({claim->id, {}});
        for (const Mutant& mutant : claim->mutants) report.mutants.push_back({claim->id, &mutant, {}});
    }
    base::for_each_index(report.mutants.size(), std::max(1U, jobs),
                         [&](std::size_t i) { report.mutants[i].caught = report.mutants[i].mutant->caught(settings); });
    std::vector<std::size_t> first{0};  // of each claim's mutants
    for (const Claim* claim : claims) first.push_back(first.back() + claim->mutants.size());
    base::for_each_index(claims.size(), std::max(1U, jobs), [&](std::size_t i) {
        const std::span<const MutantRow> all(report.mutants);
        report.claims[i].noticed = missed(*claims[i], all.subspan(first[i], first[i + 1] - first[i]), settings);
    });
    return report;
}

}  // namespace schedproof::checks
