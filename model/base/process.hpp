/// Other programs, and code that is not trusted, run to their end: without a shell, within limits, their output
/// collected.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace schedproof::base {

/// What a program may use. It is ended, with all that it has started, when its time is over; memory that it asks for
/// beyond its share is refused, and a file that grows beyond `file` ends it.
struct ProcessLimits {
    std::optional<std::chrono::seconds> time = {};  ///< by the clock
    /// Processor time of each process. A program that fails after more than this has run out of it, and one that goes
    /// on is ended when it has used about half as much again, at the same place however busy the machine is.
    std::optional<std::chrono::seconds> processor = {};
    std::uint64_t memory = 0;                      ///< bytes of address space of each process; 0 for no limit
    std::uint64_t file = std::uint64_t{1} << 30U;  ///< bytes of each file that it writes, its output included
};

struct ProcessEnd {
    enum class How { exited, signalled, out_of_time } how = How::exited;
    int code = 0;                                     ///< exit code, or number of the signal
    std::optional<std::chrono::seconds> out_of = {};  ///< the limit that ended it, if one of time did
    std::string out, err;                             ///< what it wrote to its standard output and error

    [[nodiscard]] bool good() const { return how == How::exited && code == 0; }
};

/// The program that a shell would run by this name: the name itself where it holds a slash, else the first executable
/// file of this name in PATH. None when there is no such file.
[[nodiscard]] std::optional<std::filesystem::path> find_program(std::string_view name);

/// Runs `program` with these arguments and an empty standard input. Numbers and messages are those of C, whatever the
/// user's locale. Throws Error when the system cannot start it.
[[nodiscard]] ProcessEnd run_process(const std::filesystem::path& program, std::vector<std::string> arguments,
                                     const ProcessLimits& limits = {});

/// How a body of code ended that ran in a process of its own.
struct IsolatedEnd : ProcessEnd {
    std::optional<std::string> answer;     ///< what it returned, if it came to its end
    std::optional<std::string> exception;  ///< the message of what it threw, if it threw
};
enum class Output { collected, shared };

/// A body that runs in a copy of this process, within limits: whatever it does, this process goes on. It is ended, with
/// all that it has started, when this object goes.
class IsolatedRun {
  public:
    /// The body's output is collected, or goes where this process's goes. `limits.memory` counts from what this process
    /// has. Throws Error when the system cannot copy it. Requires that no other thread runs.
    IsolatedRun(const std::function<std::string()>& body, const ProcessLimits& limits,
                Output output = Output::collected);
    IsolatedRun(IsolatedRun&&) noexcept;
    IsolatedRun& operator=(IsolatedRun&&) noexcept;
    ~IsolatedRun();

    /// Becomes readable when the process ends. For `poll`.
    [[nodiscard]] int descriptor() const;
    /// Until the limit by the clock, at least 0; none without one.
    [[nodiscard]] std::optional<std::chrono::milliseconds> time_left() const;
    /// Waits for the end, or brings it about when the time is over. To be called once.
    [[nodiscard]] IsolatedEnd wait();

  private:
    struct Child;
    std::unique_ptr<Child> child_;
};

/// The same, awaited.
[[nodiscard]] IsolatedEnd run_isolated(const std::function<std::string()>& body, const ProcessLimits& limits,
                                       Output output = Output::collected);

}  // namespace schedproof::base
