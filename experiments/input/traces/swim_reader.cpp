#include "experiments/input/traces/swim_reader.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "experiments/input/text/real_text.hpp"
#include "model/base/split.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"

namespace schedproof::input {

namespace {

constexpr std::size_t most_fields = 7;
constexpr std::string_view form =
    "6 or 7 fields between tabs: name, submit time, gap, map, shuffle and output bytes, perhaps a path";

/// Whether nothing but empty fields follows a field of the line.
bool only_tabs_after(std::string_view field, std::string_view line) {
    const auto end = static_cast<std::size_t>(field.data() + field.size() - line.data());
    return line.find_first_not_of('\t', end) == std::string_view::npos;
}

}  // namespace

double SwimReader::number(std::string_view text, const char* column) const {
    const auto value = real_number(text);
    if (!value || *value < 0)
        throw InputError::at_line(file(), line(), column,
                                  fmt::format("expected a number of at least 0, not {}", base::shown(text)));
    return *value;
}

std::optional<SwimJob> SwimReader::next() {
    while (auto job = row()) {
        if (job->bytes() > 0) return job;
        ++without_bytes_;
    }
    return std::nullopt;
}

std::optional<SwimJob> SwimReader::row() {
    std::optional<std::string_view> line;
    do {
        line = lines_.next();
        if (!line) return std::nullopt;
        if (line->ends_with('\r')) line->remove_suffix(1);
    } while (line->empty() || line->front() == '#');
    const auto fail = [this](const char* column, std::string expected) {
        throw InputError::at_line(file(), lines_.line(), column, std::move(expected));
    };
    if (line->find('\0') != std::string_view::npos || base::first_invalid_utf8(*line) != std::string_view::npos)
        fail("", "expected text in UTF-8 without NUL bytes");
    std::array<std::string_view, most_fields> fields;
    const std::size_t count = base::split_into(fields, *line, '\t');
    if (count < 6 || (count > most_fields && !only_tabs_after(fields.back(), *line)))
        fail("", fmt::format("expected {}, not {}", form, count));
    if (!lines_.ended()) fail("", "the last line has no newline; if the file is complete, add one");
    SwimJob job{fields[0],
                number(fields[1], "submit time"),
                number(fields[2], "gap"),
                number(fields[3], "map bytes"),
                number(fields[4], "shuffle bytes"),
                number(fields[5], "output bytes"),
                count >= most_fields ? fields[6] : std::string_view()};
    if (last_submit_ && job.submit < *last_submit_)
        fail("submit time",
             fmt::format("expected jobs sorted by submit time, but {} is before {}", job.submit, *last_submit_));
    if (last_submit_ && std::abs(job.submit - *last_submit_ - job.gap) > 1) ++odd_gaps_;
    last_submit_ = job.submit;
    return job;
}

}  // namespace schedproof::input
