#include "experiments/queueing/bulk_bits.hpp"

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

void philox_plain(const Keys& keys, std::uint64_t first, std::span<std::uint32_t> out) {
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

std::uint64_t compare_plain(const std::uint32_t* words, const std::uint8_t* kind, const Bounds& below,
                            bool& undecided) {
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < 64; ++i) {
        bits |= std::uint64_t{words[i] < below[kind[i]]} << i;
        undecided = undecided || words[i] == below[kind[i]];
    }
    return bits;
}

#if defined(__x86_64__)

// Products of 32-bit lanes come in two halves: even lanes and odd ones.

[[gnu::target("avx512f")]] inline void multiply(__m512i c, __m512i by, __m512i& high, __m512i& low) {
    const __m512i even = _mm512_mul_epu32(c, by), odd = _mm512_mul_epu32(_mm512_srli_epi64(c, 32), by);
    low = _mm512_mask_mov_epi32(even, 0xAAAA, _mm512_slli_epi64(odd, 32));
    high = _mm512_mask_mov_epi32(_mm512_srli_epi64(even, 32), 0xAAAA, odd);
}

[[gnu::target("avx512f")]] void philox_avx512(const Keys& keys, std::uint64_t first, std::span<std::uint32_t> out) {
    const __m512i lane = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    const __m512i m0 = _mm512_set1_epi32(static_cast<int>(multiplier0)),
                  m1 = _mm512_set1_epi32(static_cast<int>(multiplier1));
    for (std::size_t at = 0; at < out.size(); at += lanes * words_per_block, first += lanes) {
        __m512i c0 = _mm512_add_epi32(_mm512_set1_epi32(static_cast<int>(first)), lane);
        __m512i c1 = _mm512_set1_epi32(static_cast<int>(first >> 32));
        __m512i c2 = _mm512_set1_epi32(static_cast<int>(keys.name0)),
                c3 = _mm512_set1_epi32(static_cast<int>(keys.name1));
        std::uint32_t k0 = keys.key0, k1 = keys.key1;
        for (std::size_t round = 0; round < rounds; ++round, k0 += weyl0, k1 += weyl1) {
            __m512i high0, low0, high1, low1;
            multiply(c0, m0, high0, low0);
            multiply(c2, m1, high1, low1);
            c0 = _mm512_xor_si512(_mm512_xor_si512(high1, c1), _mm512_set1_epi32(static_cast<int>(k0)));
            c1 = low1;
            c2 = _mm512_xor_si512(_mm512_xor_si512(high0, c3), _mm512_set1_epi32(static_cast<int>(k1)));
            c3 = low0;
        }
        std::uint32_t* const to = out.data() + at;
        _mm512_storeu_si512(to, c0);
        _mm512_storeu_si512(to + lanes, c1);
        _mm512_storeu_si512(to + 2 * lanes, c2);
        _mm512_storeu_si512(to + 3 * lanes, c3);
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

[[gnu::target("avx2")]] inline void multiply(__m256i c, __m256i by, __m256i& high, __m256i& low) {
    const __m256i even = _mm256_mul_epu32(c, by), odd = _mm256_mul_epu32(_mm256_srli_epi64(c, 32), by);
    low = _mm256_blend_epi32(even, _mm256_slli_epi64(odd, 32), 0xAA);
    high = _mm256_blend_epi32(_mm256_srli_epi64(even, 32), odd, 0xAA);
}

[[gnu::target("avx2")]] void philox_avx2(const Keys& keys, std::uint64_t first, std::span<std::uint32_t> out) {
    const __m256i lane = _mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0);
    const __m256i m0 = _mm256_set1_epi32(static_cast<int>(multiplier0)),
                  m1 = _mm256_set1_epi32(static_cast<int>(multiplier1));
    for (std::size_t i = 0; i < out.size() / words_per_block; i += 8, first += 8) {
        __m256i c0 = _mm256_add_epi32(_mm256_set1_epi32(static_cast<int>(first)), lane);
        __m256i c1 = _mm256_set1_epi32(static_cast<int>(first >> 32));
        __m256i c2 = _mm256_set1_epi32(static_cast<int>(keys.name0)),
                c3 = _mm256_set1_epi32(static_cast<int>(keys.name1));
        std::uint32_t k0 = keys.key0, k1 = keys.key1;
        for (std::size_t round = 0; round < rounds; ++round, k0 += weyl0, k1 += weyl1) {
            __m256i high0, low0, high1, low1;
            multiply(c0, m0, high0, low0);
            multiply(c2, m1, high1, low1);
            c0 = _mm256_xor_si256(_mm256_xor_si256(high1, c1), _mm256_set1_epi32(static_cast<int>(k0)));
            c1 = low1;
            c2 = _mm256_xor_si256(_mm256_xor_si256(high0, c3), _mm256_set1_epi32(static_cast<int>(k1)));
            c3 = low0;
        }
        std::uint32_t* const to = out.data() + i / lanes * lanes * words_per_block + i % lanes;
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), c0);
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + lanes), c1);
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + 2 * lanes), c2);
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + 3 * lanes), c3);
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

Units best_units() {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f")) return Units::avx512;
    if (__builtin_cpu_supports("avx2")) return Units::avx2;
#endif
    return Units::plain;
}

}  // namespace

Units available_units() {
    static const Units units = best_units();
    return units;
}

void philox_words(Units units, std::uint64_t key, std::uint64_t name, std::uint64_t first,
                  std::span<std::uint32_t> out) {
    // Within one call the low half of the block number does not wrap around.
    require(out.size() % (lanes * words_per_block) == 0 && (first & 0xFFFFFFFFU) + out.size() <= 0xFFFFFFFFU,
            "random words come in whole groups of blocks");
    const Keys keys(key, name);
#if defined(__x86_64__)
    if (units == Units::avx512) return philox_avx512(keys, first, out);
    if (units == Units::avx2) return philox_avx2(keys, first, out);
#endif
    static_cast<void>(units);
    philox_plain(keys, first, out);
}

void compare_words(Units units, std::span<const std::uint32_t> words, std::span<const std::uint8_t> kind,
                   const Bounds& below, std::span<std::uint64_t> answer, bool& undecided) {
    auto* compare = compare_plain;
#if defined(__x86_64__)
    if (units == Units::avx2) compare = compare_avx2;
    if (units == Units::avx512) compare = compare_avx512;
#endif
    static_cast<void>(units);
    undecided = false;
    for (std::size_t w = 0; w < answer.size(); ++w)
        answer[w] = compare(words.data() + 64 * w, kind.data() + 64 * w, below, undecided);
}

BulkBits::BulkBits(const statistics::Replication& replication, std::string_view purpose, std::size_t words, Units units)
    : units_(units), words_(words) {
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
    philox_words(units_, key_, name_, block_, buffer_);
    block_ += blocks;
    return {buffer_.data(), words_};
}

}  // namespace schedproof::simulation
