/// Readers of real inputs of the redundancy family: job traces and tables of availability.
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "experiments/input/availability.hpp"
#include "experiments/input/swim_reader.hpp"
#include "model/core/errors.hpp"

namespace schedproof::input {
namespace {

using Unit = TraceSizes::Unit;

redundancy::Jobs<Real> trace(const std::string& text, TraceSizes sizes = {}) {
    std::istringstream in(text);
    return read_trace_jobs(in, "t", sizes);
}

std::string complaint(const std::function<void()>& read) {
    try {
        read();
    } catch (const InputError& error) { return error.what(); }
    return "no error";
}
std::string of_trace(const std::string& text, TraceSizes sizes = {}) {
    return complaint([&] { static_cast<void>(trace(text, sizes)); });
}

TEST(SwimReader, CountsMapTasksOrBytes) {
    const std::string text =
        "a\t100\t0\t134217728\t0\t0\nb\t100\t0\t134217729\t67108864\t67108863\nc\t107.5\t7\t0\t0\t1\n";
    EXPECT_EQ(trace(text), (redundancy::Jobs<Real>{{Real(0), Real(1)}, {Real(0), Real(2)}, {Real(7.5), Real(1)}}));
    const auto bytes = trace(text, {Unit::bytes, 3});
    EXPECT_EQ(bytes[0].size, Real(3));
    EXPECT_EQ(bytes[1].size, Real(6));
    EXPECT_EQ(bytes[2].size, Real(3.0 / 134217728));
    EXPECT_EQ(trace("# c\n\na\t5\t0\t0\t0\t0\t/in/x\r\n", {Unit::tasks, 0.5}),
              (redundancy::Jobs<Real>{{Real(0), Real(0.5)}}));
}

TEST(SwimReader, StreamsColumnsAsTheyAre) {
    std::istringstream in("job0\t49\t49\t740773\t2339561\t627471\t/in/7\n");
    SwimReader reader(in, "t");
    const auto job = reader.next();
    ASSERT_TRUE(job);
    EXPECT_EQ(job->name, "job0");
    EXPECT_EQ(job->submit, 49);
    EXPECT_EQ(job->gap, 49);
    EXPECT_EQ(job->map_bytes, 740773);
    EXPECT_EQ(job->shuffle_bytes, 2339561);
    EXPECT_EQ(job->output_bytes, 627471);
    EXPECT_EQ(job->path, "/in/7");
    EXPECT_EQ(reader.line(), 1U);
    EXPECT_FALSE(reader.next());
}

TEST(SwimReader, ReadsTheSamples) {
    for (const auto& [name, jobs] : {std::pair{"small.tsv", 60U}, std::pair{"with_paths.tsv", 8U}}) {
        std::ifstream in(std::string(SCHEDPROOF_SOURCE_DIR "/tests/data/swim/") + name);
        EXPECT_EQ(read_trace_jobs(in, name, {}).size(), jobs);
    }
}

TEST(SwimReaderErrors, NameFileLineAndColumn) {
    const std::string first = "a\t10\t0\t1\t1\t1\n";
    EXPECT_EQ(of_trace(first + "b\t9\t0\t1\t1\t1\n"),
              "t:2: submit time: expected jobs sorted by submit time, but 9 is before 10");
    EXPECT_EQ(of_trace(first + "b\t-9\t0\t1\t1\t1\n"), "t:2: submit time: expected a number of at least 0, not '-9'");
    EXPECT_EQ(of_trace(first + "b\t11\t-1\t1\t1\t1\n"), "t:2: gap: expected a number of at least 0, not '-1'");
    EXPECT_EQ(of_trace(first + "b\t11\t1\tx\t1\t1\n"), "t:2: map bytes: expected a number of at least 0, not 'x'");
    EXPECT_EQ(of_trace(first + "b\t11\t1\t1\tnan\t1\n"),
              "t:2: shuffle bytes: expected a number of at least 0, not 'nan'");
    EXPECT_EQ(of_trace(first + "b\t11\t1\t1\t1\t\n"), "t:2: output bytes: expected a number of at least 0, not ''");
    EXPECT_EQ(of_trace(first + "b\t11\t1\t0\t0\t0\n", {Unit::bytes, 1}),
              "t:2: size: expected a job of some work, but its bytes make 0");
    EXPECT_EQ(of_trace("a 10 0 1 1 1\n"),
              "t:1: expected 6 or 7 fields between tabs: name, submit time, gap, map, shuffle and output bytes, "
              "perhaps a path, not 1");
    EXPECT_EQ(of_trace("a\t1\t2\t3\t4\t5\t6\t7\n").substr(0, 28), "t:1: expected 6 or 7 fields ");
    EXPECT_EQ(of_trace(first + "b\t11\t1\t1\t1\t1"), "t:2: expected a newline at the end of the file: it is cut");
    EXPECT_EQ(of_trace("# nothing\n"), "t: expected at least one job");
    EXPECT_EQ(of_trace(std::string("a\0b\t1\t2\t3\t4\t5\n", 14)), "t:1: expected text in UTF-8 without NUL bytes");
}

Availability table(const std::string& text) {
    std::istringstream in(text);
    return read_availability(in, "t");
}
std::string of_table(const std::string& text) {
    return complaint([&] { static_cast<void>(table(text)); });
}

TEST(Availability, ReadsIntervalsInAnyOrder) {
    const Availability read =
        table("state,end,start,machine\n1,20,15,b\n0,15,12,b\n1,12,10,b\n# c\n1,30,20,b\n1,19,11,\"a\"\n");
    EXPECT_EQ(read.machines, (std::vector<std::string>{"b", "a"}));
    EXPECT_EQ(read.length, 20);
    EXPECT_EQ(read.available[0], (std::vector<Availability::Interval>{{0, 2}, {5, 20}}));
    EXPECT_EQ(read.available[1], (std::vector<Availability::Interval>{{1, 9}}));
}

TEST(Availability, OfFailuresAloneIsTheRest) {
    std::ifstream in(SCHEDPROOF_SOURCE_DIR "/tests/data/availability/failures.csv");
    const Availability read = read_availability(in, "f");
    EXPECT_EQ(read.machines, (std::vector<std::string>{"b", "a"}));
    EXPECT_EQ(read.length, 60);
    EXPECT_EQ(read.available[0], (std::vector<Availability::Interval>{{0, 10}, {20, 40}}));
    EXPECT_EQ(read.available[1], (std::vector<Availability::Interval>{{5.5, 30}, {31, 60}}));
}

TEST(AvailabilityErrors, NameFileLineAndColumn) {
    EXPECT_EQ(of_table("a,0,10,1\na,5,12,0\n"),
              "t:2: start: expected intervals of 'a' that do not overlap, but it is before the end on line 1, 10");
    EXPECT_EQ(of_table("a,5,12,1\nb,0,3,1\na,0,6,0\n"),
              "t:1: start: expected intervals of 'a' that do not overlap, but it is before the end on line 3, 6");
    EXPECT_EQ(of_table("a,-1,10,1\n"), "t:1: start: expected a time of at least 0, not '-1'");
    EXPECT_EQ(of_table("a,10,9,1\n"), "t:1: end: expected an end after the start, 10, not 9");
    EXPECT_EQ(of_table("a,10,11,up\n"), "t:1: state: expected 1 (available) or 0, not 'up'");
    EXPECT_EQ(of_table("a,10,11\n"), "t:1: expected 4 fields, machine,start,end,state, not 3");
    EXPECT_EQ(of_table("machine,start,stop,state\na,1,2,1\n").substr(0, 66),
              "t:1: header: expected machine,start,end,state in some order, not '");
    EXPECT_EQ(of_table("machine,start,start,state\n"),
              "t:1: header: expected each column once, but 'start' stands twice");
    EXPECT_EQ(of_table("a,0,10,1\nb,0,10,0\n"),
              "t:2: machine: expected machines that are available at some time, but 'b' never is");
    EXPECT_EQ(of_table("machine,start,end,state\n"), "t:1: expected at least one row machine,start,end,state");
    EXPECT_EQ(of_table(",0,10,1\n"), "t:1: machine: expected the name of a machine");
    EXPECT_EQ(of_table("a,0,10,1"), "t:1: expected a newline at the end of the file: it is cut");
}

}  // namespace
}  // namespace schedproof::input
