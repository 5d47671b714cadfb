/// The loops of the simulators in slots, for each set of instructions.
///
/// Vectors are the compiler's, as wide as the instructions are: the loops are the same for each. Four things differ by
/// more than width: loads from many places, products of 64 bits, the lanes in which a mask holds, as bits, and words
/// packed together where it holds.
///
/// Random words: Philox 4x32-10 is the counter-based generator of Salmon et al. (SC 2011) in its 32-bit form, whose
/// products SIMD instructions compute well. Blocks depend on nothing but their number, so many are made side by side.
///
/// Choosing a queue: of candidates of lengths l_0, l_1, ... those of least length are tied, and candidate k has the
/// byte b_k. Bytes are independent and alike, so where a single candidate among the tied has the least byte each of
/// them is it with the same probability; where several have it, the caller draws one of all that are tied for the
/// length. By symmetry each is then chosen with the same probability, exactly.
#include "experiments/simulators/slotted/lane_loops.hpp"

#include <bit>

#include "experiments/simulators/slotted/lane_draws.hpp"
#include "experiments/simulators/slotted/lane_slots.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif
#if defined(__GNUC__) && !defined(__clang__)
// Of the compiler's own header (its bug 105593); and vectors are passed to functions that are inlined only.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

namespace schedproof::simulation {

namespace {

namespace plain {

#define SCHEDPROOF_TARGET
constexpr std::size_t width = 4;
using Lanes [[gnu::vector_size(16)]] = std::uint32_t;
using SignedLanes [[gnu::vector_size(16)]] = std::int32_t;
using Products [[gnu::vector_size(16)]] = std::uint64_t;
using Wide [[gnu::vector_size(32)]] = std::int64_t;
inline void gather(const std::uint32_t* base, const Lanes& index, Lanes& to) {
    to = Lanes{base[index[0]], base[index[1]], base[index[2]], base[index[3]]};
}
inline std::uint32_t bits_of(const Lanes& mask) {
    return (mask[0] & 1) | (mask[1] & 2) | (mask[2] & 4) | (mask[3] & 8);
}
inline void product(const Products& words, std::uint32_t n, Products& to) {
#if defined(__x86_64__)
    to = reinterpret_cast<Products>(_mm_mul_epu32(reinterpret_cast<__m128i>(words), _mm_set1_epi64x(n)));
#else
    to = (words & 0xFFFFFFFFU) * n;
#endif
}
inline void multiply(const Lanes& word, std::uint32_t n, Lanes& high, Lanes& low) {
    Products even, odd;
    product(reinterpret_cast<Products>(word), n, even);
    product(reinterpret_cast<Products>(word) >> 32, n, odd);
    high = reinterpret_cast<Lanes>(even >> 32 | (odd & 0xFFFFFFFF00000000U));
    low = reinterpret_cast<Lanes>((even & 0xFFFFFFFFU) | odd << 32);
}
/// Stores `width` words, those where the mask holds first, and returns how many these are.
inline std::uint32_t pack(const Lanes& from, const Lanes& mask, std::uint32_t* to) {
    std::uint32_t count = 0;
    for (std::size_t i = 0; i < width; ++i) {
        to[count] = from[i];
        count += mask[i] & 1;
    }
    return count;
}
#include "experiments/simulators/slotted/lane_loops.inc"
#include "experiments/simulators/slotted/lane_programs.inc"
#include "experiments/simulators/slotted/lane_slots.inc"
#undef SCHEDPROOF_TARGET

}  // namespace plain

#if defined(__x86_64__)

namespace avx2 {

#define SCHEDPROOF_TARGET [[gnu::target("avx2")]]
constexpr std::size_t width = 8;
using Lanes [[gnu::vector_size(32)]] = std::uint32_t;
using SignedLanes [[gnu::vector_size(32)]] = std::int32_t;
using Products [[gnu::vector_size(32)]] = std::uint64_t;
using Wide [[gnu::vector_size(64)]] = std::int64_t;
SCHEDPROOF_TARGET inline void gather(const std::uint32_t* base, const Lanes& index, Lanes& to) {
    to = Lanes{base[index[0]], base[index[1]], base[index[2]], base[index[3]],
               base[index[4]], base[index[5]], base[index[6]], base[index[7]]};
}
SCHEDPROOF_TARGET inline std::uint32_t bits_of(const Lanes& mask) {
    return static_cast<std::uint32_t>(_mm256_movemask_ps(reinterpret_cast<__m256>(mask)));
}
SCHEDPROOF_TARGET inline void product(const Products& words, std::uint32_t n, Products& to) {
    to = reinterpret_cast<Products>(_mm256_mul_epu32(reinterpret_cast<__m256i>(words), _mm256_set1_epi64x(n)));
}
SCHEDPROOF_TARGET inline void multiply(const Lanes& word, std::uint32_t n, Lanes& high, Lanes& low) {
    const __m256i words = reinterpret_cast<__m256i>(word), factor = _mm256_set1_epi64x(n),
                  even = _mm256_mul_epu32(words, factor), odd = _mm256_mul_epu32(_mm256_srli_epi64(words, 32), factor);
    high = reinterpret_cast<Lanes>(_mm256_blend_epi32(_mm256_srli_epi64(even, 32), odd, 0xAA));
    low = reinterpret_cast<Lanes>(_mm256_blend_epi32(even, _mm256_slli_epi64(odd, 32), 0xAA));
}
/// By the lanes of a mask, as bits: those where it holds, in order.
constexpr auto packed_lanes = [] {
    std::array<std::array<std::uint8_t, width>, 1U << width> lanes{};
    for (std::uint32_t bits = 0; bits < lanes.size(); ++bits)
        for (std::uint8_t lane = 0, count = 0; lane < width; ++lane)
            if ((bits >> lane & 1) != 0) lanes[bits][count++] = lane;
    return lanes;
}();
SCHEDPROOF_TARGET inline std::uint32_t pack(const Lanes& from, const Lanes& mask, std::uint32_t* to) {
    const std::uint32_t bits = bits_of(mask);
    const __m128i packed = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(packed_lanes[bits].data()));
    const __m256i words = _mm256_permutevar8x32_epi32(reinterpret_cast<__m256i>(from), _mm256_cvtepu8_epi32(packed));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), words);
    return static_cast<std::uint32_t>(std::popcount(bits));
}
#include "experiments/simulators/slotted/lane_loops.inc"
#include "experiments/simulators/slotted/lane_programs.inc"
#include "experiments/simulators/slotted/lane_slots.inc"
#undef SCHEDPROOF_TARGET

}  // namespace avx2

namespace avx512 {

#define SCHEDPROOF_TARGET [[gnu::target("avx512f")]]
constexpr std::size_t width = 16;
using Lanes [[gnu::vector_size(64)]] = std::uint32_t;
using SignedLanes [[gnu::vector_size(64)]] = std::int32_t;
using Products [[gnu::vector_size(64)]] = std::uint64_t;
using Wide [[gnu::vector_size(128)]] = std::int64_t;
SCHEDPROOF_TARGET inline void gather(const std::uint32_t* base, const Lanes& index, Lanes& to) {
    to = reinterpret_cast<Lanes>(_mm512_i32gather_epi32(reinterpret_cast<__m512i>(index), base, 4));
}
SCHEDPROOF_TARGET inline std::uint32_t bits_of(const Lanes& mask) {
    const __m512i lanes = reinterpret_cast<__m512i>(mask);
    return _mm512_test_epi32_mask(lanes, lanes);
}
SCHEDPROOF_TARGET inline void product(const Products& words, std::uint32_t n, Products& to) {
    to = reinterpret_cast<Products>(_mm512_mul_epu32(reinterpret_cast<__m512i>(words), _mm512_set1_epi64(n)));
}
SCHEDPROOF_TARGET inline void multiply(const Lanes& word, std::uint32_t n, Lanes& high, Lanes& low) {
    const __m512i words = reinterpret_cast<__m512i>(word), factor = _mm512_set1_epi64(n),
                  even = _mm512_mul_epu32(words, factor), odd = _mm512_mul_epu32(_mm512_srli_epi64(words, 32), factor);
    high = reinterpret_cast<Lanes>(_mm512_mask_mov_epi32(_mm512_srli_epi64(even, 32), 0xAAAA, odd));
    low = reinterpret_cast<Lanes>(_mm512_mask_mov_epi32(even, 0xAAAA, _mm512_slli_epi64(odd, 32)));
}
SCHEDPROOF_TARGET inline std::uint32_t pack(const Lanes& from, const Lanes& mask, std::uint32_t* to) {
    const std::uint32_t bits = bits_of(mask);
    const auto lanes = static_cast<__mmask16>(bits);
    _mm512_storeu_si512(to, _mm512_maskz_compress_epi32(lanes, reinterpret_cast<__m512i>(from)));
    return static_cast<std::uint32_t>(std::popcount(bits));
}
#include "experiments/simulators/slotted/lane_loops.inc"
#include "experiments/simulators/slotted/lane_programs.inc"
#include "experiments/simulators/slotted/lane_slots.inc"
#undef SCHEDPROOF_TARGET

}  // namespace avx512

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

const LaneLoops& lane_loops(SimdLevel simd) {
#if defined(__x86_64__)
    if (simd == SimdLevel::avx512) return avx512::all;
    if (simd == SimdLevel::avx2) return avx2::all;
#endif
    static_cast<void>(simd);
    return plain::all;
}

const LaneSlotLoops& lane_slot_loops(SimdLevel simd) {
#if defined(__x86_64__)
    if (simd == SimdLevel::avx512) return avx512::slot_loops;
    if (simd == SimdLevel::avx2) return avx2::slot_loops;
#endif
    static_cast<void>(simd);
    return plain::slot_loops;
}

}  // namespace schedproof::simulation
