/// The simulator's indices answer what the plain scan answers: every question of every view, after every event, and so
/// every decision of every policy.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "experiments/simulators/sharing/lockstep.hpp"

namespace schedproof::simulation {
namespace {

using namespace sharing;

int in_range(int from, int to) { return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(from, to)); }

void same_under(const PolicyInfo& info) {
    const bool held = rc::check(std::string(info.id), [&] {
        const Choose choose = in_range;
        const Setting setting = lockstep_setting(choose);
        Parameters parameters;
        parameters.d = parameters.d1 = in_range(0, 4);
        if (in_range(0, 3) == 0) parameters.d2.reset();
        parameters.w = in_range(0, 4);
        parameters.order = in_range(0, 2) == 0 ? Order::fair : Order::fifo;
        std::visit(
            [&](const auto& policy) {
                Lockstep lockstep(setting, policy, choose);
                const int unasked = in_range(0, 20);  // some indices are built when they are asked first
                for (int event = 0, events = in_range(1, 80); event < events; ++event) {
                    lockstep.random_event();
                    if (event >= unasked) lockstep.compare();
                    RC_ASSERT(lockstep.difference() == std::string());
                }
            },
            make_policy(info.id, parameters));
    });
    EXPECT_TRUE(held) << info.id;
}

TEST(SharingViews, IndicesAnswerWhatTheScanAnswers) {
    for (const PolicyInfo& info : policies()) same_under(info);
}

}  // namespace
}  // namespace schedproof::simulation
