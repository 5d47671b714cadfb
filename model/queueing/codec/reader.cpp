/// An instance of the queueing family from a document: levels, servers, types, arrivals, options of the slot,
/// functions.
///
/// Names are resolved here, so that what is unknown is refused at its line with the nearest name. What the parts must
/// satisfy together is checked by the constructor of Instance; its complaint is brought back to the line of the key
/// that it names.
#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "model/base/nearest.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"
#include "model/queueing/codec/codec.hpp"
#include "model/queueing/codec/decode.hpp"

namespace schedproof::queueing {

namespace {

using base::Cursor;
using base::did_you_mean;
using base::Field;
using base::shown;

std::vector<LevelInfo> decode_levels(const Cursor& at) {
    const std::size_t size = at.array("a list of levels, local first: {name = \"local\", rate = \"4/5\"}, ...").size();
    if (size > max_levels) at.fail(fmt::format("expected at most {} levels", max_levels));
    std::vector<LevelInfo> levels;
    for (std::size_t i = 0; i < size; ++i) {
        const Cursor item = at.item(i);
        item.expect_table("a level: a table with name and rate");
        item.allow_only({"name", "rate"});
        const Cursor name = item.require("name", "the name of the level");
        levels.push_back({name.name(), item.require("rate", "completion probability in a slot").number()});
    }
    return levels;
}

/// What simulators have beside the options of the slot: an instance, whose state holds no order of a server's tasks,
/// has its default only.
void expect_local_first(const Cursor& entry) {
    if (entry.text("the name of a choice") == "local-first") return;
    entry.fail(
        "expected local-first: under another discipline the order of all tasks of a server decides what it serves, and "
        "the states of kernel, chain, prove and certify hold no such order; `simulate --discipline fcfs` runs it");
}

template <class Visit>
void each_option(Options& options, bool continuous, Visit&& visit) {
    continuous ? for_each_event_option(options, visit) : for_each_option(options, visit);
}

/// Refuses an option that has a meaning in the other time only.
void expect_option_of_this_time(const Cursor& entry, std::string_view key, bool continuous) {
    Options other;
    each_option(other, !continuous, [&]<class Enum>(Enum&) {
        if (key != OptionNames<Enum>::key) return;
        if (!continuous)
            entry.fail(
                "expected no such option in slots, where a task in execution runs to its end; it is for "
                "time = \"continuous\"");
        entry.fail(
            "expected no such option in continuous time: tasks come one at a time, each sees all earlier ones, and a "
            "server turns to a waiting task or to none; it is for slots");
    });
}

Options decode_options(const Cursor& at, bool continuous) {
    Options options;
    std::vector<std::string_view> keys;
    each_option(options, continuous, [&]<class Enum>(Enum&) { keys.push_back(OptionNames<Enum>::key); });
    for (const Field& field : at.table("a table of options")) {
        const Cursor entry = at.entry(field);
        if (field.key == "discipline") {
            expect_local_first(entry);
            continue;
        }
        if (std::find(keys.begin(), keys.end(), field.key) == keys.end()) {
            expect_option_of_this_time(entry, field.key, continuous);
            entry.fail("expected a known option" + did_you_mean(field.key, keys));
        }
        each_option(options, continuous, [&]<class Enum>(Enum& option) {
            if (field.key != OptionNames<Enum>::key) return;
            const auto& values = OptionNames<Enum>::values;
            const std::string& value = entry.text("the name of a choice");
            const auto found = std::find(values.begin(), values.end(), value);
            if (found == values.end())
                entry.fail(fmt::format("expected {} or {}, not {}{}", values[0], values[1], shown(value),
                                       did_you_mean(value, values)));
            option = static_cast<Enum>(found - values.begin());
        });
    }
    return options;
}

/// `time` and `unit`; nothing where time runs in slots.
std::optional<ContinuousTime> decode_time(const Cursor& root) {
    const auto time = root.find("time"), unit = root.find("unit");
    std::string text = "slots";
    if (time) text = time->text("\"slots\" or \"continuous\"");
    if (text == "continuous") return ContinuousTime{unit ? unit->name() : std::string()};
    constexpr std::array<std::string_view, 2> times{"slots", "continuous"};
    if (text != "slots")
        time->fail(fmt::format("expected slots or continuous, not {}{}", shown(text), did_you_mean(text, times)));
    if (unit) unit->fail("expected a unit only beside time = \"continuous\": in slots the unit of time is the slot");
    return std::nullopt;
}

/// Levels are left out where every type states its rates at servers, and nowhere else.
void require_levels(const Cursor& root, const InstanceData& data) {
    const bool at_servers = std::all_of(data.types.begin(), data.types.end(),
                                        [](const TaskType& type) { return !type.at_servers.empty(); });
    if (!at_servers) static_cast<void>(root.require("levels", "a list of levels with name and rate"));
    if (const auto levels = root.find("levels"); levels && at_servers)
        levels->fail(
            "expected no levels where every type states its rates at servers: the levels of a type are then its "
            "different rates");
}

/// Rates at servers in place of levels, for servers of stated speeds: those of the levels times the speeds.
void apply_speeds(const Cursor& servers, InstanceData& data) {
    const std::vector<Rational> speeds = codec::decode_speeds(servers);
    if (speeds.empty()) return;
    if (!data.types.front().at_servers.empty())
        servers.fail("expected no speeds where types state their rates at servers");
    InstanceData placed = data;
    placed.rates.assign(data.types.size(), Rational(0));
    const Instance instance(std::move(placed));
    for (const TaskTypeId type : instance.types()) {
        std::vector<std::optional<Rational>>& rates = data.types[type.index()].at_servers;
        for (const ServerId m : instance.servers()) {
            const Rational rate = instance.rate(type, m) * speeds[m.index()];
            if (rate > 1 && !data.time)
                servers.fail(
                    fmt::format("expected speeds under which rates stay at most 1, but type {} has the rate {} "
                                "at server {}",
                                shown(instance.type(type).name), display(rate), shown(instance.server(m).name)));
            rates.emplace_back(rate);
        }
    }
}

/// A rack is a property of a server here; elsewhere it is often a list of its own.
void expect_racks_with_the_servers(const Cursor& root) {
    for (const char* key : {"rack", "racks", "groups"})
        if (const auto entry = root.find(key))
            entry->fail(
                "expected racks with the servers, such as servers = [{name = \"s0\", rack = \"r0\"}, ...] or servers = "
                "{count = 6, group-sizes = [3]}");
}

}  // namespace

Instance decode_instance(const base::Cursor& root) {
    base::expect_family(root, "queueing");
    expect_racks_with_the_servers(root);
    root.allow_only({"family", "name", "source", "time", "unit", "levels", "servers", "types", "arrivals", "slack",
                     "options", "lyapunov"});
    InstanceData data;
    data.name = root.require("name", "the name of the instance").text("the name of the instance");
    if (const auto source = root.find("source")) data.source = source->text("where the instance comes from, in quotes");
    data.time = decode_time(root);
    if (const auto levels = root.find("levels")) data.levels = decode_levels(*levels);
    const base::Cursor servers = root.require("servers", "a number of servers, or a list of them");
    data.servers = codec::decode_servers(servers);
    if (data.servers.empty()) servers.fail("expected at least one server");
    codec::require_unique_names(servers, data.servers);
    const base::Cursor types = root.require("types", "a list of task types");
    data.types = codec::decode_types(types, data.servers);
    if (data.types.empty()) types.fail("expected at least one task type");
    codec::require_unique_names(types, data.types);
    require_levels(root, data);
    codec::decode_arrivals(root.require("arrivals", "a table with kind and values"), data);
    if (const auto slack = root.find("slack")) codec::decode_slack(*slack, data);
    if (const auto options = root.find("options")) data.options = decode_options(*options, data.time.has_value());
    if (const auto functions = root.find("lyapunov")) data.lyapunov = codec::decode_lyapunov(*functions, data);
    try {
        apply_speeds(servers, data);
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
    // An unknown extension leaves the format to the content, so the larger limit comes first; the parser has its own.
    const std::string text = base::read_text(path, base::max_json_bytes);
    return parse_instance(text, base::detect_format(path, text), base::display_name(path));
}

}  // namespace schedproof::queueing
