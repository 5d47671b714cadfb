#include "experiments/input/traces/swf_reader.hpp"

#include <fmt/core.h>

#include <array>
#include <charconv>
#include <string_view>

#include "experiments/input/text/real_text.hpp"
#include "model/base/numeral.hpp"
#include "model/base/split.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"

namespace schedproof::input {

namespace {

constexpr std::size_t fields_of_a_job = 18;
constexpr std::string_view swf_blanks = " \t";

}  // namespace

std::optional<double> SwfReader::real(std::string_view text, const char* field) const {
    const auto value = real_number(text);
    if (!value || (*value < 0 && *value != -1))
        throw InputError::at_line(
            file(), line(), field,
            fmt::format("expected a number of at least 0, or -1 for unknown, not {}", base::shown(text)));
    return *value < 0 ? std::nullopt : value;
}

std::optional<std::int64_t> SwfReader::whole(std::string_view text, const char* field) const {
    const auto value = base::parse_numeral<std::int64_t>(text);
    if (!value || *value < -1)
        throw InputError::at_line(
            file(), line(), field,
            fmt::format("expected a whole number of at least 0, or -1 for unknown, not {}", base::shown(text)));
    return *value < 0 ? std::nullopt : value;
}

void SwfReader::keep_comment(std::string_view comment) {
    comment.remove_prefix(std::min(comment.find_first_not_of(';'), comment.size()));
    const std::size_t colon = comment.find(':');
    if (colon == std::string_view::npos) return;
    const std::string_view label = base::trimmed(comment.substr(0, colon), swf_blanks);
    if (label.empty() || label.find_first_of(swf_blanks) != std::string_view::npos) return;
    if (header_.size() == max_header)
        throw InputError::at_line(file(), line(), fmt::format("expected at most {} lines of header", max_header));
    header_.emplace_back(label, base::trimmed(comment.substr(colon + 1), swf_blanks));
}

std::optional<std::uint64_t> SwfReader::number_of(std::string_view label) const {
    for (const auto& [name, text] : header_) {
        std::uint64_t value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        const bool ends = end == text.data() + text.size() || *end == ' ' || *end == '\t';
        if (name == label && error == std::errc() && ends) return value;
    }
    return std::nullopt;
}

std::optional<SwfJob> SwfReader::next() {
    const auto fail = [this](const char* field, std::string expected) {
        throw InputError::at_line(file(), lines_.line(), field, std::move(expected));
    };
    std::optional<std::string_view> line;
    while (true) {
        line = lines_.next();
        if (!line) return std::nullopt;
        if (line->ends_with('\r')) line->remove_suffix(1);
        const std::string_view text = base::trimmed(*line, swf_blanks);
        if (!text.empty() && text.front() != ';') break;
        // Comments of old logs are in any encoding.
        if (base::first_invalid_utf8(text) == std::string_view::npos) keep_comment(text);
    }
    std::array<std::string_view, fields_of_a_job> f;
    const std::size_t count = base::split_words_into(f, *line, swf_blanks);
    if (count != fields_of_a_job) fail("", fmt::format("expected 18 numbers between blanks, not {}", count));
    if (!lines_.ended()) fail("", "the last line has no newline; if the file is complete, add one");
    const auto id = whole(f[0], "job number");
    const auto submit = real(f[1], "submit time");
    if (!id) fail("job number", "expected a number, not unknown");
    if (!submit) fail("submit time", "expected a time, not unknown");
    if (last_submit_ && *submit < *last_submit_)
        fail("submit time",
             fmt::format("expected jobs sorted by submit time, but {} is before {}", *submit, *last_submit_));
    last_submit_ = submit;
    return SwfJob{*id,
                  *submit,
                  real(f[2], "wait time"),
                  real(f[3], "run time"),
                  whole(f[4], "processors"),
                  real(f[5], "cpu time"),
                  real(f[6], "memory"),
                  whole(f[7], "requested processors"),
                  real(f[8], "requested time"),
                  real(f[9], "requested memory"),
                  whole(f[10], "status"),
                  whole(f[11], "user"),
                  whole(f[12], "group"),
                  whole(f[13], "executable"),
                  whole(f[14], "queue"),
                  whole(f[15], "partition"),
                  whole(f[16], "preceding job"),
                  real(f[17], "think time")};
}

}  // namespace schedproof::input
