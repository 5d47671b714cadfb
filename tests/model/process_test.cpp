/// Programs that are run within limits: what they say is collected, and none outlives its time.
#include "model/base/process.hpp"

#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <vector>

#include "model/base/temporary_directory.hpp"
#include "model/core/errors.hpp"

namespace schedproof::base {

namespace {

ProcessEnd shell(const std::string& line, const ProcessLimits& limits = {}) {
    return run_process("/bin/sh", {"-c", line}, limits);
}

TEST(Process, SaysHowItEndedAndWhatItSaid) {
    const ProcessEnd end = shell("cat; echo out; echo err >&2; exit 3");
    EXPECT_EQ(end.how, ProcessEnd::How::exited);
    EXPECT_EQ(end.code, 3);
    EXPECT_FALSE(end.good());
    EXPECT_EQ(end.out, "out\n");
    EXPECT_EQ(end.err, "err\n");
    EXPECT_TRUE(shell("true").good());
    const ProcessEnd killed = shell("kill -TERM $$");
    EXPECT_EQ(killed.how, ProcessEnd::How::signalled);
    EXPECT_EQ(killed.code, 15);
    EXPECT_EQ(run_process("/no/such/program", {}).code, 127);
    EXPECT_EQ(shell("echo $LC_ALL").out, "C\n");
}

TEST(Process, EndsWithItsTimeAndTakesAlongWhatItStarted) {
    const auto begin = std::chrono::steady_clock::now();
    const ProcessEnd end = shell("sleep 60 & sleep 60; echo never", {.time = std::chrono::seconds(1)});
    EXPECT_EQ(end.how, ProcessEnd::How::out_of_time);
    EXPECT_EQ(end.out, "");
    // What it leaves behind ends with it: otherwise this would wait for whoever holds the output.
    EXPECT_EQ(shell("sleep 60 & echo $!").how, ProcessEnd::How::exited);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
}

/// A program that sleeps uses none of its processor time; a driver may hide how a part of it ended. Short programs
/// beside it on its processor make the system's count of its ticks larger than the time it had.
TEST(Process, EndsWithItsProcessorTime) {
    const ProcessLimits limits{.time = std::chrono::seconds(100), .processor = std::chrono::seconds(1)};
    for (const char* line :
         {"while true; do :; done", "sh -c 'while true; do :; done'; exit 4", "trap '' XCPU; while true; do :; done"}) {
        const ProcessEnd end = shell(line, limits);
        EXPECT_EQ(end.how, ProcessEnd::How::out_of_time) << line;
        EXPECT_EQ(end.out_of, limits.processor) << line;
    }
    const ProcessEnd beside = shell(
        "taskset -pc 0 $$ >/dev/null\n"
        "( while true; do true | true; done ) &\n"
        "sh -c 'while true; do :; done'; exit 4",
        limits);
    EXPECT_EQ(beside.out_of, limits.processor) << beside.err;
    EXPECT_TRUE(shell("sleep 1.2", limits).good());
    EXPECT_EQ(shell("exit 4", limits).how, ProcessEnd::How::exited);
}

TEST(Process, StaysWithinMemoryAndOutput) {
    const ProcessLimits limits{.memory = std::uint64_t{64} << 20U, .file = 4096};
    EXPECT_FALSE(shell("head -c 500000000 /dev/zero | sort -S 400M >/dev/null", limits).err.empty());
    EXPECT_LE(shell("while true; do echo a line; done", limits).out.size(), 4096U);
}

TEST(Isolated, AnswersAndLeavesThisProcessAsItIs) {
    int here = 1;
    const IsolatedEnd end = run_isolated(
        [&] {
            here = 2;
            std::puts("out");
            std::fputs("err\n", stderr);
            return std::string("answer");
        },
        {});
    EXPECT_EQ(end.answer, "answer");
    EXPECT_FALSE(end.exception);
    EXPECT_EQ(end.out, "out\n");
    EXPECT_EQ(end.err, "err\n");
    EXPECT_EQ(here, 1);
    EXPECT_EQ(run_isolated([] { return std::string(); }, {}).answer, "");
}

TEST(Isolated, SaysHowTheBodyEnded) {
    // Time enough for an end on a busy machine; only the last body uses it up.
    const auto limited = [](const std::function<void()>& body, std::chrono::seconds time = std::chrono::seconds(60)) {
        return run_isolated(
            [&] {
                body();
                return std::string("at the end");
            },
            {.time = time, .memory = std::uint64_t{256} << 20U});
    };
    EXPECT_EQ(limited([] { throw InputError::at_key("key", "expected more"); }).exception, "key: expected more");
    EXPECT_EQ(limited([] { throw 1; }).exception, "an exception that is no std::exception");
    const IsolatedEnd full = limited([] { std::vector<char>(std::size_t{1} << 30U).at(5) = 1; });
    EXPECT_FALSE(full.answer);
#ifndef SCHEDPROOF_SANITIZED  // whose allocator ends the process instead
    EXPECT_EQ(full.exception, "std::bad_alloc");
#endif
    const IsolatedEnd gone = limited([] { std::exit(4); });
    EXPECT_EQ(gone.code, 4);
    EXPECT_FALSE(gone.answer || gone.exception);
    EXPECT_EQ(limited([] { std::abort(); }).how, ProcessEnd::How::signalled);
    const auto endless = [] {
        for (volatile unsigned i = 0;;) i = i + 1;
    };
    EXPECT_EQ(limited(endless, std::chrono::seconds(1)).how, ProcessEnd::How::out_of_time);
}

/// Two at a time, of which the one that is slower is awaited by the other's end.
TEST(Process, RunsBodiesBesideEachOther) {
    ProcessLimits limits;
    limits.time = std::chrono::seconds(60);
    IsolatedRun slow(
        [] {
            ::usleep(300'000);
            return std::string("slow");
        },
        limits);
    IsolatedRun quick([] { return std::string("quick"); }, limits);
    std::vector<::pollfd> ends{{slow.descriptor(), POLLIN, 0}, {quick.descriptor(), POLLIN, 0}};
    ASSERT_EQ(::poll(ends.data(), ends.size(), 60'000), 1);
    EXPECT_EQ(ends[0].revents, 0);
    EXPECT_GT(slow.time_left()->count(), 0);
    EXPECT_EQ(quick.wait().answer, "quick");
    EXPECT_EQ(slow.wait().answer, "slow");
}

TEST(Process, ARunThatIsForgottenEnds) {
    const TemporaryDirectory folder;
    const std::string file = (folder.path() / "process").string();
    pid_t process = 0;
    {
        const IsolatedRun run(
            [&] {
                std::ofstream(file + ".new") << ::getpid() << "\n";
                std::filesystem::rename(file + ".new", file);
                ::sleep(600);
                return std::string();
            },
            {});
        for (int i = 0; i < 6'000 && process == 0; ++i) {
            ::usleep(10'000);
            std::ifstream(file) >> process;
        }
        ASSERT_GT(process, 0);
        EXPECT_EQ(::kill(process, 0), 0);
    }
    EXPECT_NE(::kill(process, 0), 0);
}

TEST(Process, FindsProgramsAsAShellDoes) {
    EXPECT_TRUE(find_program("sh").has_value());
    EXPECT_EQ(find_program("/bin/sh")->string(), "/bin/sh");
    EXPECT_FALSE(find_program("no-such-program").has_value());
    EXPECT_FALSE(find_program("/bin").has_value());
    EXPECT_FALSE(find_program("").has_value());
}

TEST(TemporaryDirectory, IsGoneAfterwards) {
    std::filesystem::path path;
    {
        const TemporaryDirectory folder;
        path = folder.path();
        EXPECT_TRUE(std::filesystem::is_empty(path));
        std::filesystem::create_directories(path / "a/b");
    }
    EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace

}  // namespace schedproof::base
