/// Jobs that share a cluster as an experiment: its settings as a user gives them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiments/input/text/hashed_input.hpp"
#include "experiments/simulators/core/observation.hpp"
#include "experiments/workload/trace_report.hpp"

namespace schedproof::simulation {

/// What a user may say. Numbers are words where they are exact or may be left out; times are in seconds, or in slots of
/// length 1 when there are no heartbeats. With a trace, or jobs that all come at once, the run ends when every job is
/// done; otherwise Poisson jobs come until the horizon.
struct SharingSettings {
    std::string policy = "delay";    ///< id in policies/sharing/registry.hpp
    std::string skips;               ///< D of `delay`, D1 of `delay-rack`. Default: 1
    std::string rack_skips;          ///< D2 of `delay-rack`, or `inf`. Default: 1
    std::string wait;                ///< W of `dyndlon` and `delay-time`. Default: 0
    std::string wait_from = "free";  ///< since when a slot waits: free, or its last launch
    std::string job_order;           ///< of `dyndlon` and `delay-time`: fifo or fair. Default: fifo

    std::optional<std::uint64_t> nodes;       ///< default: 100, or the servers of `placement`
    std::uint64_t slots = 1;                  ///< of each node
    std::optional<std::uint64_t> racks;       ///< of equal numbers of nodes; default: 1, or those of `placement`
    std::uint64_t replicas = 3;               ///< of a task's data, on different nodes, uniformly
    std::optional<std::uint64_t> data_nodes;  ///< data is on the first so many only; default: all
    std::string placement;  ///< fsck listing: data is placed as its blocks are; then no racks, replicas, data nodes

    std::uint64_t probes = 2;  ///< reservations that a job makes for each task

    std::string trace;                       ///< SWIM: jobs of a map task per 128 MiB, `-` for standard input
    std::optional<double> until;             ///< of a trace: later jobs are left out. Unit: second
    std::string load;                        ///< without a trace: tasks per unit of time. Default: 1
    std::optional<std::uint64_t> at_once;    ///< in place of both: so many jobs at time 0, and no others
    std::string sizes = "100";               ///< without a trace: tasks per job, see JobSizes
    std::string horizon;                     ///< without a trace: the run ends then. Default: 10000
    std::string priorities = "0,0,1,0,0";    ///< how often jobs are of very high, high, normal, low, very low priority
    std::uint64_t small = 10, medium = 150;  ///< small jobs have at most `small` tasks, large ones above `medium`

    /// Of a task beside its data: constant:T, exponential:MEAN, uniform:FROM,TO, blocks:T (T for a whole block, of a
    /// trace), or geometric (slotted; rates below). Default: constant:30; constant:1 slotted.
    std::string run_time;
    std::string rates;          ///< of geometric: ALPHA,GAMMA or ALPHA,BETA,GAMMA. Default: 4/5,1/5
    std::string rack_factor;    ///< a rack-local task takes so many times longer, as a remote one at most. Default: 1
    std::string remote_factor;  ///< a remote one. Default: 2
    std::string contention;     ///< theta: a remote task takes 1 + theta min(r, slots) times longer among r
    std::string transfer;       ///< a remote task reads its block in so much time, r of a node each in r times as much
    /// With `transfer`: cost-functions, as above; or fluid, where links of the nodes that read and that hold the blocks
    /// are shared as SimGrid has it. The latter needs the program `schedproof-links`.
    std::string network = "cost-functions";
    std::string initial_load;  ///< what each slot is busy with at first: a law as `run_time`. Default: nothing

    std::string heartbeat = "3";         ///< of each node; 0: slotted, every free slot is offered in every slot
    std::string tick;                    ///< precision of time, with heartbeats. Default: 1/1000
    std::string order = "index";         ///< of the nodes, slotted: index or random
    std::string routing = "sequential";  ///< of jsq-maxweight:subqueues: sequential or batch
    std::string counting = "in-system";  ///< of its lengths: in-system or waiting
    std::uint64_t batches = 100;         ///< of the run; with a trace, of about the time that it takes
};

/// The values of D in a list, none when it is empty, each as a plain whole number. Throws InputError for a list that
/// cannot be read.
[[nodiscard]] std::vector<std::string> skip_counts(const std::string& skips);

struct SharingWorld;

/// A cluster and its jobs, read once for any number of policies.
class SharingSystem {
  public:
    /// Reads the files; policy and skips of the settings are not heeded. Throws InputError that names the option, or
    /// the place in a file.
    explicit SharingSystem(SharingSettings settings);

    /// `skips` is one number, or empty for the default. Throws InputError. A run throws OracleConflict when an added
    /// policy breaks a contract.
    [[nodiscard]] std::unique_ptr<Experiment> under(const std::string& policy, const std::string& skips) const;
    /// The values of that policy's parameters. Throws as `under`.
    [[nodiscard]] std::string definition(const std::string& policy, const std::string& skips) const;
    /// What there is, for people: a name and words each.
    [[nodiscard]] std::vector<std::pair<std::string, std::string>> lines() const;
    /// The jobs of a trace, in tasks; empty without one.
    [[nodiscard]] std::vector<workload::Submission> submissions() const;
    /// What the slots can do, were every task local, to a millionth of it. Unit: task per second.
    [[nodiscard]] Rational capacity() const;
    /// The files that were read, with the fingerprints of what was read.
    [[nodiscard]] const std::vector<input::InputFile>& inputs() const { return inputs_; }
    /// A sentence when jobs of the trace are passed over, and one when the jobs bring more than the slots can do, were
    /// every task local.
    [[nodiscard]] std::vector<std::string> warnings() const;

  private:
    [[nodiscard]] std::optional<double> load() const;  // none where all jobs come at once

    SharingSettings settings_;
    std::vector<input::InputFile> inputs_;
    std::shared_ptr<const SharingWorld> world_;
};

/// One policy on a system of its own. Throws as SharingSystem does.
[[nodiscard]] std::unique_ptr<Experiment> make_sharing_experiment(const SharingSettings& settings);

}  // namespace schedproof::simulation
