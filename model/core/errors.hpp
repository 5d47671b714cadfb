/// Errors: what can go wrong that is not a verdict.
///
/// A solver that gives up, or a claim that fails, is a verdict and travels as a value. What is thrown is only this:
/// the user's input is wrong, a caller broke a contract, a stated limit was reached, or two oracles disagree.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace schedproof {

/// Root of every exception that the library throws on purpose.
class Error : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// Where a piece of input stands. Every part may be absent: `line` 0, empty `file` or `key`.
struct InputPlace {
    std::string file;
    std::size_t line = 0;
    std::string key;

    /// `file:line: key`, with the absent parts left out.
    [[nodiscard]] std::string to_string() const;
};

/// The user's input is not what was expected. The command ends with exit code 2.
class InputError : public Error {
  public:
    InputError(InputPlace place, std::string expected);

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
