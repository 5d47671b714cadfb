/// Named streams of random bits, for distributions that take any generator of 64-bit words.
///
/// A stream is a counter-based generator (Philox 4x64-10) whose counter holds its name: the same (seed, replication,
/// purpose, index) gives the same words on every machine, whatever else was drawn before. So two policies that are
/// compared draw the same arrivals, sizes and machines: their difference is their own.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string_view>

namespace schedproof::statistics {

/// Which run of an experiment.
struct Replication {
    std::uint64_t seed = 1;
    std::uint64_t number = 0;
};

/// A uniform random bit generator in the sense of the standard library and of Boost.
class Stream {
  public:
    using result_type = std::uint64_t;

    /// `purpose` is a word such as "arrivals", `index` the thing it is for, such as a machine.
    Stream(const Replication& replication, std::string_view purpose, std::uint64_t index = 0);

    static constexpr result_type min() { return 0; }
    static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }
    result_type operator()() {
        if (used_ == words_.size()) refill();
        return words_[used_++];
    }

    /// 32 random bits; two calls use up one word.
    std::uint32_t half() {
        if (half_left_) {
            half_left_ = false;
            return static_cast<std::uint32_t>(halves_ >> 32);
        }
        halves_ = (*this)();
        half_left_ = true;
        return static_cast<std::uint32_t>(halves_);
    }

    /// 0..bound-1, each exactly equally likely, from 32 bits at a time. Requires bound >= 1.
    std::uint32_t below_half(std::uint32_t bound) {
        std::uint64_t product = std::uint64_t{half()} * bound;
        if (static_cast<std::uint32_t>(product) < bound) {
            const std::uint32_t threshold = (0 - bound) % bound;
            while (static_cast<std::uint32_t>(product) < threshold) product = std::uint64_t{half()} * bound;
        }
        return static_cast<std::uint32_t>(product >> 32);
    }

    /// 0..bound-1, each exactly equally likely (multiply-shift with rejection, [lemire2019]). Requires bound >= 1.
    std::uint64_t below(std::uint64_t bound) {
        __extension__ using Wide = unsigned __int128;
        Wide product = Wide{(*this)()} * bound;
        if (static_cast<std::uint64_t>(product) < bound) {
            const std::uint64_t threshold = (0 - bound) % bound;
            while (static_cast<std::uint64_t>(product) < threshold) product = Wide{(*this)()} * bound;
        }
        return static_cast<std::uint64_t>(product >> 64);
    }

  private:
    void refill();

    std::uint64_t seed_;
    std::array<std::uint64_t, 4> counter_;   // block, index, replication, purpose
    std::array<std::uint64_t, 16> words_{};  // several blocks at once: their rounds overlap in the machine
    std::size_t used_ = 16;
    std::uint64_t halves_ = 0;
    bool half_left_ = false;
};

}  // namespace schedproof::statistics
