/// Pairs of words, `a b; c d;`, one or many a line: the form of the paper's data sets.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "experiments/input/text/line_reader.hpp"

namespace schedproof::input {

struct WordPair {
    std::string_view first, second;  ///< valid until the next line is read
    std::size_t line = 0;
    std::size_t column = 0;  ///< of the first word, from 1, in bytes
};

/// A line that begins with `#` is a comment; `# cores 400 per-server 40` also announces numbers.
class PairReader {
  public:
    /// `form` is what a pair is, for messages: "CORE LOAD". Requires the reader to outlive this.
    PairReader(LineReader& lines, std::string_view form) : lines_(lines), form_(form) {}

    /// Reads this line before any other. Requires it to be the line that `lines` gave last.
    void begin_with(std::string_view line) { take(line); }

    /// The next pair; none at the end. Throws InputError when words are left over, a line is not text, or the file ends
    /// in the middle of a pair.
    [[nodiscard]] std::optional<WordPair> next();

    /// A number that a comment announced, such as `cores`.
    [[nodiscard]] std::optional<std::uint64_t> announced(std::string_view key) const;
    /// Throws InputError unless as many things were read as the file announced, if it did.
    void expect_announced(std::string_view key, std::uint64_t read) const;

    [[noreturn]] void fail(std::size_t line, std::size_t column, std::string expected) const;

  private:
    struct Announced {
        std::uint64_t number;
        std::size_t line;
    };
    void take(std::string_view line);
    void read_comment(std::string_view comment);

    LineReader& lines_;
    std::string_view form_;
    std::string_view rest_;  // of the line
    std::size_t column_ = 1;
    std::map<std::string, Announced, std::less<>> announced_;
};

/// A number at the end of a name: `core17` is letters "core" and number 17.
struct NumberedName {
    std::string_view letters;
    std::uint32_t number;
};
/// None without digits at the end, or for a number of ten digits and more.
[[nodiscard]] std::optional<NumberedName> numbered_name(std::string_view name);

}  // namespace schedproof::input
