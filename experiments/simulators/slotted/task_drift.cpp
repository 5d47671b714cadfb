#include "experiments/simulators/slotted/task_drift.hpp"

namespace schedproof::simulation {

TaskDrift::TaskDrift(const SimulatedSystem& system)
    : mean_(system.arrival_rate().approximate()), square_(system.arrivals_squared().approximate()) {
    for (const Rational& rate : system.instance->rate_table()) rates_.push_back(rate.approximate());
}

void TaskDrift::add(std::uint64_t there, std::uint64_t arrived, std::span<const std::uint32_t> in_execution,
                    Sums& to) const {
    double services = 0, spread = 0;
    for (std::size_t r = 0; r < rates_.size(); ++r) {
        const auto tasks = static_cast<double>(in_execution[r]);
        services += rates_[r] * tasks;
        spread += rates_[r] * (1 - rates_[r]) * tasks;
    }
    const auto before = static_cast<double>(there - arrived), after = static_cast<double>(there);
    to.tasks += mean_ - services;
    to.squares += 2 * mean_ * before + square_ - 2 * after * services + services * services + spread;
}

}  // namespace schedproof::simulation
