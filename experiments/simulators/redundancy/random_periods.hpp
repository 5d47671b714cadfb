/// Machines that are available and unavailable in turns, for times and at rates drawn at random.
///
/// Lengths are Gamma distributed, with parameters of the kind that are fitted to traces of desktop grids; the rate of a
/// period is uniform and drawn once for it (drawn for each slot it would average out, and copies gain little). Rates
/// are divided by their overall mean, so that a machine gets 1 done per slot on average. A path begins in the middle of
/// its stationary law: available with the long-run probability, the rest of the period uniform on a length that is
/// biased by length (Gamma again, its shape one more).
/// Source: [xu2017], Section 6; the text's numbers are lost, these are ours: docs/models/redundancy.md, Interpretation
/// R14.
#pragma once

#include <boost/random/gamma_distribution.hpp>
#include <boost/random/uniform_real_distribution.hpp>
#include <string>
#include <string_view>

#include "experiments/simulators/redundancy/machine_work.hpp"
#include "experiments/statistics/stream.hpp"

namespace schedproof::simulation {

/// One kind of period.
struct PeriodKind {
    double shape, scale;  ///< of the length. Unit: slot
    double least, most;   ///< rate, before it is divided by the overall mean
    [[nodiscard]] double mean_length() const { return shape * scale; }
    [[nodiscard]] double mean_rate() const { return (least + most) / 2; }
};

struct PeriodLaw {
    std::string name;
    PeriodKind available, unavailable;

    /// Before rates are divided by it.
    [[nodiscard]] double mean_rate() const;
    /// Long-run part of the time.
    [[nodiscard]] double availability() const;
};

/// Configuration `A` (rates 1..2 and 0..1) or `B` (1/2..2 and 0..1/2) of docs/models/redundancy.md, Interpretation R14.
/// Throws InputError.
[[nodiscard]] PeriodLaw period_law(std::string_view name);

/// Each machine has a stream of its own, so paths do not depend on who else is there.
class RandomPeriods final : public MachineWork {
  public:
    RandomPeriods(PeriodLaw law, std::size_t machines, const statistics::Replication& replication);

  private:
    struct Machine {
        statistics::Stream stream;
        bool available = false;
        bool begun = false;
    };
    [[nodiscard]] Period next(std::size_t machine, const Period& before) override;
    [[nodiscard]] double draw_rate(const PeriodKind& kind, Machine& machine) const;

    PeriodLaw law_;
    double mean_rate_;
    std::vector<Machine> machine_;
};

}  // namespace schedproof::simulation
