/// Problems of the sharing family as files and bundles (family_files.hpp).
///
/// A case is a cluster, its jobs and the state of a moment, which no instance file of a user holds; so a bundle keeps
/// it in a form of its own (sharing_case_file.hpp), and the test in C++ builds it member by member.
#include <fmt/core.h>

#include "checks/pictures/render.hpp"
#include "checks/pictures/sharing_picture.hpp"
#include "checks/sharing/family.hpp"
#include "checks/suite/shown_problem.hpp"
#include "experiments/command/families/family_files.hpp"
#include "experiments/command/families/sharing_case_file.hpp"
#include "experiments/command/simulate/sharing/request.hpp"
#include "experiments/simulators/sharing/lockstep.hpp"
#include "experiments/simulators/sharing/sharing_experiment.hpp"
#include "policies/core/definition.hpp"

namespace schedproof::cli {

namespace {

using namespace sharing;
using checks::Counterexample;
using checks::SharingCase;
using checks::SharingFamily;

std::string braced(const auto& nodes) {
    std::string text;
    for (const NodeId n : nodes) text += fmt::format("{}NodeId({})", text.empty() ? "" : ", ", n.index());
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
        code += fmt::format("    c.setting.jobs.push_back({{{}, {}, {{{}}}, {}}});\n", job.submit, job.priority, tasks,
                            braced(job.probes));
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
        code += fmt::format("    c.state.jobs[{}] = {{{{{}}}, {{{}}}, {}, {}}};\n", j, stages, queues, job.skips,
                            braced(job.reserved));
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

/// Three nodes of a slot, two on one rack. Of the first job all three tasks have data on node 0, of the second one task
/// has data on node 1 and one on node 2; each has reservations on two nodes. D = 1, W = 2.
SharingCase two_jobs() {
    SharingCase c;
    c.setting.cluster = {{RackId(0), RackId(0), RackId(1)}, 1, {4, 2, 1}, {2}};
    const Replicas first{NodeId(0)}, second{NodeId(1)}, third{NodeId(2)};
    c.setting.jobs = {{0, 1, {first, first, first}, {NodeId(0), NodeId(1)}},
                      {0, 1, {second, third}, {NodeId(1), NodeId(2)}}};
    c.setting.validate();
    c.parameters = {1, 1, 1, 2, Order::fair};
    c.state = initial_state(c.setting);
    return c;
}

/// The cluster after both jobs were submitted and each free slot was offered once.
PolicyPicture offers_picture(const std::string& policy) {
    SharingCase c = two_jobs();
    const checks::SharingPolicyUnderTest under_test = checks::policy_under_test(policy, c.parameters);
    for (std::size_t j = 0; j < c.setting.jobs.size(); ++j) c.state = under_test.submit(c.setting, c.state, JobId(j));
    std::vector<std::string> title{policy + ", after each slot was offered once"};
    for (std::size_t s = 0; s < c.state.slots.size(); ++s) {
        Offered after = under_test.offer(c.setting, c.state, SlotId(s));
        c.state = std::move(after.next);
        title.push_back(after.started ? fmt::format("node {}: task {} of job {}, {}", s, after.started->task,
                                                    after.started->job.index(), name(after.started->level))
                                      : fmt::format("node {}: nothing is launched", s));
    }
    return {
        "Three offers on a small cluster",
        "Two jobs come to three nodes of a slot each, and every slot is offered once, in the order of the nodes. All "
        "three tasks of the first job have their data on node 0, those of the second on nodes 1 and 2. D = 1, W = 2.",
        {},
        {{"offers",
          graph::picture(graph::sharing_state_picture(c.setting, c.state, {}, title), graph::PictureFormat::svg)}}};
}

constexpr std::string_view sharing_header =
    R"text(/// @ID@: which job launches a task on a free task slot, and how far from its data.
///
/// What is hoped for, and the commands that decide it:
///   all of it at once               schedproof validate @FILE@
///   claims about every policy       schedproof check sharing --policy-file @FILE@
///   how it does beside another      schedproof simulate --policy-file @FILE@ -p @ID@ -p delay
///
/// What a view answers is in model/sharing/policy_view.hpp: jobs(Order::fair) and jobs(Order::fifo), the ready jobs;
/// of a job j and the node n of the free slot nearest(j, n), skips(j), running(j), waited(j), since_submitted(j),
/// reserved(j, n); remote_tasks(n).
/// A policy may have `route` and `reclaim` too (model/sharing/policy.hpp). It draws nothing, keeps nothing between calls
/// but skip counts, and cannot order nodes or jobs by their numbers.
#pragma once

#include <array>

#include "model/sharing/policy.hpp"

namespace schedproof::sharing {

struct @TYPE@ {
    /// Its name in commands, where it comes from, what it does in one sentence.
    static constexpr PolicyInfo info{"@ID@", "", "fair sharing; a job without a local task is passed over, d times"};
    /// Claims of `schedproof list claims` that `validate` asks of it, whichever policies they speak of.
    static constexpr std::array<const char*, 0> hopes{};

    /// Parameters, all of them listed. Unit: free slots offered. Range: at least 0.
    std::int64_t d = 1;
    static constexpr std::tuple parameters{Parameter("D", &@TYPE@::d)};

    /// The job that launches a task on the free slot of node n, and at which level; none to leave the slot free.
    template <SharingView V>
    [[nodiscard]] constexpr std::optional<Launch> offer(V& now, NodeRef n) const {
        for (const JobRef j : now.jobs(Order::fair)) {
            const Locality nearest = now.nearest(j, n);
            if (nearest == Locality::local) {
                now.set_skips(j, 0);
                return Launch{j, nearest};
            }
            if (now.skips(j) >= d) return Launch{j, nearest};
            now.skip(j);
        }
        return {};
    }
};

// Says at the first rule that is broken what the family asks of a policy.
static_assert(admitted<@TYPE@>());

}  // namespace schedproof::sharing
)text";

/// A case is no instance of users: it is a state, a trajectory or a setting of the analysis, in a file of its own.
class SharingFiles final : public FamilyFiles {
  public:
    [[nodiscard]] std::string_view family() const override { return SharingFamily::id; }
    [[nodiscard]] std::string policy_template() const override { return std::string(sharing_header); }
    [[nodiscard]] std::string shown(const Counterexample& c) const override {
        return suite::shown(checks::case_of<SharingFamily>(c));
    }
    /// Source: [zaharia2010], Analysis of Delay Scheduling.
    [[nodiscard]] std::vector<Argument> arguments() const override {
        return {{"sharing.head-of-line-waits", {"sharing.local-within-d"}}};
    }
    [[nodiscard]] std::shared_ptr<FamilySimulation> simulation() const override { return sharing_simulation(); }
    [[nodiscard]] std::optional<PolicyPicture> pictured(const std::string& policy) const override {
        return offers_picture(policy);
    }
    [[nodiscard]] bool has_instance_files() const override { return false; }
    [[nodiscard]] std::unique_ptr<InstanceFile> decode(const base::Cursor& document) const override {
        document.fail("expected the instance of another family");
    }
    [[nodiscard]] std::optional<PolicyHeaders> policy_headers() const override {
        return PolicyHeaders{"model/sharing/policy.hpp", "policies/sharing/policy_code.hpp"};
    }
    std::string add_policy(const std::any& added) const override {
        const auto& policy = std::any_cast<const sharing::AddedPolicy&>(added);
        sharing::add_policy(policy);
        return std::string(policy.code().info().id);
    }
    /// The cluster of `simulate` without options.
    [[nodiscard]] std::vector<Comparison> comparisons(const std::string& policy, std::uint64_t length) const override {
        simulation::SharingSettings settings;
        settings.horizon = std::to_string(length);
        const simulation::SharingSystem system(settings);
        Comparison comparison{"100-nodes", "job delay", {}};
        for (const std::string& id : {policy, std::string("delay"), std::string("naive-fair")})
            if (comparison.policies.empty() || id != policy) comparison.policies.emplace_back(id, system.under(id, ""));
        std::vector<Comparison> all;
        all.push_back(std::move(comparison));
        return all;
    }
    void write_problem(const std::string& folder, const std::string&, const Counterexample& c) const override {
        write_sharing_case(folder + "/case.json", checks::case_of<SharingFamily>(c));
    }
    [[nodiscard]] std::string write_found(const std::string& folder, const std::string&,
                                          const Counterexample& found) const override {
        write_sharing_case(folder + "/found.json", checks::case_of<SharingFamily>(found));
        return "found.json";
    }
    [[nodiscard]] std::string problem_file() const override { return "case.json"; }
    [[nodiscard]] std::size_t line_of(const std::string& path, const std::string& key) const override {
        return sharing_case_line(path, key);
    }
    [[nodiscard]] std::string definition(const Counterexample& c) const override {
        return schedproof::definition(make_policy(c.policy, checks::case_of<SharingFamily>(c).parameters));
    }
    [[nodiscard]] Counterexample read_problem(const BundleText& bundle, const std::string& policy) const override {
        return checks::counterexample<SharingFamily>(read_sharing_case(bundle.directory() + "/case.json"), policy);
    }
    [[nodiscard]] std::string refusal(const std::string& policy) const override {
        if (std::string why = FamilyFiles::refusal(policy); !why.empty()) return why;
        return simulation::lockstep_refusal(make_policy(policy, usual_parameters(policy)));
    }
    [[nodiscard]] TestCode test_code(const Counterexample& c) const override {
        return {{"checks/sharing/family.hpp"},
                "    using namespace schedproof::sharing;\n    checks::SharingCase c;\n" +
                    case_code(checks::case_of<SharingFamily>(c)),
                "c",
                "SharingFamily"};
    }
};

}  // namespace

std::unique_ptr<const FamilyFiles> sharing_files() { return std::make_unique<SharingFiles>(); }

}  // namespace schedproof::cli
