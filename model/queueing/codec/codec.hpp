/// Instance files of the queueing family: TOML for people, JSON for programs, one schema.
///
/// The schema is documented in experiments/instances/SCHEMA.md. Reading is strict: a key, server or type that is not
/// known is an error that names the nearest match, and every number is exact, so a float literal is an error too.
/// Writing gives the explicit form (generators such as `cyclic` are written out), and what is written reads back as
/// an equal instance, number for number and outcome for outcome.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "model/base/cursor.hpp"
#include "model/base/document.hpp"
#include "model/queueing/instance.hpp"

namespace schedproof::queueing {

/// Limits of an instance. They keep the largest instance below about a gigabyte.
inline constexpr std::size_t max_levels = 16;
inline constexpr std::size_t max_servers = 2'000'000;
inline constexpr std::size_t max_types = 2'000'000;
inline constexpr std::size_t max_replicas = 20'000'000;   ///< of all types together
inline constexpr std::size_t max_law_cells = 20'000'000;  ///< task types times outcomes, of all factors together
inline constexpr std::size_t max_tasks_per_outcome = 1'000'000;
inline constexpr std::size_t max_lyapunov_functions = 1'000;
inline constexpr std::size_t max_lyapunov_parts = 100'000;  ///< products, and pieces, of one function
inline constexpr std::size_t max_queue_name_bytes = 2'050;  ///< of two names and what joins them
/// Digits of the common denominator of all rates or all probabilities: beyond it sums become slow.
inline constexpr std::size_t max_common_digits = 20'000;

/// Reads an instance from a file, or from the standard input for `-`.
/// Throws InputError with file, line, key path and what was expected.
[[nodiscard]] Instance read_instance(const std::string& path);

/// Reads an instance from text; `file` names it in errors.
[[nodiscard]] Instance parse_instance(std::string_view text, base::Format format, const std::string& file);

/// Reads an instance that is part of a larger document.
[[nodiscard]] Instance decode_instance(const base::Cursor& at);

/// The instance as a file. Round trip: reading the result gives an equal instance.
/// Throws ContractViolation when a name is not UTF-8 or holds a NUL byte, which no file can carry.
[[nodiscard]] std::string write_toml(const Instance& instance);
[[nodiscard]] std::string write_json(const Instance& instance);

}  // namespace schedproof::queueing
