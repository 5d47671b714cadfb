/// Instance files of the assignment family: TOML for people, JSON for programs, one schema.
///
/// The schema is documented in experiments/instances/SCHEMA.md. Reading is strict: unknown keys, kinds and servers are
/// errors that name the nearest match, and every number is exact. Writing gives the explicit form, and what is written
/// reads back as an equal instance. Instances of more than about half a million tasks do not fit the limits of a
/// document (document.hpp): they are kept as data sets (experiments/input/placement).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "model/assignment/instance.hpp"
#include "model/base/cursor.hpp"
#include "model/base/document.hpp"

namespace schedproof::assignment {

/// Limits of an instance. They keep the largest one below about two gigabytes.
inline constexpr std::size_t max_servers = 2'000'000;
inline constexpr std::size_t max_cores = 5'000'000;  ///< of all servers together
inline constexpr std::size_t max_tasks = 20'000'000;
inline constexpr std::size_t max_task_replicas = 100'000'000;  ///< of all tasks together
inline constexpr std::size_t max_cost_values = 1'000'000;      ///< of one table or one list of steps; largest cap

/// Reads an instance from a file, or from the standard input for `-`.
/// Throws InputError with file, line, key path and what was expected.
[[nodiscard]] Instance read_instance(const std::string& path);

/// Reads an instance from text; `file` names it in errors.
[[nodiscard]] Instance parse_instance(std::string_view text, base::Format format, const std::string& file);

/// Reads an instance that is part of a larger document.
[[nodiscard]] Instance decode_instance(const base::Cursor& at);

/// The instance as a file. Round trip: reading the result gives an equal instance, unless it exceeds a limit.
/// Throws ContractViolation when a name is not UTF-8 or holds a NUL byte, which no file can carry.
[[nodiscard]] std::string write_toml(const Instance& instance);
[[nodiscard]] std::string write_json(const Instance& instance);

}  // namespace schedproof::assignment
