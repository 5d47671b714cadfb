/// Instance files of the redundancy family: TOML for people, JSON for programs, one schema.
///
/// The schema is documented in experiments/instances/SCHEMA.md. Reading is strict: unknown keys and services are errors
/// that name the nearest match, and every number is exact. Writing gives the explicit form, and what is written reads
/// back as an equal instance.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "model/base/cursor.hpp"
#include "model/base/document.hpp"
#include "model/redundancy/instance.hpp"

namespace schedproof::redundancy {

/// Limits of an instance. Exact gains of copies have as many digits as there are machines.
inline constexpr std::size_t max_machines = 10'000;
inline constexpr std::size_t max_jobs = 1'000'000;

/// Reads an instance from a file, or from the standard input for `-`.
/// Throws InputError with file, line, key path and what was expected.
[[nodiscard]] Instance read_instance(const std::string& path);

/// Reads an instance from text; `file` names it in errors.
[[nodiscard]] Instance parse_instance(std::string_view text, base::Format format, const std::string& file);

/// Reads an instance that is part of a larger document.
[[nodiscard]] Instance decode_instance(const base::Cursor& at);

/// The service process that a text such as `two-point:2,0` names. Throws InputError, without a place, naming the
/// nearest kind when there is no such.
[[nodiscard]] Service parse_service(std::string_view text);

/// The instance as a file. Round trip: reading the result gives an equal instance, unless it exceeds a limit.
/// Throws ContractViolation when a name is not UTF-8 or holds a NUL byte, which no file can carry.
[[nodiscard]] std::string write_toml(const Instance& instance);
[[nodiscard]] std::string write_json(const Instance& instance);

}  // namespace schedproof::redundancy
