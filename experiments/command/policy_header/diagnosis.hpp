/// What a compiler says of a policy, in the words of the policy language.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace schedproof::cli::policy_header {

struct Diagnosis {
    std::size_t line = 0, column = 0;  ///< of the policy's file; 0 where the compiler names no place in it
    std::string sentence;              ///< what is wrong
    std::string elsewhere;             ///< `FILE:LINE:COLUMN` of an error that has no place in the policy's file
};

/// The first error of a compiler's output (g++ or clang++, messages as in C): the place in `file` that led to it, and
/// the rule that it breaks rather than the templates in which the compiler noticed. Empty without an error.
[[nodiscard]] Diagnosis diagnose(std::string_view output, std::string_view file);

}  // namespace schedproof::cli::policy_header
