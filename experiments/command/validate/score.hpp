/// The end of `validate`: what was not covered, and the score.
#pragma once

#include <string>
#include <vector>

#include "experiments/command/validate/validate.hpp"

namespace schedproof::cli {

/// The instance's load in words, by a certificate that was verified.
[[nodiscard]] std::string load_in_words(const queueing::Instance& instance);
/// The parameters of the policy's text with the values that hold, or empty.
[[nodiscard]] std::string values_of_parameters(const Validated& of);
/// What was not looked at, in words.
[[nodiscard]] std::vector<std::string> not_covered(const Validated& of, const Outcome& outcome);
/// Says it, and counts verdicts.
void say_end(const Validated& of, const Outcome& outcome, double seconds, Journal& journal);

}  // namespace schedproof::cli
