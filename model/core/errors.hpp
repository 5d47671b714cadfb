/// Errors: what can go wrong that is not a verdict.
///
/// A solver that gives up, or a claim that fails, is a verdict and travels as a value. What is thrown is only this:
/// the user's input is wrong, a caller broke a contract, a stated limit was reached, or two oracles disagree.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace schedproof {

/// Root of every exception that the library throws on purpose.
class Error : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// The way down to a value: names of keys and of things, and positions in lists, such as types, "A", replicas.
using KeyPath = std::vector<std::variant<std::string, std::size_t>>;

/// `types.A.replicas`, `costs[2].theta`.
[[nodiscard]] std::string to_string(const KeyPath& path);

/// Where a piece of input stands. Every part may be absent: `line` and `column` 0, empty `file` or `key`.
struct InputPlace {
    std::string file;
    std::size_t line = 0;
    std::string key;         ///< as messages show it: a path such as `types[1].replicas`, an option such as `--load`
    KeyPath path = {};       ///< the key in parts, when a model rejects a value: a reader finds the value's line by it
    std::size_t column = 0;  ///< counted from 1, in bytes; 0 also where the line is unknown

    /// `file:line:column: key`, with the absent parts left out.
    [[nodiscard]] std::string to_string() const;
};

/// The user's input is not what was expected. The command ends with exit code 2.
class InputError : public Error {
  public:
    /// Input of which neither file nor key is known here.
    explicit InputError(std::string expected) : InputError(InputPlace{}, std::move(expected)) {}
    InputError(InputPlace place, std::string expected);

    /// The value of a key or of an option of the command.
    [[nodiscard]] static InputError at_key(std::string key, std::string expected);
    /// A value of a model, which knows no file: whoever read the value can find where it stands.
    [[nodiscard]] static InputError at_path(KeyPath path, std::string expected);
    /// A file as a whole, or a key of it.
    [[nodiscard]] static InputError in_file(std::string file, std::string expected);
    [[nodiscard]] static InputError in_file(std::string file, std::string key, std::string expected);
    /// A line of a file, or a key (a column, a field) on it. An unknown line is 0.
    [[nodiscard]] static InputError at_line(std::string file, std::size_t line, std::string expected);
    [[nodiscard]] static InputError at_line(std::string file, std::size_t line, std::string key, std::string expected);

    /// A place in a line of a text that is written in a language of its own.
    [[nodiscard]] static InputError at_column(std::string file, std::size_t line, std::size_t column,
                                              std::string expected);

    [[nodiscard]] const InputPlace& place() const { return place_; }
    [[nodiscard]] const std::string& expected() const { return expected_; }

    /// The same complaint at a better known place; parts of `outer` fill only what is missing here.
    [[nodiscard]] InputError within(const InputPlace& outer) const;

  private:
    InputPlace place_;
    std::string expected_;
};

/// A precondition stated in a docstring was broken: a bug in the caller, never in the input.
class ContractViolation : public Error {
  public:
    using Error::Error;
};

/// A stated limit (states, digits, 64-bit range, time) was reached. Nothing wraps around silently.
class LimitExceeded : public Error {
  public:
    LimitExceeded(std::string_view limit, std::string_view detail);
    [[nodiscard]] const std::string& limit() const { return limit_; }

  private:
    std::string limit_;
};

/// Two independent ways to the same quantity gave different answers. The command ends with exit code 4.
class OracleConflict : public Error {
  public:
    using Error::Error;
};

/// Throws ContractViolation with `what` unless `holds`.
inline void require(bool holds, const char* what) {
    if (!holds) throw ContractViolation(what);
}

}  // namespace schedproof
