#include "experiments/simulators/slotted/stamp_rings.hpp"

#include "model/core/errors.hpp"

namespace schedproof::simulation {

void StampRings::widen() {
    if (ring_.size() >= std::size_t{1} << 30)
        throw LimitExceeded("waiting tasks", "a queue is too long for the delays of a cluster of this size");
    const std::uint32_t before = (std::uint32_t{1} << bits_) - 1, after = 2 * before + 1;
    LaneWords wider(2 * ring_.size());
    for (std::uint32_t q = 0; q < head_.size(); ++q)
        for (std::uint32_t i = head_[q]; i != tail_[q]; ++i)
            wider[(q << (bits_ + 1)) + (i & after)] = ring_[(q << bits_) + (i & before)];
    ring_.swap(wider);
    ++bits_;
}

}  // namespace schedproof::simulation
