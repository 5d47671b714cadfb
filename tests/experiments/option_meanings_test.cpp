/// What `--help` says of an option stands alone: it begins with a noun phrase or a verb in the imperative, never with a
/// preposition or a conjunction that hangs on the option's name. The tables are read as data, those of every
/// subcommand and of its parts.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/command/core/subcommand.hpp"

namespace schedproof::cli {
namespace {

constexpr std::array<std::string_view, 32> hanging{
    "after", "also",   "among", "and",   "at",    "before", "between", "beyond", "but",    "by",     "during",
    "for",   "from",   "if",    "in",    "of",    "on",     "or",      "over",   "since",  "so",     "than",
    "then",  "though", "to",    "under", "until", "when",   "where",   "with",   "within", "without"};

/// Whether a meaning begins with a word that needs another one before it.
bool hangs(const std::string& meaning) {
    const std::string first = meaning.substr(0, meaning.find_first_of(" ,;:"));
    return first.empty() || std::find(hanging.begin(), hanging.end(), first) != hanging.end();
}

/// The options of the commands and of their parts whose meaning hangs, as `command --option: meaning`. Counts all.
std::vector<std::string> hanging_options(const std::vector<Subcommand>& commands, std::size_t& options) {
    std::vector<std::string> found;
    for (const Subcommand& command : commands) {
        options += command.options.size();
        for (const Option& option : command.options)
            if (hangs(option.meaning)) found.push_back(command.name + " " + option.name() + ": " + option.meaning);
        for (const std::string& inner : hanging_options(command.parts, options)) found.push_back(inner);
    }
    return found;
}

TEST(OptionMeanings, StandAlone) {
    std::size_t options = 0;
    EXPECT_EQ(hanging_options(subcommands(), options), std::vector<std::string>{});
    EXPECT_GT(options, 250U);
}

TEST(OptionMeanings, TheTestRefusesThoseThatHang) {
    const auto found = [](const std::string& meaning) {
        Subcommand part{"drift", "", "", {{.names = "--seed", .meaning = meaning}}};
        std::size_t options = 0;
        return hanging_options({{"prove", "", "", {}, {}, {part}}}, options).size();
    };
    for (const char* meaning : {"of everything that is drawn", "where data lie", "also the drift", "and a medium one",
                                "with --run: compile them", "of: a", "without", ""})
        EXPECT_EQ(found(meaning), 1U) << meaning;
    for (const char* meaning :
         {"seed of the random numbers", "write the proof to this file", "official name", "offers"})
        EXPECT_EQ(found(meaning), 0U) << meaning;
}

/// What takes a policy takes one of a file.
void expect_policy_files(const Subcommand& command, std::size_t& takers) {
    const auto has = [&](const auto& test) {
        return std::any_of(command.options.begin(), command.options.end(), test);
    };
    for (const Subcommand& part : command.parts) expect_policy_files(part, takers);
    const bool takes = has([](const Option& o) {
        return !o.argument() && (o.value == "POLICY" || o.name() == "--policy" || o.meaning.starts_with("policy "));
    });
    takers += takes ? 1 : 0;
    EXPECT_TRUE(!takes || has([](const Option& o) { return o.name() == "--policy-file"; })) << command.name;
}

TEST(PolicyOptions, AreBesideOneForFiles) {
    std::size_t takers = 0;
    for (const Subcommand& command : subcommands()) expect_policy_files(command, takers);
    EXPECT_GT(takers, 12U);
}

}  // namespace
}  // namespace schedproof::cli
