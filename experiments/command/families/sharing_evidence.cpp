#include "experiments/command/families/sharing_evidence.hpp"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "checks/sharing/shrink.hpp"
#include "experiments/command/core/output.hpp"
#include "experiments/command/families/sharing_case_file.hpp"
#include "model/base/output_file.hpp"

namespace schedproof::command {

namespace {

using namespace sharing;
using checks::SharingCase;
using checks::SharingClaim;
using checks::SharingCounterexample;

std::string braced(const Replicas& data) {
    std::string text;
    for (const NodeId n : data) text += fmt::format("{}NodeId({})", text.empty() ? "" : ", ", n.index());
    return "{" + text + "}";
}

std::string cluster_code(const Cluster& cluster) {
    std::string racks, times;
    for (const RackId rack : cluster.rack)
        racks += fmt::format("{}RackId({})", racks.empty() ? "" : ", ", rack.index());
    for (const Ticks time : cluster.remote_time) times += fmt::format("{}{}", times.empty() ? "" : ", ", time);
    return fmt::format("    c.setting.cluster = {{{{{}}}, {}, {{{}, {}, {}}}, {{{}}}}};\n", racks, cluster.slots,
                       cluster.rate[0], cluster.rate[1], cluster.rate[2], times);
}

/// The case in code.
std::string case_code(const SharingCase& c) {
    const Parameters& p = c.parameters;
    std::string code = cluster_code(c.setting.cluster);
    for (const Job& job : c.setting.jobs) {
        std::string tasks;
        for (const Replicas& data : job.tasks) tasks += (tasks.empty() ? "" : ", ") + braced(data);
        code += fmt::format("    c.setting.jobs.push_back({{{}, {}, {{{}}}}});\n", job.submit, job.priority, tasks);
    }
    code +=
        fmt::format("    c.parameters = {{{}, {}, {}, {}, Order::{}}};\n    c.state = initial_state(c.setting);\n", p.d,
                    p.d1, p.d2 ? fmt::format("{{{}}}", *p.d2) : "{}", p.w, p.order == Order::fair ? "fair" : "fifo");
    code += fmt::format("    c.state.now = {};\n", c.state.now);
    constexpr const char* stage_names[] = {"unlaunched", "running", "done"};
    constexpr const char* level_names[] = {"local", "rack_local", "remote"};
    for (std::size_t j = 0; j < c.state.jobs.size(); ++j) {
        const JobState& job = c.state.jobs[j];
        std::string stages, queues;
        for (const Stage stage : job.tasks)
            stages +=
                fmt::format("{}Stage::{}", stages.empty() ? "" : ", ", stage_names[static_cast<std::size_t>(stage)]);
        for (const QueueId queue : job.queue)
            queues += fmt::format("{}QueueId({})", queues.empty() ? "" : ", ", queue.index());
        code += fmt::format("    c.state.jobs[{}] = {{{{{}}}, {{{}}}, {}}};\n", j, stages, queues, job.skips);
    }
    for (std::size_t s = 0; s < c.state.slots.size(); ++s) {
        const SlotState& slot = c.state.slots[s];
        code += fmt::format("    c.state.slots[{}] = {{{}, {}, JobId({}), {}, Locality::{}}};\n", s, slot.busy,
                            slot.since, slot.job.index(), slot.task, level_names[index(slot.level)]);
    }
    return code + fmt::format(
                      "    c.slot = SlotId({});\n    c.run = {};\n    c.of = {{{}, {}, {}}};\n"
                      "    c.goal = *Rational::parse(\"{}\");\n",
                      c.slot.index(), c.run, c.of.nodes, c.of.replicas, c.of.tasks, c.goal.to_string());
}

/// The test that a project would keep: the counterexample in code.
std::string test_snippet(const SharingClaim& claim, const SharingCounterexample& c) {
    return fmt::format(
        "// {}: {}\n// Fails: {}\n#include <gtest/gtest.h>\n\n#include \"checks/core/registry.hpp\"\n"
        "#include \"checks/core/run.hpp\"\n\nTEST(Counterexample, {}) {{\n    using namespace schedproof;\n"
        "    using namespace schedproof::sharing;\n    checks::SharingCase c;\n{}"
        "    const auto claims = checks::all_claims();\n"
        "    const auto& claim = std::get<checks::SharingClaim>(checks::select(claims, {{\"{}\"}}).front()->asked);\n"
        "    EXPECT_NE(claim.violation(\"{}\", c), \"\");\n}}\n",
        claim.id, claim.statement, c.violation, test_name(claim.id), case_code(*c.problem), claim.id, c.policy);
}

}  // namespace

void write_bundle(const SharingClaim& claim, const SharingCounterexample& found, const std::string& folder) {
    const auto complaint = [&](const SharingCase& c) { return claim.violation(found.policy, c); };
    checks::ShrunkCase shrunk = checks::shrink(*found.problem, complaint);
    SharingCounterexample c{std::make_shared<const SharingCase>(std::move(shrunk.found)), found.policy, ""};
    c.violation = complaint(*c.problem);
    write_sharing_case(folder + "/case.json", *c.problem);
    write_sharing_case(folder + "/found.json", *found.problem);
    write_json(folder + "/counterexample.json", "counterexample",
               {{"claim", claim.id},
                {"statement", claim.statement},
                {"policy", c.policy},
                {"violation", c.violation},
                {"found", {{"instance", "found.json"}, {"violation", found.violation}}},
                {"candidates_tried", shrunk.tried}});
    base::write_file(folder + "/counterexample_test.cpp", test_snippet(claim, c));
}

Replay replay(const SharingClaim& claim, const BundleText& bundle) {
    const std::string policy = checks::SharingFamily::policy(bundle.text("policy"));
    const SharingCase c = read_sharing_case(bundle.directory() + "/case.json", claim.part, policy);
    return {claim.id, policy, checks::describe(c), claim.violation(policy, c)};
}

}  // namespace schedproof::command
