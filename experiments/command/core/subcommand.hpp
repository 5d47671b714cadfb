/// A subcommand as a value, and the list of all.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "experiments/command/core/answer_fields.hpp"
#include "experiments/command/core/option_table.hpp"
#include "model/base/text.hpp"

namespace schedproof::cli {

/// What the folder of a subcommand exports, by one function of its name.
struct Subcommand {
    std::string name;     ///< the word on the command line
    std::string summary;  ///< one line of `--help`
    std::string example;  ///< whole command lines, one below the other
    OptionTable options;  ///< their targets live as long as `run`
    /// Answers, with the table as it was filled in. Returns the exit code: 0 as expected, 1 when something was refuted
    /// or a bound missed, 3 when a limit was reached. Errors are thrown and become 2, 3 or 4.
    std::function<int(const OptionTable&)> run = {};
    std::vector<Subcommand> parts = {};  ///< of a command that only groups others, such as `prove`
    Forms forms = {};                    ///< of its answers in JSON, and of the files that it writes
};

/// A subcommand whose options fill a request, which `run(const Request&)` answers.
template <class Request>
[[nodiscard]] Subcommand make_subcommand(std::string name, std::string summary, std::string example,
                                         OptionTable (*options)(Request&), Forms forms = {}) {
    const auto request = std::make_shared<Request>();
    return {name,
            std::move(summary),
            std::move(example),
            options(*request),
            [request, name](const OptionTable& table) {
                if constexpr (requires { request->to.command; }) {
                    std::vector<std::string> words = typed_words(table);
                    words.insert(words.begin(), {"schedproof", name});
                    request->to.command = base::command_line(words);
                }
                return run(*request);
            },
            {},
            std::move(forms)};
}

/// All of them, in the order of `--help`.
[[nodiscard]] std::vector<Subcommand> subcommands();

}  // namespace schedproof::cli
