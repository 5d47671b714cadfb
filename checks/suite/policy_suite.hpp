/// What a test suite of one's own asks of a policy: the ways of running it against each other, then the claims of its
/// family that speak of every policy, and those that its author hopes for.
///
///     #include "checks/suite/googletest.hpp"
///     #include "my_policy.hpp"
///
///     TEST(MyPolicy, Holds) { EXPECT_TRUE(schedproof::suite::passes<MyPolicy>()); }
///
/// In CMake: find_package(schedproof COMPONENTS testing), and link schedproof::testing.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "checks/core/claim_text.hpp"
#include "checks/core/family.hpp"
#include "checks/families.hpp"
#include "model/core/errors.hpp"
#include "policies/core/hopes.hpp"
#include "proofs/known_policy.hpp"

namespace schedproof::suite {

struct Options {
    std::vector<std::string> claims;  ///< ids, prefixes or globs with `*`; empty: all of the family
    std::vector<std::string> hopes;   ///< claims that must hold of the policy, besides the member `hopes` of its struct
    checks::Settings settings;        ///< random cases, their seed, budgets of proofs
    unsigned threads = 1;
};

/// A claim that fails, at the smallest counterexample that was found.
struct Failure {
    std::string claim;
    std::string statement;
    std::string instance;
    checks::Counterexample counterexample;  ///< with place and violation
    std::string problem;                    ///< that of the counterexample in full
    std::size_t tried = 0;                  ///< variants that were looked at while shrinking
    bool minimal = false;                   ///< 1-minimal: no smaller variant of the problem fails in the same way
};

struct Report {
    std::string policy;
    std::string refused;             ///< why its ways of running disagree, so that nothing else was asked; or empty
    std::vector<std::string> asked;  ///< claims
    std::vector<Failure> failures;
    std::vector<std::string> unsettled;  ///< hopes that no oracle settles, with the reason

    /// Something was asked, nothing fails, and every hope is settled.
    [[nodiscard]] bool passed() const;
    /// In some lines, counterexamples included.
    [[nodiscard]] std::string text() const;
};

/// Asks a known policy of the family. Throws InputError when a pattern selects no claim, or a hope is none of the
/// family's; OracleConflict when oracles contradict each other. Cost: of 200 cases and few hopes some seconds.
[[nodiscard]] Report ask(const checks::Family& family, const std::string& policy, const Options& options = {});

/// The family of P.
template <class P>
[[nodiscard]] const checks::Family& family_of() {
    for (const checks::Family* family : checks::families())
        if (family->id() == family_of_policy<P>()) return *family;
    throw ContractViolation("every family has a list of its claims");
}

template <class P>
[[nodiscard]] Report ask(Options options = {}) {
    for (std::string& hope : hopes_of<P>()) options.hopes.push_back(std::move(hope));
    return ask(family_of<P>(), known_policy<P>(), options);
}

}  // namespace schedproof::suite
