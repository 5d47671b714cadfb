/// Job logs in the Standard Workload Format of the Parallel Workloads Archive: what a parallel machine ran, and when.
///
/// Lines that begin with `;` are header comments, `; Label: value`. Every other line is a job: 18 numbers between
/// blanks, -1 where something is unknown. Reading is streamed, in memory bounded by the longest line and the header,
/// and strict: submit times ascend, nothing but -1 is negative, and the last line ends with its newline, for one that
/// does not was cut.
/// Source: Feitelson's archive, format version 2.2 (its definition is on the archive's pages).
#pragma once

#include <cstdint>
#include <istream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiments/input/text/line_reader.hpp"

namespace schedproof::input {

/// One line. What the file does not know is none.
struct SwfJob {
    std::int64_t id = 0;
    double submit = 0;               ///< Unit: second
    std::optional<double> wait;      ///< Unit: second
    std::optional<double> run_time;  ///< Unit: second
    std::optional<std::int64_t> processors;
    std::optional<double> cpu_time;  ///< mean over the processors. Unit: second
    std::optional<double> memory;    ///< per processor. Unit: kilobyte
    std::optional<std::int64_t> requested_processors;
    std::optional<double> requested_time;    ///< Unit: second
    std::optional<double> requested_memory;  ///< per processor. Unit: kilobyte
    std::optional<std::int64_t> status;      ///< 0 failed, 1 completed, 2 to 4 parts of a job, 5 cancelled
    std::optional<std::int64_t> user, group, executable, queue, partition;
    std::optional<std::int64_t> preceding_job;
    std::optional<double> think_time;  ///< after the preceding job's end. Unit: second
};

class SwfReader {
  public:
    /// Requires the stream to outlive the reader. `file` names it in errors.
    SwfReader(std::istream& in, const std::string& file) : lines_(in, file) {}

    /// The next job; none at the end. Throws InputError with file, line, field's name and what was expected.
    [[nodiscard]] std::optional<SwfJob> next();

    /// Labels and values of the comments read so far, in order; comments that have no label are passed over. The header
    /// is complete once the first job has been read.
    [[nodiscard]] const std::vector<std::pair<std::string, std::string>>& header() const { return header_; }
    /// The first value of `MaxNodes` or `MaxProcs`, where it begins with a whole number.
    [[nodiscard]] std::optional<std::uint64_t> max_nodes() const { return number_of("MaxNodes"); }
    [[nodiscard]] std::optional<std::uint64_t> max_processors() const { return number_of("MaxProcs"); }

    /// Number of the line of the job that `next` gave last.
    [[nodiscard]] std::size_t line() const { return lines_.line(); }
    [[nodiscard]] const std::string& file() const { return lines_.file(); }

    /// Longest header that is taken. Unit: line
    static constexpr std::size_t max_header = 10'000;

  private:
    void keep_comment(std::string_view comment);
    [[nodiscard]] std::optional<std::uint64_t> number_of(std::string_view label) const;
    [[nodiscard]] std::optional<double> real(std::string_view text, const char* field) const;
    [[nodiscard]] std::optional<std::int64_t> whole(std::string_view text, const char* field) const;

    LineReader lines_;
    std::vector<std::pair<std::string, std::string>> header_;
    std::optional<double> last_submit_;
};

}  // namespace schedproof::input
