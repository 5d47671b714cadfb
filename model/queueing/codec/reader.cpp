#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "model/base/nearest.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"
#include "model/queueing/codec/codec.hpp"
#include "model/queueing/codec/decode.hpp"

namespace schedproof::input {

namespace {

using queueing::Instance;
using queueing::InstanceData;
using queueing::LevelInfo;

std::vector<LevelInfo> decode_levels(const Cursor& at) {
    const std::size_t size = at.array("a list of levels, local first: {name = \"local\", rate = \"4/5\"}, ...").size();
    if (size > max_levels) at.fail(fmt::format("expected at most {} levels", max_levels));
    std::vector<LevelInfo> levels;
    for (std::size_t i = 0; i < size; ++i) {
        const Cursor item = at.item(i);
        item.expect_table("a level: a table with name and rate");
        item.allow_only({"name", "rate"});
        const Cursor name = item.require("name", "the name of the level");
        levels.push_back(
            {detail::name_of(name, max_name_bytes), item.require("rate", "completion probability in a slot").number()});
    }
    return levels;
}

queueing::Options decode_options(const Cursor& at) {
    queueing::Options options;
    std::vector<std::string_view> keys;
    queueing::for_each_option(options, [&]<class Enum>(Enum&) { keys.push_back(queueing::OptionNames<Enum>::key); });
    for (const Field& field : at.table("a table of options")) {
        const Cursor entry = at.entry(field);
        if (std::find(keys.begin(), keys.end(), field.key) == keys.end())
            entry.fail("expected a known option" + did_you_mean(field.key, keys));
        queueing::for_each_option(options, [&]<class Enum>(Enum& option) {
            if (field.key != queueing::OptionNames<Enum>::key) return;
            const auto& values = queueing::OptionNames<Enum>::values;
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

/// Where the key of an error of `Instance` stands in the file. That key names items (`types.A.replicas`), a file
/// numbers them (`types[0].replicas`).
Cursor locate(const Cursor& root, std::string_view key) {
    const std::size_t dot = key.find('.');
    const auto section = root.find(key.substr(0, dot));
    if (!section) return root;
    if (!section->is_array() || dot == std::string_view::npos) return *section;
    key.remove_prefix(dot + 1);
    for (std::size_t i = 0; i < section->array("").size(); ++i) {
        const Cursor item = section->item(i);
        if (!item.is_table()) continue;
        const Node* name = find(std::get<Node::Table>(item.node().value), "name");
        const std::string* text = name == nullptr ? nullptr : std::get_if<std::string>(&name->value);
        if (text == nullptr || !key.starts_with(*text)) continue;
        const std::string_view rest = key.substr(text->size());
        if (rest.empty()) return item;
        if (rest.front() != '.') continue;
        return item.find(rest.substr(1)).value_or(item);
    }
    return *section;
}

}  // namespace

Instance decode_instance(const Cursor& root) {
    root.expect_table("a table");
    const Cursor family = root.require("family", "\"queueing\"");
    if (const std::string& name = family.text("\"queueing\""); name != "queueing")
        family.fail("expected the family \"queueing\", not " + shown(name));
    root.allow_only({"family", "name", "source", "levels", "servers", "types", "arrivals", "options", "lyapunov"});
    InstanceData data;
    data.name = root.require("name", "the name of the instance").text("the name of the instance");
    if (const auto source = root.find("source")) data.source = source->text("where the instance comes from, in quotes");
    data.levels = decode_levels(root.require("levels", "a list of levels with name and rate"));
    const Cursor servers = root.require("servers", "a number of servers, or a list of them");
    data.servers = detail::decode_servers(servers);
    if (data.servers.empty()) servers.fail("expected at least one server");
    detail::require_unique_names(servers, data.servers);
    const Cursor types = root.require("types", "a list of task types");
    data.types = detail::decode_types(types, data.servers);
    if (data.types.empty()) types.fail("expected at least one task type");
    detail::require_unique_names(types, data.types);
    detail::decode_arrivals(root.require("arrivals", "a table with kind and values"), data);
    if (const auto options = root.find("options")) data.options = decode_options(*options);
    if (const auto functions = root.find("lyapunov")) data.lyapunov = detail::decode_lyapunov(*functions, data);
    try {
        return Instance(std::move(data));
    } catch (const InputError& error) { locate(root, error.place().key).fail(error.expected()); }
}

Instance parse_instance(std::string_view text, Format format, const std::string& file) {
    const Node root = parse_document(text, format, file);
    return decode_instance(Cursor(root, file));
}

Instance read_instance(const std::string& path) {
    // An unknown extension leaves the format to the content, so the larger limit comes first; the parser has its own.
    const std::string text = read_text(path, max_json_bytes);
    return parse_instance(text, detect_format(path, text), display_name(path));
}

}  // namespace schedproof::input
