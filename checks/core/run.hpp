/// Running claims: every oracle of every line, in parallel, with one order of results whatever the number of threads.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "checks/core/claim.hpp"

namespace schedproof::checks {

/// What the author of a policy holds it to.
struct HeldTo {
    std::vector<std::string> hopes;              ///< claims: they are expected where nothing else is
    std::map<std::string, VerdictKind> expects;  ///< by claim the verdict of one oracle, whatever else is expected
    std::vector<DomainPtr> stable_on;            ///< there claims of stability are expected, and feared ones are not
    [[nodiscard]] bool hopes_for(const Claim& claim) const;
    /// Whether the claim has a row of the policy on this instance since the policy is held to be stable there.
    [[nodiscard]] bool requires_on(const Claim& claim, const DomainPtr& instance) const;
    /// Whether it says anything of the claim.
    [[nodiscard]] bool names(const Claim& claim) const;
};

struct Report;

struct Selection {
    std::vector<std::string> claims;        ///< ids, prefixes or globs with `*`; empty: all
    std::string policy;                     ///< id, or empty for all
    std::map<std::string, HeldTo> held_to;  ///< by policy
    /// What the policy is held to; null when nothing.
    [[nodiscard]] const HeldTo* holds(const std::string& of) const;
    std::vector<DomainPtr> instances;  ///< in place of the named ones, where they are of the family; or none
    unsigned jobs = 1;                 ///< threads, at least 1
    bool timed = true;                 ///< whether reports tell how long it took
    /// Why nothing may be said of a policy; empty: as the family says. Called from several threads.
    std::function<std::string(const Family&, const std::string&)> refusal;
    /// Called now and then, from one thread at a time, with the numbers of cases done and of all; may be empty.
    std::function<void(std::size_t, std::size_t)> progress;
    /// Called once for each claim, in their order and from one thread at a time, with its rows: those of the report
    /// from the first index up to the last, which is not among them. May be empty.
    std::function<void(const Report&, std::size_t, std::size_t)> claim_done;
};

/// What one oracle said.
struct Finding {
    std::string oracle;
    Verdict verdict;
    std::optional<VerdictKind>
        expected;  ///< of the verdict; nothing where the instance is the user's, or none is stated
    double seconds = 0;
};

/// One claim for one policy on one instance.
struct Row {
    enum class Outcome {
        expected,
        unexpected,  ///< refuted where the claim holds, not where it fails, or a verdict of another kind than expected
        unsettled,   ///< Unknown, or nothing, where a verdict was expected
        vacuous,     ///< nothing meets the assumptions: counts as unexpected
    };
    const Claim* claim = nullptr;
    Line line;
    DomainPtr instance;
    bool own_instance = false;                 ///< the user's, of which no kind of verdict is expected
    std::optional<VerdictKind> demanded = {};  ///< of one oracle at least, by the author of the policy
    std::vector<Finding> findings;
    std::string witness;
    Outcome outcome = Outcome::expected;

    [[nodiscard]] const std::string& instance_name() const { return instance->name; }
};
[[nodiscard]] std::string_view to_string(Row::Outcome outcome);

/// A claim of which nothing was asked of the policy that was selected.
struct NotAsked {
    const Claim* claim = nullptr;
    std::string why;
};

struct Report {
    std::vector<Row> rows;            ///< by claim, policy, instance
    std::vector<NotAsked> not_asked;  ///< of the selected policy, by claim; none where no policy is selected
    std::vector<std::string>
        outside;  ///< cases left out, in words: the instance is not of the family, or the policy cannot run
    std::vector<std::string> conflicts;  ///< policies refused, and oracles that contradict each other, in words
    bool timed = true;                   ///< whether the seconds of findings are to be told
    [[nodiscard]] std::size_t count(Row::Outcome outcome) const;
    /// 0 all as expected, 1 some not, 3 unknown where a verdict was expected, 4 oracle conflict.
    [[nodiscard]] int exit_code() const;
};

/// Whether a claim's id is selected by a pattern: equal, a prefix that ends at a dot, or a glob with `*`.
[[nodiscard]] bool matches(std::string_view id, std::string_view pattern);

/// The selected claims. Throws InputError for a pattern that selects none.
[[nodiscard]] std::vector<const Claim*> select(const std::vector<Claim>& claims,
                                               const std::vector<std::string>& patterns);

/// The rows that `run` would fill, without findings, and what it would leave out. Throws InputError as `select` does.
/// Requires: `claims` outlives the report.
[[nodiscard]] Report plan(const std::vector<Claim>& claims, const Selection& selection);
/// The oracles that `run` asks about a row, in its order.
[[nodiscard]] std::vector<std::string> oracles_of(const Row& row);

/// Runs the selected claims. Nothing is asked about a policy that is refused: its rows stay without findings, and the
/// reason is a conflict. The report has no rows where no line has the policy, or where every instance is outside
/// its claim: what that means is the caller's to say. Throws InputError as `select` does.
/// Requires: `claims` outlives the report.
[[nodiscard]] Report run(const std::vector<Claim>& claims, const Selection& selection, const Settings& settings);

/// What became of a mutant.
struct MutantRow {
    std::string claim;
    const Mutant* mutant = nullptr;
    std::string caught;  ///< how, or empty
};
/// What becomes of a claim whose property is switched off.
struct NullMutantRow {
    std::string claim;
    std::string noticed;  ///< what is not refuted any more; empty: nothing, so the property decides nothing
};
struct MutantReport {
    std::vector<MutantRow> mutants;     ///< of all the claims, which may have none
    std::vector<NullMutantRow> claims;  ///< one for each
    /// Whether every mutant is caught and every property that is switched off is missed.
    [[nodiscard]] bool all_caught() const;
};
/// Runs the mutants. A property that is switched off is missed when what it refutes, every mutant of its system,
/// or, where it has none, a line that is false as stated, is not refuted any more.
[[nodiscard]] MutantReport run_mutants(const std::vector<const Claim*>& claims, const Settings& settings,
                                       unsigned jobs);

}  // namespace schedproof::checks
