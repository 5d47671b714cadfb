/// Random words of the hand-written loops, which share nothing with the simulators.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <limits>

namespace schedproof::bench {

/// xoshiro256++, eight generators side by side. A uniform random bit generator in the sense of the standard library.
class Words {
    using u32 = std::uint32_t;
    using u64 = std::uint64_t;

  public:
    using result_type = u64;
    /// A vector of the compiler.
    using Eight [[gnu::vector_size(64)]] = u64;

    static constexpr u64 min() { return 0; }
    static constexpr u64 max() { return std::numeric_limits<u64>::max(); }

    explicit Words(u64 seed) {
        for (Eight* row : {&a_, &b_, &c_, &d_})
            for (int i = 0; i < 8; ++i) {
                seed += 0x9E3779B97F4A7C15U;
                u64 z = seed;
                z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
                z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
                (*row)[i] = z ^ (z >> 31);
            }
    }
    u64 operator()() {
        if (at_ == buffer_.size()) [[unlikely]]
            refill();
        return buffer_[at_++];
    }
    /// Not returned: how a vector is depends on the instructions of the machine.
    [[gnu::always_inline]] void eight(Eight& words) {
        const Eight sum = a_ + d_, t = b_ << 17;
        words = (sum << 23 | sum >> 41) + a_;
        c_ ^= a_;
        d_ ^= b_;
        b_ ^= c_;
        a_ ^= d_;
        c_ ^= t;
        d_ = d_ << 45 | d_ >> 19;
    }
    u32 below(u32 bound) {
        for (;;) {
            const u64 product = ((*this)() >> 32) * bound;
            if (static_cast<u32>(product) >= (0 - bound) % bound) return static_cast<u32>(product >> 32);
        }
    }

  private:
    [[gnu::noinline]] void refill() {
        for (std::size_t i = 0; i < buffer_.size(); i += 8) {
            Eight words;
            eight(words);
            std::memcpy(&buffer_[i], &words, sizeof words);
        }
        at_ = 0;
    }
    Eight a_{}, b_{}, c_{}, d_{};
    alignas(64) std::array<u64, 1024> buffer_{};
    std::size_t at_ = 1024;
};

}  // namespace schedproof::bench
