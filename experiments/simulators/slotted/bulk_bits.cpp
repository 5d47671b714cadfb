#include "experiments/simulators/slotted/bulk_bits.hpp"

#include "model/core/errors.hpp"

namespace schedproof::simulation {

namespace {

constexpr std::size_t words_per_block = 4, words_per_group = lanes * words_per_block;

}  // namespace

BulkBits::BulkBits(const statistics::Replication& replication, std::string_view purpose, std::size_t words,
                   SimdLevel simd)
    : loops_(&lane_loops(simd)), words_(words) {
    require(words >= 1, "a stream in bulk makes at least one word at a time");
    statistics::Stream stream(replication, purpose);
    key_ = stream();
    name_ = stream();
    buffer_.resize((words + words_per_group - 1) / words_per_group * words_per_group);
}

std::span<const std::uint32_t> BulkBits::next() {
    const std::uint64_t blocks = buffer_.size() / words_per_block;
    // Skips to the next 2^32 rather than wrap around within a call.
    if ((block_ & 0xFFFFFFFFU) + buffer_.size() > 0xFFFFFFFFU) block_ = ((block_ >> 32) + 1) << 32;
    loops_->philox(key_, name_, block_, buffer_.size() / words_per_group, buffer_.data());
    block_ += blocks;
    return {buffer_.data(), words_};
}

}  // namespace schedproof::simulation
