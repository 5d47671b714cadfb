/// Jobs one after another, from a trace or generated, with their placements and run times.
///
/// Arrivals, sizes, placements, run times and priorities have streams of their own: whatever a policy does, job i is
/// the same job. A generator adds exponential gaps in double precision and takes the tick below; a trace has its times
/// scaled once when it is read. r different nodes out of n are drawn by Floyd's algorithm with r draws and no
/// rejection. Tasks of a job whose run times do not vary share one number.
#include "experiments/simulators/sharing/job_source.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <boost/random/exponential_distribution.hpp>
#include <charconv>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>

#include "experiments/input/traces/job_trace.hpp"
#include "experiments/input/traces/swim_reader.hpp"
#include "model/base/numeral.hpp"
#include "model/base/split.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"

namespace schedproof::simulation {

using sharing::NodeId;
using sharing::Replicas;
using sharing::Ticks;
using statistics::Replication;
using statistics::Stream;

namespace {

/// Largest number of tasks of a job.
constexpr std::uint32_t most_tasks = 10'000'000;
/// Latest time of a submission. Unit: tick.
constexpr double latest = 0x1p52;

/// Index i with probability weight(i) / sum.
std::size_t weighted(const std::vector<std::uint64_t>& cumulative, Stream& random) {
    if (cumulative.size() == 1) return 0;
    const std::uint64_t drawn = random.below(cumulative.back());
    return static_cast<std::size_t>(std::upper_bound(cumulative.begin(), cumulative.end(), drawn) - cumulative.begin());
}

}  // namespace

JobSizes::JobSizes(std::string_view text) {
    const auto fail = [&] {
        throw InputError::at_key(
            "--sizes", fmt::format("expected numbers of tasks such as 100, 1..10 or 85:1..10,15:11..50 with weights, "
                                   "each from 1 to {}, not {}",
                                   most_tasks, base::shown(text)));
    };
    std::uint64_t sum = 0;
    for (std::string_view part : base::split(text, ',')) {
        std::uint64_t weight = 1;
        if (const std::size_t colon = part.find(':'); colon != std::string_view::npos) {
            weight = base::parse_numeral<std::uint64_t>(part.substr(0, colon)).value_or(0);
            part.remove_prefix(colon + 1);
        }
        const std::size_t dots = part.find("..");
        const auto from = base::parse_numeral<std::uint32_t>(part.substr(0, dots));
        const auto to =
            dots == std::string_view::npos ? from : base::parse_numeral<std::uint32_t>(part.substr(dots + 2));
        if (!from || !to || *from < 1 || *to < *from || *to > most_tasks || weight < 1 || weight > 1'000'000'000)
            fail();
        range_.push_back({*from, *to});
        cumulative_.push_back(sum += weight);
    }
}

std::uint32_t JobSizes::draw(Stream& random) const {
    const Range& range = range_[weighted(cumulative_, random)];
    return range.from + static_cast<std::uint32_t>(random.below(range.to - range.from + 1));
}

Rational JobSizes::mean() const {
    Rational sum;
    std::uint64_t before = 0;
    for (std::size_t i = 0; i < range_.size(); ++i) {
        sum += Rational(cumulative_[i] - before) * (Rational(range_[i].from) + Rational(range_[i].to));
        before = cumulative_[i];
    }
    return sum / (Rational(2) * Rational(cumulative_.back()));
}

Placements::Placements(const input::Listing& listing) {
    for (const input::ListedBlock& block : listing.blocks) {
        const auto servers = listing.replicas_of(block);
        if (!servers.empty()) blocks_.emplace_back(servers.begin(), servers.end());
    }
    if (blocks_.empty()) throw InputError::at_key("placement", "expected a listing with a block that has a replica");
}

void Placements::draw(sharing::Job& job, Stream& random) const {
    if (!blocks_.empty()) {
        std::size_t block = random.below(blocks_.size());
        for (Replicas& data : job.tasks) {
            data = blocks_[block];
            if (++block == blocks_.size()) block = 0;
        }
        return;
    }
    for (Replicas& data : job.tasks) {  // Floyd: r draws for r different nodes
        data.clear();
        for (std::size_t last = nodes_ - replicas_; last < nodes_; ++last) {
            const NodeId drawn(random.below(last + 1));
            data.push_back(std::find(data.begin(), data.end(), drawn) == data.end() ? drawn : NodeId(last));
        }
    }
}

Probes draw_probes(std::size_t count, std::size_t nodes, Stream& random) {
    std::set<NodeId> drawn;  // by Floyd's algorithm, as placements
    for (std::size_t last = nodes - count % nodes; last < nodes; ++last)
        if (!drawn.emplace(random.below(last + 1)).second) drawn.emplace(last);
    return {count / nodes, {drawn.begin(), drawn.end()}};
}

TracedJobs read_traced_jobs(std::istream& in, const std::string& file, double ticks) {
    input::SwimReader reader(in, file);
    std::vector<TracedJob> jobs;
    std::optional<double> start;
    while (const auto job = reader.next()) {
        const auto fail = [&](const char* key, const std::string& expected) {
            throw InputError::at_line(file, reader.line(), key, expected);
        };
        if (jobs.size() == input::max_trace_jobs)
            fail("", fmt::format("expected at most {} jobs", input::max_trace_jobs));
        if (!start) start = job->submit;
        const double submit = (job->submit - *start) * ticks;
        if (!(submit < latest)) fail("submit time", "expected a time that is not more than 2^52 ticks after the first");
        const double blocks = std::max(1.0, std::ceil(job->map_bytes / input::TraceSizes::block));
        if (!(blocks <= most_tasks)) fail("map bytes", fmt::format("expected at most {} blocks", most_tasks));
        jobs.push_back({static_cast<Ticks>(submit), static_cast<std::uint32_t>(blocks), job->map_bytes / blocks});
    }
    if (jobs.empty())
        throw InputError::in_file(
            file, reader.without_bytes() == 0 ? "expected at least one job" : "expected at least one job with bytes");
    return {std::move(jobs), reader.without_bytes()};
}

JobSource::JobSource(const JobLaws& laws, const std::vector<TracedJob>& trace, const Replication& replication)
    : laws_(laws),
      trace_(&trace),
      arrivals_(replication, "arrivals"),
      sizes_(replication, "sizes"),
      placements_(replication, "placement"),
      times_(replication, "run times"),
      priorities_(replication, "priorities") {
    for (const TracedJob& job : trace) tasks_ += job.tasks;
}

JobSource::JobSource(const JobLaws& laws, const GeneratedJobs& generated, const Replication& replication)
    : JobSource(laws, std::vector<TracedJob>(), replication) {
    trace_ = nullptr;
    generated_ = &generated;
    if (generated.at_once) tasks_ = static_cast<double>(*generated.at_once) * generated.sizes.mean().approximate();
}

bool JobSource::next(ArrivingJob& arriving) {
    TracedJob job;
    if (generated_ != nullptr && generated_->at_once) {
        if (at_++ >= *generated_->at_once) return false;
        job = {0, generated_->sizes.draw(sizes_), input::TraceSizes::block};
    } else if (generated_ != nullptr) {
        time_ += boost::random::exponential_distribution<double>(generated_->rate)(arrivals_);
        if (!(time_ < latest)) return false;
        job = {static_cast<Ticks>(time_), generated_->sizes.draw(sizes_), input::TraceSizes::block};
    } else {
        if (at_ == trace_->size()) return false;
        job = (*trace_)[at_++];
    }
    arriving.job.submit = job.submit;
    const auto& weights = laws_.priority_weights;
    std::vector<std::uint64_t> cumulative(weights.size());
    std::partial_sum(weights.begin(), weights.end(), cumulative.begin());
    arriving.job.priority = static_cast<sharing::Priority>(weighted(cumulative, priorities_));
    arriving.job.tasks.resize(job.tasks);
    laws_.placements.draw(arriving.job, placements_);
    arriving.times.resize(laws_.times.alike() ? 1 : job.tasks);
    for (Ticks& time : arriving.times) time = laws_.times.alone(job.bytes, times_);
    return true;
}

}  // namespace schedproof::simulation
