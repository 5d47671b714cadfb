/// The servers of an instance file: a number, a list of names and groups, or regular groups.
///
/// Groups are nested, innermost first: a rack, then what holds racks. Every form is expanded to one entry per server,
/// and room is checked before anything is made, so that a count of a billion is refused at its line.
#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "model/base/nearest.hpp"
#include "model/base/text.hpp"
#include "model/queueing/codec/codec.hpp"
#include "model/queueing/codec/decode.hpp"

namespace schedproof::queueing::codec {

namespace {

template <class Things>
std::size_t lookup(const Cursor& at, const Index& index, const Things& things, std::string_view kind) {
    const std::string& name = at.text(fmt::format("the name of a {}", kind));
    if (const auto found = index.find(name); found != index.end()) return found->second;
    std::vector<std::string_view> names;
    for (const auto& thing : things) names.emplace_back(thing.name);
    at.fail(fmt::format("expected a known {}, not {}{}", kind, shown(name), did_you_mean(name, names)));
}

void require_room(const Cursor& at, std::size_t have, std::size_t more) {
    if (more > max_servers - have) at.fail(fmt::format("expected at most {} servers", max_servers));
}

/// `rack` or `groups` of a listed server.
std::vector<std::string> decode_groups(const Cursor& at) {
    const auto rack = at.find("rack");
    const auto groups = at.find("groups");
    if (rack && groups) groups->fail("expected either 'rack' or 'groups', not both");
    if (rack) return {rack->name()};
    std::vector<std::string> names;
    if (!groups) return names;
    const std::size_t size = groups->array("a list of group names, innermost first").size();
    if (size > max_levels) groups->fail(fmt::format("expected at most {} group names", max_levels));
    for (std::size_t i = 0; i < size; ++i) names.push_back(groups->item(i).name());
    return names;
}

void decode_listed(const Cursor& at, std::vector<Server>& servers) {
    if (at.is_text()) {
        require_room(at, servers.size(), 1);
        servers.push_back({at.name(), {}});
        return;
    }
    at.expect_table("a server: its name, or a table with name and rack, or a table with count and rack");
    at.allow_only({"name", "rack", "groups", "count", "speed"});
    const std::vector<std::string> groups = decode_groups(at);
    const auto name = at.find("name");
    const auto count = at.find("count");
    if (!count) {
        require_room(at, servers.size(), 1);
        servers.push_back({name ? name->name() : "s" + std::to_string(servers.size()), groups});
        return;
    }
    const std::size_t number = count->count(1, max_servers, "a number of servers");
    require_room(at, servers.size(), number);
    const std::string prefix = name ? name->name(base::max_generated_name_bytes) : "s";
    const std::size_t first = name ? 0 : servers.size();
    for (std::size_t i = 0; i < number; ++i) servers.push_back({prefix + std::to_string(first + i), groups});
}

/// `{count = 1000, group-sizes = [25, 500]}`: racks of 25 consecutive servers, larger groups of 500.
std::vector<Server> decode_regular(const Cursor& at) {
    at.allow_only({"count", "group-sizes"});
    const std::size_t number =
        at.require("count", "the number of servers").count(1, max_servers, "a number of servers");
    std::vector<std::size_t> sizes;
    if (const auto list = at.find("group-sizes")) {
        const std::size_t size = list->array("a list of group sizes, innermost first").size();
        if (size > max_levels) list->fail(fmt::format("expected at most {} group sizes", max_levels));
        for (std::size_t i = 0; i < size; ++i) {
            const Cursor item = list->item(i);
            sizes.push_back(item.count(1, max_servers, "a number of servers"));
            if (i > 0 && sizes[i] % sizes[i - 1] != 0)
                item.fail(fmt::format("expected a multiple of {}: groups are nested", sizes[i - 1]));
        }
    }
    std::vector<Server> servers(number);
    for (std::size_t i = 0; i < number; ++i) {
        servers[i].name = "s" + std::to_string(i);
        for (std::size_t g = 0; g < sizes.size(); ++g)
            servers[i].groups.push_back(g == 0 ? fmt::format("rack{}", i / sizes[g])
                                               : fmt::format("group{}-{}", g + 1, i / sizes[g]));
    }
    return servers;
}

}  // namespace

std::size_t known_name(const Cursor& at, const Index& index, const std::vector<Server>& servers) {
    return lookup(at, index, servers, "server");
}

std::size_t known_name(const Cursor& at, const Index& index, const std::vector<TaskType>& types) {
    return lookup(at, index, types, "task type");
}

std::vector<Rational> decode_speeds(const Cursor& at) {
    std::vector<Rational> speeds;
    bool stated = false;
    if (!at.is_array()) return {};
    const std::size_t size = at.array("a list of servers").size();
    for (std::size_t i = 0; i < size; ++i) {
        const Cursor item = at.item(i);
        Rational speed(1);
        std::size_t servers = 1;
        if (item.is_table()) {
            if (const auto count = item.find("count")) servers = count->count(1, max_servers, "a number of servers");
            if (const auto own = item.find("speed")) {
                speed = own->number();
                if (speed.sign() <= 0) own->fail("expected a speed above 0, not " + display(speed));
                stated = true;
            }
        }
        speeds.insert(speeds.end(), servers, speed);
    }
    if (!stated) speeds.clear();
    return speeds;
}

std::vector<Server> decode_servers(const Cursor& at) {
    std::vector<Server> servers;
    if (at.is_integer()) {
        const std::size_t number = at.count(1, max_servers, "a number of servers");
        for (std::size_t i = 0; i < number; ++i) servers.push_back({"s" + std::to_string(i), {}});
        return servers;
    }
    if (at.is_table()) return decode_regular(at);
    const std::size_t size =
        at.array("a number of servers, a table with count and group-sizes, or a list of servers").size();
    for (std::size_t i = 0; i < size; ++i) decode_listed(at.item(i), servers);
    return servers;
}

}  // namespace schedproof::queueing::codec
