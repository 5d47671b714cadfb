/// The generator behind every random draw: Philox 4x64-10, [salmon2011].
///
/// It is counter-based: a block of four words is a fixed function of a key and a counter. So a stream is named by its
/// key and counter, and gives the same words on every machine, whatever else was drawn before and on however many
/// threads or shards.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace schedproof {

struct PhiloxState {
    std::array<std::uint64_t, 2> key;
    std::array<std::uint64_t, 4> counter;  ///< the first word counts blocks
};

/// Fills `words` with the next blocks of the stream and moves its counter on. Defined for 4 and 16 words: the rounds of
/// several blocks overlap in the machine.
template <std::size_t count>
void next_words(PhiloxState& state, std::array<std::uint64_t, count>& words);

/// An integer in 0..bound-1, each exactly equally likely (multiply-shift with rejection, [lemire2019]).
/// `next` gives uniform 64-bit words. Requires bound >= 1.
template <class Next>
std::uint64_t uniform_below(std::uint64_t bound, Next&& next) {
    __extension__ using Wide = unsigned __int128;
    Wide product = Wide{next()} * bound;
    if (static_cast<std::uint64_t>(product) < bound) {
        const std::uint64_t threshold = (0 - bound) % bound;
        while (static_cast<std::uint64_t>(product) < threshold) product = Wide{next()} * bound;
    }
    return static_cast<std::uint64_t>(product >> 64);
}

}  // namespace schedproof
