/// The warm-up of runs, which is left out so that results do not depend on the initial state.
///
/// The warm-up is judged on the replications together (their batches, pooled by place in the run), by the first
/// quantity that is not rare, by those with a distribution and by the controls of stationary runs, whose level is a
/// part of the controlled means; the latest cut is taken for all, so that one figure is never of another period than
/// its neighbour. With many quantities, some would be cut late by chance alone. Policies that are compared are cut at
/// the same time, the latest of theirs: otherwise their difference would also be one of periods.
///
/// Where the rule MSER puts the cut into the second half, runs may still move, or values that depend on each other were
/// alike by chance. What the replications differ by between their second and fourth quarters decides
/// (statistics::still_moves): runs that are stationary are told to be too short once in twenty studies at most. A
/// single replication has no such test; there the cut in the second half counts as no level.
///
/// A quantity that is not seen in every batch is judged by longer stretches, the shortest of 1, 2, 4, ... batches in
/// each of which it was seen; what stands before its first sight is warm-up.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "experiments/simulators/core/observation.hpp"

namespace schedproof::runs {

/// The mean of a quantity under one of the policies that are compared, known otherwise than from the runs: all means of
/// policies that met the same random numbers are controlled by it.
struct KnownMean {
    std::size_t policy = 0;  ///< index among those compared
    std::string quantity;    ///< its name
    double lower = 0, upper = 0;
    friend bool operator==(const KnownMean&, const KnownMean&) = default;
};

struct SummaryOptions {
    double confidence = 0.95;
    /// Unit: the experiment's time unit, rounded up to a batch. None: found by MSER-5, or 0 when `terminating`.
    std::optional<double> warm_up = {};
    bool terminating = false;  ///< the run has an end of its own (a trace): its start belongs to it
    std::optional<KnownMean> known = {};

    /// Whether what is cut off does not depend on what the runs observe.
    [[nodiscard]] bool cut_is_given() const { return warm_up.has_value() || terminating; }
};

/// Batches that were cut off at the start of each run.
struct Cut {
    std::size_t batches = 0;
    bool automatic = false;
    bool found = true;                   ///< of the first quantity; else half the run was cut as a makeshift
    std::vector<std::string> unsettled;  ///< others that are judged, and still move where a level should be
    bool in_fives = true;                ///< MSER-5; else MSER on the batches themselves, too few for groups of five
    friend bool operator==(const Cut&, const Cut&) = default;
};

/// How a run is cut into batches.
struct Batches {
    double length = 0;  ///< Unit: the experiment's time unit
    std::size_t count = 0;
};

/// Tallies of several runs of one experiment, added up by place in the run.
class Pooled {
  public:
    explicit Pooled(std::span<const simulation::Quantity> quantities);

    /// Requires as many batches as the runs before, at least one.
    void add(const simulation::Observation& observation);
    /// Batches to cut off. Requires a run. Throws InputError when the given warm-up leaves nothing.
    [[nodiscard]] Cut warm_up(const SummaryOptions& options) const;
    [[nodiscard]] Batches batches() const { return {batch_length_, batches_}; }

  private:
    struct Monitored {
        std::size_t quantity;
        std::string name;
        std::vector<simulation::Tally> batches;
        std::vector<double> moved;  ///< by run: its second quarter less its fourth, where both have seen the quantity
    };
    [[nodiscard]] bool still_moves(const Monitored& monitored) const;
    std::vector<Monitored> monitored_;
    std::size_t judged_ = 0;  // the first quantity that is not rare
    double batch_length_ = 0;
    std::size_t batches_ = 0;
};

/// Batches to cut off. Requires observations of one experiment, at least one. Throws as Pooled::warm_up.
[[nodiscard]] Cut warm_up(std::span<const simulation::Quantity> quantities,
                          std::span<const simulation::Observation> observations, const SummaryOptions& options);

/// Of policies that are compared: automatic cuts become the latest of them, in time. `runs[i]` are those under policy
/// i. Requires as many of one as of the other.
void make_common(std::span<Cut> cuts, std::span<const Batches> runs);

/// Sum and weight of a quantity in a run after the cut.
[[nodiscard]] simulation::Tally kept(const simulation::Observation& observation, std::size_t quantity, std::size_t cut);

}  // namespace schedproof::runs
