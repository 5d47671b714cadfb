/// Tables of when machines were up, turned into sorted intervals per machine.
///
/// Rows are collected by machine, sorted by start and checked for overlaps; intervals that touch are joined. A table
/// of failures alone is read as the complement of its rows.
#include "experiments/input/traces/availability.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "experiments/input/text/csv_reader.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"

namespace schedproof::input {

namespace {

enum Column { machine, start, end, state };

struct RecordedState {
    double start, end;
    std::size_t line;
    bool available;
};

class AvailabilityReader {
  public:
    AvailabilityReader(std::istream& in, const std::string& file)
        : rows_of_file_(in, file, {{"machine"}, {"start"}, {"end"}, {"state"}}, CsvReader::Header::optional) {}

    Availability read() {
        while (rows_of_file_.next()) add_row();
        return finish();
    }

  private:
    void add_row() {
        const CsvReader& at = rows_of_file_;
        if (at.rows() > max_availability_rows)
            at.refuse("", fmt::format("expected at most {} rows", max_availability_rows));
        if (at.text(machine).empty()) at.fail(machine, "expected the name of a machine");
        const RecordedState row{at.number(start, "time"), at.number(end, "time"), at.line(), at.text(state) == "1"};
        if (row.end < row.start)
            at.fail(end, fmt::format("expected an end after the start, {}, not {}", row.start, row.end));
        if (at.text(state) != "0" && at.text(state) != "1")
            at.fail(state, fmt::format("expected 1 (available) or 0, not {}", base::shown(at.text(state))));
        const auto [entry, is_new] = index_.try_emplace(std::string(at.text(machine)), rows_.size());
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
        if (rows_.empty()) rows_of_file_.refuse("", "expected at least one row machine,start,end,state");
        table_.length = latest_ - *earliest_;
        for (std::size_t m = 0; m < rows_.size(); ++m) {
            std::vector<RecordedState>& rows = rows_[m];
            std::stable_sort(rows.begin(), rows.end(),
                             [](const RecordedState& a, const RecordedState& b) { return a.start < b.start; });
            require_apart(rows, table_.machines[m]);
            table_.available.push_back(any_available_ ? available_rows(rows) : between_failures(rows));
            if (table_.available.back().empty())
                rows_of_file_.fail(machine,
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
                rows_of_file_.fail(
                    start,
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

    CsvReader rows_of_file_;
    Availability table_;
    std::unordered_map<std::string, std::size_t> index_;
    std::vector<std::vector<RecordedState>> rows_;  // by machine
    bool any_available_ = false;
    std::optional<double> earliest_;
    double latest_ = 0;
};

}  // namespace

Availability read_availability(std::istream& in, const std::string& file) {
    return AvailabilityReader(in, file).read();
}

}  // namespace schedproof::input
