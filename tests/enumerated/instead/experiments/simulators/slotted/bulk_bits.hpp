/// Random words in bulk, of which those that are used take every outcome in turn.
///
/// In place of experiments/simulators/slotted/bulk_bits.hpp, whose words are tested by themselves
/// (tests/experiments/lane_loops_test.cpp).
#pragma once

#include <span>
#include <string_view>

#include "experiments/simulators/slotted/lane_loops.hpp"
#include "model/core/errors.hpp"
#include "tests/enumerated/instead/experiments/statistics/stream.hpp"

namespace schedproof::simulation {

class BulkBits {
  public:
    BulkBits(const statistics::Replication&, std::string_view purpose, std::size_t words, SimdLevel = available_simd())
        : of_services_(purpose == "service bits"), words_(of_services_ ? whole_lanes(words) : 1) {}

    /// A word for each of the servers, or one word of a task.
    [[nodiscard]] std::span<const std::uint32_t> next() {
        statistics::Outcomes& outcomes = *statistics::outcomes_of_this_thread;
        require(outcomes.bulk.has_value(), "random replicas are not enumerated");
        for (std::size_t i = 0; i < (of_services_ ? outcomes.bulk->servers : 1); ++i)
            words_[i] = outcomes.word(of_services_ ? outcomes.bulk->service : outcomes.bulk->task);
        return words_;
    }

  private:
    bool of_services_;
    LaneWords words_;
};

}  // namespace schedproof::simulation
