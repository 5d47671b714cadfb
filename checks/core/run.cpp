#include "checks/core/run.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <mutex>
#include <set>

#include "model/base/parallel.hpp"
#include "model/core/errors.hpp"

namespace schedproof::checks {

namespace {

bool asked(const Line& line, const std::string& oracle) {
    return line.oracles.empty() || std::find(line.oracles.begin(), line.oracles.end(), oracle) != line.oracles.end();
}

bool suits(const Oracle&, const InstancePtr&) { return true; }
template <class F>
bool suits(const TrialOracle<F>& oracle, const std::shared_ptr<const ProblemDomain<F>>& domain) {
    return oracle.suits(*domain);
}

std::string where(const Row& row) { return row.claim->id + ", " + row.line.policy + ", " + row.instance_name(); }

/// Whether the findings settle what was expected.
Row::Outcome judge(const Row& row) {
    const auto any = [&](auto&& holds) {
        return std::any_of(row.findings.begin(), row.findings.end(),
                           [&](const Finding& f) { return holds(f.verdict); });
    };
    const bool refuted = any([](const Verdict& v) { return std::holds_alternative<Refuted>(v); });
    const bool unknown = any([](const Verdict& v) { return std::holds_alternative<Unknown>(v); });
    const bool affirmed = any([](const Verdict& v) { return affirms(v); });
    switch (row.line.expectation) {
        case Expectation::holds:
            if (refuted) return Row::Outcome::unexpected;
            if (unknown || !affirmed) return Row::Outcome::unsettled;
            return row.witness.empty() ? Row::Outcome::vacuous : Row::Outcome::expected;
        case Expectation::fails:
            if (refuted) return Row::Outcome::expected;
            return unknown ? Row::Outcome::unsettled : Row::Outcome::unexpected;
        case Expectation::open:
            return refuted || affirmed ? Row::Outcome::unexpected : Row::Outcome::expected;
    }
    return Row::Outcome::unexpected;
}

/// Puts the claim to the row's policy on an instance of its family; `report` takes conflicts.
template <class FamilyClaim, class Instance, class ReportConflict>
void ask_oracles(const FamilyClaim& claim, const Instance& instance, Row& row, const Settings& settings,
                 ReportConflict&& report) {
    const auto subject = checks::subject(claim, instance, row.line.policy);
    row.witness = claim.witness(subject);
    bool proved = false, refuted = false;
    for (const auto& oracle : claim.oracles) {
        if (!asked(row.line, oracle.name) || !suits(oracle, instance)) continue;
        const auto start = std::chrono::steady_clock::now();
        Finding finding{oracle.name, Unknown{"conflict"}, 0};
        try {
            finding.verdict = consult(claim, oracle, subject, settings);
        } catch (const OracleConflict& conflict) {
            report(oracle.name + ": " + conflict.what());
        }
        finding.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        proved = proved || std::holds_alternative<Proved>(finding.verdict);
        refuted = refuted || std::holds_alternative<Refuted>(finding.verdict);
        row.findings.push_back(std::move(finding));
    }
    if (proved && refuted) report("one oracle proves what another refutes");
    row.outcome = judge(row);
}

void ask_oracles(Row& row, const Settings& settings, std::vector<std::string>& conflicts, std::mutex& writing) {
    const auto report = [&](const std::string& what) {
        const std::lock_guard lock(writing);
        conflicts.push_back(where(row) + ": " + what);
    };
    if (const auto* queueing = std::get_if<QueueingClaim>(&row.claim->asked))
        ask_oracles(*queueing, std::get<InstancePtr>(row.instance), row, settings, report);
    else if (const auto* assignment = std::get_if<AssignmentClaim>(&row.claim->asked))
        ask_oracles(*assignment, std::get<DomainPtr>(row.instance), row, settings, report);
    else if (const auto* redundancy = std::get_if<RedundancyClaim>(&row.claim->asked))
        ask_oracles(*redundancy, std::get<RedundancyDomainPtr>(row.instance), row, settings, report);
    else
        ask_oracles(std::get<SharingClaim>(row.claim->asked), std::get<SharingDomainPtr>(row.instance), row, settings,
                    report);
}

/// Whether the whole of `text` fits, `*` standing for any characters.
bool glob(std::string_view text, std::string_view pattern) {
    const std::size_t star = pattern.find('*');
    if (star == std::string_view::npos) return text == pattern;
    if (text.substr(0, star) != pattern.substr(0, star)) return false;
    for (std::size_t from = star; from <= text.size(); ++from)
        if (glob(text.substr(from), pattern.substr(star + 1))) return true;
    return false;
}

/// The rows of a selection, still without findings, and the cases left out.
void add_rows(const Claim& claim, const Selection& selection, Report& report) {
    std::set<std::string> policies;
    for (const Line& line : claim.lines) {
        if (!selection.policy.empty() && line.policy != selection.policy) continue;
        std::vector<AnyInstance> instances;
        if (!selection.instance)
            for (const std::string& name : line.instances) instances.push_back(claim.instance(name));
        else if (policies.insert(line.policy).second)  // the user's instance once per policy, expected to hold
            instances.push_back(*selection.instance);
        for (const AnyInstance& instance : instances) {
            if (const std::string why = claim.outside(instance); !why.empty()) {
                report.outside.push_back(claim.id + " on " + name_of(instance) + ": " + why);
                continue;
            }
            Row row{&claim, line, instance, {}, {}, {}};
            if (selection.instance) row.line.expectation = Expectation::holds;
            report.rows.push_back(std::move(row));
        }
    }
}

}  // namespace

std::string_view to_string(Row::Outcome outcome) {
    constexpr std::array<std::string_view, 4> names{"expected", "unexpected", "unsettled", "vacuous"};
    return names[static_cast<std::size_t>(outcome)];
}

std::size_t Report::count(Row::Outcome outcome) const {
    return static_cast<std::size_t>(
        std::count_if(rows.begin(), rows.end(), [&](const Row& row) { return row.outcome == outcome; }));
}

int Report::exit_code() const {
    if (!conflicts.empty()) return 4;
    if (count(Row::Outcome::unexpected) + count(Row::Outcome::vacuous) > 0) return 1;
    return count(Row::Outcome::unsettled) > 0 ? 3 : 0;
}

bool matches(std::string_view id, std::string_view pattern) {
    if (pattern.find('*') != std::string_view::npos) return glob(id, pattern);
    return id == pattern || (!pattern.empty() && id.starts_with(pattern) && id[pattern.size()] == '.');
}

std::vector<const Claim*> select(const std::vector<Claim>& claims, const std::vector<std::string>& patterns) {
    for (const std::string& pattern : patterns)
        if (std::none_of(claims.begin(), claims.end(), [&](const Claim& c) { return matches(c.id, pattern); }))
            throw InputError({"", 0, "CLAIM"}, "expected a claim of `schedproof list claims`, not '" + pattern + "'");
    std::vector<const Claim*> selected;
    for (const Claim& claim : claims)
        if (patterns.empty() ||
            std::any_of(patterns.begin(), patterns.end(), [&](const std::string& p) { return matches(claim.id, p); }))
            selected.push_back(&claim);
    return selected;
}

Report run(const std::vector<Claim>& claims, const Selection& selection, const Settings& settings) {
    Report report;
    for (const Claim* claim : select(claims, selection.claims)) add_rows(*claim, selection, report);
    std::stable_sort(report.rows.begin(), report.rows.end(), [](const Row& a, const Row& b) {
        return std::pair(a.claim->id, a.line.policy) < std::pair(b.claim->id, b.line.policy) ||
               (a.claim == b.claim && a.line.policy == b.line.policy && a.instance_name() < b.instance_name());
    });
    std::sort(report.outside.begin(), report.outside.end());
    report.outside.erase(std::unique(report.outside.begin(), report.outside.end()), report.outside.end());
    std::mutex writing;
    std::size_t done = 0;
    base::for_each_index(report.rows.size(), std::max(1U, selection.jobs), [&](std::size_t i) {
        ask_oracles(report.rows[i], settings, report.conflicts, writing);
        const std::lock_guard lock(writing);
        if (selection.progress) selection.progress(++done, report.rows.size());
    });
    std::sort(report.conflicts.begin(), report.conflicts.end());
    return report;
}

std::vector<MutantRow> run_mutants(const std::vector<const Claim*>& claims, const Settings& settings, unsigned jobs) {
    std::vector<MutantRow> rows;
    for (const Claim* claim : claims)
        for (const Mutant& mutant : claim->mutants) rows.push_back({claim->id, &mutant, {}});
    base::for_each_index(rows.size(), std::max(1U, jobs),
                         [&](std::size_t i) { rows[i].caught = rows[i].mutant->caught(settings); });
    return rows;
}

}  // namespace schedproof::checks
