/// Where the jobs of a run come from: a trace, or a generator.
///
/// Arrivals, placements, run times and priorities have streams of their own, so every policy is given the same jobs.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/input/fsck/listing.hpp"
#include "experiments/simulators/sharing/run_times.hpp"
#include "model/core/randomness.hpp"
#include "model/sharing/sharing_state.hpp"

namespace schedproof::simulation {

/// How many tasks a job has: a mixture of uniform ranges.
class JobSizes {
  public:
    /// `100`, `1..10`, or `85:1..10,4:11..50,11:51..150` with weights. Throws InputError.
    explicit JobSizes(std::string_view text);
    [[nodiscard]] std::uint32_t draw(statistics::Stream& random) const;
    [[nodiscard]] Rational mean() const;

  private:
    struct Range {
        std::uint32_t from, to;
    };
    std::vector<Range> range_;
    std::vector<std::uint64_t> cumulative_;  // weights
};

/// Where the data of tasks is: on r different nodes, uniformly among the first ones; or, with a listing, on the
/// replicas of consecutive blocks from a random one on, since the blocks of a file are neighbours in it.
class Placements {
  public:
    /// Requires 1 <= replicas <= nodes.
    Placements(std::size_t replicas, std::size_t nodes) : replicas_(replicas), nodes_(nodes) {}
    /// Throws InputError when no block has a replica.
    explicit Placements(const input::Listing& listing);
    /// Fills `job.tasks`, which has as many as the job.
    void draw(sharing::Job& job, statistics::Stream& random) const;

  private:
    std::size_t replicas_ = 0, nodes_ = 0;
    std::vector<sharing::Replicas> blocks_;  // of a listing
};

/// Where a job makes reservations: so many at every node, and one more at some, in ascending order.
struct Probes {
    std::size_t everywhere = 0;
    std::vector<sharing::NodeId> more;
};
/// So many reservations at different nodes that are drawn uniformly; of more reservations than nodes every node gets
/// one, as often as that goes, before the rest is drawn.
[[nodiscard]] Probes draw_probes(std::size_t count, std::size_t nodes, statistics::Stream& random);

/// A line of a trace: time and tasks, and what one task reads.
struct TracedJob {
    sharing::Ticks submit = 0;
    std::uint32_t tasks = 1;
    double bytes = 0;
};
struct TracedJobs {
    std::vector<TracedJob> jobs;
    std::size_t without_bytes = 0;  ///< jobs passed over because they have no bytes
};
/// Reads a SWIM trace; the first job with bytes comes at 0. `ticks` are those of a second. Throws InputError.
[[nodiscard]] TracedJobs read_traced_jobs(std::istream& in, const std::string& file, double ticks);

/// The laws of a job, whatever its arrival.
struct JobLaws {
    Placements placements;
    RunTimes times;
    std::array<std::uint64_t, sharing::priorities> priority_weights{0, 0, 1, 0, 0};
    std::size_t probes = 2;  ///< reservations for each task
};

/// Poisson arrivals without end, or so many jobs at time 0 and no others.
struct GeneratedJobs {
    double rate = 1;  ///< Unit: job per tick
    JobSizes sizes;
    std::optional<std::size_t> at_once = {};
};

struct ArrivingJob {
    sharing::Job job;
    std::vector<sharing::Ticks> times;  ///< of each task beside its data
};

class JobSource {
  public:
    /// Keeps references to laws and trace.
    JobSource(const JobLaws& laws, const std::vector<TracedJob>& trace, const statistics::Replication& replication);
    JobSource(const JobLaws& laws, const GeneratedJobs& generated, const statistics::Replication& replication);

    /// The next job in order of submission; false at the end, which Poisson arrivals do not have.
    bool next(ArrivingJob& arriving);
    /// How many tasks all jobs have together, those of jobs that have not come in the mean; 0 for Poisson arrivals.
    [[nodiscard]] double tasks() const { return tasks_; }

  private:
    const JobLaws& laws_;
    const std::vector<TracedJob>* trace_ = nullptr;
    const GeneratedJobs* generated_ = nullptr;
    std::size_t at_ = 0;
    double time_ = 0, tasks_ = 0;
    statistics::Stream arrivals_, sizes_, placements_, times_, priorities_;
};

}  // namespace schedproof::simulation
