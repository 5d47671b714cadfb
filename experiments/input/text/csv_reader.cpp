#include "experiments/input/text/csv_reader.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>

#include "experiments/input/text/real_text.hpp"
#include "model/base/nearest.hpp"
#include "model/base/split.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"

namespace schedproof::input {

CsvReader::CsvReader(std::istream& in, const std::string& file, std::vector<CsvColumn> columns, Header header)
    : lines_(in, file), columns_(std::move(columns)), header_(header), place_(columns_.size()) {
    std::iota(place_.begin(), place_.end(), std::size_t{0});
}

bool CsvReader::next() {
    while (auto line = lines_.next()) {
        const bool first = fields_.empty();
        if (first && line->starts_with("\xEF\xBB\xBF")) line->remove_prefix(3);
        if (base::trimmed(*line).empty() || line->front() == '#') continue;
        split(*line);
        if (!lines_.ended()) refuse("", "the last line has no newline; if the file is complete, add one");
        if (first && is_header()) continue;
        ++rows_;
        return true;
    }
    return false;
}

void CsvReader::split(std::string_view line) {
    if (line.find('\0') != std::string_view::npos || base::first_invalid_utf8(line) != std::string_view::npos)
        refuse("", "expected text in UTF-8 without NUL bytes");
    const bool first = fields_.empty();
    if (first) fields_ = base::split(line, ',');
    const std::size_t count = first ? fields_.size() : base::split_into(fields_, line, ',');
    const std::size_t expected = first && header_ == Header::optional ? columns_.size() : fields_.size();
    // With fewer, the others are still those of an earlier line, which is gone.
    if (count != expected) refuse("", fmt::format("expected {} fields, {}, not {}", expected, names(), count));
    for (std::string_view& field : fields_) {
        field = base::trimmed(field);
        const bool quoted = field.size() >= 2 && field.front() == '"' && field.back() == '"';
        if (quoted) field = field.substr(1, field.size() - 2);
    }
}

bool CsvReader::is_header() {
    const auto column = [this](std::string_view word) {
        const auto at =
            std::find_if(columns_.begin(), columns_.end(), [&](const CsvColumn& c) { return c.name == word; });
        return static_cast<std::size_t>(at - columns_.begin());
    };
    const bool named = std::any_of(fields_.begin(), fields_.end(),
                                   [&](std::string_view field) { return column(field) < columns_.size(); });
    if (!named && header_ == Header::optional) return false;
    std::vector<std::string_view> known;
    for (const CsvColumn& one : columns_) known.push_back(one.name);
    const std::string form = names();
    std::fill(place_.begin(), place_.end(), absent);
    for (std::size_t i = 0; i < fields_.size(); ++i) {
        const std::size_t c = column(fields_[i]);
        if (c == columns_.size())
            refuse("header", fmt::format("expected {} in some order, not {}{}", form, base::shown(fields_[i]),
                                         base::did_you_mean(fields_[i], known)));
        if (place_[c] != absent)
            refuse("header", fmt::format("expected each column once, but {} stands twice", base::shown(fields_[i])));
        place_[c] = i;
    }
    for (std::size_t c = 0; c < columns_.size(); ++c)
        if (columns_[c].required && place_[c] == absent)
            refuse("header", fmt::format("expected a column {}", columns_[c].name));
    return true;
}

double CsvReader::number(std::size_t column, std::string_view what) const {
    const auto value = real_number(text(column));
    if (!value || *value < 0)
        fail(column, fmt::format("expected a {} of at least 0, not {}", what, base::shown(text(column))));
    return *value;
}

std::string CsvReader::names() const {
    std::string list;
    for (std::size_t c = 0; c < columns_.size(); ++c)
        if (has(c)) list += fmt::format("{}{}", list.empty() ? "" : ",", columns_[c].name);
    return list;
}

void CsvReader::fail(std::size_t column, std::string expected, std::size_t line) const {
    throw InputError::at_line(lines_.file(), line == 0 ? lines_.line() : line, std::string(columns_[column].name),
                              std::move(expected));
}

void CsvReader::refuse(std::string key, std::string expected) const {
    throw InputError::at_line(lines_.file(), lines_.line(), std::move(key), std::move(expected));
}

}  // namespace schedproof::input
