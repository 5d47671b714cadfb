/// Job traces in the format of the SWIM project: when jobs of a production cluster came, and how much they read.
///
/// A line per job, tab-separated, no header: name, submit time, gap to the job before (seconds), bytes read by map
/// tasks, bytes shuffled, bytes written; perhaps an input path. Empty fields after these are ignored: lines of the
/// published traces of 2010 end in some. Blank lines and lines that begin with `#` are passed over, and so are jobs
/// without bytes, which did no work and are counted. Reading is streamed, in memory bounded by the longest line, and
/// strict: times ascend, nothing is negative, no other field follows the path, and the last line ends with its newline,
/// for one that does not was cut.
/// Source: SWIM (Statistical Workload Injector for MapReduce), experiments/simulators/redundancy/README.md says where
/// its traces are.
#pragma once

#include <istream>
#include <optional>
#include <string>
#include <string_view>

#include "experiments/input/text/line_reader.hpp"

namespace schedproof::input {

struct SwimJob {
    std::string_view name;  ///< until the next one is read
    double submit = 0;      ///< Unit: second
    double gap = 0;         ///< Unit: second; as the file says
    double map_bytes = 0, shuffle_bytes = 0, output_bytes = 0;
    std::string_view path;  ///< of the input; empty when the file has none
    [[nodiscard]] double bytes() const { return map_bytes + shuffle_bytes + output_bytes; }
};

class SwimReader {
  public:
    /// Requires the stream to outlive the reader. `file` names it in errors.
    SwimReader(std::istream& in, const std::string& file) : lines_(in, file) {}

    /// The next job that reads, shuffles or writes a byte; none at the end. Throws InputError with file, line, column's
    /// name and what was expected.
    [[nodiscard]] std::optional<SwimJob> next();
    /// Number of the line of the job that `next` gave last.
    [[nodiscard]] std::size_t line() const { return lines_.line(); }
    /// How many jobs so far were passed over because they have no bytes.
    [[nodiscard]] std::size_t without_bytes() const { return without_bytes_; }
    /// How many jobs so far, the first apart and those without bytes included, have a gap that is not the difference of
    /// submit times, by more than a second, to which both may be rounded: the file was cut together or changed.
    [[nodiscard]] std::size_t odd_gaps() const { return odd_gaps_; }
    [[nodiscard]] const std::string& file() const { return lines_.file(); }

  private:
    /// The next line that is a job.
    [[nodiscard]] std::optional<SwimJob> row();
    [[nodiscard]] double number(std::string_view text, const char* column) const;

    LineReader lines_;
    std::optional<double> last_submit_;
    std::size_t without_bytes_ = 0, odd_gaps_ = 0;
};

/// How a job of a trace becomes work (job_trace.hpp).
struct TraceSizes {
    enum class Unit {
        tasks,  ///< map tasks: one per block that is read, at least one
        bytes   ///< bytes read, shuffled and written, in blocks
    };
    Unit unit = Unit::tasks;
    double scale = 1;                        ///< work per task or block. Unit: second of a machine
    static constexpr double block = 0x1p27;  ///< 128 MiB, the default of the file system that such clusters run
};

/// Longest trace that is taken. Unit: job
inline constexpr std::size_t max_trace_jobs = 20'000'000;

}  // namespace schedproof::input
