#include "experiments/statistics/stream.hpp"

namespace schedproof::statistics {

namespace {

/// FNV-1a. The few purposes of this project have different values.
constexpr std::uint64_t hash(std::string_view text) {
    std::uint64_t value = 0xcbf29ce484222325U;
    for (const char c : text) value = (value ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    return value;
}

/// The second word of the key; the samplers of the models have 0 there, so no stream here is one of theirs.
constexpr std::uint64_t family = 1;

}  // namespace

Stream::Stream(const Replication& replication, std::string_view purpose, std::uint64_t index)
    : state_{{replication.seed, family}, {0, index, replication.number, hash(purpose)}} {}

void Stream::refill() {
    next_words(state_, words_);
    used_ = 0;
}

}  // namespace schedproof::statistics
