#include "checks/pictures/sharing_picture.hpp"

#include <graphviz/cgraph.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

#include "checks/pictures/render.hpp"
#include "checks/sharing/generate.hpp"
#include "model/core/errors.hpp"
#include "tests/checks/parsed_dot.hpp"

namespace schedproof::graph {
namespace {

using namespace sharing;

bool shows(const std::string& text, const std::string& what) { return text.find(what) != std::string::npos; }

/// A node for each job and each node; an arc for each copy of the data of a task that waits, and for each busy slot.
RC_GTEST_PROP(SharingPicture, HasAnArcPerCopyAndPerRunningTask, ()) {
    Sampler source(StreamKey{static_cast<std::uint64_t>(*rc::gen::inRange(0, 1'000'000)), 0});
    const checks::SharingCase c = checks::random_sharing_state(source);
    RC_ASSERT(is_drawable(c.setting, c.state));
    const std::string dot = sharing_state_picture(c.setting, c.state, c.slot, {"a <title> & more"});
    const Parsed parsed = parse(dot);
    RC_ASSERT(parsed != nullptr);
    // Those that are not drawn keep columns and order.
    std::size_t arcs = c.setting.cluster.nodes() - 1 + (c.setting.jobs.empty() ? 0 : c.setting.jobs.size());
    for (const SlotState& s : c.state.slots) arcs += s.busy ? 1 : 0;
    for (std::size_t j = 0; j < c.state.jobs.size(); ++j)
        for (std::size_t t = 0; t < c.setting.jobs[j].tasks.size(); ++t)
            if (c.state.jobs[j].tasks.empty() || c.state.jobs[j].tasks[t] == Stage::unlaunched)
                arcs += c.setting.jobs[j].tasks[t].size();
    RC_ASSERT(static_cast<std::size_t>(agnedges(parsed.get())) == arcs);
    RC_ASSERT(static_cast<std::size_t>(agnnodes(parsed.get())) == c.setting.jobs.size() + c.setting.cluster.nodes());
    RC_ASSERT(shows(dot, "offered: free since"));
    RC_ASSERT(shows(dot, "a &lt;title&gt; &amp; more"));
}

TEST(SharingPicture, SaysWhatRunsWhere) {
    Setting setting;
    setting.cluster = {{RackId(0), RackId(0), RackId(1)}, 1, {1, 1, 1}, {1}};
    setting.jobs = {{0, normal_priority, {{NodeId(0)}, {NodeId(1)}, {NodeId(2)}}}, {4, 1, {{NodeId(2)}}}};
    State state = initial_state(setting);
    state.now = 7;
    state.jobs[0] = {{Stage::done, Stage::running, Stage::running}, {}, 3};
    state.slots[1] = {true, 2, JobId(0), 1, Locality::local};
    state.slots[0] = {true, 5, JobId(0), 2, Locality::remote};
    const std::string dot = sharing_state_picture(setting, state, {}, {});
    for (const char* text : {"job 0: skip count 3", "done: 1", "job 1: comes at 4, high priority", "n2, rack 1",
                             "job 0, task 1, local, since 2", "job 0, task 2, remote, since 5", "free since 0",
                             "at tick 7", "j1:t0:e -> n2:n:w", "j0:t2:e -> n0:s0:w [color=\"#D55E00\", style=dashed"})
        EXPECT_TRUE(shows(dot, text)) << text << "\n" << dot;
    EXPECT_FALSE(shows(dot, "offered"));
    EXPECT_FALSE(picture(dot, PictureFormat::svg).empty());
    // Of the analysis alone there is nothing to draw.
    EXPECT_FALSE(is_drawable({}, {}));
    EXPECT_THROW((void)sharing_state_picture({}, {}, {}, {}), ContractViolation);
}

}  // namespace
}  // namespace schedproof::graph
