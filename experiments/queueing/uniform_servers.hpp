/// Servers drawn one after another, each equally likely, from 21 random bits a piece where that is enough.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "experiments/statistics/stream.hpp"

namespace schedproof::simulation {

/// Three pieces of a word serve three draws. A piece u gives floor(u n / 2^21); pieces whose remainder lies below
/// 2^21 mod n are passed over, which makes every server exactly as likely as any other (Lemire 2019). They are drawn
/// ahead, many at a time.
class UniformServers {
  public:
    /// Of servers 0..n-1. Requires n >= 1.
    UniformServers(const statistics::Replication& replication, std::uint32_t n)
        : stream_(replication, "replicas"), n_(n), rejected_((1U << bits) % n) {}

    std::uint32_t operator()() {
        if (next_ == end_) refill();
        return drawn_[next_++];
    }

  private:
    void refill() {
        next_ = end_ = 0;
        while (end_ + 3 <= drawn_.size()) {
            if (n_ > (1U << 16)) {
                drawn_[end_++] = stream_.below_half(n_);
                continue;
            }
            std::uint64_t word = stream_();
            for (int piece = 0; piece < 3; ++piece, word >>= bits) {
                const std::uint64_t product = (word & mask) * n_;
                drawn_[end_] = static_cast<std::uint32_t>(product >> bits);
                end_ += static_cast<std::size_t>((product & mask) >= rejected_);
            }
        }
    }

    static constexpr unsigned bits = 21;
    static constexpr std::uint64_t mask = (1U << bits) - 1;
    statistics::Stream stream_;
    std::uint32_t n_, rejected_;
    std::array<std::uint32_t, 256> drawn_{};
    std::size_t next_ = 0, end_ = 0;
};

}  // namespace schedproof::simulation
