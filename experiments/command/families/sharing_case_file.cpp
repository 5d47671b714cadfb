/// Cases of the sharing family as JSON.
///
/// Reading is strict: unknown members, numbers out of range and unknown words are errors that name the member. Whether
/// a claim speaks of a case is decided by the claim (checks/sharing/outside.hpp).
#include "experiments/command/families/sharing_case_file.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "experiments/command/core/output.hpp"
#include "model/base/nearest.hpp"
#include "model/base/output_file.hpp"
#include "model/core/errors.hpp"

namespace schedproof::command {

namespace {

using namespace sharing;
using checks::SharingCase;
using nlohmann::ordered_json;

constexpr std::array<const char*, 3> stages{"unlaunched", "running", "done"};
constexpr std::array<const char*, 3> levels{"local", "rack-local", "remote"};

template <class IdType>
ordered_json numbers(const std::vector<IdType>& ids) {
    ordered_json list = ordered_json::array();
    for (const IdType id : ids) list.push_back(id.index());
    return list;
}

ordered_json jobs_json(const Setting& setting) {
    ordered_json list = ordered_json::array();
    for (const Job& job : setting.jobs) {
        ordered_json tasks = ordered_json::array();
        for (const Replicas& data : job.tasks) {
            ordered_json nodes = ordered_json::array();
            for (const NodeId n : data) nodes.push_back(n.index());
            tasks.push_back(nodes);
        }
        list.push_back({{"submit", job.submit}, {"priority", job.priority}, {"tasks", tasks}});
    }
    return list;
}

ordered_json state_json(const State& state) {
    ordered_json jobs = ordered_json::array(), slots = ordered_json::array();
    for (const JobState& job : state.jobs) {
        ordered_json tasks = ordered_json::array();
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

/// A member of the file and where it stands.
class Member {
  public:
    static constexpr std::int64_t billion = 1'000'000'000;

    Member(const std::string& file, std::string place, const ordered_json& value)
        : file_(file), place_(std::move(place)), value_(value) {}

    /// Complains of the first member that is none of these.
    const Member& only(const std::vector<std::string>& keys) const {
        if (!value_.is_object()) fail("an object");
        for (const auto& [key, value] : value_.items())
            if (std::find(keys.begin(), keys.end(), key) == keys.end())
                throw InputError({file_, 0, place_.empty() ? key : place_ + "." + key},
                                 "unknown member" + did_you_mean(key, keys));
        return *this;
    }
    [[nodiscard]] Member at(const char* key) const {
        if (!value_.is_object() || !value_.contains(key)) fail(std::string("a member `") + key + "`");
        return {file_, place_.empty() ? key : place_ + "." + key, value_[key]};
    }
    [[nodiscard]] std::vector<Member> list() const {
        if (!value_.is_array()) fail("a list");
        std::vector<Member> all;
        for (std::size_t i = 0; i < value_.size(); ++i)
            all.push_back({file_, place_ + "[" + std::to_string(i) + "]", value_[i]});
        return all;
    }
    /// Range: -below < value < below.
    [[nodiscard]] std::int64_t whole(std::int64_t below = billion) const {
        const bool large =
            value_.is_number_unsigned() && value_.get<std::uint64_t>() >= static_cast<std::uint64_t>(below);
        if (!value_.is_number_integer() || large || value_.get<std::int64_t>() <= -below)
            fail("a whole number below " + std::to_string(below));
        return value_.get<std::int64_t>();
    }
    [[nodiscard]] std::int64_t at_least(std::int64_t least, std::int64_t below = billion) const {
        const std::int64_t value = whole(below);
        if (value < least) fail("a number of at least " + std::to_string(least));
        return value;
    }
    [[nodiscard]] std::size_t count(std::int64_t below) const { return static_cast<std::size_t>(at_least(0, below)); }
    [[nodiscard]] bool flag() const {
        if (!value_.is_boolean()) fail("true or false");
        return value_.get<bool>();
    }
    [[nodiscard]] std::string text() const {
        if (!value_.is_string()) fail("a text");
        return value_.get<std::string>();
    }
    template <std::size_t n>
    [[nodiscard]] std::size_t one_of(const std::array<const char*, n>& words) const {
        const auto found = std::find(words.begin(), words.end(), text());
        if (found == words.end()) fail(std::string("a word such as ") + words.front());
        return static_cast<std::size_t>(found - words.begin());
    }
    [[nodiscard]] bool none() const { return value_.is_null(); }
    [[noreturn]] void fail(const std::string& expected) const {
        throw InputError({file_, 0, place_}, "expected " + expected);
    }

  private:
    const std::string& file_;
    std::string place_;
    const ordered_json& value_;
};

constexpr std::int64_t many = 1000;

Cluster read_cluster(const Member& from) {
    from.only({"racks", "slots", "rates", "remote_times"});
    Cluster cluster;
    for (const Member& rack : from.at("racks").list()) cluster.rack.emplace_back(rack.count(many));
    cluster.slots = static_cast<std::size_t>(from.at("slots").at_least(1, many));
    const std::vector<Member> rates = from.at("rates").list(), times = from.at("remote_times").list();
    if (rates.size() != localities) from.at("rates").fail("three rates");
    for (std::size_t i = 0; i < localities; ++i) cluster.rate[i] = rates[i].at_least(1);
    if (times.empty()) from.at("remote_times").fail("at least one time");
    cluster.remote_time.clear();
    for (const Member& time : times) cluster.remote_time.push_back(time.at_least(0));
    return cluster;
}

Setting read_setting(const Member& from) {
    Setting setting{read_cluster(from.at("cluster")), {}};
    for (const Member& member : from.at("jobs").list()) {
        member.only({"submit", "priority", "tasks"});
        Job job;
        job.submit = member.at("submit").at_least(0);
        job.priority = static_cast<Priority>(member.at("priority").count(priorities));
        for (const Member& task : member.at("tasks").list()) {
            Replicas data;
            for (const Member& node : task.list()) data.emplace_back(node.count(many));
            job.tasks.push_back(data);
        }
        setting.jobs.push_back(std::move(job));
    }
    return setting;
}

State read_state(const Member& from) {
    from.only({"now", "jobs", "slots"});
    State state;
    state.now = from.at("now").at_least(0);
    for (const Member& member : from.at("jobs").list()) {
        member.only({"tasks", "queues", "skips"});
        JobState job;
        for (const Member& task : member.at("tasks").list())
            job.tasks.push_back(static_cast<Stage>(task.one_of(stages)));
        for (const Member& queue : member.at("queues").list()) job.queue.emplace_back(queue.count(many));
        job.skips = member.at("skips").at_least(0);
        state.jobs.push_back(std::move(job));
    }
    for (const Member& slot : from.at("slots").list()) {
        slot.only({"busy", "since", "job", "task", "level"});
        state.slots.push_back({slot.at("busy").flag(), slot.at("since").whole(), JobId(slot.at("job").count(many)),
                               static_cast<std::uint32_t>(slot.at("task").count(many)),
                               static_cast<Locality>(slot.at("level").one_of(levels))});
    }
    return state;
}

Parameters read_parameters(const Member& from) {
    constexpr std::array<const char*, 2> orders{"fair", "fifo"};
    from.only({"d", "d1", "d2", "w", "order"});
    Parameters p{from.at("d").at_least(0),
                 from.at("d1").at_least(0),
                 {},
                 from.at("w").at_least(0),
                 static_cast<Order>(from.at("order").one_of(orders))};
    if (!from.at("d2").none()) p.d2 = from.at("d2").at_least(0);
    return p;
}

void read_analysis(const Member& from, SharingCase& c) {
    constexpr std::int64_t million = 1'000'000;
    from.only({"nodes", "replicas", "tasks", "goal"});
    c.of = {from.at("nodes").count(million), from.at("replicas").count(million), from.at("tasks").count(million)};
    const auto goal = Rational::parse(from.at("goal").text(), 30);
    if (!goal) from.at("goal").fail("a fraction of at most 30 digits");
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
           {"d2", p.d2 ? ordered_json(*p.d2) : ordered_json(nullptr)},
           {"w", p.w},
           {"order", p.order == Order::fair ? "fair" : "fifo"}}},
         {"state", state_json(c.state)},
         {"slot", c.slot.index()},
         {"run", c.run},
         {"analysis",
          {{"nodes", c.of.nodes}, {"replicas", c.of.replicas}, {"tasks", c.of.tasks}, {"goal", c.goal.to_string()}}}});
}

SharingCase read_sharing_case(const std::string& path) {
    const ordered_json document = ordered_json::parse(graph::read_file(path), nullptr, false);
    if (!document.is_object()) throw InputError({path, 0, ""}, "expected a case as a JSON object");
    const Member whole(path, "", document);
    whole.only({"schema", "version", "cluster", "jobs", "parameters", "state", "slot", "run", "analysis"});
    SharingCase c;
    c.setting = read_setting(whole);
    c.parameters = read_parameters(whole.at("parameters"));
    c.state = read_state(whole.at("state"));
    c.slot = SlotId(whole.at("slot").count(many * many));
    c.run = whole.at("run").at_least(1);
    read_analysis(whole.at("analysis"), c);
    return c;
}

}  // namespace schedproof::command
