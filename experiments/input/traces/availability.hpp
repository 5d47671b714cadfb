/// When machines were available, as event tables of failure archives say it.
///
/// CSV with the columns `machine,start,end,state`: a machine's name, an interval of time in seconds and whether the
/// machine was available in it (1) or not (0). A first line with these words says in which order the columns are;
/// without one they are as here. Rows may come in any order; intervals of one machine may touch, not overlap. Lines
/// that begin with `#` are comments.
///
/// Where the table says nothing of a machine, it is taken to be unavailable; in a table that has no row of state 1,
/// which then lists failures alone, to be available.
#pragma once

#include <istream>
#include <string>
#include <vector>

namespace schedproof::input {

struct Availability {
    struct Interval {
        double start = 0, end = 0;
        friend bool operator==(const Interval&, const Interval&) = default;
    };
    std::vector<std::string> machines;             ///< by first appearance
    std::vector<std::vector<Interval>> available;  ///< by machine: ascending, apart, each of some length
    double length = 0;                             ///< of the record; times count from its earliest start
};

inline constexpr std::size_t max_availability_rows = 20'000'000;

/// Streamed. `file` names it in errors.
/// Throws InputError with file, line, column and what was expected: a negative time, an end before its start, an
/// overlap, another state, a machine that is never available.
[[nodiscard]] Availability read_availability(std::istream& in, const std::string& file);

}  // namespace schedproof::input
