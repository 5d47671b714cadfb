/// Cases of the sharing family as JSON.
///
/// Reading is strict: unknown members, numbers out of range and unknown words are errors that name the member. Whether
/// a claim speaks of a case is decided by the claim (checks/sharing/misfit.hpp).
#include "experiments/command/families/sharing_case_file.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "experiments/command/core/json.hpp"
#include "experiments/command/core/output.hpp"
#include "model/base/cursor.hpp"
#include "model/base/split.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"

namespace schedproof::cli {

namespace {

using namespace sharing;
using base::Cursor;
using checks::SharingCase;

constexpr std::array<const char*, 3> stages{"unlaunched", "running", "done"};
constexpr std::array<const char*, 3> levels{"local", "rack-local", "remote"};

template <class IdType>
Json numbers(const std::vector<IdType>& ids) {
    Json list = Json::array();
    for (const IdType id : ids) list.push_back(id.index());
    return list;
}

Json jobs_json(const Setting& setting) {
    Json list = Json::array();
    for (const Job& job : setting.jobs) {
        Json tasks = Json::array();
        for (const Replicas& data : job.tasks) {
            Json nodes = Json::array();
            for (const NodeId n : data) nodes.push_back(n.index());
            tasks.push_back(nodes);
        }
        list.push_back({{"submit", job.submit}, {"priority", job.priority}, {"tasks", tasks}});
    }
    return list;
}

Json state_json(const State& state) {
    Json jobs = Json::array(), slots = Json::array();
    for (const JobState& job : state.jobs) {
        Json tasks = Json::array();
        for (const Stage stage : job.tasks) tasks.push_back(stages[static_cast<std::size_t>(stage)]);
        jobs.push_back({{"tasks", tasks}, {"queues", numbers(job.queue)}, {"skips", job.skips}});
    }
    for (const SlotState& s : state.slots)
        slots.push_back({{"busy", s.busy},
                         {"since", s.since},
                         {"job", s.job.index()},
                         {"task", s.task},
                         {"level", levels[index(s.level)]}});
    return {{"now", state.now}, {"jobs", jobs}, {"slots", slots}};
}

constexpr std::int64_t billion = 1'000'000'000;

Cursor member(const Cursor& at, std::string_view key) { return at.require(key, "a member of a case"); }

/// Range: -below < value < below.
std::int64_t whole(const Cursor& at, std::int64_t below = billion) {
    return at.integer(1 - below, below - 1, fmt::format("a whole number below {}", below));
}

std::int64_t at_least(std::int64_t least, const Cursor& at, std::int64_t below = billion) {
    const std::int64_t value = whole(at, below);
    if (value < least) at.fail(fmt::format("expected a number of at least {}", least));
    return value;
}

std::size_t count(const Cursor& at, std::int64_t below) { return static_cast<std::size_t>(at_least(0, at, below)); }

template <std::size_t n>
std::size_t one_of(const Cursor& at, const std::array<const char*, n>& words) {
    const auto found = std::find(words.begin(), words.end(), at.text("a text"));
    if (found == words.end()) at.fail(fmt::format("expected a word such as {}", words.front()));
    return static_cast<std::size_t>(found - words.begin());
}

void allow_only(const Cursor& at, std::initializer_list<std::string_view> known) {
    at.expect_table("an object");
    at.allow_only(known);
}

constexpr std::int64_t many = 1000;

Cluster read_cluster(const Cursor& from) {
    allow_only(from, {"racks", "slots", "rates", "remote_times"});
    Cluster cluster;
    for (const Cursor& rack : member(from, "racks").items("a list")) cluster.rack.emplace_back(count(rack, many));
    cluster.slots = static_cast<std::size_t>(at_least(1, member(from, "slots"), many));
    const std::vector<Cursor> rates = member(from, "rates").items("a list"),
                              times = member(from, "remote_times").items("a list");
    if (rates.size() != localities) member(from, "rates").fail("expected three rates");
    for (std::size_t i = 0; i < localities; ++i) cluster.rate[i] = at_least(1, rates[i]);
    if (times.empty()) member(from, "remote_times").fail("expected at least one time");
    cluster.remote_time.clear();
    for (const Cursor& time : times) cluster.remote_time.push_back(at_least(0, time));
    return cluster;
}

Setting read_setting(const Cursor& from) {
    Setting setting{read_cluster(member(from, "cluster")), {}};
    for (const Cursor& entry : member(from, "jobs").items("a list")) {
        allow_only(entry, {"submit", "priority", "tasks"});
        Job job;
        job.submit = at_least(0, member(entry, "submit"));
        job.priority = static_cast<Priority>(count(member(entry, "priority"), priorities));
        for (const Cursor& task : member(entry, "tasks").items("a list")) {
            Replicas data;
            for (const Cursor& node : task.items("a list")) data.emplace_back(count(node, many));
            job.tasks.push_back(data);
        }
        setting.jobs.push_back(std::move(job));
    }
    return setting;
}

State read_state(const Cursor& from) {
    allow_only(from, {"now", "jobs", "slots"});
    State state;
    state.now = at_least(0, member(from, "now"));
    for (const Cursor& entry : member(from, "jobs").items("a list")) {
        allow_only(entry, {"tasks", "queues", "skips"});
        JobState job;
        for (const Cursor& task : member(entry, "tasks").items("a list"))
            job.tasks.push_back(static_cast<Stage>(one_of(task, stages)));
        for (const Cursor& queue : member(entry, "queues").items("a list")) job.queue.emplace_back(count(queue, many));
        job.skips = at_least(0, member(entry, "skips"));
        state.jobs.push_back(std::move(job));
    }
    for (const Cursor& slot : member(from, "slots").items("a list")) {
        allow_only(slot, {"busy", "since", "job", "task", "level"});
        state.slots.push_back({member(slot, "busy").flag("true or false"), whole(member(slot, "since")),
                               JobId(count(member(slot, "job"), many)),
                               static_cast<std::uint32_t>(count(member(slot, "task"), many)),
                               static_cast<Locality>(one_of(member(slot, "level"), levels))});
    }
    return state;
}

Parameters read_parameters(const Cursor& from) {
    constexpr std::array<const char*, 2> orders{"fair", "fifo"};
    allow_only(from, {"d", "d1", "d2", "w", "order"});
    Parameters p{at_least(0, member(from, "d")),
                 at_least(0, member(from, "d1")),
                 {},
                 at_least(0, member(from, "w")),
                 static_cast<Order>(one_of(member(from, "order"), orders))};
    if (!member(from, "d2").is_null()) p.d2 = at_least(0, member(from, "d2"));
    return p;
}

void read_analysis(const Cursor& from, SharingCase& c) {
    constexpr std::int64_t million = 1'000'000;
    allow_only(from, {"nodes", "replicas", "tasks", "goal"});
    c.of = {count(member(from, "nodes"), million), count(member(from, "replicas"), million),
            count(member(from, "tasks"), million)};
    const auto goal = Rational::parse(member(from, "goal").text("a text"), 30);
    if (!goal) member(from, "goal").fail("expected a fraction of at most 30 digits");
    c.goal = *goal;
}

}  // namespace

void write_sharing_case(const std::string& path, const SharingCase& c) {
    const Parameters& p = c.parameters;
    const Cluster& cluster = c.setting.cluster;
    write_json(
        path, "sharing-case",
        {{"cluster",
          {{"racks", numbers(cluster.rack)},
           {"slots", cluster.slots},
           {"rates", cluster.rate},
           {"remote_times", cluster.remote_time}}},
         {"jobs", jobs_json(c.setting)},
         {"parameters",
          {{"d", p.d},
           {"d1", p.d1},
           {"d2", p.d2 ? Json(*p.d2) : Json(nullptr)},
           {"w", p.w},
           {"order", p.order == Order::fair ? "fair" : "fifo"}}},
         {"state", state_json(c.state)},
         {"slot", c.slot.index()},
         {"run", c.run},
         {"analysis",
          {{"nodes", c.of.nodes}, {"replicas", c.of.replicas}, {"tasks", c.of.tasks}, {"goal", c.goal.to_string()}}}});
}

SharingCase read_sharing_case(const std::string& path) {
    const base::Node document = base::parse_json(base::read_file(path), path);
    const Cursor root(document, path);
    allow_only(root, {"schema", "version", "cluster", "jobs", "parameters", "state", "slot", "run", "analysis"});
    SharingCase c;
    c.setting = read_setting(root);
    c.parameters = read_parameters(member(root, "parameters"));
    c.state = read_state(member(root, "state"));
    c.slot = SlotId(count(member(root, "slot"), many * many));
    c.run = at_least(1, member(root, "run"));
    read_analysis(member(root, "analysis"), c);
    return c;
}

std::size_t sharing_case_line(const std::string& path, const std::string& key) {
    const base::Node document = base::parse_json(base::read_file(path), path);
    KeyPath keys;
    for (const std::string_view part : base::split(key, '.')) keys.emplace_back(std::string(part));
    return Cursor(document, path).follow(keys).node().line;
}

}  // namespace schedproof::cli
