/// The line of progress on a terminal, and the names of the files that a command wrote.
///
/// The rest of a stage is told from what the stage itself has done: what stages before it took says nothing of it.
#include "experiments/command/core/output.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <condition_variable>
#include <filesystem>
#include <map>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

#include "model/base/output_file.hpp"

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
            before_ = done;
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
        const double here = done_ - before_;                // what the stage has done, of which it may not be the first
        const bool has_rate = here > 0 && in_stage >= 0.5;  // before, it would be that of a cold start
        std::string line = stage_.empty() ? what_ : fmt::format("{}: {}", what_, stage_);
        if (all_ > 0 && has_rate)
            line += fmt::format(" {:.0f}%, {:.3g} a second", 100 * done_ / all_, here / in_stage);
        else if (has_rate)
            line += fmt::format(" {:.0f}, {:.0f} a second", done_, here / in_stage);
        // What less than a twentieth has taken says little of the rest.
        if (all_ > 0 && has_rate && here >= 0.05 * (all_ - before_))
            line += fmt::format(", {:.0f} s left", in_stage * (all_ - done_) / here);
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
    double done_ = 0, all_ = 0, before_ = 0;  // before the stage began
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

namespace {

/// The folder to which a file is counted where there are many: the first of a relative path, else the one that it is
/// in.
std::string counted_to(const std::string& path) {
    const std::filesystem::path file(path);
    if (!file.has_parent_path()) return "";
    return file.is_absolute() ? file.parent_path().string() : file.begin()->string();
}

}  // namespace

void name_written_files() {
    constexpr std::size_t few = 4;
    std::map<std::string, std::vector<std::string>> folders;
    for (const std::string& path : base::FileLog::paths()) folders[counted_to(path)].push_back(path);
    std::vector<std::string> parts;
    for (const auto& [folder, files] : folders)
        if (folder.empty() || files.size() <= few)
            parts.insert(parts.end(), files.begin(), files.end());
        else
            parts.push_back(fmt::format("{} files in {}", files.size(), folder));
    if (!parts.empty()) fmt::print(stderr, "wrote {}\n", fmt::join(parts, ", "));
}

}  // namespace schedproof::cli
