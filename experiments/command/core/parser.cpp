/// The command-line library behind the option tables: it splits the words, pairs options with values, checks what is
/// required, needed or excluded, and prints `--help`. What a value may be, and what is said of a wrong one, is the
/// table's business (`Option::take`), so that messages do not depend on the library. This is the only file that
/// includes it: its header costs more to compile than most subcommands.
#include "experiments/command/core/parser.hpp"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <cstdio>

#include "experiments/command/core/ci_report.hpp"
#include "experiments/command/core/output.hpp"
#include "model/base/nearest.hpp"
#include "model/base/output_file.hpp"
#include "model/core/errors.hpp"

namespace schedproof::cli {

namespace {

constexpr int usage = 2;

CLI::Option* add(CLI::App& app, Option& option) {
    if (auto* const* flag = std::get_if<bool*>(&option.target))
        return app.add_flag(option.names, **flag, option.meaning);
    CLI::Option* added = app.add_option(
        option.names,
        [&option](const CLI::results_t& values) {
            if (const std::string wrong = option.take(values); !wrong.empty())
                throw CLI::ValidationError(option.name(), wrong);
            return true;
        },
        option.meaning);
    added->type_name(option.form());
    if (option.several()) {
        added->expected(1, CLI::detail::expected_max_vector_size);
        added->allow_extra_args(!option.repeated);
    }
    added->required(option.required);
    if (option.show_default) added->default_str(option.current());
    return added;
}

/// The table as the library has it. Borrows the table.
void add(CLI::App& app, OptionTable& table) {
    const std::string common = app.option_defaults()->get_group();
    std::vector<CLI::Option*> added;
    for (Option& option : table) {
        app.option_defaults()->group(option.group.empty() ? common : option.group);
        added.push_back(add(app, option));
    }
    app.option_defaults()->group(common);
    for (std::size_t i = 0; i < table.size(); ++i) {
        for (const std::string& other : table[i].needs) added[i]->needs(app.get_option(other));
        for (const std::string& other : table[i].excludes) added[i]->excludes(app.get_option(other));
    }
}

/// What the user said, back into the table.
void note_given(const CLI::App& app, OptionTable& table) {
    for (Option& option : table) {
        const CLI::Option* read = app.get_option(option.name());
        option.given = read->count() > 0;
        option.given_values = option.given && !option.flag() ? read->results() : std::vector<std::string>();
        option.typed = option.given_values;
    }
}

void add(CLI::App& app, Subcommand& command, int& exit_code) {
    CLI::App& added = *app.add_subcommand(command.name, command.summary);
    added.footer("Example:\n  " + command.example);
    for (Subcommand& part : command.parts) add(added, part, exit_code);
    add(added, command.options);
    if (!command.parts.empty()) {
        added.require_subcommand(1);
        return;
    }
    added.final_callback([&app, &added, &command, &exit_code] {
        note_given(added, command.options);
        const base::FileLog written;
        try {
            exit_code = command.run(command.options);
            name_written_files();
        } catch (const std::exception& error) {
            report_error(app.get_parent() == nullptr ? command.name : app.get_name() + " " + command.name,
                         command.options, error);
            throw;
        }
    });
}

/// The argument without a name that an option such as `--policy-file` or `--instance` was meant for; empty if none.
std::string argument_meant_by(const std::string& option, const OptionTable& options) {
    std::string word = option.substr(2);
    word = word.substr(0, word.find('-'));
    std::transform(word.begin(), word.end(), word.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    const auto found = std::find_if(options.begin(), options.end(), [&](const Option& o) { return o.names == word; });
    return found == options.end() ? "" : word;
}

std::string not_an_option(const std::string& word, const OptionTable* options) {
    std::vector<std::string> known{"--help"};
    if (options == nullptr) known.emplace_back("--version");
    if (options != nullptr)
        for (const Option& option : *options)
            for (std::string& name : option.all_names())
                if (name.starts_with("--")) known.push_back(std::move(name));
    const std::string name = word.substr(0, word.find('='));
    if (std::find(known.begin(), known.end(), name) != known.end()) return {};
    const std::string argument = options == nullptr ? "" : argument_meant_by(name, *options);
    return "expected a known option, not '" + name + "'" +
           (argument.empty() ? base::did_you_mean(name, known) : ": " + argument + " stands without one");
}

/// What is wrong with the first word that stands where a subcommand or an option is expected and is none, with the
/// nearest, or with the end of the line where a subcommand is missing; empty when the complaint is about something
/// else.
std::string unknown_word(const std::vector<Subcommand>& commands, const std::vector<std::string>& words) {
    const std::vector<Subcommand>* parts = &commands;
    const OptionTable* options = nullptr;
    for (const std::string& word : words) {
        if (word.starts_with("--")) {
            if (std::string wrong = not_an_option(word, options); !wrong.empty()) return wrong;
            continue;
        }
        if (word.starts_with('-') || parts->empty()) continue;
        const auto named = std::find_if(parts->begin(), parts->end(), [&](const auto& c) { return c.name == word; });
        std::vector<std::string> known;
        for (const Subcommand& part : *parts) known.push_back(part.name);
        if (named == parts->end()) return "expected a command, not '" + word + "'" + base::did_you_mean(word, known);
        options = &named->options;
        parts = &named->parts;
    }
    std::string list;
    for (const Subcommand& part : *parts) list += (list.empty() ? "" : ", ") + part.name;
    return list.empty() ? list : "expected a command: one of " + list;
}

/// The last option among the words that takes any number of values, and so whatever follows it; empty without one.
std::string taker_of_words(const std::vector<Subcommand>& commands, const std::vector<std::string>& words) {
    const std::vector<Subcommand>* parts = &commands;
    const OptionTable* options = nullptr;
    std::string taker;
    for (const std::string& word : words) {
        const auto named = std::find_if(parts->begin(), parts->end(), [&](const auto& c) { return c.name == word; });
        if (named != parts->end()) {
            options = &named->options;
            parts = &named->parts;
        } else if (options != nullptr && word.starts_with('-')) {
            for (const Option& option : *options) {
                const std::vector<std::string> names = option.all_names();
                if (option.repeated && std::find(names.begin(), names.end(), word) != names.end()) taker = word;
            }
        }
    }
    return taker;
}

/// The command that the words name, such as ` prove drift`; empty where they name none.
std::string command_of(const std::vector<Subcommand>& commands, const std::vector<std::string>& words) {
    const std::vector<Subcommand>* parts = &commands;
    std::string path;
    for (const std::string& word : words) {
        const auto named = std::find_if(parts->begin(), parts->end(), [&](const auto& c) { return c.name == word; });
        if (named == parts->end()) continue;
        path += " " + word;
        parts = &named->parts;
    }
    return path;
}

int refuse(const std::string& complaint, const std::string& command) {
    std::fprintf(stderr, "schedproof: %s\nTry `schedproof%s --help`.\n", complaint.c_str(), command.c_str());
    return usage;
}

}  // namespace

int parse_and_run(std::vector<Subcommand> commands, int argc, char** argv) {
    CLI::App app(
        "schedproof: a cluster-scheduling policy, written once, run exactly.\n"
        "Numbers are exact. Exit codes: 0 as expected, 1 refuted or a bound missed, 2 usage or input error,\n"
        "3 unknown (a limit was reached), 4 two oracles disagree.",
        "schedproof");
    app.set_version_flag("--version", std::string("schedproof ") + SCHEDPROOF_VERSION);
    app.require_subcommand(1);
    app.footer(
        "Example:\n  schedproof capacity experiments/instances/example-cluster.toml\nSee `schedproof help COMMAND` for "
        "an example of each.");
    int exit_code = 0;
    for (Subcommand& command : commands) add(app, command, exit_code);
    std::vector<std::string> words(argv + 1, argv + argc);
    if (!words.empty() && words.front() == "help") {  // `help COMMAND` is `COMMAND --help`
        words.erase(words.begin());
        const std::string unknown = unknown_word(commands, words);
        if (unknown.starts_with("expected a command, not")) return refuse(unknown, command_of(commands, words));
        words.emplace_back("--help");
    }
    try {
        app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
    } catch (const CLI::CallForHelp&) {
        // The help of the innermost subcommand named before --help.
        return app.exit(CLI::CallForHelp());
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return app.exit(error);
        const std::string command = command_of(commands, words), unknown = unknown_word(commands, words);
        if (!unknown.empty()) return refuse(unknown, command);
        const std::string taker = dynamic_cast<const CLI::RequiredError*>(&error) != nullptr
                                      ? taker_of_words(commands, words)
                                      : std::string();
        return refuse(taker.empty() ? error.what()
                                    : fmt::format("{}; {} takes all words that follow it, so put others before it",
                                                  error.what(), taker),
                      command);
    }
    return exit_code;
}

void parse_words(OptionTable& table, const std::vector<std::string>& words) {
    CLI::App app;
    add(app, table);
    try {
        app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
    } catch (const CLI::ParseError& error) {
        throw InputError(error.what());
    }
    note_given(app, table);
}

}  // namespace schedproof::cli
