/// The grammar of a line of `hdfs fsck`, of Hadoop 1, 2 and 3.
///
/// A path may contain blanks, brackets and anything else, so a file line is parsed from its end, where the counts
/// stand; a block line is parsed from its start, and its list of locations up to the bracket that closes it, nested
/// ones counted.
#include "experiments/input/fsck/line.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <utility>

#include "model/base/nearest.hpp"
#include "model/base/split.hpp"
#include "model/base/text.hpp"

namespace schedproof::input::fsck {

namespace {

constexpr std::uint64_t largest = std::numeric_limits<std::int64_t>::max();  // sizes are signed 64-bit in Hadoop

using Unexpected = tl::unexpected<std::string>;

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Removes a run of digits from the front and gives its value; none without a digit or beyond 2^63 - 1.
std::optional<std::uint64_t> take_number(std::string_view& text) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || value > largest) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return value;
}

bool take(std::string_view& text, std::string_view prefix) {
    if (!text.starts_with(prefix)) return false;
    text.remove_prefix(prefix.size());
    return true;
}

void skip_blanks(std::string_view& text) { text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size())); }

/// Removes a number and the blank before it from the end: the `N` of `PATH N`.
std::optional<std::uint64_t> take_last_number(std::string_view& text) {
    const std::size_t blank = text.rfind(' ');
    if (blank == std::string_view::npos) return std::nullopt;
    std::string_view digits = text.substr(blank + 1);
    const auto value = take_number(digits);
    if (!value || !digits.empty()) return std::nullopt;
    text = text.substr(0, blank);
    return value;
}

/// The redundancy between `bytes,` and the number of blocks: empty in Hadoop 1 and 2.
bool known_redundancy(std::string_view text) {
    if (text.empty()) return true;
    if (!text.ends_with(',') || text.find(',') != text.size() - 1) return false;
    return text.starts_with("replicated: ") || text.starts_with("erasure-coded: ") || text.starts_with("replication=");
}

}  // namespace

std::optional<FileLine> parse_file_line(std::string_view line) {
    constexpr std::string_view blocks_word = " block(s)", bytes_word = " bytes,";
    const std::size_t end = line.rfind(blocks_word);
    if (end == std::string_view::npos) return std::nullopt;
    std::string_view after = line.substr(end + blocks_word.size());
    FileLine file;
    file.open = take(after, ", OPENFORWRITE");
    if (!take(after, ":")) return std::nullopt;
    file.note = base::trimmed(after);

    const std::string_view before = line.substr(0, end);
    const std::size_t bytes_at = before.rfind(bytes_word);
    if (bytes_at == std::string_view::npos) return std::nullopt;
    std::string_view redundancy = before.substr(bytes_at + bytes_word.size());
    std::string_view path = before.substr(0, bytes_at);
    const auto blocks = take_last_number(redundancy);
    const auto bytes = take_last_number(path);
    redundancy = base::trimmed(redundancy);
    if (!blocks || !bytes || path.empty() || !known_redundancy(redundancy)) return std::nullopt;
    file.path = path;
    file.bytes = *bytes;
    file.blocks = *blocks;
    file.erasure_coded = redundancy.starts_with("erasure-coded");
    return file;
}

bool begins_block(std::string_view line) {
    std::size_t i = 0;
    while (i < line.size() && is_digit(line[i])) ++i;
    return i > 0 && i < line.size() && line[i] == '.' &&
           (i + 1 == line.size() || line[i + 1] == ' ' || line[i + 1] == '\t');
}

std::int64_t bracket_balance(std::string_view text) {
    return std::count(text.begin(), text.end(), '[') - std::count(text.begin(), text.end(), ']');
}

namespace {

/// `[POOL:]blk_ID_STAMP`, removed from the front together with the blank after it.
tl::expected<void, std::string> take_block_name(std::string_view& text, BlockLine& block) {
    std::string_view name = text.substr(0, std::min(text.find(' '), text.size()));
    text.remove_prefix(name.size());
    const std::size_t start = name.rfind("blk_");
    if (start == std::string_view::npos || (start > 0 && name[start - 1] != ':'))
        return Unexpected("expected a block name blk_ID_STAMP after the number, not " + base::shown(name));
    name.remove_prefix(start + 4);
    const bool negative = take(name, "-");
    // -2^63 is an id like any other, and the only one whose magnitude exceeds the largest positive number.
    const bool lowest = negative && take(name, "9223372036854775808");
    const auto magnitude = lowest ? std::optional<std::uint64_t>(0) : take_number(name);
    const bool divided = take(name, "_");
    const auto stamp = take_number(name);
    if (!magnitude || !divided || !stamp || !name.empty()) return Unexpected("expected a block name blk_ID_STAMP");
    const auto id = static_cast<std::int64_t>(*magnitude);
    block.id = lowest ? std::numeric_limits<std::int64_t>::min() : negative ? -id : id;
    block.stamp = *stamp;
    return {};
}

/// `[...]` to the end of the line: the text inside.
tl::expected<std::string_view, std::string> whole_list(std::string_view text) {
    std::int64_t depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '[') ++depth;
        if (text[i] != ']' || --depth > 0) continue;
        if (i + 1 != text.size())
            return Unexpected("expected nothing after the list of locations, not " + base::shown(text.substr(i + 1)));
        return text.substr(1, i - 1);
    }
    return Unexpected("expected a list of locations that ends with ]");
}

}  // namespace

tl::expected<BlockLine, std::string> parse_block_line(std::string_view line) {
    BlockLine block;
    std::string_view rest = base::trimmed(line);
    const auto number = take_number(rest);
    if (!number || !take(rest, ".")) return Unexpected("expected a block line 'I. blk_ID_STAMP len=N ...'");
    block.number = *number;
    skip_blanks(rest);
    if (auto name = take_block_name(rest, block); !name) return tl::unexpected(std::move(name).error());
    skip_blanks(rest);
    const bool length_follows = take(rest, "len=");
    const auto bytes = length_follows ? take_number(rest) : std::nullopt;
    if (!bytes || (!rest.empty() && rest.front() != ' ' && rest.front() != '\t'))
        return Unexpected("expected len=N after the block name");
    block.bytes = *bytes;
    for (skip_blanks(rest); !rest.empty(); skip_blanks(rest)) {
        if (rest.front() == '[') {
            const auto list = whole_list(rest);
            if (!list) return tl::unexpected(list.error());
            block.locations = *list;
            return block;
        }
        const std::string_view word = rest.substr(0, std::min(rest.find_first_of(" \t["), rest.size()));
        std::string_view value = word;
        const bool count = take(value, "repl=") || take(value, "Live_repl=") || take(value, "Expected_repl=");
        const bool number_follows = count && take_number(value) && value.empty();
        if (word == "MISSING!")
            block.missing = true;
        else if (!number_follows)
            return Unexpected("expected repl=R, Live_repl=R, MISSING! or a list of locations, not " +
                              base::shown(word));
        rest.remove_prefix(word.size());
    }
    return block;
}

namespace {

/// Removes a text in matching brackets from the front: `[` or `(`.
std::optional<std::string_view> take_bracketed(std::string_view& text, char open, char close) {
    std::size_t depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == open) ++depth;
        if (text[i] != close || --depth != 0) continue;
        const std::string_view inside = text.substr(1, i - 1);
        text.remove_prefix(i + 1);
        return inside;
    }
    return std::nullopt;
}

constexpr std::array<std::pair<std::string_view, Mark>, 13> marks{{
    {"LIVE", Mark::live},
    {"STALE", Mark::stale},
    {"STALENODE", Mark::stale},
    {"STALEBLOCKCONTENT", Mark::stale},
    {"DECOMMISSIONING", Mark::decommissioning},
    {"ENTERINGMAINTENANCE", Mark::entering_maintenance},
    {"DEAD", Mark::dead},
    {"DECOMMISSIONED", Mark::decommissioned},
    {"DECOMISSIONED", Mark::decommissioned},
    {"INMAINTENANCE", Mark::in_maintenance},
    {"MAINTENANCE", Mark::in_maintenance},
    {"CORRUPT", Mark::corrupt},
    {"EXCESS", Mark::excess},
}};

/// Marks are compared without blanks and underscores: Hadoop writes both, and a wrapped list loses its blanks.
tl::expected<Mark, std::string> parse_mark(std::string_view text) {
    std::string letters;
    for (const char c : text.substr(0, 40))
        if (c != ' ' && c != '_') letters += c;
    for (const auto& [word, mark] : marks)
        if (letters == word) return mark;
    std::array<std::string_view, marks.size()> words;
    std::transform(marks.begin(), marks.end(), words.begin(), [](const auto& entry) { return entry.first; });
    return Unexpected(fmt::format("expected a known mark such as (LIVE), not ({}){}", base::shown(text, 40),
                                  base::did_you_mean(letters, words)));
}

/// `HOST:PORT`, the whole text; an IPv6 address stands in square brackets.
bool parse_address(std::string_view text, Location& location) {
    const std::size_t colon = text.rfind(':');
    if (colon == std::string_view::npos) return false;
    location.host = text.substr(0, colon);
    location.port = text.substr(colon + 1);
    const bool bracketed = location.host.starts_with('[') && location.host.ends_with(']') && location.host.size() > 2;
    if (bracketed) location.host = location.host.substr(1, location.host.size() - 2);
    std::string_view digits = location.port;
    const auto port = take_number(digits);
    if (!port || !digits.empty() || *port == 0 || *port > 65535 || location.port.front() == '0') return false;
    const auto allowed = [&](char c) {
        return c > ' ' && c < 0x7f && c != '/' && c != ',' && c != '[' && c != ']' && c != '(' && c != ')' &&
               (bracketed || c != ':');
    };
    return !location.host.empty() && std::all_of(location.host.begin(), location.host.end(), allowed);
}

/// Everything of a location up to its marks, which are left in `text`.
bool take_place(std::string_view& text, Location& location) {
    if (take(text, "DatanodeInfoWithStorage")) {
        auto inside = text.starts_with('[') ? take_bracketed(text, '[', ']') : std::nullopt;
        if (!inside) return false;
        return parse_address(base::trimmed(inside->substr(0, std::min(inside->find(','), inside->size()))), location);
    }
    std::string_view place = base::trimmed(text.substr(0, std::min(text.find('('), text.size())));
    text.remove_prefix(std::min(text.find('('), text.size()));
    if (place.starts_with('/')) {
        const std::size_t slash = place.rfind('/');
        location.rack = place.substr(0, slash);
        place.remove_prefix(slash + 1);
        if (location.rack.find("//") != std::string_view::npos ||
            base::first_invalid_utf8(location.rack) != std::string_view::npos)
            return false;
        if (location.rack.find('\0') != std::string_view::npos) return false;
    }
    return parse_address(place, location);
}

}  // namespace

tl::expected<Location, std::string> take_location(std::string_view& list) {
    std::size_t end = 0;
    for (std::int64_t depth = 0; end < list.size() && (depth > 0 || list[end] != ','); ++end) {
        if (list[end] == '[' || list[end] == '(') ++depth;
        if (list[end] == ']' || list[end] == ')') --depth;
    }
    const std::string_view whole = base::trimmed(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
    std::string_view text = whole;
    if (text.starts_with("blk_")) text.remove_prefix(std::min(text.find(':'), text.size()));
    take(text, ":");

    Location location;
    if (text.empty() || !take_place(text, location))
        return Unexpected(
            "expected a location such as /rack/HOST:PORT or DatanodeInfoWithStorage[HOST:PORT,...], not " +
            base::shown(whole));
    for (skip_blanks(text); !text.empty(); skip_blanks(text)) {
        const auto inside = text.front() == '(' ? take_bracketed(text, '(', ')') : std::nullopt;
        if (!inside) return Unexpected("expected a mark in parentheses after a location, not " + base::shown(text));
        if (inside->starts_with("ud=")) continue;  // its upgrade domain, which says nothing about the replica
        const auto mark = parse_mark(*inside);
        if (!mark) return tl::unexpected(mark.error());
        location.mark = std::max(location.mark, *mark);
    }
    return location;
}

}  // namespace schedproof::input::fsck
