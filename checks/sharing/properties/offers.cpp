/// Properties of one offer at a state: launch, level, skip counts, queue and kills.
///
/// The state may be any state; nothing is assumed about how it was reached. Launch and counts are compared with the
/// reference model. `one_launch` makes the expected next state from the old one and compares whole states, so that a
/// side effect anywhere is found. `skips_in_words` states Algorithm 2 as conditions on each job's count before and
/// after the offer, without the reference rule for offers.
/// Source: [zaharia2010], Algorithms 1 and 2; [wang2013], Section II-B; docs/models/sharing.md, Interpretations S1 to
/// S7.
#include <fmt/core.h>

#include <algorithm>

#include "checks/sharing/properties/properties.hpp"
#include "checks/sharing/reference_model.hpp"

namespace schedproof::checks::sharing_properties {

using namespace sharing;

namespace {

std::string words(const std::optional<JobLaunch>& launch) {
    return launch ? fmt::format("a {} task of job {}", name(launch->level), launch->job.index()) : "nothing";
}
std::optional<JobLaunch> launch_of(const Offered& offered) {
    if (!offered.started) return {};
    return JobLaunch{offered.started->job, offered.started->level};
}

std::string launches_differ(const std::optional<JobLaunch>& is, const std::optional<JobLaunch>& expected) {
    return is == expected ? "" : fmt::format("launches {}, not {}", words(is), words(expected));
}
std::string skips_differ(const State& after, const std::vector<std::int64_t>& expected) {
    for (std::size_t j = 0; j < expected.size(); ++j)
        if (after.jobs[j].skips != expected[j])
            return fmt::format("job {} is left with skip count {}, not {}", j, after.jobs[j].skips, expected[j]);
    return "";
}

}  // namespace

std::string follows_rule(const SharingPolicyUnderTest& under_test, const SharingCase& c) {
    const Offered is = under_test.offer(c.setting, c.state, c.slot);
    const ReferenceOffer expected = reference_offer(under_test.policy, c);
    if (std::string wrong = launches_differ(launch_of(is), expected.launch); !wrong.empty()) return wrong;
    return skips_differ(is.next, expected.skips);
}

std::string one_launch(const SharingPolicyUnderTest& under_test, const SharingCase& c) {
    const Offered is = under_test.offer(c.setting, c.state, c.slot);
    State expected = c.state;
    for (std::size_t j = 0; j < expected.jobs.size(); ++j) expected.jobs[j].skips = is.next.jobs[j].skips;
    if (is.started) {
        const Started& s = *is.started;
        if (s.slot != c.slot) return "launches on another slot";
        auto& tasks = expected.jobs[s.job.index()].tasks;
        if (s.task >= tasks.size() || tasks[s.task] != Stage::unlaunched) return "launches a task that is not waiting";
        tasks[s.task] = Stage::running;
        auto& reserved = expected.jobs[s.job.index()].reserved;
        for (auto at = reserved.begin(); at != reserved.end(); ++at)
            if (at->index() == c.slot.index() / c.setting.cluster.slots) {
                reserved.erase(at);
                break;
            }
        expected.slots[s.slot.index()] = {true, c.state.now, s.job, s.task, s.level};
        const std::size_t node = c.slot.index() / c.setting.cluster.slots, nodes = c.setting.cluster.nodes();
        Locality level = reference_level(c.setting.cluster, node, c.setting.jobs[s.job.index()].tasks[s.task]);
        if (under_test.route) {
            const std::size_t queue = c.state.jobs[s.job.index()].queue[s.task].index();
            if (queue != node && queue != nodes) return "launches from the queue of another node";
            level = queue == node ? Locality::local : Locality::remote;
        }
        if (s.level != level) return fmt::format("calls a {} launch {}", name(level), name(s.level));
    }
    return is.next == expected ? "" : "changes more than a task, the slot, a reservation and skip counts";
}

std::string skips_in_words(const SharingPolicyUnderTest& under_test, const SharingCase& c) {
    const Offered is = under_test.offer(c.setting, c.state, c.slot);
    const std::size_t node = c.slot.index() / c.setting.cluster.slots;
    for (std::size_t j = 0; j < c.state.jobs.size(); ++j) {
        const std::int64_t before = c.state.jobs[j].skips, after = is.next.jobs[j].skips;
        const bool launched = is.started && is.started->job.index() == j;
        const std::string job = fmt::format("job {}, count {} before and {} after, ", j, before, after);
        if (launched && is.started->level == Locality::local && after != 0) return job + "launched a local task";
        if (launched && is.started->level != Locality::local && after != before)
            return job + "launched a task that is not local";
        if (launched && is.started->level != Locality::local && before < under_test.parameters.d)
            return job + "launched elsewhere too early";
        if (launched) continue;
        if (after != before && after != before + 1) return job + "was asked once at most";
        if (after == before + 1 && !reference_nearest(c.setting, c.state, j, node))
            return job + "has nothing to launch";
        // Asked is who stands before the one that launches; who has the fewest running tasks always is.
        const auto before_the_launch = [&] {
            if (!is.started) return true;
            const std::size_t k = is.started->job.index();
            const std::pair own(reference_running(c.state, j), j), its(reference_running(c.state, k), k);
            return own < its;
        };
        const bool asked = reference_nearest(c.setting, c.state, j, node).has_value() && before_the_launch();
        if (asked != (after == before + 1)) return job + (asked ? "was passed over" : "was not asked");
    }
    return "";
}

std::string head_is_passed_over(const SharingPolicyUnderTest& under_test, const SharingCase& c) {
    const std::optional<std::size_t> head = reference_head(c);
    if (!head) return "";
    const Offered is = under_test.offer(c.setting, c.state, c.slot);
    const std::size_t j = *head;
    if (is.started && is.started->job.index() == j) return "";
    const std::int64_t before = c.state.jobs[j].skips, after = is.next.jobs[j].skips;
    const Parameters& p = under_test.parameters;
    const std::optional<std::int64_t> most = under_test.policy == "delay" ? std::optional(p.d)
                                             : p.d2                       ? std::optional(p.d1 + *p.d2)
                                                                          : std::nullopt;
    if (after == before + 1 && (!most || before < *most)) return "";
    return fmt::format("job {} at the head is passed over, count {} before and {} after", j, before, after);
}

std::string single_task_fifo(const SharingPolicyUnderTest& under_test, const SharingCase& c) {
    return launches_differ(launch_of(under_test.offer(c.setting, c.state, c.slot)),
                           reference_offer("hadoop-fifo", c).launch);
}

std::string naive_without_wait(const SharingPolicyUnderTest& under_test, const SharingCase& c) {
    return launches_differ(launch_of(under_test.offer(c.setting, c.state, c.slot)),
                           reference_offer("naive-fair", c).launch);
}

std::string on_racks(const SharingPolicyUnderTest& under_test, const SharingCase& c) {
    const Offered is = under_test.offer(c.setting, c.state, c.slot);
    return is.started && is.started->level == Locality::remote
               ? fmt::format("job {} launches off the racks of its data", is.started->job.index())
               : "";
}

std::string resets_alike(const SharingPolicyUnderTest& under_test, const SharingCase& c) {
    const std::string other = under_test.policy == "delay-rack" ? "delay-rack:keep" : "delay-rack";
    const Offered is = under_test.offer(c.setting, c.state, c.slot);
    return skips_differ(is.next, reference_offer(other, c).skips);
}

std::string fewest_running(const SharingPolicyUnderTest& under_test, const SharingCase& c) {
    require_stated(static_cast<bool>(under_test.route), with_queues);
    const Offered is = under_test.offer(c.setting, c.state, c.slot);
    if (!is.started) return "";
    const std::size_t launched = is.started->job.index();
    const QueueId queue = c.state.jobs[launched].queue[is.started->task];
    for (std::size_t j = 0; j < c.state.jobs.size(); ++j)
        for (std::size_t t = 0; t < c.state.jobs[j].tasks.size(); ++t)
            if (c.state.jobs[j].tasks[t] == Stage::unlaunched && c.state.jobs[j].queue[t] == queue &&
                reference_running(c.state, j) < reference_running(c.state, launched))
                return fmt::format("job {} with {} running tasks goes before job {} with {}", launched,
                                   reference_running(c.state, launched), j, reference_running(c.state, j));
    return "";
}

std::string shortest_queue(const SharingPolicyUnderTest& under_test, const SharingCase& c) {
    require_stated(static_cast<bool>(under_test.route), with_queues);
    for (const Job& job : c.setting.jobs)
        for (const Replicas& data : job.tasks) {
            const Queues is = under_test.route(c.setting, c.state, data);
            const std::vector<std::size_t> expected = reference_route(c.setting, c.state, data);
            if (!std::equal(is.begin(), is.end(), expected.begin(), expected.end(),
                            [](QueueId a, std::size_t b) { return a.index() == b; }))
                return fmt::format("a task with data on node {} joins other queues than the {} shortest",
                                   data.front().index(), expected.size());
        }
    return "";
}

std::string kills_by_rule(const SharingPolicyUnderTest& under_test, const SharingCase& c) {
    if (!under_test.reclaim) return "kills nothing";
    const std::optional<JobId> is = under_test.reclaim(c.setting, c.state);
    const std::optional<std::size_t> expected = reference_reclaim(c.state);
    const auto whom = [](bool some, std::size_t job) {
        return some ? fmt::format("a task of job {}", job) : "nothing";
    };
    if (is.has_value() == expected.has_value() && (!is || is->index() == *expected)) return "";
    return fmt::format("kills {}, not {}", whom(is.has_value(), is ? is->index() : 0),
                       whom(expected.has_value(), expected.value_or(0)));
}

std::string kills_latest(const SharingPolicyUnderTest& under_test, const SharingCase& c) {
    const State is = under_test.reclaim_all(c.setting, c.state).first, expected = reference_kills(c.setting, c.state);
    for (std::size_t s = 0; s < expected.slots.size(); ++s) {
        const SlotState &here = is.slots[s], &there = expected.slots[s];
        if (here.busy == there.busy && here.job == there.job && here.task == there.task) continue;
        const auto whose = [](const SlotState& slot) {
            return slot.busy ? fmt::format("task {} of job {}", slot.task, slot.job.index()) : "nothing";
        };
        return fmt::format("slot {} is left with {}, not with {}", s, whose(here), whose(there));
    }
    return is == expected ? "" : "leaves another state";
}

}  // namespace schedproof::checks::sharing_properties
