/// A program, or a body of code, in a process group of its own.
///
/// Limits are those of setrlimit, which what the program starts inherits; posix_spawn cannot set them, hence fork.
/// Until the program takes over, the child calls only what a signal handler may call, since other threads may have held
/// a lock at the fork. The limit by the clock is the parent's: it asks now and then, and ends the group. Should the
/// parent end first, the system ends the program, and a limit of processor time ends what that has started.
///
/// A driver that outlives a part of it hides how the part ended, so beside the signal that ends a program out of
/// processor time, what all of them have used counts. For the signal the system counts whole ticks of its clock, and
/// counts a tick for whoever runs when it comes: a program that yields to many short ones is charged for time that they
/// took, more than a quarter of it where we tried. The time used, which it reports afterwards, is measured. The system
/// is therefore told half as much again as the limit, and by the time of its signal the limit is passed by measure too.
#include "model/base/process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <memory>
#include <thread>
#include <utility>

#include "model/base/split.hpp"
#include "model/core/errors.hpp"

namespace schedproof::base {

namespace fs = std::filesystem;

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::string_view locale = "LC_ALL=";

/// This process's environment with numbers and messages as in C.
std::vector<char*> environment() {
    static char in_c[] = "LC_ALL=C";
    std::vector<char*> result;
    for (char** entry = environ; *entry != nullptr; ++entry)
        if (!std::string_view(*entry).starts_with(locale)) result.push_back(*entry);
    result.push_back(in_c);
    result.push_back(nullptr);
    return result;
}

}  // namespace

/// A file without a name.
class Captured {
  public:
    Captured() : file_(std::tmpfile()) {
        if (!file_) throw Error("cannot make a temporary file");
    }
    [[nodiscard]] int descriptor() const { return ::fileno(file_.get()); }
    [[nodiscard]] std::string text() const {
        std::string all;
        std::rewind(file_.get());
        std::array<char, 4096> block;
        while (const std::size_t n = std::fread(block.data(), 1, block.size(), file_.get()))
            all.append(block.data(), n);
        return all;
    }

  private:
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    std::unique_ptr<std::FILE, Close> file_;
};

namespace {

/// `hard`: where it is enforced otherwise than by the signal of the resource.
void limit(int resource, std::uint64_t most, std::uint64_t hard) {
    const ::rlimit both{most, hard};
    ::setrlimit(static_cast<decltype(RLIMIT_AS)>(resource), &both);
}
void limit(int resource, std::uint64_t most) { limit(resource, most, most); }
/// Ends with SIGXCPU, which tells this end from others, and where that is ignored with SIGKILL.
void limit_processor(std::chrono::seconds most) {
    const auto seconds = static_cast<std::uint64_t>((3 * most.count() + 1) / 2);
    limit(RLIMIT_CPU, seconds, seconds + 2);
}

/// The child's group and limits.
void begin_child(const ProcessLimits& limits) {
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (limits.memory > 0) limit(RLIMIT_AS, limits.memory);
    limit(RLIMIT_FSIZE, limits.file);
    limit(RLIMIT_CORE, 0);
    if (limits.processor) limit_processor(*limits.processor);
}

/// The child's part, which does not return.
[[noreturn]] void become(const char* program, char* const* arguments, char* const* variables, int in, int out, int err,
                         const ProcessLimits& limits) {
    begin_child(limits);
    if (limits.time && !limits.processor) limit_processor(*limits.time + std::chrono::seconds(1));
    if (::dup2(in, STDIN_FILENO) >= 0 && ::dup2(out, STDOUT_FILENO) >= 0 && ::dup2(err, STDERR_FILENO) >= 0)
        ::execve(program, arguments, variables);
    ::_exit(127);
}

/// Waits for the group's leader, ends the group when the time is over, and what the leader has left running. Returns
/// whether the leader ended in time. Until it is reaped, no other group can have its number.
bool wait_for(pid_t child, Clock::time_point begin, const std::optional<std::chrono::seconds>& time, int& status,
              ::rusage& usage) {
    bool in_time = true;
    for (bool ended = false; !ended;) {
        ::siginfo_t info{};
        const bool look = time && in_time;
        const int failure = ::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT | (look ? WNOHANG : 0));
        if (failure != 0 && errno != EINTR) throw Error("cannot wait for a program");
        ended = failure == 0 && info.si_pid == child;
        if (ended || !look) continue;
        in_time = Clock::now() - begin <= *time;
        if (in_time)
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        else
            ::kill(-child, SIGKILL);
    }
    ::kill(-child, SIGKILL);
    while (::wait4(child, &status, 0, &usage) < 0 && errno == EINTR) {}
    return in_time;
}

bool used_up(const ::rusage& usage, std::chrono::seconds limit) {
    return std::chrono::seconds(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
               std::chrono::microseconds(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) >=
           limit;
}

/// Waits for the child that began then, and says how it ended.
void end_of(pid_t child, Clock::time_point begin, const ProcessLimits& limits, ProcessEnd& end) {
    ::setpgid(child, child);  // whoever of the two comes first
    int status = 0;
    ::rusage usage{};
    const bool in_time = wait_for(child, begin, limits.time, status, usage);
    const bool good = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (!in_time) end.out_of = limits.time;
    const bool told = WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU;
    if (in_time && !good && limits.processor && (told || used_up(usage, *limits.processor)))
        end.out_of = limits.processor;
    end.how = end.out_of            ? ProcessEnd::How::out_of_time
              : WIFSIGNALED(status) ? ProcessEnd::How::signalled
                                    : ProcessEnd::How::exited;
    end.code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
}

/// Bytes of address space that this process has.
std::uint64_t address_space() {
    std::uint64_t pages = 0;
    if (std::ifstream statm("/proc/self/statm"); !(statm >> pages)) throw Error("cannot read /proc/self/statm");
    return pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

void write_all(int descriptor, std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = ::write(descriptor, text.data(), text.size());
        if (written <= 0) ::_exit(127);
        text.remove_prefix(static_cast<std::size_t>(written));
    }
}

/// What stands before an answer or the message of an exception, so that an empty one is told from none.
constexpr char answered = '!', threw = '?';

/// The child's part, which does not return.
[[noreturn]] void call(const std::function<std::string()>& body, int answer) {
    std::string text;
    try {
        text = answered + body();
    } catch (const std::exception& error) {
        text = threw + std::string(error.what());
    } catch (...) {
        text = threw + std::string("an exception that is no std::exception");
    }
    std::fflush(nullptr);
    write_all(answer, text);
    ::_exit(0);
}

}  // namespace

std::optional<fs::path> find_program(std::string_view name) {
    const auto executable = [](const fs::path& path) {
        std::error_code error;
        return fs::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0;
    };
    if (name.empty()) return {};
    if (name.find('/') != std::string_view::npos)
        return executable(name) ? std::optional<fs::path>(name) : std::nullopt;
    const char* path = std::getenv("PATH");
    for (const std::string_view folder : split(path == nullptr ? "/usr/bin:/bin" : path, ':'))
        if (const fs::path found = fs::path(folder.empty() ? "." : folder) / name; executable(found)) return found;
    return {};
}

ProcessEnd run_process(const fs::path& program, std::vector<std::string> arguments, const ProcessLimits& limits) {
    arguments.insert(arguments.begin(), program.string());
    std::vector<char*> words;
    for (std::string& argument : arguments) words.push_back(argument.data());
    words.push_back(nullptr);
    const std::vector<char*> variables = environment();
    const Captured in, out, err;
    const Clock::time_point begin = Clock::now();
    const pid_t child = ::fork();
    if (child < 0) throw Error("cannot start " + program.string());
    if (child == 0)
        become(program.c_str(), words.data(), variables.data(), in.descriptor(), out.descriptor(), err.descriptor(),
               limits);
    ProcessEnd end;
    end_of(child, begin, limits, end);
    end.out = out.text();
    end.err = err.text();
    return end;
}

/// The process of a body, and a pipe that is read here and that it alone could write to, so that its end closes the
/// pipe.
struct IsolatedRun::Child {
    Captured answer, out, err;
    ProcessLimits limits;
    Clock::time_point begin = Clock::now();
    std::array<int, 2> ends{-1, -1};
    pid_t process = -1;  ///< none once it was waited for

    Child() = default;
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;
    ~Child() {
        if (process > 0) {
            ::kill(-process, SIGKILL);
            ::kill(process, SIGKILL);  // before it leads a group
            while (::waitpid(process, nullptr, 0) < 0 && errno == EINTR) {}
        }
        for (const int end : ends)
            if (end >= 0) ::close(end);
    }
};

IsolatedRun::IsolatedRun(IsolatedRun&&) noexcept = default;
IsolatedRun& IsolatedRun::operator=(IsolatedRun&&) noexcept = default;
IsolatedRun::~IsolatedRun() = default;

IsolatedRun::IsolatedRun(const std::function<std::string()>& body, const ProcessLimits& limits, Output output)
    : child_(std::make_unique<Child>()) {
    Child& child = *child_;
    child.limits = limits;
    ProcessLimits absolute = limits;
    if (limits.memory > 0) absolute.memory += address_space();
    if (::pipe2(child.ends.data(), O_CLOEXEC) != 0) throw Error("cannot make a pipe");
    std::fflush(nullptr);
    child.process = ::fork();
    if (child.process < 0) throw Error("cannot start a process");
    if (child.process == 0) {
        begin_child(absolute);
        if (output == Output::collected &&
            (::dup2(child.out.descriptor(), STDOUT_FILENO) < 0 || ::dup2(child.err.descriptor(), STDERR_FILENO) < 0))
            ::_exit(127);
        call(body, child.answer.descriptor());
    }
    ::close(std::exchange(child.ends[1], -1));
}

int IsolatedRun::descriptor() const { return child_->ends[0]; }

std::optional<std::chrono::milliseconds> IsolatedRun::time_left() const {
    if (!child_->limits.time) return {};
    const auto left = child_->begin + *child_->limits.time - Clock::now();
    return std::max(std::chrono::milliseconds(0), std::chrono::ceil<std::chrono::milliseconds>(left));
}

IsolatedEnd IsolatedRun::wait() {
    IsolatedEnd end;
    end_of(std::exchange(child_->process, -1), child_->begin, child_->limits, end);
    end.out = child_->out.text();
    end.err = child_->err.text();
    if (const std::string text = child_->answer.text(); text.starts_with(answered))
        end.answer = text.substr(1);
    else if (text.starts_with(threw))
        end.exception = text.substr(1);
    return end;
}

IsolatedEnd run_isolated(const std::function<std::string()>& body, const ProcessLimits& limits, Output output) {
    return IsolatedRun(body, limits, output).wait();
}

}  // namespace schedproof::base
