/// Sharing policies on random trajectories of several jobs, and what is tested there: an oracle that only ever
/// survives.
///
/// There is a backlog: as soon as all tasks of a job are launched the next is submitted, until all are; then the jobs
/// that are present run out, which is part of what is measured. (With few jobs present, free slots are offered again
/// and again, skip counts are used up on the same nodes, and locality stays low: that is not what the analysis speaks
/// of, and true of the last jobs.) Tasks have distinct random nodes as replicas; every tick each running task ends with
/// probability 1/run, the slots that become free are offered in a random order, and those that stay free again in the
/// next tick. Placements, ends and orders come from streams of their own, so that runs with another D meet the same
/// ones.
///
/// Tests are one-sided and paired by replication: with differences d_i, of which `holds` claims that their mean is
/// negative, mean <= -z s / sqrt(n) for z^2 = 11, which at a true mean of zero has probability 0.0005 in the normal
/// approximation. Sums and squares are rational; a test passes or not for the same reason on every machine.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "model/core/rational.hpp"
#include "policies/sharing/registry.hpp"

namespace schedproof::checks {

struct Scenario {
    std::size_t nodes = 20;
    std::size_t slots = 1;     ///< of each node
    std::size_t jobs = 300;    ///< in all
    std::size_t present = 60;  ///< with tasks to launch, at a time
    std::size_t tasks = 1;     ///< of each job
    std::size_t replicas = 4;  ///< of each task, on different nodes
    sharing::Ticks run = 40;   ///< mean run time
};

struct SimulatedRun {
    std::uint64_t launches = 0;
    std::uint64_t without_data = 0;  ///< of them
    std::uint64_t waits = 0;         ///< from a job's first skip to its next launch
    std::uint64_t waited = 0;        ///< in them. Unit: ticks
    [[nodiscard]] Rational non_locality() const { return Rational(without_data) / Rational(launches); }
    [[nodiscard]] Rational mean_wait() const { return waits == 0 ? Rational(0) : Rational(waited) / Rational(waits); }
};
/// Throws LimitExceeded when the tasks are not all launched in time.
[[nodiscard]] SimulatedRun simulate(const sharing::AnyPolicy& policy, const Scenario& scenario, std::uint64_t seed,
                                    std::uint64_t replication);

/// Whether the differences' mean is negative by the test above.
[[nodiscard]] bool surely_negative(const std::vector<Rational>& differences);

/// D -> policy.
using ByD = std::function<sharing::AnyPolicy(std::int64_t d)>;
/// How non-locality fails to halve at least with every 6 further skips, D = 0, 6, 12; empty when it does not fail.
[[nodiscard]] std::string non_locality_does_not_halve(const ByD& policy, const Scenario& scenario, std::uint64_t seed,
                                                      std::uint64_t replications);
/// How the mean wait, with D = 8 and 1, 2, 4 slots a node, fails to fall by more than a third, or falls by more than
/// two thirds, with each doubling.
[[nodiscard]] std::string wait_is_not_inverse_to_slots(const ByD& policy, const Scenario& scenario, std::uint64_t seed,
                                                       std::uint64_t replications);

}  // namespace schedproof::checks
