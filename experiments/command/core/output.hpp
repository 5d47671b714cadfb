/// What a command says: its answer, and progress for people only.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "experiments/command/core/requests.hpp"
#include "model/base/answer.hpp"
#include "model/base/stopwatch.hpp"

namespace schedproof::cli {

using base::require_writable;
using base::Stopwatch;
using base::write_json;
using base::write_text;

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

/// Tells people on standard error which files the base::FileLog made last has: by name, or of a folder with many how
/// many there are.
void name_written_files();

/// What `body` returns, which is found beside a progress line that names the stage.
template <class Body>
auto with_progress(std::string what, std::string_view stage, Body&& body) {
    Progress progress(std::move(what));
    progress.stage(stage);
    return body();
}

}  // namespace schedproof::cli
