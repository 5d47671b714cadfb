/// The driver of `schedproof-links` (program.cpp, which states the lines that go back and forth).
///
/// SimGrid is a program of its own, since it keeps one simulation a process and its clock in a global, while
/// replications run on threads. A run talks to one process; processes that have no run are kept for the next, so that
/// there are as many as threads.
#include "experiments/simulators/sharing/links/fluid_network.hpp"

#include <fmt/core.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <limits>
#include <sstream>
#include <utility>

#include "model/base/process.hpp"
#include "model/core/errors.hpp"

namespace schedproof::simulation {

using sharing::NodeId;
using sharing::SlotId;
using sharing::Ticks;

std::optional<std::string> links_program() {
    std::error_code error;
    const std::filesystem::path own = std::filesystem::read_symlink("/proc/self/exe", error);
    if (error) return {};
    const auto found = base::find_program((own.parent_path() / "schedproof-links").string());
    return found ? std::optional(found->string()) : std::nullopt;
}

/// The program, running, with a socket to talk to it.
class LinksProcess {
  public:
    explicit LinksProcess(const std::string& program) {
        std::array<int, 2> ends{};
        if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) throw Error("cannot make a socket");
        socket_ = ends[0];
        posix_spawn_file_actions_t actions;
        ::posix_spawn_file_actions_init(&actions);
        ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
        ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
        std::string name = program;
        std::array<char*, 2> arguments{name.data(), nullptr};
        const int failure = ::posix_spawn(&process_, program.c_str(), &actions, nullptr, arguments.data(), environ);
        ::posix_spawn_file_actions_destroy(&actions);
        ::close(ends[1]);
        if (failure == 0) return;
        ::close(socket_);
        throw Error("cannot start " + program);
    }
    ~LinksProcess() {
        ::close(socket_);
        while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {}
    }
    LinksProcess(const LinksProcess&) = delete;
    LinksProcess& operator=(const LinksProcess&) = delete;

    void tell(std::string line) {
        line += '\n';
        for (std::size_t sent = 0; sent < line.size();) {
            const ssize_t n = ::send(socket_, line.data() + sent, line.size() - sent, MSG_NOSIGNAL);
            if (n > 0)
                sent += static_cast<std::size_t>(n);
            else if (errno != EINTR)
                fail();
        }
    }
    [[nodiscard]] std::string answer() {
        std::string line;
        std::array<char, 4096> part{};
        while (line.empty() || line.back() != '\n') {
            const ssize_t n = ::read(socket_, part.data(), part.size());
            if (n > 0)
                line.append(part.data(), static_cast<std::size_t>(n));
            else if (n == 0 || errno != EINTR)
                fail();
        }
        return line;
    }

  private:
    [[noreturn]] static void fail() { throw Error("schedproof-links has ended in a run"); }

    int socket_ = -1;
    pid_t process_ = -1;
};

FluidLinks::FluidLinks(const FluidNetwork& network, std::unique_ptr<LinksProcess> process)
    : network_(network), process_(std::move(process)), next_(std::numeric_limits<Ticks>::max()) {}

FluidLinks::~FluidLinks() {
    try {
        process_->tell("end");
        network_.put_back(std::move(process_));
    } catch (const Error&) {
        process_.reset();  // it has ended, and whoever asked it has been told
    }
}

void FluidLinks::start(Ticks now, SlotId s, NodeId from, NodeId to) {
    (void)ask(fmt::format("start {} {} {} {}", s.index(), from.index(), to.index(), now));
}
void FluidLinks::cancel(Ticks now, SlotId s) { (void)ask(fmt::format("cancel {} {}", s.index(), now)); }
std::vector<SlotId> FluidLinks::take(Ticks now) { return ask(fmt::format("take {}", now)); }

std::vector<SlotId> FluidLinks::ask(const std::string& line) {
    process_->tell(line);
    std::istringstream words(process_->answer());
    Ticks next = -1;
    words >> next;
    next_ = next < 0 ? std::numeric_limits<Ticks>::max() : next;
    std::vector<SlotId> ended;
    for (std::size_t slot = 0; words >> slot;) ended.emplace_back(slot);
    return ended;
}

FluidNetwork::FluidNetwork(std::string program, std::size_t nodes, Ticks transfer)
    : program_(std::move(program)), nodes_(nodes), transfer_(transfer) {}
FluidNetwork::~FluidNetwork() = default;

std::unique_ptr<FluidLinks> FluidNetwork::open() const {
    std::unique_ptr<LinksProcess> process;
    {
        const std::lock_guard guard(lock_);
        if (!idle_.empty()) {
            process = std::move(idle_.back());
            idle_.pop_back();
        }
    }
    if (!process) process = std::make_unique<LinksProcess>(program_);
    process->tell(fmt::format("cluster {} {}", nodes_, transfer_));
    return std::make_unique<FluidLinks>(*this, std::move(process));
}

void FluidNetwork::put_back(std::unique_ptr<LinksProcess> process) const {
    const std::lock_guard guard(lock_);
    idle_.push_back(std::move(process));
}

}  // namespace schedproof::simulation
