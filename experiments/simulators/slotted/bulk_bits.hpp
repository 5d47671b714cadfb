/// Random words in bulk: Philox 4x32-10 on many counters side by side.
///
/// The generator is the counter-based one of Salmon et al. (SC 2011) in its 32-bit form, whose products SIMD
/// instructions compute well. There is a version for AVX-512, one for AVX2 and a portable one; the best that the
/// machine has is chosen at run time, and all give the same words.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "experiments/statistics/stream.hpp"

namespace schedproof::simulation {

/// The instructions that words are computed with.
enum class SimdLevel : std::uint8_t { none, avx2, avx512 };
/// The best level of this machine.
[[nodiscard]] SimdLevel available_simd();

/// A named stream of 32-bit words, in bulk.
class BulkBits {
  public:
    /// `words` are made at a time. Requires words >= 1.
    BulkBits(const statistics::Replication& replication, std::string_view purpose, std::size_t words,
             SimdLevel simd = available_simd());

    /// The next `words` words, and up to 63 more behind them; valid until the next call.
    [[nodiscard]] std::span<const std::uint32_t> next();

  private:
    SimdLevel simd_;
    std::uint64_t key_, name_, block_ = 0;
    std::size_t words_;
    std::vector<std::uint32_t> buffer_;
};

/// Words of the blocks first, first + 1, ... of one key and name, 64 words for 16 blocks: word by word, block by block.
/// Requires: `simd` of this machine; whole groups of 64 words, and no carry from the low half of a block's number.
void philox_words(SimdLevel simd, std::uint64_t key, std::uint64_t name, std::uint64_t first,
                  std::span<std::uint32_t> out);

/// Thresholds by kind of entry.
using Bounds = std::array<std::uint32_t, 16>;

/// Bit m of the answer: whether entry m has a word below the threshold of its kind. `undecided` says whether some word
/// equals its threshold. Requires: `simd` of this machine, kinds below 8, and 64 words and kinds for each word of
/// `answer`.
void compare_words(SimdLevel simd, std::span<const std::uint32_t> words, std::span<const std::uint8_t> kind,
                   const Bounds& below, std::span<std::uint64_t> answer, bool& undecided);

}  // namespace schedproof::simulation
