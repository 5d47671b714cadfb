/// The types of the policy language at run time, for rules that are read from a text.
///
/// In C++ the compiler holds a policy to these types (expressions.hpp). A text has no compiler: its reader asks here
/// what an operation on typed parts makes, and gets the tree that C++ would have made, or the reason why the language
/// has no such operation.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "model/queueing/language/expressions.hpp"
#include "model/queueing/language/rules.hpp"

namespace schedproof::queueing::language {

/// What an expression denotes.
enum class Sort : std::uint8_t { number, multiplier, set, key, test, table };

/// The unit of a key, as the types in expressions.hpp.
enum class Quantity : std::uint8_t {
    none,
    of_tasks,
    of_weight,
    of_work,
    of_weighted_work,
    of_marginal_cost,
    of_cost,
    of_distance
};

/// A part of a rule with its type.
struct Typed {
    Sort sort = Sort::number;
    Quantity quantity = Quantity::none;  ///< of a key
    Decider by = Decider::anyone;
    bool shared = false;           ///< of a key or a test: the same for all candidates
    Ratio ratio = {0, 1};          ///< of a number; of a table its number
    Op multiplies = Op::constant;  ///< of a rate: `times_rate`, `times_local` or `times_remote`
    Tree tree = {};                ///< of a set, a key or a test
};

/// An operation that the language does not have. The text says what was expected.
class TypeError : public Error {
  public:
    using Error::Error;
};

/// A fraction in lowest terms. Throws TypeError when the denominator is zero.
[[nodiscard]] Typed number(std::int64_t numerator, std::int64_t denominator = 1);
/// What stands between quotes: a decision table. Throws TypeError when the text is none.
[[nodiscard]] Typed quoted(std::string_view text);
/// A name of the vocabulary, such as `local` or `length`; a default-constructed number when it has no such word.
[[nodiscard]] const Typed* find_word(std::string_view name);
[[nodiscard]] bool is_function(std::string_view name);
/// Every word and every function, for suggestions.
[[nodiscard]] std::span<const std::string_view> vocabulary();

/// `first sign second`, sign being one of * / + - < <= > >= == & | && ||. Throws TypeError.
[[nodiscard]] Typed binary(std::string_view sign, const Typed& first, const Typed& second);
/// `!test`. Throws TypeError.
[[nodiscard]] Typed negation(const Typed& test);
/// `function(arguments)`. Requires: is_function(function). Throws TypeError.
[[nodiscard]] Typed call(std::string_view function, std::span<const Typed> arguments);

/// A set that may stand in a rule of the decider. Throws TypeError.
[[nodiscard]] Tree rule_of(Decider decider, const Typed& expression);

/// Null when no arrangement of queues has this name.
[[nodiscard]] const Arrangement* find_arrangement(std::string_view name);

}  // namespace schedproof::queueing::language
