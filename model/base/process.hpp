/// Other programs, run to their end: without a shell, within limits, their output collected.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace schedproof::base {

/// What a program may use. It is ended, with all that it has started, when its time is over; memory that it asks for
/// beyond its share is refused, and a file that grows beyond `file` ends it.
struct ProcessLimits {
    std::optional<std::chrono::seconds> time = {};  ///< by the clock
    std::uint64_t memory = 0;                       ///< bytes of address space of each process; 0 for no limit
    std::uint64_t file = std::uint64_t{1} << 30U;   ///< bytes of each file that it writes, its output included
};

struct ProcessEnd {
    enum class How { exited, signalled, out_of_time } how = How::exited;
    int code = 0;          ///< exit code, or number of the signal
    std::string out, err;  ///< what it wrote to its standard output and error

    [[nodiscard]] bool good() const { return how == How::exited && code == 0; }
};

/// The program that a shell would run by this name: the name itself where it holds a slash, else the first executable
/// file of this name in PATH. None when there is no such file.
[[nodiscard]] std::optional<std::filesystem::path> find_program(std::string_view name);

/// Runs `program` with these arguments and an empty standard input. Numbers and messages are those of C, whatever the
/// user's locale. Throws Error when the system cannot start it.
[[nodiscard]] ProcessEnd run_process(const std::filesystem::path& program, std::vector<std::string> arguments,
                                     const ProcessLimits& limits = {});

}  // namespace schedproof::base
