/// Tables of when machines were up, turned into sorted intervals per machine.
///
/// Rows are collected by machine, sorted by start and checked for overlaps; intervals that touch are joined. A table
/// of failures alone is read as the complement of its rows.
#include "experiments/input/traces/availability.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "experiments/input/text/line_reader.hpp"
#include "experiments/input/text/real_text.hpp"
#include "model/base/nearest.hpp"
#include "model/base/split.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"

namespace schedproof::input {

namespace {

constexpr std::array<std::string_view, 4> column_names{"machine", "start", "end", "state"};
enum Column { machine, start, end, state };

std::string_view unquoted(std::string_view text) {
    const bool quoted = text.size() >= 2 && text.front() == '"' && text.back() == '"';
    return quoted ? text.substr(1, text.size() - 2) : text;
}

struct RecordedState {
    double start, end;
    std::size_t line;
    bool available;
};

class Reader {
  public:
    Reader(std::istream& in, const std::string& file) : lines_(in, file) {}

    Availability read() {
        for (bool first = true; auto line = lines_.next(); first = false) {
            if (first && line->starts_with("\xEF\xBB\xBF")) line->remove_prefix(3);
            if (base::trimmed(*line).empty() || line->front() == '#') continue;
            split(*line);
            if (!lines_.ended()) fail("", "the last line has no newline; if the file is complete, add one");
            if (count_++ == 0 && is_header()) continue;
            add_row();
        }
        return finish();
    }

  private:
    [[noreturn]] void fail(std::string key, std::string expected, std::size_t line = 0) const {
        throw InputError::at_line(lines_.file(), line == 0 ? lines_.line() : line, std::move(key), std::move(expected));
    }

    void split(std::string_view line) {
        if (line.find('\0') != std::string_view::npos || base::first_invalid_utf8(line) != std::string_view::npos)
            fail("", "expected text in UTF-8 without NUL bytes");
        const std::size_t count = base::split_into(fields_, line, ',');
        // With fewer, the others are still those of an earlier line, which is gone.
        if (count != fields_.size()) fail("", fmt::format("expected 4 fields, machine,start,end,state, not {}", count));
        for (std::string_view& field : fields_) field = unquoted(base::trimmed(field));
    }

    /// Whether the first line names columns, whose order it then sets.
    bool is_header() {
        const auto column = [](std::string_view word) {
            return static_cast<std::size_t>(std::find(column_names.begin(), column_names.end(), word) -
                                            column_names.begin());
        };
        // A row of data has three numbers.
        if (std::none_of(fields_.begin(), fields_.end(), [&](std::string_view f) { return column(f) < 4; }))
            return false;
        std::array<bool, 4> seen{};
        for (std::size_t i = 0; i < fields_.size(); ++i) {
            const std::size_t c = column(fields_[i]);
            if (c == column_names.size())
                fail("header", fmt::format("expected machine,start,end,state in some order, not {}{}",
                                           base::shown(fields_[i]), base::did_you_mean(fields_[i], column_names)));
            if (seen[c])
                fail("header", fmt::format("expected each column once, but {} stands twice", base::shown(fields_[i])));
            seen[c] = true;
            place_[c] = i;
        }
        return true;
    }

    [[nodiscard]] std::string_view field(Column column) const { return fields_[place_[column]]; }
    [[nodiscard]] double time(Column column) const {
        const auto value = real_number(field(column));
        if (!value || *value < 0)
            fail(std::string(column_names[column]),
                 fmt::format("expected a time of at least 0, not {}", base::shown(field(column))));
        return *value;
    }

    void add_row() {
        if (count_ > max_availability_rows) fail("", fmt::format("expected at most {} rows", max_availability_rows));
        if (field(machine).empty()) fail("machine", "expected the name of a machine");
        const RecordedState row{time(start), time(end), lines_.line(), field(state) == "1"};
        if (row.end < row.start)
            fail("end", fmt::format("expected an end after the start, {}, not {}", row.start, row.end));
        if (field(state) != "0" && field(state) != "1")
            fail("state", fmt::format("expected 1 (available) or 0, not {}", base::shown(field(state))));
        const auto [entry, is_new] = index_.try_emplace(std::string(field(machine)), rows_.size());
        if (is_new) {
            rows_.emplace_back();
            table_.machines.push_back(entry->first);
        }
        rows_[entry->second].push_back(row);
        any_available_ = any_available_ || row.available;
        earliest_ = std::min(earliest_.value_or(row.start), row.start);
        latest_ = std::max(latest_, row.end);
    }

    Availability finish() {
        if (rows_.empty()) fail("", "expected at least one row machine,start,end,state");
        table_.length = latest_ - *earliest_;
        for (std::size_t m = 0; m < rows_.size(); ++m) {
            std::vector<RecordedState>& rows = rows_[m];
            std::stable_sort(rows.begin(), rows.end(),
                             [](const RecordedState& a, const RecordedState& b) { return a.start < b.start; });
            require_apart(rows, table_.machines[m]);
            table_.available.push_back(any_available_ ? available_rows(rows) : between_failures(rows));
            if (table_.available.back().empty())
                fail("machine",
                     fmt::format("expected machines that are available at some time, but {} never is",
                                 base::shown(table_.machines[m])),
                     rows.front().line);
        }
        return std::move(table_);
    }

    void require_apart(const std::vector<RecordedState>& rows, const std::string& name) const {
        double latest = 0;
        std::size_t line = 0;
        for (const RecordedState& row : rows) {
            if (line != 0 && row.start < latest)
                fail(
                    "start",
                    fmt::format("expected intervals of {} that do not overlap, but it is before the end on line {}, {}",
                                base::shown(name), line, latest),
                    row.line);
            latest = row.end;
            line = row.line;
        }
    }

    using Interval = Availability::Interval;
    static void add(std::vector<Interval>& intervals, double from, double to) {
        if (!(from < to)) return;
        if (!intervals.empty() && intervals.back().end == from)
            intervals.back().end = to;
        else
            intervals.push_back({from, to});
    }
    [[nodiscard]] std::vector<Interval> available_rows(const std::vector<RecordedState>& rows) const {
        std::vector<Interval> intervals;
        for (const RecordedState& row : rows)
            if (row.available) add(intervals, row.start - *earliest_, row.end - *earliest_);
        return intervals;
    }
    [[nodiscard]] std::vector<Interval> between_failures(const std::vector<RecordedState>& rows) const {
        std::vector<Interval> intervals;
        double from = 0;
        for (const RecordedState& row : rows) {
            add(intervals, from, row.start - *earliest_);
            from = row.end - *earliest_;
        }
        add(intervals, from, table_.length);
        return intervals;
    }

    LineReader lines_;
    Availability table_;
    std::array<std::string_view, 4> fields_;
    std::array<std::size_t, 4> place_{0, 1, 2, 3};
    std::unordered_map<std::string, std::size_t> index_;
    std::vector<std::vector<RecordedState>> rows_;  // by machine
    std::size_t count_ = 0;
    bool any_available_ = false;
    std::optional<double> earliest_;
    double latest_ = 0;
};

}  // namespace

Availability read_availability(std::istream& in, const std::string& file) { return Reader(in, file).read(); }

}  // namespace schedproof::input
