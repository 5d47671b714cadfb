/// The order of the phases of a slot: which orders are admissible, and what runs in them.
#include <gtest/gtest.h>

#include <string>

#include "model/queueing/phases.hpp"

namespace schedproof::queueing {
namespace {

using enum Phase;

static_assert(admissible(std::array{observe, arrive, route, schedule, match, serve, depart}));
static_assert(admissible(std::array{observe, schedule, arrive, route, match, serve, depart}), "servers decide on Q(t)");
static_assert(admissible(std::array{observe, schedule, arrive, route, schedule, match, serve, depart}), "in two parts");
static_assert(!admissible(std::array{observe, arrive, route, schedule, match, serve}), "a phase is missing");
static_assert(!admissible(std::array{observe, route, arrive, schedule, match, serve, depart}), "routed before arrival");
static_assert(!admissible(std::array{schedule, observe, arrive, route, match, serve, depart}), "decided unseen");
static_assert(!admissible(std::array{observe, arrive, route, match, schedule, serve, depart}), "matched undecided");
static_assert(!admissible(std::array{observe, arrive, route, schedule, match, depart, serve}), "departed unserved");
static_assert(!admissible(std::array{depart, observe, arrive, route, schedule, match, serve}), "Q(t) is overwritten");
static_assert(!admissible(std::array{observe, arrive, route, schedule, match, route, serve, depart}), "a late part");

TEST(Phases, RunInTheOrderInWhichTheyAreListed) {
    std::string order;
    const auto note = [&](Phase p) { order += std::string(phase_names[static_cast<std::size_t>(p)]) + " "; };
    run_phases(phase<observe>([&] { note(observe); }), phase<schedule>([&] { note(schedule); }),
               phase<arrive>([&] { note(arrive); }), phase<route>([&] { note(route); }),
               phase<match>([&] { note(match); }), phase<serve>([&] { note(serve); }),
               phase<depart>([&] { note(depart); }));
    EXPECT_EQ(order, "observe schedule arrive route match serve depart ");
}

}  // namespace
}  // namespace schedproof::queueing
