/// Traces of jobs, whatever their format: when each came, and how much work it brought.
///
/// Formats: the tab-separated one of SWIM (swim_reader.hpp), and SWF (swf_reader.hpp). Times count from the submit
/// time of the first job with work.
#pragma once

#include <cstdint>
#include <istream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/input/traces/swim_reader.hpp"
#include "model/core/real.hpp"
#include "model/redundancy/job.hpp"

namespace schedproof::input {

enum class TraceKind { swim, swf };

/// The format asked for, `swim` or `swf`; if none is, by the file's extension: `.swf`, and SWIM for any other.
/// Throws InputError for another format.
[[nodiscard]] TraceKind trace_kind(std::string_view path, std::string_view asked);

/// A job of `tasks` equal tasks.
struct TracedJob {
    double submit = 0;   ///< Unit: second, from the first job on
    double tasks = 1;    ///< whole, but for SWIM jobs by bytes
    double seconds = 1;  ///< of one task on one machine
    [[nodiscard]] double work() const { return tasks * seconds; }
    friend bool operator==(const TracedJob&, const TracedJob&) = default;
};

struct JobTrace {
    std::vector<TracedJob> jobs;           ///< ascending by submit time; work above 0
    std::size_t without_work = 0;          ///< jobs passed over: `what_is_missing` says for want of what
    std::size_t odd_gaps = 0;              ///< jobs whose gap is not the difference of submit times (SWIM)
    std::optional<std::uint64_t> machine;  ///< processors, or else nodes, of the machine that ran it (SWF)
};

/// All jobs. A job of SWIM is one or more tasks as `sizes` says, of `sizes.scale` seconds each; a job of SWF is a task
/// per processor, used or else requested, of its run time times `sizes.scale`.
/// Jobs without work are passed over: of SWIM those without bytes, of SWF those whose run time or processors are 0 or
/// unknown. Throws InputError as the readers do, for a job of infinite work, and for a trace of no job with work.
[[nodiscard]] JobTrace read_job_trace(std::istream& in, const std::string& file, TraceKind kind,
                                      const TraceSizes& sizes);

/// What jobs of that format lack that are passed over: `bytes`, or `run time or processors`.
[[nodiscard]] std::string_view what_is_missing(TraceKind kind);

/// The jobs of a trace as the redundancy family has them: a size is all the work of a job.
[[nodiscard]] redundancy::Jobs<Real> redundancy_jobs(const JobTrace& trace);

}  // namespace schedproof::input
