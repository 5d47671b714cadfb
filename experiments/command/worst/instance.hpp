/// A problem that the adversary found, as text, as JSON and as an instance file.
#pragma once

#include <string>

#include "experiments/command/core/answer_fields.hpp"
#include "proofs/assignment/worst.hpp"

namespace schedproof::cli {

/// Loads, costs, and where each task goes, under the policy and at best; one thing a line. `exact`: the witness
/// attains the ratio that is spoken of, otherwise it is near.
[[nodiscard]] std::string to_text(const assignment::RatioWitness& witness, bool exact);
[[nodiscard]] const Record<assignment::RatioWitness>& witness_record();

/// Writes an instance file, JSON when the path ends so, otherwise TOML. Requires a local cost of 1.
void write_instance(const std::string& path, const assignment::Problem<Rational>& problem, const std::string& source);

/// The core as `s0.1`: server, and position on it.
[[nodiscard]] std::string core_name(const assignment::Shape& shape, CoreId p);
/// The servers of a task: `s0, s1`.
[[nodiscard]] std::string replicas_text(const assignment::Shape& shape, TaskId t);

}  // namespace schedproof::cli
