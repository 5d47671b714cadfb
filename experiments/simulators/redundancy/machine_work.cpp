#include "experiments/simulators/redundancy/machine_work.hpp"

#include <algorithm>

namespace schedproof::simulation {

void MachineWork::in_slot(std::uint64_t slot, std::span<double> work) {
    const auto from = static_cast<double>(slot), to = static_cast<double>(slot + 1);
    for (std::size_t i = 0; i < period_.size(); ++i)
        work[i] = period_[i].end >= to ? period_[i].rate : across_periods(i, from, to);
}

double MachineWork::across_periods(std::size_t machine, double from, double to) {
    Period& period = period_[machine];
    double sum = 0;
    while (period.end < to) {
        if (period.end > from) {
            sum += period.rate * (period.end - from);
            from = period.end;
        }
        period = next(machine, period);
    }
    return sum + period.rate * (to - from);
}

}  // namespace schedproof::simulation
