#include "experiments/cli/output.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "checks/graph/output_file.hpp"
#include "model/core/errors.hpp"

namespace schedproof::cli {

void write_text(const std::string& path, std::string_view text) {
    if (path == "-") {
        if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
            throw InputError({"standard output", 0, ""}, std::string("cannot write: ") + std::strerror(errno));
        return;
    }
    graph::write_file(path, text);
}

void require_writable(std::initializer_list<std::string> paths) {
    std::set<std::filesystem::path> seen;
    for (const std::string& path : paths) {
        if (path.empty() || path == "-") continue;
        if (!seen.insert(std::filesystem::path(path).lexically_normal()).second)
            throw InputError({path, 0, ""}, "expected another file: two answers cannot share one");
        const graph::OutputFile probe(path);
    }
}

void write_json(const std::string& path, std::string_view schema, const nlohmann::ordered_json& body) {
    nlohmann::ordered_json answer{{"schema", schema}, {"version", SCHEDPROOF_VERSION}};
    answer.update(body);
    write_text(path, answer.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

nlohmann::ordered_json number(const Rational& value) {
    const double approximation = value.approximate();
    return {{"exact", value.to_string()},
            {"approx",
             std::isfinite(approximation) ? nlohmann::ordered_json(approximation) : nlohmann::ordered_json(nullptr)}};
}

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
        stage_ = stage;
        start_ = now - std::chrono::milliseconds(1);
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

}  // namespace schedproof::cli
