/// What claims of every family have in common: words, lines with what is expected of them, mutants.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "checks/core/verdict.hpp"
#include "proofs/explore/explorer.hpp"

namespace schedproof::checks {

/// Budgets of a run, all deterministic.
struct Settings {
    explore::Budget budget;
    std::uint64_t seed = 1;
    std::uint64_t cases = 200;  ///< random cases per policy and instance
    std::string lyapunov = {};  ///< of queueing: the function that the author of the policy names, or empty
};

enum class Expectation {
    holds,
    fails,     ///< false as stated: an oracle must refute it
    open,      ///< no oracle here settles it
    unstated,  ///< a claim of every policy, of which nothing is known of this one: any verdict is a result
    feared,    ///< it would speak against the policy, and no oracle may affirm it; that it is not settled is no failure
};
[[nodiscard]] std::string_view to_string(Expectation expectation);

/// Kinds of verdicts by oracle.
using Kinds = std::map<std::string, VerdictKind>;

/// One policy of a claim on some instances of its family.
struct Line {
    std::string policy;
    std::vector<std::string> instances;  ///< names of the family's instances
    Expectation expectation = Expectation::holds;
    std::vector<std::string> oracles;  ///< empty: all of the claim
    std::string why;                   ///< of an expectation other than `holds`
    Kinds kinds = {};                  ///< expected of oracles from which something else than usual is expected

    /// Whether the oracle is consulted on this line.
    [[nodiscard]] bool asks(const std::string& oracle) const;
    /// The kind of verdict expected of the oracle. Usual are, where the claim holds, Proved of `explore` and `bounds`,
    /// Exhausted of `exhaustive` and `certificate`, Survived of `sampled` and `simulation`; Refuted where it fails;
    /// Unknown where it is open; nothing where the expectation is unstated or feared.
    [[nodiscard]] std::optional<VerdictKind> expected(const std::string& oracle) const;
};

/// A seeded fault that an oracle of the claim must catch.
struct Mutant {
    std::string name;
    std::string change;  ///< what was done to what
    std::string oracle;
    std::function<std::string(const Settings&)> caught;  ///< how the oracle catches it; empty when it does not
};

struct ClaimText {
    std::string id;
    std::string statement;  ///< one sentence, with its quantifiers
    std::string source;
    std::string instances;  ///< of which the claim speaks, in words
    std::vector<Line> lines;
    bool feared = false;     ///< whether it speaks against a policy of which it holds, as that it is transient
    bool stability = false;  ///< whether it holds where the cluster is stable under the policy
    std::map<std::string, std::string> left_out;  ///< policies of which a claim of every policy is not asked, and why
    std::vector<Mutant> mutants;
};

}  // namespace schedproof::checks
