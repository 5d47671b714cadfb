/// What a subcommand reads: one table of options as data.
///
/// The parser, `--help`, the keys of a sweep, manual pages and completions all come from it.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace schedproof::cli {

/// Where a value goes. `bool` makes the option a flag, which has no value; a vector takes several values.
using Target = std::variant<bool*, double*, std::uint32_t*, std::uint64_t*, std::string*, std::optional<double>*,
                            std::optional<std::uint32_t>*, std::optional<std::uint64_t>*, std::vector<std::string>*,
                            std::vector<std::uint64_t>*>;

/// Allowed whole numbers.
struct Interval {
    std::uint64_t least = 0, most = 0;
};

struct Option {
    std::string names;       ///< `-p,--policy`, `--above`, or `INSTANCE` for an argument without a name
    std::string value = {};  ///< name of the value, such as FILE; empty for a flag or an argument
    Target target = static_cast<bool*>(nullptr);
    std::string meaning = {};
    bool required = false;
    bool show_default = false;            ///< `--help` names the value that the target has from the start
    bool positive = false;                ///< a number above 0
    std::optional<Interval> range = {};   ///< of a whole number
    std::vector<std::string> words = {};  ///< the values that are allowed; empty: any
    bool repeated = false;                ///< of a vector: one value each time the option stands
    char separator = 0;                   ///< of a vector: between values in one word, or 0
    std::vector<std::string> needs = {}, excludes = {};  ///< names of other options, such as `--servers`
    std::string group = {};                              ///< heading in `--help`; empty: the common one
    /// Values that completions offer, where others are allowed too; empty: what `value` says, files where it is FILE.
    std::function<std::vector<std::string>()> offers = {};
    bool presentation = false;  ///< says what is done with a result, and none depends on it

    /// What the command line said, once it was read.
    bool given = false;
    std::vector<std::string> given_values = {};
    std::vector<std::string> typed = {};  ///< the same in the words of the user, who may name a policy by its file

    [[nodiscard]] bool flag() const { return std::holds_alternative<bool*>(target); }
    [[nodiscard]] bool argument() const { return !names.starts_with('-'); }
    [[nodiscard]] bool several() const;
    /// The long name with its dashes, or the name of the argument.
    [[nodiscard]] std::string name() const;
    /// Every name, with its dashes: `-p`, `--policy`.
    [[nodiscard]] std::vector<std::string> all_names() const;
    /// What stands for the value in `--help`: its name, the allowed words or the allowed interval.
    [[nodiscard]] std::string form() const;
    /// The value that the target has now, as a user would write it; empty when there is none.
    [[nodiscard]] std::string current() const;
    /// Puts the values into the target. Returns the complaint when they are not what is allowed, or nothing.
    [[nodiscard]] std::string take(const std::vector<std::string>& values) const;
};

using OptionTable = std::vector<Option>;

/// The options that were given, as words to be typed again.
[[nodiscard]] std::vector<std::string> typed_words(const OptionTable& table);

/// One table after another.
[[nodiscard]] OptionTable joined(std::initializer_list<OptionTable> tables);

}  // namespace schedproof::cli
