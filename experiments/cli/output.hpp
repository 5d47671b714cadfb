/// Answers on their way out: exact numbers in JSON, files that are complete or absent, progress for people only.
#pragma once

#include <chrono>
#include <cstddef>
#include <initializer_list>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "experiments/cli/requests.hpp"
#include "model/core/rational.hpp"

namespace schedproof::cli {

/// Writes text to a file (a temporary beside it, then renamed) or to standard output for `-`.
/// Throws InputError when the file cannot be written.
void write_text(const std::string& path, std::string_view text);

/// Throws InputError unless every file of an answer can be written, before the first of them is; empty paths and `-`
/// are passed over, and no file may stand twice.
void require_writable(std::initializer_list<std::string> paths);

/// Writes a JSON answer with its schema and the version of this program as first members.
/// `schema` is the name of a file under experiments/cli/schema, without its ending.
void write_json(const std::string& path, std::string_view schema, const nlohmann::ordered_json& body);

/// `{"exact": "p/q", "approx": d}`: every number of an answer; `approx` is null beyond the range of a double.
[[nodiscard]] nlohmann::ordered_json number(const Rational& value);

/// A line on standard error that replaces itself, with rate and remaining time; nothing unless that is a terminal.
class Progress {
  public:
    explicit Progress(std::string what);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /// `done` of `all` units; `all` may be an estimate, or 0 when unknown.
    void report(std::string_view stage, double done, double all);

  private:
    std::string what_;
    bool terminal_;
    std::chrono::steady_clock::time_point start_, last_;
    std::string stage_;
};

}  // namespace schedproof::cli
