#include "experiments/input/text/pair_reader.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <vector>

#include "model/base/numeral.hpp"
#include "model/base/split.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"

namespace schedproof::input {

void PairReader::fail(std::size_t line, std::size_t column, std::string expected) const {
    throw InputError::at_line(lines_.file(), line, column == 0 ? "" : fmt::format("column {}", column),
                              std::move(expected));
}

void PairReader::take(std::string_view line) {
    if (line.find('\0') != std::string_view::npos || base::first_invalid_utf8(line) != std::string_view::npos)
        fail(lines_.line(), 0, "expected text in UTF-8 without NUL bytes");
    const std::size_t start = line.find_first_not_of(base::line_blanks);
    if (start != std::string_view::npos && line[start] == '#') {
        read_comment(line.substr(start + 1));
        line = {};
    }
    rest_ = line;
    column_ = 1;
}

void PairReader::read_comment(std::string_view comment) {
    const std::vector<std::string_view> words = base::split_words(comment);
    for (std::size_t i = 0; i + 1 < words.size(); i += 2) {
        const auto number = base::parse_numeral<std::uint64_t>(words[i + 1]);
        if (!number) return;
        announced_.insert_or_assign(std::string(words[i]), Announced{*number, lines_.line()});
    }
}

std::optional<WordPair> PairReader::next() {
    for (;;) {
        const std::size_t semicolon = rest_.find(';');
        const std::string_view piece = rest_.substr(0, semicolon);
        const std::size_t column = column_ + std::min(piece.find_first_not_of(base::line_blanks), piece.size());
        const std::vector<std::string_view> words = base::split_words(piece);
        const bool last = semicolon == std::string_view::npos;
        if (last && !words.empty() && !lines_.ended())
            fail(lines_.line(), column, "expected ';' or a newline after the last pair: the file is cut");
        const std::size_t used = last ? rest_.size() : semicolon + 1;
        rest_.remove_prefix(used);
        column_ += used;
        if (words.size() == 2) return WordPair{words[0], words[1], lines_.line(), column};
        if (!words.empty() || !last)
            fail(lines_.line(), column, fmt::format("expected pairs {}; , not {}", form_, base::shown(piece)));
        const auto line = lines_.next();
        if (!line) return std::nullopt;
        take(*line);
    }
}

std::optional<std::uint64_t> PairReader::announced(std::string_view key) const {
    const auto found = announced_.find(key);
    return found == announced_.end() ? std::nullopt : std::optional(found->second.number);
}

void PairReader::expect_announced(std::string_view key, std::uint64_t read) const {
    const auto found = announced_.find(key);
    if (found == announced_.end() || found->second.number == read) return;
    fail(found->second.line, 0,
         fmt::format("expected {} {}, as announced here, but the file has {}: {}", found->second.number, key, read,
                     read < found->second.number ? "it ends too early" : "it has too many"));
}

std::optional<NumberedName> numbered_name(std::string_view name) {
    const std::size_t last = name.find_last_not_of("0123456789");
    const std::size_t digits = last == std::string_view::npos ? 0 : last + 1;
    if (digits == name.size() || name.size() - digits > 9) return std::nullopt;
    std::uint32_t number = 0;
    std::from_chars(name.data() + digits, name.data() + name.size(), number);
    return NumberedName{name.substr(0, digits), number};
}

}  // namespace schedproof::input
