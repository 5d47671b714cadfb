#include "experiments/input/traces/job_trace.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "experiments/input/traces/swf_reader.hpp"
#include "model/base/nearest.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"

namespace schedproof::input {

namespace {

/// Takes jobs, counting time from the first.
class Collector {
  public:
    Collector(JobTrace& trace, const std::string& file) : trace_(trace), file_(file) {}

    void add(TracedJob job, std::size_t line) {
        if (trace_.jobs.size() == max_trace_jobs)
            throw InputError::at_line(file_, line, fmt::format("expected at most {} jobs", max_trace_jobs));
        if (!start_) start_ = job.submit;
        job.submit -= *start_;
        if (!(job.work() > 0) || !std::isfinite(job.work()))
            throw InputError::at_line(file_, line, "size",
                                      fmt::format("expected a job of some work, but its size is {}", job.work()));
        trace_.jobs.push_back(job);
    }

  private:
    JobTrace& trace_;
    const std::string& file_;
    std::optional<double> start_;
};

void read_swim(std::istream& in, const std::string& file, const TraceSizes& sizes, JobTrace& trace) {
    SwimReader reader(in, file);
    Collector collector(trace, file);
    while (const auto job = reader.next()) {
        const double blocks = sizes.unit == TraceSizes::Unit::tasks
                                  ? std::max(1.0, std::ceil(job->map_bytes / TraceSizes::block))
                                  : job->bytes() / TraceSizes::block;
        collector.add({job->submit, blocks, sizes.scale}, reader.line());
    }
    trace.without_work = reader.without_bytes();
    trace.odd_gaps = reader.odd_gaps();
}

void read_swf(std::istream& in, const std::string& file, const TraceSizes& sizes, JobTrace& trace) {
    SwfReader reader(in, file);
    Collector collector(trace, file);
    while (const auto job = reader.next()) {
        const std::int64_t used = job->processors.value_or(0);
        const std::int64_t processors = used > 0 ? used : job->requested_processors.value_or(0);
        const double seconds = job->run_time.value_or(0);
        if (processors == 0 || seconds == 0)
            ++trace.without_work;
        else
            collector.add({job->submit, static_cast<double>(processors), seconds * sizes.scale}, reader.line());
    }
    trace.machine = reader.max_processors() ? reader.max_processors() : reader.max_nodes();
}

}  // namespace

TraceKind trace_kind(std::string_view path, std::string_view asked) {
    if (asked.empty()) return path.ends_with(".swf") ? TraceKind::swf : TraceKind::swim;
    if (asked == "swim") return TraceKind::swim;
    if (asked == "swf") return TraceKind::swf;
    static constexpr std::array<std::string_view, 2> kinds{"swim", "swf"};
    throw InputError::at_key("trace format", fmt::format("expected swim or swf, not {}{}", base::shown(asked),
                                                         base::did_you_mean(asked, kinds)));
}

JobTrace read_job_trace(std::istream& in, const std::string& file, TraceKind kind, const TraceSizes& sizes) {
    JobTrace trace;
    (kind == TraceKind::swim ? read_swim : read_swf)(in, file, sizes, trace);
    if (trace.jobs.empty())
        throw InputError::in_file(file, trace.without_work == 0 ? "expected at least one job"
                                        : kind == TraceKind::swim
                                            ? "expected at least one job with bytes"
                                            : "expected at least one job of known run time and processors");
    return trace;
}

std::string_view what_is_missing(TraceKind kind) {
    return kind == TraceKind::swim ? "bytes" : "run time or processors";
}

redundancy::Jobs<Real> redundancy_jobs(const JobTrace& trace) {
    redundancy::Jobs<Real> jobs;
    jobs.reserve(trace.jobs.size());
    for (const TracedJob& job : trace.jobs) jobs.push_back({Real(job.submit), Real(job.work())});
    return jobs;
}

}  // namespace schedproof::input
