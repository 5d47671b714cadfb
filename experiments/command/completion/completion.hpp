/// Completions of the command for shells, made from the option tables.
///
/// Each script is complete in itself: it needs neither the program nor a library of completions when it runs.
#pragma once

#include <string>
#include <vector>

#include "experiments/command/core/subcommand.hpp"

namespace schedproof::cli {

/// What may stand as the value of an option, or as an argument.
struct Offer {
    enum class Kind { nothing, words, files, directories };
    Kind kind = Kind::nothing;
    std::vector<std::string> words = {};
};
/// The text for the kind of offer, of these.
[[nodiscard]] std::string by_kind(Offer::Kind kind, const std::string& nothing, const std::string& words,
                                  const std::string& files, const std::string& directories);
/// Nothing of a flag, which takes no value.
[[nodiscard]] Offer offer_of(const Option& option);

/// A subcommand, or a part of one, by its whole name: `prove drift`.
struct NamedSubcommand {
    std::string path;
    const Subcommand* command;
};
/// All of them, each group before its parts. Borrows the list.
[[nodiscard]] std::vector<NamedSubcommand> flattened(const std::vector<Subcommand>& commands);

[[nodiscard]] std::string bash_completion(const std::vector<Subcommand>& commands);
[[nodiscard]] std::string zsh_completion(const std::vector<Subcommand>& commands);
[[nodiscard]] std::string fish_completion(const std::vector<Subcommand>& commands);

}  // namespace schedproof::cli
