/// Readers of real inputs of the redundancy family: job traces and tables of availability.
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "experiments/input/traces/availability.hpp"
#include "experiments/input/traces/job_trace.hpp"
#include "experiments/input/traces/swf_reader.hpp"
#include "model/core/errors.hpp"

namespace schedproof::input {
namespace {

using Unit = TraceSizes::Unit;

redundancy::Jobs<Real> trace(const std::string& text, TraceSizes sizes = {}) {
    std::istringstream in(text);
    return redundancy_jobs(read_job_trace(in, "t", TraceKind::swim, sizes));
}

std::string complaint(const std::function<void()>& read) {
    try {
        read();
    } catch (const InputError& error) {
        return error.what();
    }
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
    EXPECT_EQ(trace("# c\n\na\t5\t0\t0\t0\t1\t/in/x\r\n", {Unit::tasks, 0.5}),
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
    for (const auto& [name, jobs] :
         {std::pair{"small.tsv", 60U}, std::pair{"with_paths.tsv", 8U}, std::pair{"empty_fields.tsv", 6U}}) {
        std::ifstream in(std::string(SCHEDPROOF_SOURCE_DIR "/tests/data/swim/") + name);
        EXPECT_EQ(read_job_trace(in, name, TraceKind::swim, {}).jobs.size(), jobs);
    }
}

TEST(SwimReader, IgnoresEmptyFieldsAtTheEnd) {
    const redundancy::Jobs<Real> one{{Real(0), Real(1)}};
    for (const std::string end : {"", "\t", "\t\t", "\t\t\t\t\t", "\t/in/1", "\t/in/1\t", "\t/in/1\t\t\t", "\t\t\r"})
        EXPECT_EQ(trace("a\t5\t0\t1\t0\t0" + end + "\n"), one) << end.size();
    std::istringstream in("a\t5\t0\t1\t0\t0\t\t\t\nb\t6\t1\t1\t0\t0\t/in/1\t\t\n");
    SwimReader reader(in, "t");
    EXPECT_EQ(reader.next()->path, "");
    EXPECT_EQ(reader.next()->path, "/in/1");
}

TEST(SwimReader, PassesOverJobsWithoutBytesAndCountsThem) {
    const std::string text = "z\t3\t0\t0\t0\t0\na\t5\t2\t0\t0\t1\nz\t9\t4\t0\t0\t0\t\t\nb\t12\t3\t1\t0\t0\n";
    for (const Unit unit : {Unit::tasks, Unit::bytes}) {
        std::istringstream in(text);
        const JobTrace read = read_job_trace(in, "t", TraceKind::swim, {unit, 1});
        ASSERT_EQ(read.jobs.size(), 2U);
        EXPECT_EQ(read.jobs[0].submit, 0) << "time counts from the first job with bytes";
        EXPECT_EQ(read.jobs[1].submit, 7);
        EXPECT_EQ(read.without_work, 2U);
        EXPECT_EQ(read.odd_gaps, 0U) << "a gap is one to the line before";
    }
    EXPECT_EQ(of_trace("z\t3\t0\t0\t0\t0\n"), "t: expected at least one job with bytes");
    EXPECT_EQ(of_trace("z\t3\t0\t0\t0\t0\nz\t2\t0\t0\t0\t0\n"),
              "t:2: submit time: expected jobs sorted by submit time, but 2 is before 3");
    EXPECT_EQ(what_is_missing(TraceKind::swim), "bytes");
    EXPECT_EQ(what_is_missing(TraceKind::swf), "run time or processors");
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
    EXPECT_EQ(of_trace(first + "b\t11\t1\t1e308\t1e308\t1e308\n", {Unit::bytes, 1}),
              "t:2: size: expected a job of some work, but its size is inf");
    EXPECT_EQ(of_trace("a 10 0 1 1 1\n"),
              "t:1: expected 6 or 7 fields between tabs: name, submit time, gap, map, shuffle and output bytes, "
              "perhaps a path, not 1");
    for (const std::string end : {"/in/1\t7", "\t7", "\t\t7\t", "/in/1\t\t7", "\t "}) {
        const std::string said = of_trace(first + "b\t11\t1\t1\t1\t1\t" + end + "\n");
        EXPECT_EQ(said.substr(0, 28), "t:2: expected 6 or 7 fields ") << said;
    }
    EXPECT_EQ(of_trace("a\t1\t2\t3\t4\t\t\t\n"), "t:1: output bytes: expected a number of at least 0, not ''");
    EXPECT_EQ(of_trace(first + "b\t11\t1\t1\t1\t1"),
              "t:2: the last line has no newline; if the file is complete, add one");
    EXPECT_EQ(of_trace("# nothing\n"), "t: expected at least one job");
    EXPECT_EQ(of_trace(std::string("a\0b\t1\t2\t3\t4\t5\n", 14)), "t:1: expected text in UTF-8 without NUL bytes");
}

TEST(SwimReader, CountsGapsThatAreNotTheDifferenceOfSubmitTimes) {
    const auto odd = [](const std::string& text) {
        std::istringstream in(text);
        return read_job_trace(in, "t", TraceKind::swim, {}).odd_gaps;
    };
    EXPECT_EQ(odd("a\t100\t99\t1\t1\t1\nb\t105\t5\t1\t1\t1\nc\t106\t1.6\t1\t1\t1\n"), 0U);
    EXPECT_EQ(odd("a\t100\t0\t1\t1\t1\nb\t105\t9\t1\t1\t1\nc\t106\t0\t1\t1\t1\nd\t120\t3\t1\t1\t1\n"), 2U);
}

JobTrace log_of(const std::string& text, double scale = 1) {
    std::istringstream in(text);
    return read_job_trace(in, "t", TraceKind::swf, {Unit::tasks, scale});
}
std::string of_log(const std::string& text) {
    return complaint([&] { static_cast<void>(log_of(text)); });
}
const std::string known = " 4 10 -1 -1 4 60 -1 1 3 1 1 1 1 -1 -1\n";

TEST(SwfReader, KeepsHeaderAndFields) {
    std::ifstream in(SCHEDPROOF_SOURCE_DIR "/tests/data/swf/small.swf");
    SwfReader reader(in, "small");
    const auto job = reader.next();
    ASSERT_TRUE(job);
    EXPECT_EQ(reader.header().front(), (std::pair<std::string, std::string>{"Version", "2.2"}));
    EXPECT_EQ(reader.max_nodes(), 16U);
    EXPECT_EQ(reader.max_processors(), 32U);
    EXPECT_EQ(job->id, 1);
    EXPECT_EQ(job->submit, 0);
    EXPECT_EQ(job->wait, 3);
    EXPECT_EQ(job->run_time, 120);
    EXPECT_EQ(job->processors, 8);
    EXPECT_EQ(job->cpu_time, 118.5);
    EXPECT_EQ(job->memory, std::nullopt);
    EXPECT_EQ(job->requested_processors, 8);
    EXPECT_EQ(job->requested_time, 300);
    EXPECT_EQ(job->status, 1);
    EXPECT_EQ(job->user, 7);
    EXPECT_EQ(job->preceding_job, std::nullopt);
    EXPECT_EQ(job->think_time, std::nullopt);
    std::size_t jobs = 1;
    while (reader.next()) ++jobs;
    EXPECT_EQ(jobs, 6U);
}

TEST(SwfReader, AJobIsATaskPerProcessor) {
    std::ifstream in(SCHEDPROOF_SOURCE_DIR "/tests/data/swf/small.swf");
    const JobTrace trace = read_job_trace(in, "small", TraceKind::swf, {Unit::tasks, 2});
    EXPECT_EQ(trace.jobs, (std::vector<TracedJob>{{0, 8, 240}, {10, 1, 3.0}, {10, 32, 60}, {95, 4, 200}}));
    EXPECT_EQ(trace.without_work, 2U);
    EXPECT_EQ(trace.machine, 32U);
    EXPECT_EQ(redundancy_jobs(trace)[3].size, Real(800));
    EXPECT_EQ(log_of("; MaxNodes: 128 (two are spare)\n1 5 -1" + known).machine, 128U);
    EXPECT_EQ(log_of("1 5 -1" + known).machine, std::nullopt);
    EXPECT_EQ(log_of(";\xe9t\xe9: 1\n;;\n\n  ; a b : c\n\t1\t5   -1" + known).jobs.size(), 1U);
}

TEST(SwfReader, FormatIsAskedForOrByExtension) {
    EXPECT_EQ(trace_kind("a.swf", ""), TraceKind::swf);
    EXPECT_EQ(trace_kind("a.tsv", ""), TraceKind::swim);
    EXPECT_EQ(trace_kind("a.tsv", "swf"), TraceKind::swf);
    EXPECT_EQ(trace_kind("a.swf", "swim"), TraceKind::swim);
    EXPECT_EQ(complaint([] { static_cast<void>(trace_kind("a", "swg")); }),
              "trace format: expected swim or swf, not 'swg' (did you mean 'swf'?)");
}

TEST(SwfReaderErrors, NameFileLineAndField) {
    const std::string first = "; h\n1 10 -1" + known;
    EXPECT_EQ(of_log(first + "2 9 -1" + known),
              "t:3: submit time: expected jobs sorted by submit time, but 9 is before 10");
    EXPECT_EQ(of_log("1 -1 -1" + known), "t:1: submit time: expected a time, not unknown");
    EXPECT_EQ(of_log("-1 1 -1" + known), "t:1: job number: expected a number, not unknown");
    EXPECT_EQ(of_log("1 1 -2" + known), "t:1: wait time: expected a number of at least 0, or -1 for unknown, not '-2'");
    EXPECT_EQ(of_log("1 1 0 x 1 1 1 1 1 1 1 1 1 1 1 1 1 1\n"),
              "t:1: run time: expected a number of at least 0, or -1 for unknown, not 'x'");
    EXPECT_EQ(of_log("1 1 0 1 1.5 1 1 1 1 1 1 1 1 1 1 1 1 1\n"),
              "t:1: processors: expected a whole number of at least 0, or -1 for unknown, not '1.5'");
    EXPECT_EQ(of_log("1 1 0 1 1 1 1 1 1 1 1 1 1 1 1 1 1 nan\n"),
              "t:1: think time: expected a number of at least 0, or -1 for unknown, not 'nan'");
    EXPECT_EQ(of_log("1 1 0 1\n"), "t:1: expected 18 numbers between blanks, not 4");
    EXPECT_EQ(of_log("1 1 -1" + known.substr(0, known.size() - 1)),
              "t:1: the last line has no newline; if the file is complete, add one");
    EXPECT_EQ(of_log("; nothing\n"), "t: expected at least one job");
    EXPECT_EQ(of_log("1 1 0 0 1 1 1 1 1 1 1 1 1 1 1 1 1 1\n"),
              "t: expected at least one job of known run time and processors");
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
    EXPECT_EQ(of_table("a,0,10,1"), "t:1: the last line has no newline; if the file is complete, add one");
}

}  // namespace
}  // namespace schedproof::input
