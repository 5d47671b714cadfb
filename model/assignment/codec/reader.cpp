/// Assignment instances from documents: servers with loads and costs, tasks with replicas and jobs.
///
/// Both lists may hold items that stand for several things alike (`count`), so a cluster of a million cores fits a
/// page. Limits are checked before anything of that size is allocated. Loads are gauged as they are read, so that one
/// which leaves no common 64-bit tick is reported at its own line.
#include <fmt/core.h>

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "model/assignment/codec/codec.hpp"
#include "model/assignment/codec/decode.hpp"
#include "model/base/nearest.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"

namespace schedproof::assignment {

namespace codec {

namespace {

constexpr std::string_view loads_form = "a list of initial loads, one for each core";

/// One item of `servers`: a server, or several alike.
class ServerReader {
  public:
    ServerReader(CostTable& costs, InstanceData& data) : costs_(costs), data_(data) {}

    void read(const Cursor& at) {
        at.expect_table("a server: a table with name and loads, or with cores");
        at.allow_only({"name", "rack", "count", "cores", "load", "loads", "cost"});
        const auto count_key = at.find("count");
        const std::size_t count = count_key ? count_key->count(1, max_servers, "a number of servers") : 1;
        const std::vector<Rational> loads = decode_loads(at, (max_cores - data_.loads.size()) / count);
        const auto cores = static_cast<std::uint32_t>(loads.size());
        if (count > max_servers - data_.cores.size()) at.fail(fmt::format("expected at most {} servers", max_servers));
        const auto rack_key = at.find("rack");
        const std::string rack = rack_key ? rack_key->name() : "";
        std::optional<DecodedCost> cost;
        if (const auto own = at.find("cost")) cost = decode_cost(*own);
        const auto name = at.find("name");
        const std::string prefix =
            name ? name->name(count_key ? base::max_generated_name_bytes : base::max_name_bytes) : "s";
        const std::size_t first = name ? 0 : data_.cores.size();
        for (std::size_t i = 0; i < count; ++i) {
            data_.servers.push_back(name && !count_key ? prefix : prefix + std::to_string(first + i));
            data_.racks.push_back(rack);
            data_.cores.push_back(cores);
            data_.loads.insert(data_.loads.end(), loads.begin(), loads.end());
            costs_.add(at, cores, cost ? &*cost : nullptr);
        }
    }

  private:
    /// `most` is the number of cores that may still be added, for each server of the item.
    std::vector<Rational> decode_loads(const Cursor& at, std::size_t most) {
        const auto loads = at.find("loads");
        const auto cores = at.find("cores");
        const auto load = at.find("load");
        if (loads && (cores || load)) loads->fail("expected either 'loads' or 'cores' with 'load', not both");
        if (loads) {
            const std::size_t size = loads->array(loads_form).size();
            if (size == 0) loads->fail("expected at least one core");
            require_room(at, size, most);
            std::vector<Rational> values;
            for (std::size_t i = 0; i < size; ++i) values.push_back(load_of(loads->item(i)));
            return values;
        }
        if (!cores) at.fail("expected the key 'loads': " + std::string(loads_form) + "; or 'cores', their number");
        const std::size_t count = cores->count(1, max_cores, "a number of cores");
        require_room(at, count, most);
        return std::vector<Rational>(count, load ? load_of(*load) : Rational(0));
    }
    static void require_room(const Cursor& at, std::size_t cores, std::size_t most) {
        if (cores > most) at.fail(fmt::format("expected at most {} cores in all", max_cores));
    }
    Rational load_of(const Cursor& at) {
        Rational load = at.number();
        if (const std::string fault = gauge_.add(load); !fault.empty()) at.fail(fault);
        return load;
    }

    CostTable& costs_;
    InstanceData& data_;
    TickGauge gauge_;
};

/// Throws InputError at the list (at its item, when every item is one thing) when a name stands twice.
void require_different(const Cursor& at, const std::vector<std::string>& names) {
    std::unordered_set<std::string_view> seen;
    seen.reserve(names.size());
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (seen.insert(names[i]).second) continue;
        const bool item_each = at.is_array() && at.array("").size() == names.size();
        (item_each ? at.item(i) : at).fail("expected different names, but " + shown(names[i]) + " stands twice");
    }
}

/// One item of `tasks`: a task, or several alike.
class TaskReader {
  public:
    explicit TaskReader(InstanceData& data) : data_(data) {
        for (std::size_t s = 0; s < data.servers.size(); ++s) index_.try_emplace(data.servers[s], s);
    }

    void read(const Cursor& at) {
        if (at.is_array()) {
            add(at, replicas_of(at), "t", data_.replicas.tasks(), 1, true);
            return;
        }
        at.expect_table("a task: a list of servers, or a table with name and replicas");
        at.allow_only({"name", "replicas", "count", "job"});
        const auto replicas = replicas_of(at.require("replicas", "the servers that hold the task's block"));
        const auto count_key = at.find("count");
        const std::size_t count = count_key ? count_key->count(1, max_tasks, "a number of tasks") : 1;
        read_job(at, count);
        const auto name = at.find("name");
        const std::string prefix =
            name ? name->name(count_key ? base::max_generated_name_bytes : base::max_name_bytes) : "t";
        add(at, replicas, prefix, name ? 0 : data_.replicas.tasks(), count, !name || count_key);
    }

    /// Jobs are given for all tasks or for none.
    void finish(const Cursor& at) {
        if (!data_.jobs.empty() && data_.jobs.size() != data_.replicas.tasks())
            at.fail("expected a 'job' of every task or of none");
    }

  private:
    std::vector<ServerId> replicas_of(const Cursor& at) {
        const std::size_t size = at.array("a list of servers").size();
        if (size == 0) at.fail("expected at least one replica");
        std::vector<ServerId> replicas;
        for (std::size_t i = 0; i < size; ++i) {
            const Cursor item = at.item(i);
            const std::string& name = item.text("the name of a server");
            const auto found = index_.find(name);
            if (found == index_.end())
                item.fail("expected a known server, not " + shown(name) + did_you_mean(name, data_.servers));
            if (std::find(replicas.begin(), replicas.end(), ServerId(found->second)) != replicas.end())
                item.fail("expected each server once, but " + shown(name) + " stands twice");
            replicas.emplace_back(found->second);
        }
        return replicas;
    }
    void read_job(const Cursor& at, std::size_t count) {
        const auto job = at.find("job");
        if (!job) return;
        if (data_.jobs.size() != data_.replicas.tasks()) at.fail("expected a 'job' of every task or of none");
        const std::string name = job->name();
        const auto [entry, is_new] = jobs_.try_emplace(name, data_.job_names.size());
        if (is_new) data_.job_names.push_back(name);
        if (entry->second + 1 != data_.job_names.size())
            job->fail("expected the tasks of a job together, but " + shown(name) + " is taken up again");
        data_.jobs.insert(data_.jobs.end(), count, JobId(entry->second));
    }
    void add(const Cursor& at, const std::vector<ServerId>& replicas, const std::string& prefix, std::size_t first,
             std::size_t count, bool numbered) {
        if (count > max_tasks - data_.replicas.tasks()) at.fail(fmt::format("expected at most {} tasks", max_tasks));
        if (replicas.size() > (max_task_replicas - data_.replicas.total()) / count)
            at.fail(fmt::format("expected at most {} replicas in all", max_task_replicas));
        for (std::size_t i = 0; i < count; ++i) {
            data_.replicas.add(replicas);
            data_.tasks.push_back(numbered ? prefix + std::to_string(first + i) : prefix);
        }
    }

    InstanceData& data_;
    std::unordered_map<std::string_view, std::size_t> index_;
    std::unordered_map<std::string, std::size_t> jobs_;
};

}  // namespace

void decode_servers(const Cursor& at, CostTable& costs, InstanceData& data) {
    ServerReader reader(costs, data);
    if (at.is_table()) {
        reader.read(at);
    } else {
        const std::size_t size = at.array("a list of servers, or a table with count and cores").size();
        if (size == 0) at.fail("expected at least one server");
        for (std::size_t i = 0; i < size; ++i) reader.read(at.item(i));
    }
    require_different(at, data.servers);
}

void decode_tasks(const Cursor& at, InstanceData& data) {
    TaskReader reader(data);
    const std::size_t size = at.array("a list of tasks").size();
    for (std::size_t i = 0; i < size; ++i) reader.read(at.item(i));
    reader.finish(at);
    require_different(at, data.tasks);
}

}  // namespace codec

Instance decode_instance(const base::Cursor& root) {
    base::expect_family(root, "assignment");
    root.allow_only({"family", "name", "source", "servers", "cost", "tasks"});
    InstanceData data;
    data.name = root.require("name", "the name of the instance").name();
    if (const auto source = root.find("source")) data.source = source->text("where the instance comes from, in quotes");
    codec::CostTable costs;
    if (const auto cost = root.find("cost")) costs.set_default(codec::decode_cost(*cost));
    codec::decode_servers(root.require("servers", "a list of servers"), costs, data);
    costs.move_into(data);
    codec::decode_tasks(root.require("tasks", "a list of tasks"), data);
    try {
        return Instance(std::move(data));
    } catch (const InputError& error) {
        root.follow(error.place().path).fail(error.expected());
    }
}

Instance parse_instance(std::string_view text, base::Format format, const std::string& file) {
    const base::Node root = base::parse_document(text, format, file);
    return decode_instance(base::Cursor(root, file));
}

Instance read_instance(const std::string& path) {
    const std::string text = base::read_text(path, base::max_json_bytes);
    return parse_instance(text, base::detect_format(path, text), base::display_name(path));
}

}  // namespace schedproof::assignment
