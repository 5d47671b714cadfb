/// `schedproof simulate` with policies of the sharing family, as a process: a row for each D, pictures, refusals.
#include <gtest/gtest.h>
#include <pty.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/command.hpp"

namespace schedproof {
namespace {

using namespace testing_support;
using nlohmann::json;

class SharingCli : public CommandTest {
  protected:
    void SetUp() override {
        CommandTest::SetUp();
        std::string jobs;
        for (int j = 0; j < 120; ++j)
            jobs += "job" + std::to_string(j) + "\t" + std::to_string(j) + "\t1\t" +
                    std::to_string(134217728LL * (1 + j * 5 % 17)) + "\t0\t0\n";
        write("jobs.tsv", jobs);
    }
    void expect_refused(const std::string& arguments, const std::string& words) const {
        CommandTest::expect_refused("simulate " + arguments, words);
    }
};

const std::string on_trace = "simulate --trace jobs.tsv --nodes 40 --slots 2 --run-time constant:10 --replications 3 ";

/// Fields of a line of comma-separated values.
std::vector<std::string> fields(const std::string& line) {
    std::vector<std::string> all(1);
    for (const char c : line)
        if (c == ',')
            all.emplace_back();
        else
            all.back() += c;
    return all;
}

TEST_F(SharingCli, ShowsLocalityAgainstD) {
    const std::string csv = good(on_trace + "--policy delay --format csv");
    std::vector<std::vector<std::string>> rows;
    std::istringstream lines(csv);
    for (std::string line; std::getline(lines, line);)
        if (!line.starts_with("#")) rows.push_back(fields(line));
    ASSERT_EQ(rows.size(), 6U) << csv;
    const auto local = std::find(rows[0].begin(), rows[0].end(), "local tasks mean (1)") - rows[0].begin();
    ASSERT_LT(local, static_cast<std::ptrdiff_t>(rows[0].size())) << csv;
    double before = 0;
    const char* labels[] = {"delay D=0", "delay D=1", "delay D=5", "delay D=20", "delay D=100"};
    for (std::size_t r = 1; r < rows.size(); ++r) {
        EXPECT_EQ(rows[r][0], labels[r - 1]);
        const double here = std::stod(rows[r][static_cast<std::size_t>(local)]);
        EXPECT_GT(here, before) << rows[r][0];
        before = here;
    }
    EXPECT_GT(before, 0.9);
    EXPECT_EQ(good(on_trace + "--policy delay --format csv"), csv);
    EXPECT_EQ(good(on_trace + "--policy delay --format csv --threads 2"), csv);
}

TEST_F(SharingCli, ComparesPoliciesInTextAndPictures) {
    const std::string text = good(on_trace +
                                  "--policy naive-fair --policy delay --skips 30 --policy fair-kill --policy "
                                  "hadoop-fifo --policy delay-rack:keep --policy jsq-maxweight:subqueues "
                                  "--policy dyndlon --racks 4");
    for (const char* words : {"40 nodes of 2 slots, 4 racks", "120 of", "heartbeats every 3 seconds", "naive-fair",
                              "delay D=30", "fair-kill", "hadoop-fifo", "delay-rack:keep D=30",
                              "jsq-maxweight:subqueues", "dyndlon", "local tasks", "SHA-256"})
        EXPECT_TRUE(contains(text, words)) << words << "\n" << text;
    static_cast<void>(good(on_trace + "--policy delay --skips 0,2,8 --picture d.svg --y-axis 'local tasks'"));
    EXPECT_TRUE(contains(read("d.svg"), "local tasks"));
}

/// What a line of shell says on a terminal.
std::string on_terminal(const std::filesystem::path& directory, const std::string& line) {
    int terminal = -1;
    const pid_t child = ::forkpty(&terminal, nullptr, nullptr, nullptr);
    if (child == 0) {
        if (::chdir(directory.c_str()) != 0) ::_exit(126);
        ::execl("/bin/sh", "sh", "-c", line.c_str(), nullptr);
        ::_exit(127);
    }
    std::string said;
    char block[4096];
    for (ssize_t n = 0; (n = ::read(terminal, block, sizeof block)) > 0;)
        said.append(block, static_cast<std::size_t>(n));
    int status = 0;
    ::waitpid(child, &status, 0);
    ::close(terminal);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << said;
    return said;
}

TEST_F(SharingCli, SaysThePlanOnATerminalOnly) {
    const std::string arguments = on_trace + "--policy delay --skips 2,8 --policy dyndlon --threads 2";
    const std::string said = on_terminal(here(), std::string("'") + SCHEDPROOF_COMMAND + "' " + arguments + " >out");
    EXPECT_TRUE(
        contains(said, "simulate: 9 runs on 2 threads, 3 replications of each of delay D=2, delay D=8, dyndlon"))
        << said;
    const Answer piped = run(arguments);
    EXPECT_FALSE(contains(piped.err, "simulate:")) << piped.err;
    EXPECT_EQ(piped.out, read("out"));
}

TEST_F(SharingCli, CountsJobsWithoutBytes) {
    write("two.tsv", "z\t4\t0\t0\t0\t0\na\t5\t1\t402653184\t0\t0\t\t\nz\t5\t0\t0\t0\t0\nb\t6\t1\t1\t0\t0\t\t\n");
    const Answer answer = run("simulate --trace two.tsv --nodes 4 --policy delay --skips 1 --replications 1");
    EXPECT_EQ(answer.exit, 0);
    EXPECT_TRUE(contains(answer.out, "2 of 4 tasks within 1 seconds, of two.tsv\n")) << answer.out;
    EXPECT_EQ(answer.err, "schedproof: warning: two.tsv: 2 jobs without bytes are passed over\n");
}

/// Jobs of a trace after a time are left out, in every family as if they stood not in the file.
TEST_F(SharingCli, TracesAreRunUntilATime) {
    const std::string first = "a\t5\t1\t402653184\t0\t0\t\t\n", second = "b\t9\t4\t134217729\t0\t0\t\t\n";
    write("long.tsv", first + second + "c\t30\t21\t134217728\t0\t0\t\t\n");
    write("short.tsv", first + second);
    for (const char* words : {"--nodes 4 -p delay --skips 1 ", "-p srpt --periods A "}) {
        const auto means = [&](const std::string& trace) {
            nlohmann::ordered_json policies = nlohmann::ordered_json::parse(good(
                "simulate " + std::string(words) + trace + " --replications 2 --format json"))["points"][0]["policies"];
            for (nlohmann::ordered_json& policy : policies) policy.erase("command");
            return policies;
        };
        EXPECT_EQ(means("--trace long.tsv --until 4"), means("--trace short.tsv")) << words;
        EXPECT_NE(means("--trace long.tsv"), means("--trace short.tsv")) << words;
        expect_refused(std::string(words) + "--until 4", "--trace");
        expect_refused(std::string(words) + "--trace long.tsv --horizon 4", "--until leaves out later jobs");
    }
}

TEST_F(SharingCli, GeneratesJobsWithoutATrace) {
    const std::string text = good(
        "simulate --policy naive-fair --policy jsq-maxweight:subqueues --nodes 50 --data-nodes 40 --heartbeat 0 "
        "--rates 4/5,1/5 --load 15 --sizes 9:1..5,1:20..60 --horizon 2000 --replications 3");
    EXPECT_TRUE(contains(text, "every free slot in every slot of time")) << text;
    EXPECT_TRUE(contains(text, "15 tasks a slot")) << text;
}

TEST_F(SharingCli, RefusesWhatItMust) {
    expect_refused("--policy dealy --trace jobs.tsv", "(did you mean 'delay'?)");
    expect_refused("--policy delay --trace missing.tsv", "missing.tsv");
    expect_refused("--policy delay --trace jobs.tsv --nodes 0", "--nodes");
    expect_refused("--policy delay --trace jobs.tsv --skips 1,x", "--skips");
    expect_refused("--policy delay --trace jobs.tsv --load 3", "--load");
    expect_refused("--policy delay --trace jobs.tsv --horizon 3", "--horizon");
    expect_refused("--policy delay --heartbeat 3 --rates 4/5,1/5", "--run-time");
    expect_refused("--policy delay --placement jobs.tsv", "jobs.tsv");
    write("back.tsv", "a\t5\t0\t1\t1\t1\nb\t4\t0\t1\t1\t1\n");
    expect_refused("--policy delay --trace back.tsv", "back.tsv:2: submit time");
    write("gap.tsv", "a\t5\t-2\t1\t1\t1\n");
    expect_refused("--policy delay --trace gap.tsv", "gap.tsv:1: gap");
}

}  // namespace
}  // namespace schedproof
