/// How often the search for warm-ups says of runs that they are too short: of stationary ones once in twenty studies
/// at most, of runs that still move nearly always.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "experiments/runs/cut.hpp"
#include "experiments/simulators/slotted/settled_start.hpp"
#include "experiments/simulators/slotted/slotted_experiment.hpp"
#include "experiments/statistics/warm_up.hpp"
#include "model/queueing/codec/codec.hpp"
#include "policies/queueing/registry.hpp"

namespace schedproof {
namespace {

using simulation::Observation;
using simulation::SlottedSettings;

/// Two servers with a type each, at a load in hundredths.
simulation::SimulatedSystem two_servers_at(int load) {
    const std::string rate = std::to_string(load) + "/125";
    return {std::make_shared<const queueing::Instance>(queueing::parse_instance(
        "family = \"queueing\"\nname = \"at\"\nlevels = [{name = \"local\", rate = \"4/5\"}, {name = \"remote\", rate "
        "= "
        "\"1/5\"}]\nservers = 2\ntypes = [{name = \"A\", replicas = [\"s0\"]}, {name = \"B\", replicas = [\"s1\"]}]\n"
        "[arrivals]\nkind = \"bernoulli\"\nvalues = {A = \"" +
            rate + "\", B = \"" + rate + "\"}\n",
        base::Format::toml, "at"))};
}

/// Studies of five runs of 200 batches, of each of which the first `dropped` are not looked at.
struct Study {
    std::uint64_t slots = 0, dropped = 0;
    simulation::StartState start = {};
};
std::vector<std::vector<Observation>> studies_of(const simulation::SimulatedSystem& system, const char* policy,
                                                 const Study& study, std::uint64_t studies) {
    constexpr std::uint64_t kept = 200, runs = 5;
    SlottedSettings settings{study.slots, kept + study.dropped, false, {}, study.start};
    const auto experiment =
        slotted_experiment(system, queueing::make_policy(policy, *system.instance, queueing::no_planner), settings);
    std::vector<std::vector<Observation>> all(studies);
    for (std::uint64_t s = 0; s < studies; ++s)
        for (std::uint64_t r = 0; r < runs; ++r) {
            Observation seen = experiment->run({17, s * runs + r}, {});
            seen.batches.erase(seen.batches.begin(), seen.batches.begin() + static_cast<std::ptrdiff_t>(study.dropped));
            all[s].push_back(std::move(seen));
        }
    return all;
}

const std::vector<simulation::Quantity> tasks{{"tasks in system", "task"}};

std::size_t told_too_short(const std::vector<std::vector<Observation>>& studies) {
    std::size_t told = 0;
    for (const auto& runs : studies) told += runs::warm_up(tasks, runs, {}).found ? 0U : 1U;
    return told;
}

/// What MSER-5 says of the runs added up, which knows no level of a test.
std::size_t without_minimum_in_first_half(const std::vector<std::vector<Observation>>& studies) {
    std::size_t count = 0;
    for (const auto& runs : studies) {
        std::vector<double> means(runs.front().batches.size());
        for (const Observation& run : runs)
            for (std::size_t b = 0; b < means.size(); ++b) means[b] += run.batches[b].tallies.front().sum;
        count += statistics::mser(means).found ? 0U : 1U;
    }
    return count;
}

TEST(WarmUpLevel, StationaryRunsAreSeldomToldTooShort) {
    constexpr std::uint64_t studies = 60;
    std::size_t all = 0, told = 0, by_mser = 0;
    for (const int load : {50, 60, 70, 75, 80, 85, 88, 90, 92, 94})
        for (const char* policy : {"jsq-maxweight", "pandas", "balanced-pandas"}) {
            const auto seen = studies_of(two_servers_at(load), policy, {.slots = 8000, .dropped = 200}, studies);
            const std::size_t here = told_too_short(seen);
            EXPECT_LE(here, 11U) << policy << " at load " << load << ": 5 % of " << studies << " and four deviations";
            told += here;
            by_mser += without_minimum_in_first_half(seen);
            all += studies;
        }
    EXPECT_LE(static_cast<double>(told), 0.05 * static_cast<double>(all));
    EXPECT_GT(static_cast<double>(by_mser), 0.05 * static_cast<double>(all)) << "the place of the minimum would do";
    RecordProperty("told", std::to_string(told));
    RecordProperty("by_mser", std::to_string(by_mser));
    RecordProperty("studies", std::to_string(all));
}

TEST(WarmUpLevel, RunsThatStillMoveAreToldTooShort) {
    constexpr std::uint64_t studies = 60;
    const simulation::SimulatedSystem system = two_servers_at(90);
    const auto policy = queueing::make_policy("jsq-maxweight", *system.instance, queueing::no_planner);
    // 2,000 tasks drain at about 0.16 a slot: none of 4,000 slots is at the level.
    const auto draining =
        studies_of(system, "jsq-maxweight", {.slots = 4000, .start = filled(system, policy, 2000)}, studies);
    EXPECT_EQ(told_too_short(draining), studies);
    // 400 tasks are gone after five eighths of the run.
    const auto late =
        studies_of(system, "jsq-maxweight", {.slots = 4000, .start = filled(system, policy, 400)}, studies);
    EXPECT_GE(told_too_short(late), 9 * studies / 10);
    // From empty, at a load at which the level takes longer than the run: growth within the noise is not seen.
    const auto filling = studies_of(two_servers_at(99), "jsq-maxweight", {.slots = 2000}, studies);
    RecordProperty("filling", std::to_string(told_too_short(filling)));
}

}  // namespace
}  // namespace schedproof
