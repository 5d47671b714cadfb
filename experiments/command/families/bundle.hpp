/// Evidence of verdicts as files: a directory per refutation, a file per theorem.
///
/// A bundle holds the smallest counterexample that was found and everything to look at it: instance.toml, what fails
/// and how it was found (counterexample.json), pictures, the same as a test that fails while the claim does
/// (counterexample_test.cpp), and the command that checks it again (replay.sh). A queueing bundle adds the state's
/// trace (trace.txt, trace.json), the way to it (steps.json, path.dot, path.svg) and its neighbourhood (state.dot,
/// state.svg, and where levels are merged there, state.N.svg for each that can be opened); an assignment bundle the
/// bipartite graph and the load bars; a redundancy bundle the jobs' remaining work over time. A sharing bundle's
/// instance is the case itself, case.json, with a picture of its state (state.dot, state.svg).
#pragma once

#include <string>

#include "checks/core/claim.hpp"
#include "experiments/command/core/answer_fields.hpp"

namespace schedproof::cli {

/// What a bundle says when it is checked again.
struct Replay {
    std::string claim, policy, problem, state;  ///< the problem by its file
    std::string violation;                      ///< in words, or empty when the claim does not fail
    std::string test;                           ///< a GoogleTest file that fails while the claim does
};

/// What counterexample.json holds, and all forms of a bundle's files.
[[nodiscard]] base::Form counterexample_form();
[[nodiscard]] Forms bundle_forms();

/// Shrinks the counterexample and writes its bundle into a new directory under `root`; returns the directory.
/// Throws InputError when a file cannot be written.
std::string write_bundle(const checks::Claim& claim, const checks::Counterexample& found, const std::string& instance,
                         const std::string& root);

/// Writes the certificate of a theorem under `root`, for `schedproof certify`; returns the file.
std::string write_theorem(const checks::Claim& claim, const checks::Proved& proved, const std::string& policy,
                          const std::string& instance, const std::string& root);

/// Checks a bundle again by exact computation.
/// Throws InputError when the directory is not a bundle of a registered claim.
[[nodiscard]] Replay replay(const std::string& directory);

}  // namespace schedproof::cli
