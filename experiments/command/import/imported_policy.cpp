#include "experiments/command/import/imported_policy.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <string_view>

#include "model/base/split.hpp"
#include "model/base/text.hpp"
#include "model/queueing/codec/policy_text.hpp"

namespace schedproof::cli {

namespace {

/// The lines below the name of a text of the zoo, with the values of its parameters.
std::string zoo_lines(const std::string& rule, const std::string& values) {
    const std::string whole = base::read_file(fmt::format("experiments/zoo/{}.policy", rule));
    std::string lines;
    for (const std::string_view line : base::split(whole, '\n')) {
        if (line.empty() || line.starts_with("#") || line.starts_with("policy:") || line.starts_with("source:"))
            continue;
        std::string written(line);
        for (const std::string_view value : base::split(values, ',')) {
            const std::size_t equals = value.find('=');
            const std::string begin = fmt::format("let: {} = ", value.substr(0, equals));
            if (equals != std::string_view::npos && line.starts_with(begin))
                written = begin + std::string(value.substr(equals + 1));
        }
        lines += written + "\n";
    }
    return lines;
}

/// A source stands between double quotes, in one line.
std::string as_source(std::string text) {
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c == '"' || c == '\\' || static_cast<unsigned char>(c) < ' '; },
        '_');
    return text;
}

}  // namespace

std::string dashed_name(const std::string& name, const std::string& head) {
    std::string text;
    for (const char c : name) {
        const auto letter = static_cast<unsigned char>(c);
        if (std::isalnum(letter) != 0)
            text += static_cast<char>(std::tolower(letter));
        else if (!text.empty() && text.back() != '-')
            text += '-';
    }
    while (text.ends_with('-')) text.pop_back();
    if (text.empty() || std::isalpha(static_cast<unsigned char>(text.front())) == 0) text = head + "-" + text;
    while (text.ends_with('-')) text.pop_back();
    return text;
}

/// Whatever the file calls things, they break no line of the text.
std::string policy_text(const input::ImportedRule& rule, const std::string& file, const std::string& head) {
    std::string text = fmt::format("# {} {} of {}\n", rule.kind, base::shown(rule.name), base::shown(file));
    for (const input::ConfigNote& note : rule.notes)
        text += fmt::format("# line {}, {}: {}\n", note.line, base::shown(note.key), note.says);
    text += fmt::format("policy: {}\nsource: \"{}\"\n", dashed_name(rule.name, head), as_source(file));
    const input::RouterRule& said = rule.rule;
    if (!said.zoo.empty()) {
        text += zoo_lines(said.zoo, said.values);
    } else {
        text += fmt::format("summary: \"{}\"\n", said.summary);
        text += fmt::format("keep: {}\nroute: {}\nserve: {}\n", said.one_queue ? "per_server" : "per_server_and_level",
                            said.route, said.one_queue ? "own" : "first_of(most_local(nonempty(own_levels)), own)");
    }
    static_cast<void>(queueing::codec::read_policy_text(text, "the policy"));
    return text;
}

void print_notes(const input::ImportedRule& rule, const std::string& file) {
    for (const input::ConfigNote& note : rule.notes)
        fmt::print(stderr, "note: {}:{}: {}: {}\n", file, note.line, base::shown(note.key), note.says);
}

}  // namespace schedproof::cli
