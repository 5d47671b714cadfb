#include "idle_machine.hpp"

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "checks/suite/generators.hpp"
#include "checks/suite/googletest.hpp"

using namespace schedproof;
using mine::IdleMachine;

namespace {

TEST(IdleMachine, IsReportedWithItsSmallestCounterexample) {
    EXPECT_NONFATAL_FAILURE(EXPECT_TRUE(suite::passes<IdleMachine>()), "redundancy.no-gain");
    const suite::Report report = suite::ask<IdleMachine>();
    ASSERT_EQ(report.failures.size(), 1U);
    const auto& smallest = checks::case_of<checks::RedundancyFamily>(report.failures[0].counterexample);
    EXPECT_EQ(smallest.problem.machines, 2U);
    EXPECT_EQ(smallest.problem.jobs.size(), 2U);
    EXPECT_GT(report.failures[0].tried, 0U);
}

TEST(Slip, Holds) { EXPECT_TRUE(suite::passes<IdleMachine>()); }

RC_GTEST_PROP(Slip, LeavesNoMachineIdle, ()) {
    const redundancy::Instance at = *suite::redundancy_instances();
    const std::size_t jobs = at.problem.jobs.size(), machines = at.problem.machines;
    std::size_t busy = 0;
    for (const redundancy::Band& band : IdleMachine{}.allocate(jobs, machines)) busy += band.last - band.first;
    RC_ASSERT(busy >= std::min(jobs, machines));
}

}  // namespace
