/// Completions for bash.
///
/// Bash takes `:` and `=` for the ends of words, which policies' names (`pandas:plain`) and options (`--policy=...`)
/// hold. So the script splits the line at blanks itself, and hands back what follows the last `:` of the word alone.
#include <fmt/core.h>
#include <fmt/format.h>

#include "experiments/command/completion/completion.hpp"

namespace schedproof::cli {

namespace {

constexpr const char* bash_head =
    R"(# Completions of schedproof for bash, written by `schedproof completion bash`.

# Candidates from a list of words, files or directories that begin with the current word.
_schedproof_offer() {{
    case $1 in
    words) mapfile -t COMPREPLY < <(compgen -W "$2" -- "$3") ;;
    files) mapfile -t COMPREPLY < <(compgen -f -- "$3") && compopt -o filenames 2>/dev/null ;;
    directories) mapfile -t COMPREPLY < <(compgen -d -- "$3") && compopt -o filenames 2>/dev/null ;;
    esac
}}

_schedproof() {{
    local line=${{COMP_LINE:0:COMP_POINT}} current='' before='' path='' kind=nothing offered='' word
    local -a words
    COMPREPLY=()
    read -ra words <<<"$line"
    if [[ $line != *[[:space:]] ]]; then
        current=${{words[-1]}}
        unset 'words[-1]'
    fi
    for word in "${{words[@]:1}}"; do
        case "$path $word" in
        {})
            path="$path $word" ;;
        esac
    done
    [[ ${{#words[@]}} -gt 1 ]] && before=${{words[-1]}}
    if [[ $current == --*=* ]]; then
        before=${{current%%=*}}
        current=${{current#*=}}
    fi
    case "$path $before" in
)";

constexpr const char* bash_middle = R"(    *)
        case "$path" in
)";

constexpr const char* bash_tail = R"(        esac
        ;;
    esac
    _schedproof_offer "$kind" "$offered" "$current"
    if [[ $current == *:* && $COMP_WORDBREAKS == *:* ]]; then
        COMPREPLY=("${COMPREPLY[@]#"${current%"${current##*:}"}"}")
    fi
}
complete -F _schedproof schedproof
)";

std::string bash_offer(const Offer& offer) {
    return by_kind(offer.kind, ":", fmt::format("kind=words offered='{}'", fmt::join(offer.words, " ")), "kind=files",
                   "kind=directories");
}

/// The values of the options of a subcommand.
std::string bash_value_cases(const NamedSubcommand& named) {
    std::string text;
    for (const Option& option : named.command->options) {
        if (option.argument() || option.flag()) continue;
        std::string patterns;
        for (const std::string& name : option.all_names())
            patterns += fmt::format("{}' {} {}'", patterns.empty() ? "" : " | ", named.path, name);
        text += fmt::format("    {}) {} ;;\n", patterns, bash_offer(offer_of(option)));
    }
    return text;
}

/// What may follow the name of a subcommand: options where the word begins with a dash, else parts or arguments.
std::string bash_word_case(const NamedSubcommand& named) {
    std::string options = "--help";
    Offer argument;
    for (const Option& option : named.command->options) {
        if (option.argument())
            argument = offer_of(option);
        else
            options += " " + fmt::format("{}", fmt::join(option.all_names(), " "));
    }
    if (!named.command->parts.empty()) {
        argument.kind = Offer::Kind::words;
        for (const Subcommand& part : named.command->parts) argument.words.push_back(part.name);
    }
    const std::string path = named.path.empty() ? "" : " " + named.path;
    return fmt::format("        '{}') if [[ $current == -* ]]; then {}; else {}; fi ;;\n", path,
                       bash_offer({Offer::Kind::words, {options}}), bash_offer(argument));
}

}  // namespace

std::string bash_completion(const std::vector<Subcommand>& commands) {
    std::string paths, values, words;
    for (const NamedSubcommand& named : flattened(commands)) {
        paths += fmt::format("{}' {}'", paths.empty() ? "" : " | ", named.path);
        values += bash_value_cases(named);
        words += bash_word_case(named);
    }
    Subcommand root{"", "", "", {}};
    root.parts = commands;
    root.options.push_back({.names = "--version"});
    return fmt::format(bash_head, paths) + values + bash_middle + bash_word_case({"", &root}) + words + bash_tail;
}

}  // namespace schedproof::cli
