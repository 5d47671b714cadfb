#include "checks/suite/shown_problem.hpp"

#include <fmt/core.h>

#include <array>

#include "model/assignment/codec/codec.hpp"
#include "model/queueing/codec/codec.hpp"
#include "model/redundancy/codec/codec.hpp"

namespace schedproof::suite {

using namespace checks;

namespace {

constexpr std::array<const char*, 3> stages{"unlaunched", "running", "done"};

std::string shown_job(const SharingCase& one, std::size_t j) {
    const sharing::Job& job = one.setting.jobs[j];
    std::string text = fmt::format("job {}: submitted at {}, priority {}", j, job.submit, job.priority);
    if (one.state.jobs.size() > j && one.state.jobs[j].skips > 0)
        text += fmt::format(", skipped {} times", one.state.jobs[j].skips);
    for (std::size_t t = 0; t < job.tasks.size(); ++t) {
        text += "; data on";
        for (const sharing::NodeId n : job.tasks[t]) text += fmt::format(" {}", n.index());
        if (one.state.jobs.size() > j && one.state.jobs[j].tasks.size() > t)
            text += fmt::format(" ({})", stages[static_cast<std::size_t>(one.state.jobs[j].tasks[t])]);
    }
    return text + "\n";
}

}  // namespace

std::string shown(const AssignmentProblem& problem) {
    return write_toml(assignment::instance_of(problem, "counterexample", ""));
}

std::string shown(const redundancy::Instance& instance) { return write_toml(instance); }

std::string shown(const ClusterState& at, const std::string& policy) {
    return write_toml(*at.instance) + "# " + QueueingFamily::describe(at, policy) + "\n";
}

std::string shown(const SharingCase& one) {
    std::string text = describe(one) + "\nracks:";
    for (const sharing::RackId rack : one.setting.cluster.rack) text += fmt::format(" {}", rack.index());
    text += "\nparameters: ";
    for_each_parameter(one.parameters, [&, first = true](std::string_view name, const auto& value) mutable {
        text += fmt::format("{}{} = {}", first ? "" : ", ", name, parameter_text(value));
        first = false;
    });
    text += fmt::format("\ntime: {}; every task runs {} in trajectories\n", one.state.now, one.run);
    for (std::size_t j = 0; j < one.setting.jobs.size(); ++j) text += shown_job(one, j);
    for (std::size_t s = 0; s < one.state.slots.size(); ++s) {
        const sharing::SlotState& slot = one.state.slots[s];
        text += slot.busy
                    ? fmt::format("slot {}: task {} of job {} since {}\n", s, slot.task, slot.job.index(), slot.since)
                    : fmt::format("slot {}: free since {}\n", s, slot.since);
    }
    return text;
}

std::string shown(const Counterexample& found, std::string_view family) {
    if (family == AssignmentFamily::id) return shown(case_of<AssignmentFamily>(found));
    if (family == QueueingFamily::id) return shown(case_of<QueueingFamily>(found), found.policy);
    if (family == RedundancyFamily::id) return shown(case_of<RedundancyFamily>(found));
    if (family == SharingFamily::id) return shown(case_of<SharingFamily>(found));
    return found.place;
}

}  // namespace schedproof::suite
