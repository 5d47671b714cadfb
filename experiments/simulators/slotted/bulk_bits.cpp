/// Philox 4x32-10 and the comparison of its words with thresholds, in three versions of equal results.
///
/// A block is four 32-bit words c0..c3, made from its number and the stream's name by ten rounds under two keys. A
/// round multiplies c0 and c2 by constants to 64 bits, and mixes the halves of the products with c1, c3 and the keys;
/// after it the keys grow by the Weyl constants. Blocks depend on nothing but their number, so sixteen of them run side
/// by side; they are stored word by word, sixteen c0 before sixteen c1, so that a vector is stored as it stands. The
/// portable version computes one block at a time and writes it to the same places; a test compares all versions word
/// for word.
///
/// Comparison: a server has a kind (its level, or 0), a table gives each kind's threshold, and the answer is one bit a
/// server. AVX2 compares signed numbers only, so both sides have their highest bit flipped.
/// Source: Salmon, Moraes, Dror, Shaw, SC 2011.
#include "experiments/simulators/slotted/bulk_bits.hpp"

#include <array>

#include "model/core/errors.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif
#if defined(__GNUC__) && !defined(__clang__)
// Of the compiler's own header (its bug 105593).
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif

namespace schedproof::simulation {

namespace {

constexpr std::size_t lanes = 16, words_per_block = 4, rounds = 10;
constexpr std::uint32_t multiplier0 = 0xD2511F53U, multiplier1 = 0xCD9E8D57U;  // of Philox 4x32
constexpr std::uint32_t weyl0 = 0x9E3779B9U, weyl1 = 0xBB67AE85U;

struct Keys {
    std::uint32_t key0, key1, name0, name1;
    Keys(std::uint64_t key, std::uint64_t name)
        : key0(static_cast<std::uint32_t>(key)),
          key1(static_cast<std::uint32_t>(key >> 32)),
          name0(static_cast<std::uint32_t>(name)),
          name1(static_cast<std::uint32_t>(name >> 32)) {}
};

void philox_portable(const Keys& keys, std::uint64_t first, std::span<std::uint32_t> out) {
    for (std::size_t i = 0; i < out.size() / words_per_block; ++i) {
        const std::uint64_t block = first + i;
        std::array<std::uint32_t, 4> c{static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(block >> 32),
                                       keys.name0, keys.name1};
        std::uint32_t k0 = keys.key0, k1 = keys.key1;
        for (std::size_t round = 0; round < rounds; ++round, k0 += weyl0, k1 += weyl1) {
            const std::uint64_t p0 = std::uint64_t{multiplier0} * c[0], p1 = std::uint64_t{multiplier1} * c[2];
            c = {static_cast<std::uint32_t>(p1 >> 32) ^ c[1] ^ k0, static_cast<std::uint32_t>(p1),
                 static_cast<std::uint32_t>(p0 >> 32) ^ c[3] ^ k1, static_cast<std::uint32_t>(p0)};
        }
        for (std::size_t w = 0; w < words_per_block; ++w)
            out[i / lanes * lanes * words_per_block + w * lanes + i % lanes] = c[w];
    }
}

std::uint64_t compare_portable(const std::uint32_t* words, const std::uint8_t* kind, const Bounds& below,
                               bool& undecided) {
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < 64; ++i) {
        bits |= std::uint64_t{words[i] < below[kind[i]]} << i;
        undecided = undecided || words[i] == below[kind[i]];
    }
    return bits;
}

#if defined(__x86_64__)

// Vector simd multiply 32-bit numbers that stand in the low halves of 64-bit lanes, whatever the high halves hold. So
// the blocks of even number are one vector and those of odd number another; a product is the next c1 or c3 as it is.

struct Counters512 {
    __m512i c0, c1, c2, c3;
};
[[gnu::target("avx512f")]] inline void round(Counters512& c, __m512i k0, __m512i k1) {
    constexpr int exclusive_or = 0x96;  // of three
    const __m512i p0 = _mm512_mul_epu32(c.c0, _mm512_set1_epi64(multiplier0)),
                  p1 = _mm512_mul_epu32(c.c2, _mm512_set1_epi64(multiplier1));
    c.c0 = _mm512_ternarylogic_epi64(_mm512_srli_epi64(p1, 32), c.c1, k0, exclusive_or);
    c.c1 = p1;
    c.c2 = _mm512_ternarylogic_epi64(_mm512_srli_epi64(p0, 32), c.c3, k1, exclusive_or);
    c.c3 = p0;
}
[[gnu::target("avx512f")]] inline __m512i together(__m512i even, __m512i odd) {
    return _mm512_mask_mov_epi32(even, 0xAAAA, _mm512_slli_epi64(odd, 32));
}

[[gnu::target("avx512f")]] void philox_avx512(const Keys& keys, std::uint64_t first, std::span<std::uint32_t> out) {
    const __m512i lane = _mm512_set_epi64(14, 12, 10, 8, 6, 4, 2, 0);
    const __m512i name0 = _mm512_set1_epi64(keys.name0), name1 = _mm512_set1_epi64(keys.name1);
    for (std::size_t at = 0; at < out.size(); at += lanes * words_per_block, first += lanes) {
        const __m512i block = _mm512_add_epi64(_mm512_set1_epi64(static_cast<long long>(first)), lane);
        const __m512i high = _mm512_srli_epi64(block, 32);
        Counters512 even{block, high, name0, name1};
        Counters512 odd{_mm512_add_epi64(block, _mm512_set1_epi64(1)), high, name0, name1};
        std::uint32_t k0 = keys.key0, k1 = keys.key1;
        for (std::size_t i = 0; i < rounds; ++i, k0 += weyl0, k1 += weyl1) {
            round(even, _mm512_set1_epi64(k0), _mm512_set1_epi64(k1));
            round(odd, _mm512_set1_epi64(k0), _mm512_set1_epi64(k1));
        }
        std::uint32_t* const to = out.data() + at;
        _mm512_storeu_si512(to, together(even.c0, odd.c0));
        _mm512_storeu_si512(to + lanes, together(even.c1, odd.c1));
        _mm512_storeu_si512(to + 2 * lanes, together(even.c2, odd.c2));
        _mm512_storeu_si512(to + 3 * lanes, together(even.c3, odd.c3));
    }
}

[[gnu::target("avx512f")]] std::uint64_t compare_avx512(const std::uint32_t* words, const std::uint8_t* kind,
                                                        const Bounds& below, bool& undecided) {
    const __m512i table = _mm512_loadu_si512(below.data());
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < 64; i += lanes) {
        const __m512i kinds = _mm512_cvtepu8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(kind + i)));
        const __m512i bound = _mm512_permutexvar_epi32(kinds, table), word = _mm512_loadu_si512(words + i);
        bits |= std::uint64_t{_mm512_cmplt_epu32_mask(word, bound)} << i;
        undecided = undecided || _mm512_cmpeq_epu32_mask(word, bound) != 0;
    }
    return bits;
}

struct Counters256 {
    __m256i c0, c1, c2, c3;
};
[[gnu::target("avx2")]] inline void round(Counters256& c, __m256i k0, __m256i k1) {
    const __m256i p0 = _mm256_mul_epu32(c.c0, _mm256_set1_epi64x(multiplier0)),
                  p1 = _mm256_mul_epu32(c.c2, _mm256_set1_epi64x(multiplier1));
    c.c0 = _mm256_xor_si256(_mm256_xor_si256(_mm256_srli_epi64(p1, 32), c.c1), k0);
    c.c1 = p1;
    c.c2 = _mm256_xor_si256(_mm256_xor_si256(_mm256_srli_epi64(p0, 32), c.c3), k1);
    c.c3 = p0;
}
[[gnu::target("avx2")]] inline __m256i together(__m256i even, __m256i odd) {
    return _mm256_blend_epi32(even, _mm256_slli_epi64(odd, 32), 0xAA);
}

[[gnu::target("avx2")]] void philox_avx2(const Keys& keys, std::uint64_t first, std::span<std::uint32_t> out) {
    const __m256i lane = _mm256_set_epi64x(6, 4, 2, 0);
    const __m256i name0 = _mm256_set1_epi64x(keys.name0), name1 = _mm256_set1_epi64x(keys.name1);
    for (std::size_t i = 0; i < out.size() / words_per_block; i += 8, first += 8) {
        const __m256i block = _mm256_add_epi64(_mm256_set1_epi64x(static_cast<long long>(first)), lane);
        const __m256i high = _mm256_srli_epi64(block, 32);
        Counters256 even{block, high, name0, name1};
        Counters256 odd{_mm256_add_epi64(block, _mm256_set1_epi64x(1)), high, name0, name1};
        std::uint32_t k0 = keys.key0, k1 = keys.key1;
        for (std::size_t r = 0; r < rounds; ++r, k0 += weyl0, k1 += weyl1) {
            round(even, _mm256_set1_epi64x(k0), _mm256_set1_epi64x(k1));
            round(odd, _mm256_set1_epi64x(k0), _mm256_set1_epi64x(k1));
        }
        std::uint32_t* const to = out.data() + i / lanes * lanes * words_per_block + i % lanes;
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), together(even.c0, odd.c0));
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + lanes), together(even.c1, odd.c1));
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + 2 * lanes), together(even.c2, odd.c2));
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + 3 * lanes), together(even.c3, odd.c3));
    }
}

[[gnu::target("avx2")]] std::uint64_t compare_avx2(const std::uint32_t* words, const std::uint8_t* kind,
                                                   const Bounds& below, bool& undecided) {
    const __m256i table = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(below.data()));
    const __m256i sign = _mm256_set1_epi32(static_cast<int>(0x80000000U));
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < 64; i += 8) {
        const __m256i kinds = _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(kind + i)));
        const __m256i bound = _mm256_permutevar8x32_epi32(table, kinds);
        const __m256i word = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(words + i));
        const __m256i less = _mm256_cmpgt_epi32(_mm256_xor_si256(bound, sign), _mm256_xor_si256(word, sign));
        bits |= std::uint64_t{static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(less)))} << i;
        undecided = undecided || _mm256_movemask_epi8(_mm256_cmpeq_epi32(word, bound)) != 0;
    }
    return bits;
}

#endif

SimdLevel best_simd() {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f")) return SimdLevel::avx512;
    if (__builtin_cpu_supports("avx2")) return SimdLevel::avx2;
#endif
    return SimdLevel::none;
}

}  // namespace

SimdLevel available_simd() {
    static const SimdLevel simd = best_simd();
    return simd;
}

void philox_words(SimdLevel simd, std::uint64_t key, std::uint64_t name, std::uint64_t first,
                  std::span<std::uint32_t> out) {
    // Within one call the low half of the block number does not wrap around.
    require(out.size() % (lanes * words_per_block) == 0 && (first & 0xFFFFFFFFU) + out.size() <= 0xFFFFFFFFU,
            "random words come in whole groups of blocks");
    const Keys keys(key, name);
#if defined(__x86_64__)
    if (simd == SimdLevel::avx512) return philox_avx512(keys, first, out);
    if (simd == SimdLevel::avx2) return philox_avx2(keys, first, out);
#endif
    static_cast<void>(simd);
    philox_portable(keys, first, out);
}

void compare_words(SimdLevel simd, std::span<const std::uint32_t> words, std::span<const std::uint8_t> kind,
                   const Bounds& below, std::span<std::uint64_t> answer, bool& undecided) {
    auto* compare = compare_portable;
#if defined(__x86_64__)
    if (simd == SimdLevel::avx2) compare = compare_avx2;
    if (simd == SimdLevel::avx512) compare = compare_avx512;
#endif
    static_cast<void>(simd);
    undecided = false;
    for (std::size_t w = 0; w < answer.size(); ++w)
        answer[w] = compare(words.data() + 64 * w, kind.data() + 64 * w, below, undecided);
}

BulkBits::BulkBits(const statistics::Replication& replication, std::string_view purpose, std::size_t words,
                   SimdLevel simd)
    : simd_(simd), words_(words) {
    require(words >= 1, "a stream in bulk makes at least one word at a time");
    statistics::Stream stream(replication, purpose);
    key_ = stream();
    name_ = stream();
    constexpr std::size_t whole = lanes * words_per_block;
    buffer_.resize((words + whole - 1) / whole * whole);
}

std::span<const std::uint32_t> BulkBits::next() {
    const std::uint64_t blocks = buffer_.size() / words_per_block;
    // Skips to the next 2^32 rather than wrap around within a call.
    if ((block_ & 0xFFFFFFFFU) + buffer_.size() > 0xFFFFFFFFU) block_ = ((block_ >> 32) + 1) << 32;
    philox_words(simd_, key_, name_, block_, buffer_);
    block_ += blocks;
    return {buffer_.data(), words_};
}

}  // namespace schedproof::simulation
