#include "experiments/command/core/output.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <cstdio>

namespace schedproof::cli {

Progress::Progress(std::string what)
    : what_(std::move(what)),
      terminal_(::isatty(STDERR_FILENO) == 1),
      start_(std::chrono::steady_clock::now()),
      last_(start_) {}

Progress::~Progress() {
    if (terminal_ && last_ != start_) fmt::print(stderr, "\r\033[K");
}

void Progress::report(std::string_view stage, double done, double all) {
    if (!terminal_) return;
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < std::chrono::milliseconds(200)) return;
    if (stage != stage_) {
        if (!stage_.empty()) start_ = now - std::chrono::milliseconds(1);
        stage_ = stage;
    }
    last_ = now;
    const double seconds = std::chrono::duration<double>(now - start_).count();
    std::string line = fmt::format("{}: {}", what_, stage);
    if (all > 0 && done > 0) {
        line += fmt::format(" {:.0f}%, {:.3g} a second, {:.0f} s left", 100 * done / all, done / seconds,
                            seconds * (all - done) / done);
    } else if (done > 0) {
        line += fmt::format(" {:.0f}, {:.0f} a second", done, done / seconds);
    }
    fmt::print(stderr, "\r\033[K{}", line);
    std::fflush(stderr);
}

void Progress::say(std::string_view line) {
    if (terminal_) fmt::print(stderr, "\r\033[K{}: {}\n", what_, line);
}

}  // namespace schedproof::cli
