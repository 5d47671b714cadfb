/// Expressions of the policy language by the names of a text.
///
/// The reader of a text asks here what a word, a sign or a function makes of typed parts, and gets the expression that
/// C++ makes (expressions.hpp), or the reason why the language has none.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "model/core/errors.hpp"
#include "model/queueing/language/expressions.hpp"
#include "model/queueing/layout.hpp"

namespace schedproof::queueing::language {

/// An operation that the language does not have. The text says what was expected.
class TypeError : public Error {
  public:
    using Error::Error;
};

/// What stands between quotes: a decision table. Throws TypeError when the text is none.
[[nodiscard]] Expression quoted(std::string_view text);
/// A name of the vocabulary, such as `local` or `length`; null when it has no such word.
[[nodiscard]] const Expression* find_word(std::string_view name);
[[nodiscard]] bool is_function(std::string_view name);
/// Every word and every function, for suggestions.
[[nodiscard]] std::span<const std::string_view> vocabulary();

/// `first sign second`, sign being one of * / > >= or a sign of the table. Throws TypeError.
[[nodiscard]] Expression binary(std::string_view sign, const Expression& first, const Expression& second);
/// `!test`. Throws TypeError.
[[nodiscard]] Expression negated(const Expression& test);
/// `function(arguments)`. Requires: is_function(function). Throws TypeError.
[[nodiscard]] Expression call(std::string_view function, std::span<const Expression> arguments);
/// The expression that has this tree. Throws TypeError when the language has none.
[[nodiscard]] Expression typed(const Tree& tree);

/// Null when no arrangement of queues has this name.
[[nodiscard]] const Arrangement* find_arrangement(std::string_view name);

}  // namespace schedproof::queueing::language
