/// Cases of the sharing family as JSON.
///
/// Reading is strict: unknown members, numbers out of range and unknown words are errors that name the member. Whether
/// a claim speaks of a case is decided by the claim (checks/sharing/misfit.hpp).
#include "experiments/command/families/sharing_case_file.hpp"

#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "experiments/command/core/answer_fields.hpp"
#include "experiments/command/core/output.hpp"
#include "model/base/split.hpp"
#include "model/base/stored.hpp"
#include "model/base/text.hpp"

namespace schedproof::cli {

namespace {

using namespace sharing;
using base::Cursor;
using base::of_part;
using base::stored;
using base::stored_word;
using checks::SharingCase;

constexpr double billion = 999'999'999, many = 999;

Record<Cluster> cluster_record() {
    return {
        stored("racks", &Cluster::rack, "Of each node; none where the claim speaks of the analysis alone.").most(many),
        stored("slots", &Cluster::slots, "Of each node.").least(1).most(many),
        stored("rates", &Cluster::rate, "Local, rack-local, remote.").least(1).most(billion),
        stored("remote_times", &Cluster::remote_time, "Of a remote task among 1, 2, ... on a node.")
            .unit("ticks")
            .items(1)
            .least(0)
            .most(billion)};
}

/// Lists of the nodes that hold each task's data.
std::vector<std::vector<NodeId>> data_of(const Job& job) {
    std::vector<std::vector<NodeId>> all;
    for (const Replicas& data : job.tasks) all.emplace_back(data.begin(), data.end());
    return all;
}
void set_data(Job& job, const std::vector<std::vector<NodeId>>& all) {
    for (const auto& data : all) job.tasks.emplace_back(data.begin(), data.end());
}

/// Left out where there are none.
template <class T>
base::FieldOf<T> nodes_or_none(const char* name, std::vector<NodeId> T::*member, const char* meaning) {
    return stored(
               name, [member](const T& of) { return (of.*member).empty() ? std::nullopt : std::optional(of.*member); },
               [member](T& of, std::optional<std::vector<NodeId>> nodes) {
                   of.*member = std::move(nodes).value_or(std::vector<NodeId>());
               },
               meaning)
        .optional();
}

Record<Job> case_job_record() {
    return {
        stored("submit", &Job::submit, "When.").unit("ticks").least(0).most(billion),
        stored("priority", &Job::priority, "0 is very high.").most(priorities - 1),
        stored("tasks", data_of, set_data, "The nodes that hold the data of each.").items(1).most(many),
        nodes_or_none("probes", &Job::probes, "Nodes at which it makes a reservation, ascending, one entry for each.")
            .most(many)};
}

Record<Parameters> parameters_record() {
    return {
        stored("d", &Parameters::d, "D of delay.").least(0).most(billion),
        stored("d1", &Parameters::d1, "Of delay-rack.").least(0).most(billion),
        stored("d2", &Parameters::d2, "Of delay-rack; null: for ever.").least(0).most(billion),
        stored("w", &Parameters::w, "W of dyndlon, delay-time and quincy.").unit("ticks").least(0).most(billion),
        stored_word("order", &Parameters::order, std::array{"fair", "fifo"}, "Of the jobs of dyndlon and delay-time.")};
}

Record<State> state_of_slots() {
    const Record<JobState> job{
        stored_word("tasks", &JobState::tasks, std::array{"unlaunched", "running", "done"},
                    "Empty before the job is submitted."),
        stored("queues", &JobState::queue,
               "That each task was routed to: a node's, or as many as nodes for the common one.")
            .most(many),
        stored("skips", &JobState::skips, "Offers it was passed over at.").least(0).most(billion),
        nodes_or_none("reserved", &JobState::reserved, "Nodes of the reservations that are left of its probes.")
            .most(many)};
    const Record<SlotState> slot{
        stored("busy", &SlotState::busy, "Whether a task runs."),
        stored("since", &SlotState::since, "When its task was launched, or when it became free.")
            .unit("ticks")
            .least(-billion)
            .most(billion),
        stored("job", &SlotState::job, "Of its task.").most(many),
        stored("task", &SlotState::task, "In the job.").most(many),
        stored_word("level", &SlotState::level, std::array{"local", "rack-local", "remote"}, "Where the data is.")};
    return {stored("now", &State::now, "Time.").unit("ticks").least(0).most(billion),
            stored("jobs", &State::jobs, "In order of submission.", job),
            stored("slots", &State::slots, "Node by node.", slot)};
}

base::FieldOf<SharingCase> goal_field() {
    auto goal = field(
        "goal", [](const SharingCase& c) { return c.goal.to_string(); }, "Part of local launches to be reached.");
    goal.ways.put = [](void* of, const Cursor& at) {
        const auto read = Rational::parse(at.text("a fraction"), 30);
        if (!read) at.fail("expected a fraction of at most 30 digits");
        static_cast<SharingCase*>(of)->goal = *read;
    };
    return std::move(goal).pattern("^-?[0-9]+(/[0-9]+)?$");
}

Record<SharingCase> analysis_record() {
    const auto number = [](const char* name, std::uint64_t DelaySetting::*member, const char* meaning) {
        return of_part(&SharingCase::of, stored(name, member, meaning).least(1).most(999'999));
    };
    return {number("nodes", &DelaySetting::nodes, "M."), number("replicas", &DelaySetting::replicas, "R."),
            number("tasks", &DelaySetting::tasks, "N."), goal_field()};
}

const Record<SharingCase>& case_record() {
    static const Record<SharingCase> record{
        of_part(&SharingCase::setting, stored("cluster", &Setting::cluster, "The nodes.", cluster_record())),
        of_part(&SharingCase::setting, stored("jobs", &Setting::jobs, "In order of submission.", case_job_record())),
        stored("parameters", &SharingCase::parameters, "Of the policy.", parameters_record()),
        stored("state", &SharingCase::state, "At which the slot is offered.", state_of_slots()),
        stored("slot", &SharingCase::slot, "The one that is offered, free.").most(999'999),
        stored("run", &SharingCase::run, "Of each task, in trajectories.").unit("ticks").least(1).most(billion),
        base::group("analysis", "M, R, N of the analysis, and the part of local launches that is to be reached.",
                    analysis_record())};
    return record;
}

}  // namespace

base::Form sharing_case_form() {
    return {"sharing-case",
            "On what a claim about a sharing policy fails. Files case.json and found.json of a bundle of `schedproof "
            "check --evidence DIR`; case.json is read by `check --replay`.",
            false, case_record().shape()};
}

void write_sharing_case(const std::string& path, const SharingCase& c) {
    write_json(path, sharing_case_form().schema, case_record().value(c, false));
}

SharingCase read_sharing_case(const std::string& path) {
    const base::Node document = base::parse_json(base::read_file(path), path);
    const Cursor root(document, path);
    require_form(root, sharing_case_form());
    SharingCase c;
    case_record().read(c, root);
    return c;
}

std::size_t sharing_case_line(const std::string& path, const std::string& key) {
    const base::Node document = base::parse_json(base::read_file(path), path);
    KeyPath keys;
    for (const std::string_view part : base::split(key, '.')) keys.emplace_back(std::string(part));
    return Cursor(document, path).follow(keys).node().line;
}

}  // namespace schedproof::cli
