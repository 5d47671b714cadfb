/// Completions for fish: a line for each subcommand, option and argument, under the condition where it may stand.
#include <fmt/core.h>
#include <fmt/format.h>

#include "experiments/command/completion/completion.hpp"

namespace schedproof::cli {

namespace {

constexpr const char* fish_head = R"(# Completions of schedproof for fish, written by `schedproof completion fish`.

# Whether these words follow the name of the program.
function __schedproof_in
    set -l words (commandline -opc)
    set -l last (math (count $argv) + 1)
    test (count $words) -ge $last; and test "$words[2..$last]" = "$argv"
end

# Whether they do and nothing follows them.
function __schedproof_at
    set -l words (commandline -opc)
    test (count $words) -eq (math (count $argv) + 1); and begin
        test (count $argv) -eq 0; or __schedproof_in $argv
    end
end

complete -c schedproof -f
complete -c schedproof -n __schedproof_at -l version -d 'the version'
complete -c schedproof -l help -d 'what it reads and writes'
)";

/// In single quotes.
std::string fish_quoted(const std::string& text) {
    std::string safe = "'";
    for (const char c : text) {
        if (c == '\\' || c == '\'') safe += '\\';
        safe += c;
    }
    return safe + "'";
}

std::string fish_candidates(const Offer& offer) {
    return by_kind(offer.kind, "", " -a " + fish_quoted(fmt::format("{}", fmt::join(offer.words, " "))), " -F",
                   " -a '(__fish_complete_directories)'");
}

std::string fish_line(const std::string& path, const Option& option) {
    std::string text = fmt::format("complete -c schedproof -n {}", fish_quoted("__schedproof_in " + path));
    if (option.argument()) return text + fish_candidates(offer_of(option)) + "\n";
    for (const std::string& name : option.all_names())
        text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    const Offer offer = offer_of(option);
    if (!option.flag()) text += (offer.kind == Offer::Kind::files ? " -r" : " -x") + fish_candidates(offer);
    return text + " -d " + fish_quoted(option.meaning) + "\n";
}

void fish_parts(const std::string& path, const std::vector<Subcommand>& parts, std::string& text) {
    const std::string condition = fish_quoted(path.empty() ? "__schedproof_at" : "__schedproof_at " + path);
    for (const Subcommand& part : parts)
        text +=
            fmt::format("complete -c schedproof -n {} -a {} -d {}\n", condition, part.name, fish_quoted(part.summary));
}

}  // namespace

std::string fish_completion(const std::vector<Subcommand>& commands) {
    std::string text = fish_head;
    fish_parts("", commands, text);
    for (const NamedSubcommand& named : flattened(commands)) {
        fish_parts(named.path, named.command->parts, text);
        for (const Option& option : named.command->options) text += fish_line(named.path, option);
    }
    return text;
}

}  // namespace schedproof::cli
