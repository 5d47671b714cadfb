/// Runs of claims.
///
/// A run is a list of rows, one per claim, policy and instance. The list is made first, in one order; threads then take
/// rows from a counter and write only into their own row, so that the report does not depend on their number. In a row
/// the oracles are asked one after another. A row's outcome follows from the kinds of its verdicts alone, compared with
/// the expectation of its line and with the kind that the line expects of each oracle. An oracle that proves what
/// another refutes is a conflict, which no expectation excuses.
#include "checks/core/run.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <set>

#include "model/base/parallel.hpp"
#include "model/base/stopwatch.hpp"
#include "model/core/errors.hpp"

namespace schedproof::checks {

namespace {

std::string where(const Row& row) { return row.claim->id + ", " + row.line.policy + ", " + row.instance_name(); }

/// Whether a finding is of another kind than expected, so that it must be noticed though the claim comes out right.
/// Unknown is not: a budget has ended. Nor is a refutation that random cases miss beside another that is found, when
/// they are not the cases that the expectation is stated for.
bool of_another_kind(const Finding& finding, bool refuted, const Settings& settings) {
    const VerdictKind found = kind_of(finding.verdict);
    if (!finding.expected || found == *finding.expected || found == VerdictKind::unknown) return false;
    const Settings usual;
    const bool other_cases = settings.seed != usual.seed || settings.cases < usual.cases;
    const bool random = finding.oracle == "sampled" || finding.oracle == "simulation";
    return !(refuted && random && other_cases);
}

/// Whether the findings settle what was expected.
Row::Outcome outcome_of(const Row& row, const Settings& settings) {
    const auto any = [&](auto&& holds) { return std::any_of(row.findings.begin(), row.findings.end(), holds); };
    const bool refuted = any([](const Finding& f) { return kind_of(f.verdict) == VerdictKind::refuted; });
    const bool unknown = any([](const Finding& f) {
        return kind_of(f.verdict) == VerdictKind::unknown &&
               f.expected.value_or(VerdictKind::proved) != VerdictKind::unknown;
    });
    const bool affirmed = any([](const Finding& f) { return affirms(f.verdict); });
    const bool other = any([&](const Finding& f) { return of_another_kind(f, refuted, settings); });
    const bool opposite = any([](const Finding& f) {
        const auto* open = std::get_if<Unknown>(&f.verdict);
        return open != nullptr && open->opposite && !f.expected;
    });
    switch (row.line.expectation) {
        case Expectation::holds:
            if (refuted || other || opposite) return Row::Outcome::unexpected;
            if (row.demanded ? !any([&](const Finding& f) { return kind_of(f.verdict) == *row.demanded; })
                             : unknown || !affirmed)
                return Row::Outcome::unsettled;
            return row.witness.empty() ? Row::Outcome::vacuous : Row::Outcome::expected;
        case Expectation::fails:
            if (refuted) return other ? Row::Outcome::unexpected : Row::Outcome::expected;
            return unknown ? Row::Outcome::unsettled : Row::Outcome::unexpected;
        case Expectation::open:
            return refuted || affirmed ? Row::Outcome::unexpected : Row::Outcome::expected;
        case Expectation::unstated:
            return opposite && row.own_instance ? Row::Outcome::unexpected : Row::Outcome::expected;
        case Expectation::feared:
            return affirmed ? Row::Outcome::unexpected : Row::Outcome::expected;
    }
    return Row::Outcome::unexpected;
}

/// Whether the oracle at the position is put to the row's policy on its instance.
bool asks(const Row& row, const std::string& oracle, std::size_t position) {
    return row.line.asks(oracle) && row.claim->any->suits(position, *row.instance);
}

/// Puts the claim's oracles to the row's policy on its instance.
void ask_oracles(Row& row, const Settings& settings, std::vector<std::string>& conflicts, std::mutex& writing) {
    const auto report = [&](const std::string& what) {
        const std::lock_guard lock(writing);
        conflicts.push_back(where(row) + ": " + what);
    };
    const AnyClaim& claim = *row.claim->any;
    const auto trial = claim.trial(row.instance, row.line.policy);
    row.witness = trial->witness();
    bool proved = false, refuted = false;
    const std::vector<std::string> oracles = claim.oracles();
    for (std::size_t i = 0; i < oracles.size(); ++i) {
        if (!asks(row, oracles[i], i)) continue;
        const base::Stopwatch watch;
        Finding finding{oracles[i], Unknown{"conflict"}, {}, 0};
        if (!row.own_instance) finding.expected = row.line.expected(oracles[i]);
        try {
            finding.verdict = trial->ask(i, settings);
        } catch (const OracleConflict& conflict) {
            report(oracles[i] + ": " + conflict.what());
        }
        finding.seconds = watch.seconds();
        proved = proved || kind_of(finding.verdict) == VerdictKind::proved;
        refuted = refuted || kind_of(finding.verdict) == VerdictKind::refuted;
        row.findings.push_back(std::move(finding));
    }
    if (proved && refuted) report("one oracle proves what another refutes");
    row.outcome = outcome_of(row, settings);
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

Expectation expectation_of(VerdictKind demanded) {
    return demanded == VerdictKind::refuted   ? Expectation::fails
           : demanded == VerdictKind::unknown ? Expectation::open
                                              : Expectation::holds;
}

/// What the author of the policy expects; else what the line does; of a claim of every policy, what the author hopes,
/// and on an instance that the user names that it does not hold where that would speak against the policy.
void expect_of(Row& row, const Selection& selection) {
    Expectation& expected = row.line.expectation;
    const HeldTo* held = selection.holds(row.line.policy);
    if (held != nullptr)
        if (const auto verdict = held->expects.find(row.claim->id); verdict != held->expects.end()) {
            row.demanded = verdict->second;
            expected = expectation_of(verdict->second);
            return;
        }
    if (expected != Expectation::unstated) {
        if (row.own_instance) expected = Expectation::holds;
    } else if (held != nullptr && held->hopes_for(*row.claim)) {
        expected = Expectation::holds;
    } else if (row.own_instance && row.claim->feared) {
        expected = Expectation::feared;
    }
}

/// On the instances on which the policy is held to be stable, the claims that say so, and those that speak against it.
/// Throws InputError where they do not speak of such an instance.
void add_required_rows(const Claim& claim, const Line& line, const HeldTo& held, Report& report) {
    if (!claim.stability && !claim.feared) return;
    for (const DomainPtr& instance : held.stable_on) {
        // A requirement that nothing asks about would be met by no evidence.
        if (const std::string why = claim.any->outside(*instance); !why.empty())
            throw InputError::at_key("require: stable on " + instance->name,
                                     "expected a cluster of which that is asked: " + why);
        Row row{&claim, line, instance, true, {}, {}, {}};
        row.line.expectation = claim.stability ? Expectation::holds : Expectation::feared;
        report.rows.push_back(std::move(row));
    }
}

/// Of a policy that the user does not name: why it cannot run on an instance that the user does.
class Misfits {
  public:
    /// Empty where it can run there. Requires an instance that the claim speaks of.
    const std::string& why(const Claim& claim, const DomainPtr& instance, const std::string& policy) {
        const auto [known, is_new] = known_.try_emplace({instance.get(), policy});
        if (is_new) try {
                (void)claim.any->trial(instance, policy);
            } catch (const InputError& error) {
                known->second = error.what();
            }
        return known->second;
    }

  private:
    std::map<std::pair<const Domain*, std::string>, std::string> known_;
};

/// The rows of a selection, still without findings, and the cases left out.
void add_rows(const Claim& claim, const Selection& selection, Misfits& misfits, Report& report) {
    std::set<std::string> policies, required;
    for (const Line& line : claim.lines) {
        if (!selection.policy.empty() && line.policy != selection.policy) continue;
        std::vector<DomainPtr> instances;
        if (selection.instances.empty())
            for (const std::string& name : line.instances) instances.push_back(claim.family().instance(name));
        else if (policies.insert(line.policy).second)  // the user's instances once per policy, expected to hold
            instances = selection.instances;
        const HeldTo* held = selection.holds(line.policy);
        for (const DomainPtr& instance : instances) {
            // What the author requires on the instance is a row already.
            if (held != nullptr && held->requires_on(claim, instance)) continue;
            if (const std::string why = claim.any->outside(*instance); !why.empty()) {
                report.outside.push_back(claim.id + " on " + instance->name + ": " + why);
                continue;
            }
            if (!selection.instances.empty() && selection.policy.empty() && held == nullptr)
                if (const std::string& why = misfits.why(claim, instance, line.policy); !why.empty()) {
                    report.outside.push_back(line.policy + " on " + instance->name + ": " + why);
                    continue;
                }
            Row row{&claim, line, instance, !selection.instances.empty(), {}, {}, {}};
            expect_of(row, selection);
            // Such as a shape, of a claim that is asked of single problems.
            if (row.own_instance && oracles_of(row).empty()) {
                report.outside.push_back(claim.id + " on " + instance->name + ": no oracle of the claim speaks of it");
                continue;
            }
            report.rows.push_back(std::move(row));
        }
        if (held != nullptr && required.insert(line.policy).second) add_required_rows(claim, line, *held, report);
    }
}

/// The policies of the rows about which nothing may be said, with the reasons; they become conflicts.
std::set<std::string> refused_policies(const Selection& selection, Report& report) {
    std::vector<std::pair<const Family*, std::string>> policies;
    for (const Row& row : report.rows) {
        const Family& family = row.claim->family();
        if (!family.resolve_policy(row.line.policy).empty()) policies.emplace_back(&family, row.line.policy);
    }
    std::sort(policies.begin(), policies.end());
    policies.erase(std::unique(policies.begin(), policies.end()), policies.end());
    std::vector<std::string> why(policies.size());
    base::for_each_index(policies.size(), std::max(1U, selection.jobs), [&](std::size_t i) {
        const auto& [family, policy] = policies[i];
        why[i] = selection.refusal ? selection.refusal(*family, policy) : family->refusal(policy);
    });
    std::set<std::string> refused;
    for (std::size_t i = 0; i < policies.size(); ++i) {
        if (why[i].empty()) continue;
        refused.insert(policies[i].second);
        report.conflicts.push_back(policies[i].second + " is refused: " + why[i]);
    }
    return refused;
}

/// Why no line of the claim asks the policy.
std::string why_not_asked(const Claim& claim, const std::string& policy) {
    if (const auto left_out = claim.left_out.find(policy); left_out != claim.left_out.end()) return left_out->second;
    std::vector<std::string> asked;
    for (const Line& line : claim.lines)
        if (std::find(asked.begin(), asked.end(), line.policy) == asked.end()) asked.push_back(line.policy);
    std::string text = "it speaks of ";
    for (std::size_t i = 0; i < asked.size(); ++i) text += (i > 0 ? ", " : "") + asked[i];
    return text + " alone";
}

/// The claims of the policy's family of which no line asks it.
void add_not_asked(const Claim& claim, const std::string& policy, Report& report) {
    if (claim.family().resolve_policy(policy) != policy) return;
    if (std::any_of(claim.lines.begin(), claim.lines.end(), [&](const Line& l) { return l.policy == policy; })) return;
    report.not_asked.push_back({&claim, why_not_asked(claim, policy)});
}

}  // namespace

bool HeldTo::hopes_for(const Claim& claim) const {
    return std::find(hopes.begin(), hopes.end(), claim.id) != hopes.end();
}

bool HeldTo::names(const Claim& claim) const {
    return hopes_for(claim) || expects.contains(claim.id) || (!stable_on.empty() && (claim.stability || claim.feared));
}

bool HeldTo::requires_on(const Claim& claim, const DomainPtr& instance) const {
    return (claim.stability || claim.feared) &&
           std::find(stable_on.begin(), stable_on.end(), instance) != stable_on.end();
}

const HeldTo* Selection::holds(const std::string& of) const {
    const auto held = held_to.find(of);
    return held == held_to.end() ? nullptr : &held->second;
}

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
            throw InputError::at_key("CLAIM", "expected a claim of `schedproof list claims`, not '" + pattern + "'");
    std::vector<const Claim*> selected;
    for (const Claim& claim : claims)
        if (patterns.empty() ||
            std::any_of(patterns.begin(), patterns.end(), [&](const std::string& p) { return matches(claim.id, p); }))
            selected.push_back(&claim);
    return selected;
}

std::vector<std::string> oracles_of(const Row& row) {
    std::vector<std::string> asked;
    const std::vector<std::string> oracles = row.claim->any->oracles();
    for (std::size_t i = 0; i < oracles.size(); ++i)
        if (asks(row, oracles[i], i)) asked.push_back(oracles[i]);
    return asked;
}

Report plan(const std::vector<Claim>& claims, const Selection& selection) {
    Report report;
    report.timed = selection.timed;
    Misfits misfits;
    for (const Claim* claim : select(claims, selection.claims)) {
        add_rows(*claim, selection, misfits, report);
        if (!selection.policy.empty()) add_not_asked(*claim, selection.policy, report);
    }
    std::stable_sort(report.rows.begin(), report.rows.end(), [](const Row& a, const Row& b) {
        return std::pair(a.claim->id, a.line.policy) < std::pair(b.claim->id, b.line.policy) ||
               (a.claim == b.claim && a.line.policy == b.line.policy && a.instance_name() < b.instance_name());
    });
    std::sort(report.outside.begin(), report.outside.end());
    report.outside.erase(std::unique(report.outside.begin(), report.outside.end()), report.outside.end());
    return report;
}

namespace {

/// Tells of claims as their rows are done, in the order of the claims.
class ClaimsDone {
  public:
    ClaimsDone(const Report& report, const Selection& selection)
        : report_(report), selection_(selection), done_(report.rows.size()) {}

    void row_done(std::size_t i) {
        done_[i] = true;
        ++count_;
        if (selection_.progress) selection_.progress(count_, done_.size());
        for (std::size_t last = end_of(told_); last > told_ && all_done(last); last = end_of(told_)) {
            if (selection_.claim_done) selection_.claim_done(report_, told_, last);
            told_ = last;
        }
    }

  private:
    [[nodiscard]] std::size_t end_of(std::size_t first) const {
        std::size_t last = first;
        while (last < done_.size() && report_.rows[last].claim == report_.rows[first].claim) ++last;
        return last;
    }
    [[nodiscard]] bool all_done(std::size_t last) const {
        return std::find(done_.begin() + static_cast<std::ptrdiff_t>(told_),
                         done_.begin() + static_cast<std::ptrdiff_t>(last),
                         false) == done_.begin() + static_cast<std::ptrdiff_t>(last);
    }

    const Report& report_;
    const Selection& selection_;
    std::vector<bool> done_;
    std::size_t count_ = 0, told_ = 0;  ///< rows that are done, and the first row of the next claim to be told of
};

}  // namespace

Report run(const std::vector<Claim>& claims, const Selection& selection, const Settings& settings) {
    Report report = plan(claims, selection);
    const std::set<std::string> refused = refused_policies(selection, report);
    std::mutex writing;
    ClaimsDone done(report, selection);
    base::for_each_index(report.rows.size(), std::max(1U, selection.jobs), [&](std::size_t i) {
        if (refused.contains(report.rows[i].line.policy))
            report.rows[i].outcome = Row::Outcome::unsettled;
        else
            ask_oracles(report.rows[i], settings, report.conflicts, writing);
        const std::lock_guard lock(writing);
        done.row_done(i);
    });
    std::sort(report.conflicts.begin(), report.conflicts.end());
    return report;
}

}  // namespace schedproof::checks
