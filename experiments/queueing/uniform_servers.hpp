/// Servers drawn one after another, each equally likely, from 21 random bits a piece where that is enough.
#pragma once

#include <cstdint>

#include "experiments/statistics/stream.hpp"

namespace schedproof::simulation {

/// Three pieces of a word serve three draws. A piece u gives floor(u n / 2^21); pieces whose remainder lies below
/// 2^21 mod n are drawn again, which makes every server exactly as likely as any other (Lemire 2019).
class UniformServers {
  public:
    /// Of servers 0..n-1. Requires n >= 1.
    UniformServers(const statistics::Replication& replication, std::uint32_t n)
        : stream_(replication, "replicas"), n_(n), rejected_((1U << bits) % n) {}

    std::uint32_t operator()() {
        if (n_ > (1U << 16)) return stream_.below_half(n_);
        for (;;) {
            if (left_ == 0) {
                word_ = stream_();
                left_ = 3;
            }
            --left_;
            const std::uint64_t product = (word_ & mask) * n_;
            word_ >>= bits;
            if ((product & mask) >= rejected_) return static_cast<std::uint32_t>(product >> bits);
        }
    }

  private:
    static constexpr unsigned bits = 21;
    static constexpr std::uint64_t mask = (1U << bits) - 1;
    statistics::Stream stream_;
    std::uint32_t n_, rejected_;
    std::uint64_t word_ = 0;
    unsigned left_ = 0;
};

}  // namespace schedproof::simulation
