/// Reads questions from the standard input and writes a line for each to the standard output, in their order.
///
/// Each question is settled in a copy of this process, within limits of time and memory, so that none can disturb
/// another or this loop, and none needs a program to be started. The loop is one thread, as the copies require. It ends
/// when the input has ended and all is answered, and, with whatever is being settled, when nobody reads the output any
/// more.
#include "experiments/command/serve/serve.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <deque>
#include <utility>

#include "experiments/command/core/options.hpp"
#include "experiments/command/core/subcommand.hpp"
#include "experiments/command/serve/dialogue.hpp"
#include "model/base/parallel.hpp"
#include "model/base/process.hpp"
#include "model/core/errors.hpp"
#include "model/queueing/codec/codec.hpp"

namespace schedproof::cli {

namespace {

/// Bytes of a line; a longer one is answered with an error, and not kept.
constexpr std::size_t longest_line = std::size_t{1} << 20;

/// The reply with what it repeats of the question.
std::string written_to(const Question& question, Reply reply) {
    reply.id = question.id;
    if (question.ask) reply.ask = to_string(*question.ask);
    return written(reply);
}

std::string failed(const Question& question, std::string verdict, std::string says) {
    Reply reply;
    reply.verdict = std::move(verdict);
    reply.says = std::move(says);
    return written_to(question, std::move(reply));
}

/// A question that waits, is being settled, or is answered.
struct Pending {
    Question question = {};
    std::optional<base::IsolatedRun> run = {};
    std::optional<std::string> answer = {};
};

class Service {
  public:
    explicit Service(const ServeRequest& request)
        : request_(request), most_(request.threads.value_or(base::default_threads())) {
        for (const std::string& path : request.instances)
            clusters_.push_back(std::make_shared<const queueing::Instance>(queueing::read_instance(path)));
    }

    void run() {
        while (!is_gone_ && (!has_ended_ || !pending_.empty() || has_line())) {
            take_lines();
            start();
            write();
            // What was written made room for lines that are here already, for which nobody would wake this loop.
            if (!is_gone_ && !(wants_more() && has_line()) && (!has_ended_ || !pending_.empty())) await();
        }
    }

  private:
    /// Lines are taken while few wait, so that whoever asks faster than is answered has to wait.
    [[nodiscard]] bool wants_more() const { return pending_.size() < std::size_t{4} * most_; }

    [[nodiscard]] bool has_line() const {
        return unread_.find('\n') != std::string::npos || (has_ended_ && (!unread_.empty() || is_too_long_));
    }

    void take_lines() {
        for (std::size_t end = 0; wants_more() && (end = unread_.find('\n')) != std::string::npos;) {
            take(unread_.substr(0, end));
            unread_.erase(0, end + 1);
        }
        if (unread_.find('\n') == std::string::npos && unread_.size() > longest_line) {
            is_too_long_ = true;
            unread_.clear();
        }
        if (wants_more() && has_line() && unread_.find('\n') == std::string::npos) take(std::exchange(unread_, ""));
    }

    void take(const std::string& line) {
        if (line.find_first_not_of(" \t\r") == std::string::npos && !is_too_long_) return;
        Pending& next = pending_.emplace_back();
        try {
            if (std::exchange(is_too_long_, false) || line.size() > longest_line)
                throw InputError(fmt::format("expected a request of at most {} bytes", longest_line));
            read_question(line, next.question);
            limit(next.question.seconds, request_.seconds, "budget.seconds");
            limit(next.question.megabytes, request_.megabytes, "budget.megabytes");
        } catch (const Error& error) {
            next.answer = failed(next.question, "error", error.what());
        }
    }

    static void limit(std::uint64_t& asked, std::uint64_t most, const char* key) {
        if (asked > most) throw InputError::at_key(key, fmt::format("expected at most {}, the command's limit", most));
        if (asked == 0) asked = most;
    }

    void start() {
        std::size_t running = 0;
        for (const Pending& one : pending_) running += one.run ? 1 : 0;
        for (Pending& one : pending_) {
            if (running >= most_) return;
            if (one.run || one.answer) continue;
            base::ProcessLimits limits;
            limits.time = std::chrono::seconds(one.question.seconds);
            // Should nobody read answers, and this loop wait to write them, the processor's clock ends the work.
            limits.processor = std::chrono::seconds(one.question.seconds + 1);
            limits.memory = one.question.megabytes << 20U;
            try {
                one.run.emplace([&] { return settled(one.question); }, limits);
            } catch (const Error& error) {  // the system has no more processes, files or pipes
                if (running > 0) return;    // until one has ended
                one.answer = failed(one.question, "unknown", error.what());
                continue;
            }
            ++running;
        }
    }

    /// In the copy of the process.
    [[nodiscard]] std::string settled(const Question& question) const {
        try {
            return written_to(question, reply_to(question, clusters_));
        } catch (const LimitExceeded& limit) {
            return failed(question, "unknown", limit.what());
        } catch (const std::bad_alloc&) {
            return failed(question, "unknown", out_of_memory(question));
        } catch (const InputError& error) {
            return failed(question, "error", error.what());
        } catch (const Error& error) {
            return failed(question, "unknown", std::string("internal error: ") + error.what());
        }
    }

    [[nodiscard]] static std::string out_of_memory(const Question& question) {
        return fmt::format("limit memory: {} megabytes are not enough", question.megabytes);
    }

    [[nodiscard]] static std::string answer_of(const Question& question, base::IsolatedEnd end) {
        if (end.answer && end.good()) return std::move(*end.answer);
        if (end.how == base::ProcessEnd::How::out_of_time)
            return failed(question, "unknown", fmt::format("limit time: {} s are over", question.seconds));
        if (end.exception) return failed(question, "unknown", "internal error: " + *end.exception);
        // What cannot get memory may end in many ways.
        return failed(question, "unknown",
                      fmt::format("ended by {} {}, perhaps for want of memory (limit: {} megabytes)",
                                  end.how == base::ProcessEnd::How::signalled ? "signal" : "exit code", end.code,
                                  question.megabytes));
    }

    /// Waits for a line, the end of a copy, or the end of whoever reads.
    void await() {
        std::vector<::pollfd> all{{STDOUT_FILENO, 0, 0}, {has_ended_ || !wants_more() ? -1 : STDIN_FILENO, POLLIN, 0}};
        int wait = -1;
        for (const Pending& one : pending_) {
            if (!one.run) continue;
            all.push_back({one.run->descriptor(), POLLIN, 0});
            const auto left = static_cast<int>(std::min<std::int64_t>(one.run->time_left()->count(), 3'600'000));
            wait = wait < 0 ? left : std::min(wait, left);
        }
        if (::poll(all.data(), all.size(), wait) < 0 && errno != EINTR) throw Error("cannot wait for requests");
        if ((all[0].revents & (POLLERR | POLLHUP | POLLNVAL)) != 0) is_gone_ = true;
        if (all[1].revents != 0) read();
        std::size_t at = 2;
        for (Pending& one : pending_) {
            if (!one.run) continue;
            if (all[at++].revents == 0 && one.run->time_left()->count() > 0) continue;
            one.answer = answer_of(one.question, one.run->wait());
            one.run.reset();
        }
    }

    void read() {
        std::array<char, 65'536> block;
        const ssize_t count = ::read(STDIN_FILENO, block.data(), block.size());
        if (count > 0)
            unread_.append(block.data(), static_cast<std::size_t>(count));
        else if (count == 0 || errno != EINTR)
            has_ended_ = true;
    }

    void write() {
        for (; !pending_.empty() && pending_.front().answer; pending_.pop_front()) {
            std::string_view text = *pending_.front().answer;
            while (!text.empty() && !is_gone_) {
                const ssize_t count = ::write(STDOUT_FILENO, text.data(), text.size());
                if (count > 0)
                    text.remove_prefix(static_cast<std::size_t>(count));
                else if (errno != EINTR)
                    is_gone_ = true;
            }
        }
    }

    const ServeRequest& request_;
    std::size_t most_;
    Clusters clusters_;
    std::deque<Pending> pending_;  // in the order of the requests
    std::string unread_;
    bool has_ended_ = false, is_gone_ = false, is_too_long_ = false;
};

OptionTable options(ServeRequest& r) {
    return {{.names = "--stdio",
             .target = &r.stdio,
             .meaning = "read a request a line from the standard input and answer each with a line"},
            {.names = "--instance",
             .value = "FILE",
             .target = &r.instances,
             .meaning = "instance that requests may name; may be repeated",
             .repeated = true},
            {.names = "--threads",
             .value = "N",
             .target = &r.threads,
             .meaning = "requests at a time (default: as many as the machine runs)",
             .range = Interval{1, 1024}},
            {.names = "--seconds",
             .value = "N",
             .target = &r.seconds,
             .meaning = "the most that a request may take",
             .show_default = true,
             .range = Interval{1, 1'000'000}},
            {.names = "--megabytes",
             .value = "N",
             .target = &r.megabytes,
             .meaning = "the most memory that a request may use",
             .show_default = true,
             .range = Interval{16, 1'000'000}}};
}

}  // namespace

int run(const ServeRequest& request) {
    if (!request.stdio)
        throw InputError::at_key("--stdio", "required: `serve` reads requests from the standard input only");
    ::signal(SIGPIPE, SIG_IGN);
    Service(request).run();
    return 0;
}

Subcommand serve() {
    return make_subcommand<ServeRequest>(
        "serve", "answer other programs: a question of JSON a line, an answer a line",
        "schedproof serve --stdio --instance experiments/instances/router-h3.toml < questions.jsonl", options,
        forms(serve_reply));
}

}  // namespace schedproof::cli
