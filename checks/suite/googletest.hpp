/// A policy's checks as an assertion of GoogleTest, which whoever includes this header links.
#pragma once

#include <gtest/gtest.h>

#include "checks/suite/policy_suite.hpp"

namespace schedproof::suite {

/// Success when the policy P agrees with itself, no claim of its family speaks against it, and what is hoped for holds;
/// otherwise a failure that shows the smallest counterexample found of each claim. Throws as `ask`.
template <class P>
[[nodiscard]] ::testing::AssertionResult passes(const Options& options = {}) {
    const Report report = ask<P>(options);
    return (report.passed() ? ::testing::AssertionSuccess() : ::testing::AssertionFailure()) << report.text();
}

}  // namespace schedproof::suite
