/// Instance files of the redundancy family: round trips, the bundled examples and what they witness, every way to be
/// wrong.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "model/core/errors.hpp"
#include "model/redundancy/codec/codec.hpp"
#include "policies/redundancy/registry.hpp"

namespace schedproof::input::redundancy_files {
namespace {

using redundancy::Instance;
using redundancy::Service;

const std::filesystem::path folder = std::filesystem::path(SCHEDPROOF_SOURCE_DIR) / "experiments/instances/redundancy";

Rational q(int p, int d) { return Rational(Integer(p), Integer(d)); }

Instance toml(const std::string& text) { return redundancy::parse_instance(text, base::Format::toml, "f"); }

Instance random_instance() {
    const auto fraction = [](int least, int most) {
        return q(*rc::gen::inRange(least, most), *rc::gen::inRange(1, 12));
    };
    Instance instance;
    instance.name = *rc::gen::nonEmpty(rc::gen::string<std::string>()).as("name");
    std::replace_if(
        instance.name.begin(), instance.name.end(), [](char c) { return c < ' ' || c > '~'; }, 'x');
    instance.source = *rc::gen::element(std::string(), std::string("here \"quoted\""));
    instance.problem.machines = *rc::gen::inRange<std::size_t>(1, 9);
    instance.problem.service = Service::parse(*rc::gen::element<std::string>(
        "det", "two-point:2,0", "two-point:5/2,1/2", "gains:1,3/2,7/4@2", "gains:1,1.1"));
    instance.speed = fraction(1, 20);
    instance.beta = std::min(Rational(1), fraction(1, 12));
    Rational now;
    for (int j = *rc::gen::inRange(0, 8); j > 0; --j) {
        now += fraction(0, 5);
        instance.problem.jobs.push_back({now, fraction(1, 30)});
    }
    return instance;
}

RC_GTEST_PROP(RedundancyRoundTrip, WhatIsWrittenReadsBackEqual, ()) {
    const Instance instance = random_instance();
    const std::string as_toml = write_toml(instance), as_json = write_json(instance);
    const Instance from_toml = toml(as_toml), from_json = redundancy::parse_instance(as_json, base::Format::json, "j");
    RC_ASSERT(from_toml == instance);
    RC_ASSERT(from_json == instance);
    RC_ASSERT(write_toml(from_json) == as_toml);
    RC_ASSERT(write_json(from_toml) == as_json);
    validate(instance);
}

TEST(RedundancyExamples, ReadAndRoundTrip) {
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() != ".toml") continue;
        ++count;
        const Instance instance = redundancy::read_instance(entry.path().string());
        EXPECT_EQ(instance.name + ".toml", entry.path().filename().string());
        EXPECT_FALSE(instance.source.empty()) << entry.path();
        EXPECT_EQ(toml(write_toml(instance)), instance) << entry.path();
        EXPECT_EQ(redundancy::parse_instance(write_json(instance), base::Format::json, "j"), instance) << entry.path();
        validate(instance);
    }
    EXPECT_GE(count, 12U);
}

Rational flowtime(const std::string& file, const char* policy) {
    const Instance instance = redundancy::read_instance((folder / file).string());
    return redundancy::history<Rational>(redundancy::make_policy(policy, instance.beta), instance.problem,
                                         instance.speed)
        .total_flowtime(instance.problem.jobs);
}

TEST(RedundancyExamples, CostWhatTheirCommentsSay) {
    EXPECT_EQ(flowtime("srpt-r-not-optimal.toml", "srpt+r"), q(73, 10));
    EXPECT_EQ(flowtime("srpt-cost-no-lower-bound.toml", "srpt"), Rational(1));
    EXPECT_EQ(flowtime("srpt-cost-no-lower-bound.toml", "srpt+r"), q(2, 3));
    EXPECT_EQ(flowtime("laps-one-job.toml", "laps"), Rational(1));
}

TEST(RedundancyExamples, TheCeilingDecidesTheSchedule) {
    const Instance instance = redundancy::read_instance((folder / "laps-ceiling.toml").string());
    ASSERT_EQ(instance.problem.jobs.size(), 25U);
    const auto exact = redundancy::LapsR{redundancy::Beta(instance.beta)}.allocate(25, instance.problem.machines);
    ASSERT_EQ(exact.size(), 2U);
    EXPECT_EQ(*exact.begin(), (redundancy::Band{18, 24, {1, 1}}));
    EXPECT_EQ(*(exact.begin() + 1), (redundancy::Band{24, 25, {2, 1}}));
}

/// A whole instance with one of its parts replaced; `machines` stands on line 3, the rest on line 4, `jobs` on 5.
std::string complaint(const std::string& rest, const std::string& jobs = "[{arrival = 0, size = 1}]",
                      const std::string& machines = "2") {
    const bool has_service = rest.find("service") != std::string::npos;
    try {
        static_cast<void>(toml("family = 'redundancy'\nname = 'x'\nmachines = " + machines + "\n" + rest +
                               (has_service ? "" : "\nservice = 'det'") + "\njobs = " + jobs + "\n"));
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}
std::string of_service(const std::string& text) { return complaint("service = '" + text + "'"); }
std::string of_jobs(const std::string& text) { return complaint("service = 'det'", text); }

TEST(RedundancyFileErrors, NameTheService) {
    EXPECT_EQ(of_service("two-piont:2,0"),
              "f:4: service: expected det, two-point:FAST,SLOW, slotted:RATE, periodic or gains:G1,G2,...@PEAK, not "
              "'two-piont:2,0' (did you mean 'two-point'?)");
    EXPECT_EQ(of_service("two-point:2,3"), "f:4: service: expected two-point:FAST,SLOW with 0 <= SLOW < 1 < FAST");
    EXPECT_EQ(of_service("gains:1,3/2,5/2"),
              "f:4: service: expected a concave table, but g(3) - g(2) is more than the gain before");
    EXPECT_EQ(of_service("gains:1,2,3@2"), "f:4: service: expected gains of at most the peak rate 2");
    EXPECT_EQ(of_service("gains:2,3"), "f:4: service: expected gains that begin with g(1) = 1");
    EXPECT_EQ(of_service("periodic"),
              "f:4: service: expected a service linear in time, det, two-point:FAST,SLOW or gains:G1,G2,...@PEAK: "
              "schedules under another are not exact");
}

TEST(RedundancyFileErrors, NameTheParameter) {
    EXPECT_EQ(complaint("speed = 0"), "f:4: speed: expected a speed above 0, not 0");
    EXPECT_EQ(complaint("speed = -1"), "f:4: speed: expected a speed above 0, not -1");
    EXPECT_EQ(complaint("beta = '3/2'"), "f:4: beta: expected 0 < beta <= 1, not 3/2 (approx. 1.5)");
    EXPECT_EQ(complaint("beta = 0"), "f:4: beta: expected 0 < beta <= 1, not 0");
    EXPECT_EQ(complaint("sped = 2").substr(0, 70),
              "f:4: sped: expected a known key (did you mean 'speed'?); known here: f");
    EXPECT_EQ(complaint("", "[]", "0"),
              "f:3: machines: expected a number of machines, an integer from 1 to 10000, not 0");
}

TEST(RedundancyFileErrors, NameTheJob) {
    EXPECT_EQ(of_jobs("[{arrival = 0, size = 0}]"), "f:5: jobs[0].size: expected a size above 0, not 0");
    EXPECT_EQ(of_jobs("[{arrival = 0, size = '-1/2'}]"),
              "f:5: jobs[0].size: expected a size above 0, not -1/2 (approx. -0.5)");
    EXPECT_EQ(of_jobs("[{arrival = -1, size = 1}]"), "f:5: jobs[0].arrival: expected an arrival of at least 0, not -1");
    EXPECT_EQ(of_jobs("[{arrival = 2, size = 1}, {arrival = 1, size = 1}]"),
              "f:5: jobs[1].arrival: expected jobs sorted by arrival, but 1 is before 2");
    EXPECT_EQ(of_jobs("[{arrival = 0, size = 0.5}]"),
              "f:5: jobs[0].size: expected an exact number: 0.5 is a float, which is not exact; put it in quotes, "
              "\"0.5\" or \"3/4\"");
    EXPECT_EQ(of_jobs("[{arrival = 0}]"), "f:5: jobs[0]: expected the key 'size': its work, above 0");
    EXPECT_EQ(of_jobs("[{arival = 0, size = 1}]").substr(0, 66),
              "f:5: jobs[0].arival: expected a known key (did you mean 'arrival'?");
    EXPECT_EQ(of_jobs("[3]"), "f:5: jobs[0]: expected a job: a table with arrival and size, not 3");
}

}  // namespace
}  // namespace schedproof::input::redundancy_files
