/// Machines that were available when a record says so: rate 1 then, rate 0 else. After its end the record begins again.
#pragma once

#include <vector>

#include "experiments/input/traces/availability.hpp"
#include "experiments/simulators/redundancy/machine_work.hpp"

namespace schedproof::simulation {

class RecordedPeriods final : public MachineWork {
  public:
    /// The first `machines` of the table. Requires that many, and a record of at least one slot; the table to outlive
    /// this.
    RecordedPeriods(const input::Availability& table, std::size_t machines);

  private:
    /// Which interval is next, and whether it is now.
    struct Place {
        double round = 0;  // when this round of the record began
        std::size_t interval = 0;
        bool reached = false;
    };
    [[nodiscard]] Period next(std::size_t machine, const Period& before) override;

    const input::Availability& table_;
    std::vector<Place> place_;
};

}  // namespace schedproof::simulation
