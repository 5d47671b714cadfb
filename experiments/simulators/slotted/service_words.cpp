#include "experiments/simulators/slotted/service_words.hpp"

namespace schedproof::simulation {

ServiceWords::ServiceWords(const queueing::Instance& instance, const statistics::Replication& replication,
                           SimdLevel simd)
    : padded_(whole_lanes(instance.servers().size())),
      half_(whole_lanes(padded_ / 2)),
      words_(replication, "service bits", half_, simd),
      further_(replication, "further service bits") {
    for (const Level level : instance.levels()) rates_.emplace_back(std::vector{instance.rate(level)});
}

bool ServiceWords::ends(Level level) { return rates_[level.index()].reached(threshold(level), further_) == 0; }

}  // namespace schedproof::simulation
