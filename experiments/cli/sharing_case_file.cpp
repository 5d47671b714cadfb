#include "experiments/cli/sharing_case_file.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "checks/graph/output_file.hpp"
#include "experiments/cli/output.hpp"
#include "model/core/errors.hpp"

namespace schedproof::cli {

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
    Member(const std::string& file, std::string place, const ordered_json& value)
        : file_(file), place_(std::move(place)), value_(value) {}

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
    [[nodiscard]] std::int64_t whole(std::int64_t below = std::int64_t{1} << 53) const {
        if (!value_.is_number_integer() || value_.get<std::int64_t>() <= -below || value_.get<std::int64_t>() >= below)
            fail("a whole number below " + std::to_string(below));
        return value_.get<std::int64_t>();
    }
    [[nodiscard]] std::size_t count(std::int64_t below) const {
        const std::int64_t value = whole(below);
        if (value < 0) fail("a number of at least 0");
        return static_cast<std::size_t>(value);
    }
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
    Cluster cluster;
    for (const Member& rack : from.at("racks").list()) cluster.rack.emplace_back(rack.count(many));
    cluster.slots = from.at("slots").count(many);
    const std::vector<Member> rates = from.at("rates").list(), times = from.at("remote_times").list();
    if (rates.size() != localities) from.at("rates").fail("three rates");
    for (std::size_t i = 0; i < localities; ++i) cluster.rate[i] = rates[i].whole();
    cluster.remote_time.clear();
    for (const Member& time : times) cluster.remote_time.push_back(time.whole());
    return cluster;
}

Setting read_setting(const Member& from) {
    Setting setting{read_cluster(from.at("cluster")), {}};
    for (const Member& member : from.at("jobs").list()) {
        Job job;
        job.submit = member.at("submit").whole();
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
    State state;
    state.now = from.at("now").whole();
    for (const Member& member : from.at("jobs").list()) {
        JobState job;
        for (const Member& task : member.at("tasks").list())
            job.tasks.push_back(static_cast<Stage>(task.one_of(stages)));
        for (const Member& queue : member.at("queues").list()) job.queue.emplace_back(queue.count(many));
        job.skips = member.at("skips").whole();
        state.jobs.push_back(std::move(job));
    }
    for (const Member& slot : from.at("slots").list())
        state.slots.push_back({slot.at("busy").flag(), slot.at("since").whole(), JobId(slot.at("job").count(many)),
                               static_cast<std::uint32_t>(slot.at("task").count(many)),
                               static_cast<Locality>(slot.at("level").one_of(levels))});
    return state;
}

/// What the numbers of a file say of each other, or of nothing, where a claim speaks of the analysis alone.
void check(const SharingCase& c, const Member& whole) {
    if (c.setting.cluster.nodes() == 0) return;
    try {
        c.setting.validate();
    } catch (const ContractViolation& fault) {
        whole.at("cluster").fail(std::string("a case in which ") + fault.what());
    }
    if (c.state.slots.size() != c.setting.cluster.all_slots() || c.state.jobs.size() != c.setting.jobs.size())
        whole.at("state").fail("a state of every job and slot");
    for (std::size_t j = 0; j < c.state.jobs.size(); ++j) {
        const JobState& job = c.state.jobs[j];
        const std::size_t tasks = c.setting.jobs[j].tasks.size();
        if ((!job.tasks.empty() && job.tasks.size() != tasks) || (!job.queue.empty() && job.queue.size() != tasks))
            whole.at("state").fail("a state of every task of a job");
        for (const QueueId queue : job.queue)
            if (queue.index() > c.setting.cluster.nodes()) whole.at("state").fail("queues of nodes, or the common one");
    }
    for (const SlotState& s : c.state.slots)
        if (s.busy && (s.job.index() >= c.state.jobs.size() || s.task >= c.state.jobs[s.job.index()].tasks.size() ||
                       c.state.jobs[s.job.index()].tasks[s.task] != Stage::running))
            whole.at("state").fail("busy slots whose tasks run");
    if (c.slot.index() >= c.state.slots.size()) whole.at("slot").fail("a slot that exists");
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
    const Member whole(path, "", document), parameters = whole.at("parameters"), analysis = whole.at("analysis");
    constexpr std::array<const char*, 2> orders{"fair", "fifo"};
    constexpr std::int64_t large = 1'000'000;
    SharingCase c;
    c.setting = read_setting(whole);
    c.parameters = {parameters.at("d").whole(),
                    parameters.at("d1").whole(),
                    {},
                    parameters.at("w").whole(),
                    static_cast<Order>(parameters.at("order").one_of(orders))};
    if (!parameters.at("d2").none()) c.parameters.d2 = parameters.at("d2").whole();
    c.state = read_state(whole.at("state"));
    c.slot = SlotId(whole.at("slot").count(many));
    c.run = whole.at("run").whole();
    c.of = {analysis.at("nodes").count(large), analysis.at("replicas").count(large), analysis.at("tasks").count(large)};
    const auto goal = Rational::parse(analysis.at("goal").text());
    if (!goal) analysis.at("goal").fail("a fraction");
    c.goal = *goal;
    check(c, whole);
    return c;
}

}  // namespace schedproof::cli
