/// Completions for zsh: a function per subcommand, whose options `_arguments` knows.
#include <fmt/core.h>

#include <algorithm>

#include "experiments/command/completion/completion.hpp"

namespace schedproof::cli {

namespace {

/// The text inside of single quotes, with a backslash before each of `marks`.
std::string zsh_escaped(const std::string& text, std::string_view marks) {
    std::string safe;
    for (const char c : text) {
        if (marks.find(c) != std::string_view::npos) safe += '\\';
        safe += c == '\'' ? "'\\''" : std::string(1, c);
    }
    return safe;
}

/// `_schedproof_prove_drift`.
std::string zsh_function(const std::string& path) {
    std::string name = "_schedproof_" + path;
    std::replace(name.begin(), name.end(), ' ', '_');
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

std::string zsh_action(const Offer& offer) {
    std::string list;
    for (const std::string& word : offer.words) list += (list.empty() ? "" : " ") + zsh_escaped(word, "\\:()");
    return by_kind(offer.kind, " ", "(" + list + ")", "_files", "_files -/");
}

/// One or more arguments of `_arguments`, a line each.
std::string zsh_specification(const Option& option) {
    const std::string value = option.argument() ? option.names : option.value.empty() ? "VALUE" : option.value;
    const std::string form = fmt::format(":{}:{}", zsh_escaped(value, "\\:"), zsh_action(offer_of(option)));
    if (option.argument()) return fmt::format(" \\\n        '{}{}'", option.several() ? "*" : "1", form);
    std::string text;
    for (const std::string& name : option.all_names()) {
        const bool or_equals = !option.flag() && name.starts_with("--");  // --policy=NAME as well as --policy NAME
        text += fmt::format(" \\\n        '{}{}{}[{}]{}'", option.several() ? "*" : "", name, or_equals ? "=" : "",
                            zsh_escaped(option.meaning, "\\:[]"), option.flag() ? "" : form);
    }
    return text;
}

/// A group says which parts there are, and leaves the rest to theirs.
std::string zsh_group(const std::string& function, const std::string& path, const std::vector<Subcommand>& parts) {
    std::string list, cases;
    for (const Subcommand& part : parts) {
        list += fmt::format(" \\\n        '{}:{}'", part.name, zsh_escaped(part.summary, "\\:"));
        cases += fmt::format("            {}) {} ;;\n", part.name,
                             zsh_function(path.empty() ? part.name : path + " " + part.name));
    }
    return fmt::format(
        "{}() {{\n    local state line\n    local -a parts\n    parts=({})\n    _arguments -C '--help[what it reads "
        "and writes]' '1:COMMAND:->part' '*::argument:->rest'\n    case $state in\n    part) _describe command parts "
        ";;\n    rest)\n        case $words[1] in\n{}        esac\n        ;;\n    esac\n}}\n\n",
        function, list, cases);
}

}  // namespace

std::string zsh_completion(const std::vector<Subcommand>& commands) {
    std::string text =
        "#compdef schedproof\n# Completions of schedproof for zsh, written by `schedproof completion zsh`.\n\n";
    for (const NamedSubcommand& named : flattened(commands)) {
        if (!named.command->parts.empty()) {
            text += zsh_group(zsh_function(named.path), named.path, named.command->parts);
            continue;
        }
        text += zsh_function(named.path) + "() {\n    _arguments '--help[what it reads and writes]'";
        for (const Option& option : named.command->options) text += zsh_specification(option);
        text += "\n}\n\n";
    }
    return text + zsh_group("_schedproof", "", commands) + "_schedproof \"$@\"\n";
}

}  // namespace schedproof::cli
