/// What claims of every family have in common: words, lines, mutants.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "proofs/explore/explorer.hpp"

namespace schedproof::checks {

/// Budgets of a run, all deterministic.
struct Settings {
    explore::Budget budget;
    std::uint64_t seed = 1;
    std::uint64_t cases = 200;  ///< random cases per policy and instance
};

enum class Expectation {
    holds,
    fails,  ///< false as stated: an oracle must refute it
    open,   ///< no oracle here settles it
};
[[nodiscard]] std::string_view to_string(Expectation expectation);

/// One policy of a claim on some instances of its family.
struct Line {
    std::string policy;
    std::vector<std::string> instances;  ///< names of the family's instances
    Expectation expectation = Expectation::holds;
    std::vector<std::string> oracles;  ///< empty: all of the claim
    std::string why;                   ///< of an expectation other than `holds`
};

struct Mutant {
    std::string name;
    std::string fault;  ///< what was done to what
    std::string oracle;
    std::function<std::string(const Settings&)> caught;  ///< how the oracle catches it; empty when it does not
};

struct ClaimText {
    std::string id;
    std::string statement;  ///< one sentence, with its quantifiers
    std::string source;
    std::string family;  ///< of instances, in words
    std::vector<Line> lines;
    std::vector<Mutant> mutants;
};

}  // namespace schedproof::checks
