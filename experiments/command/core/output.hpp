/// What a command says: its answer, and progress for people only.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
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

/// A line on standard error that replaces itself, with rate, elapsed and remaining time; nothing unless that is a
/// terminal. After two seconds it shows that time goes on, even while nothing is reported. Threads may report at once.
class Progress {
  public:
    explicit Progress(std::string what);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /// What is done now, of which nothing is counted.
    void stage(std::string_view stage) { report(stage, 0, 0); }
    /// `done` of `all` units; `all` may be an estimate, or 0 when unknown.
    void report(std::string_view stage, double done, double all);
    /// A line that stays.
    void say(std::string_view line);
    /// Makes room for what is printed next.
    void clear();

  private:
    class Line;
    std::unique_ptr<Line> line_;  ///< null unless there is a terminal
};

}  // namespace schedproof::cli
