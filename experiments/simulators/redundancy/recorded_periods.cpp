#include "experiments/simulators/redundancy/recorded_periods.hpp"

#include "model/core/errors.hpp"

namespace schedproof::simulation {

RecordedPeriods::RecordedPeriods(const input::Availability& table, std::size_t machines)
    : MachineWork(machines), table_(table), place_(machines) {
    require(machines <= table.machines.size(), "more machines than the record has");
    require(table.length >= 1, "a record shorter than a slot");
}

MachineWork::Period RecordedPeriods::next(std::size_t machine, const Period&) {
    const auto& intervals = table_.available[machine];
    Place& place = place_[machine];
    const auto& interval = intervals[place.interval];
    place.reached = !place.reached;
    if (place.reached) return {0, place.round + interval.start};
    const Period available{1, place.round + interval.end};
    if (++place.interval == intervals.size()) {
        place.interval = 0;
        place.round += table_.length;
    }
    return available;
}

}  // namespace schedproof::simulation
