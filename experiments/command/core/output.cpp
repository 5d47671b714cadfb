#include "experiments/command/core/output.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>

namespace schedproof::cli {

/// The state of the line, and a thread that draws it once a second.
class Progress::Line {
  public:
    explicit Line(std::string what)
        : what_(std::move(what)), ticker_([this](const std::stop_token& stop) { tick(stop); }) {}
    ~Line() {
        ticker_.request_stop();
        ticker_.join();
        clear();
    }
    Line(const Line&) = delete;
    Line& operator=(const Line&) = delete;

    void report(std::string_view stage, double done, double all) {
        const std::lock_guard lock(guard_);
        if (stage != stage_) {
            stage_ = stage;
            since_ = Clock::now();
        }
        done_ = done;
        all_ = all;
        if (Clock::now() - drawn_ >= std::chrono::milliseconds(200)) draw();
    }
    void say(std::string_view line) {
        const std::lock_guard lock(guard_);
        put(fmt::format("\r\033[K{}: {}\n", what_, line));
    }
    void clear() {
        const std::lock_guard lock(guard_);
        if (visible_) put("\r\033[K");
        visible_ = false;
    }

  private:
    using Clock = std::chrono::steady_clock;

    void tick(const std::stop_token& stop) {
        std::unique_lock lock(guard_);
        while (!wake_.wait_for(lock, stop, std::chrono::seconds(1), [] { return false; }) && !stop.stop_requested())
            if (Clock::now() - start_ >= std::chrono::seconds(2) && Clock::now() - drawn_ >= std::chrono::seconds(1))
                draw();
    }
    void draw() {
        const double in_stage = std::chrono::duration<double>(Clock::now() - since_).count();
        const bool has_rate = done_ > 0 && in_stage >= 0.5;  // before, it would be that of a cold start
        std::string line = stage_.empty() ? what_ : fmt::format("{}: {}", what_, stage_);
        if (all_ > 0 && has_rate)
            line += fmt::format(" {:.0f}%, {:.3g} a second, {:.0f} s left", 100 * done_ / all_, done_ / in_stage,
                                in_stage * (all_ - done_) / done_);
        else if (has_rate)
            line += fmt::format(" {:.0f}, {:.0f} a second", done_, done_ / in_stage);
        line += fmt::format(", {:.0f} s", std::chrono::duration<double>(Clock::now() - start_).count());
        put("\r\033[K" + line);
        visible_ = true;
        drawn_ = Clock::now();
    }
    /// Past the streams of C, whose locks a process that is copied meanwhile would find taken.
    static void put(std::string_view text) { static_cast<void>(!::write(STDERR_FILENO, text.data(), text.size())); }

    const std::string what_;
    std::mutex guard_;
    std::condition_variable_any wake_;
    std::string stage_;
    double done_ = 0, all_ = 0;
    Clock::time_point start_ = Clock::now(), since_ = start_, drawn_ = start_;
    bool visible_ = false;
    std::jthread ticker_;  // last: it uses the others
};

Progress::Progress(std::string what)
    : line_(::isatty(STDERR_FILENO) == 1 ? std::make_unique<Line>(std::move(what)) : nullptr) {}

Progress::~Progress() = default;

void Progress::report(std::string_view stage, double done, double all) {
    if (line_) line_->report(stage, done, all);
}

void Progress::say(std::string_view line) {
    if (line_) line_->say(line);
}

void Progress::clear() {
    if (line_) line_->clear();
}

}  // namespace schedproof::cli
