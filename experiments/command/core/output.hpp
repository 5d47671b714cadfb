/// What a command says: its answer, and progress for people only.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

#include "experiments/command/core/requests.hpp"
#include "model/base/answer.hpp"

namespace schedproof::cli {

using base::require_writable;
using base::write_json;
using base::write_text;

/// Seconds since it was made.
class Stopwatch {
  public:
    [[nodiscard]] double seconds() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
    }

  private:
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

/// A line on standard error that replaces itself, with rate and remaining time; nothing unless that is a terminal.
class Progress {
  public:
    explicit Progress(std::string what);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /// `done` of `all` units; `all` may be an estimate, or 0 when unknown.
    void report(std::string_view stage, double done, double all);
    /// A line that stays.
    void say(std::string_view line);

  private:
    std::string what_;
    bool terminal_;
    std::chrono::steady_clock::time_point start_, last_;
    std::string stage_;
};

}  // namespace schedproof::cli
