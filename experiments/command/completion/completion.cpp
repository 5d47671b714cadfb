#include "experiments/command/completion/completion.hpp"

#include <array>
#include <memory>

#include "experiments/command/core/output.hpp"

namespace schedproof::cli {

struct CompletionRequest {
    std::string shell;
    std::string path = "-";
};

namespace {

OptionTable options(CompletionRequest& r) {
    return {{.names = "SHELL",
             .target = &r.shell,
             .meaning = "bash, zsh or fish",
             .required = true,
             .words = {"bash", "zsh", "fish"}},
            {.names = "-o,--output",
             .value = "FILE",
             .target = &r.path,
             .meaning = "file for the script, - for standard output",
             .show_default = true}};
}

void add_flattened(const std::vector<Subcommand>& commands, const std::string& before,
                   std::vector<NamedSubcommand>& all) {
    for (const Subcommand& command : commands) {
        all.push_back({before + command.name, &command});
        add_flattened(command.parts, before + command.name + " ", all);
    }
}

}  // namespace

Offer offer_of(const Option& option) {
    if (option.flag()) return {};
    if (!option.words.empty()) return {Offer::Kind::words, option.words};
    if (option.offers) return {Offer::Kind::words, option.offers()};
    const std::string& value = option.argument() ? option.names : option.value;
    if (value == "DIR") return {Offer::Kind::directories};
    for (const char* file : {"FILE", "INSTANCE", "SPEC"})
        if (value == file) return {Offer::Kind::files};
    return {};
}

std::string by_kind(Offer::Kind kind, const std::string& nothing, const std::string& words, const std::string& files,
                    const std::string& directories) {
    return kind == Offer::Kind::words         ? words
           : kind == Offer::Kind::files       ? files
           : kind == Offer::Kind::directories ? directories
                                              : nothing;
}

std::vector<NamedSubcommand> flattened(const std::vector<Subcommand>& commands) {
    std::vector<NamedSubcommand> all;
    add_flattened(commands, "", all);
    return all;
}

int run(const CompletionRequest& request) {
    require_writable({request.path});
    const std::vector<Subcommand> commands = subcommands();
    write_text(request.path, request.shell == "bash"  ? bash_completion(commands)
                             : request.shell == "zsh" ? zsh_completion(commands)
                                                      : fish_completion(commands));
    return 0;
}

Subcommand completion() {
    return make_subcommand<CompletionRequest>("completion", "completions of this command for a shell, as a script",
                                              "schedproof completion bash -o schedproof.bash", options);
}

}  // namespace schedproof::cli
