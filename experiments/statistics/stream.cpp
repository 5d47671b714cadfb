#include "experiments/statistics/stream.hpp"

#include <Random123/philox.h>

#include <algorithm>

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
    : seed_(replication.seed), counter_{0, index, replication.number, hash(purpose)} {}

void Stream::refill() {
    const r123::Philox4x64::key_type key{{seed_, family}};
    for (std::size_t first = 0; first < words_.size(); first += 4) {
        const r123::Philox4x64::ctr_type counter{{counter_[0]++, counter_[1], counter_[2], counter_[3]}};
        const auto words = r123::Philox4x64{}(counter, key);
        std::copy(words.begin(), words.end(), words_.begin() + static_cast<std::ptrdiff_t>(first));
    }
    used_ = 0;
}

}  // namespace schedproof::statistics
