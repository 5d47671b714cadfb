/// Loops for one policy, cluster and choice of options, compiled for the machine that they run on. They share nothing
/// with the simulators, not even random numbers, and know all sizes when they are compiled.
///
/// What makes them fast: four fifths of the local services last one slot, so most servers stay on the list of idle
/// ones, and only longer services enter a calendar; a duration is drawn once, by a table; servers without data are
/// touched only while a task waits in the common queue; which queue is shortest is found without a branch; random words
/// come from a generator of eight lanes; and in the wide loop sixteen tasks choose at once, which holds until one of
/// them has chosen a queue that another chose before it. They are exact as the simulators are: indices are uniform
/// (words that would make them uneven are passed over), equal tie bytes are drawn again, a service may last any number
/// of slots; but for durations and numbers of arrivals, whose probabilities are rounded to 64 bits.
///
/// Long: such a loop keeps its state in registers and calls nothing in its inner part.
#include "experiments/bench/limit_loops.hpp"

#if defined(__AVX512F__) && defined(__AVX512CD__)
#include <immintrin.h>
#endif

#if defined(__GNUC__) && !defined(__clang__)
// Of the compiler's own header (its bug 105593).
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "experiments/bench/limit_words.hpp"

namespace schedproof::bench {

namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

constexpr u32 servers = 1000, with_data = 800, common = servers, ring = 256, lanes = 16;
constexpr u32 passed_over = (0 - with_data) % with_data;  // 2^32 mod the number of servers with data
constexpr double local = 0.8, remote = 0.2;
constexpr u32 remote_per_local = 4;

/// A vector of the compiler: sixteen words of 32 bits.
using Sixteen [[gnu::vector_size(64)]] = u32;
using Eight = Words::Eight;

/// Numbers by their cumulative probabilities, with a guide to where the search begins.
class Table {
  public:
    /// Probabilities of first, first + 1, ...
    Table(u32 first, const std::vector<long double>& p) : first_(first) {
        long double sum = 0;
        for (const long double one : p)
            bounds_.push_back((sum += one) >= 1 ? ~u64{0} : static_cast<u64>(sum * 18446744073709551615.0L));
        bounds_.back() = ~u64{0};
        u32 j = 0;
        for (u64 i = 0; i < guide_.size(); ++i) {
            while (bounds_[j] < i << 52) ++j;
            guide_[i] = j;
        }
    }
    u32 operator()(u64 word) const {
        u32 j = guide_[word >> 52];
        while (bounds_[j] < word) ++j;
        return first_ + j;
    }

  private:
    u32 first_;
    std::vector<u64> bounds_;
    std::array<u32, 4096> guide_{};
};
Table geometric(double p) {
    std::vector<long double> all;
    for (long double q = 1; all.size() < 4096 && q > 1e-20L; q *= 1 - p) all.push_back(q * p);
    return {1, all};
}
Table poisson(double rate) {
    const auto first = static_cast<u32>(std::max(0.0, rate - 12 * std::sqrt(rate)));
    std::vector<long double> all;
    for (u32 k = first; k < rate + 12 * std::sqrt(rate) + 20; ++k)
        all.push_back(std::exp(-rate + k * std::log(static_cast<long double>(rate)) - std::lgamma(k + 1.0L)));
    return {first, all};
}

/// Servers by the slot in which they complete. What is further away than the ring is long goes round.
struct Calendar {
    std::array<std::array<u32, servers + lanes>, ring> at{};
    std::array<u32, ring> size{};
    std::vector<std::pair<u64, u32>> late;
    void put(u64 now, u32 slots, u32 server) {
        if (slots > ring) [[unlikely]] {
            late.emplace_back(now + slots - 1, server);
            return;
        }
        const u64 b = (now + slots - 1) % ring;
        at[b][size[b]++] = server;
    }
    /// Moves what is due at the end of this slot out of `late`.
    void settle(u64 now) {
        for (std::size_t i = 0; i < late.size();)
            if (late[i].first == now) {
                at[now % ring][size[now % ring]++] = late[i].second;
                late[i] = late.back();
                late.pop_back();
            } else {
                ++i;
            }
    }
    void clear() {
        size = {};
        late.clear();
    }
};

/// Arrival slots of the waiting tasks of every queue: rings that grow.
struct Stamps {
    u32 capacity = 16;
    std::vector<u32> slots = std::vector<u32>(servers * 16), head = std::vector<u32>(servers, 0), tail = head;
    std::vector<u32> of_common = std::vector<u32>(1024);
    u32 first = 0, last = 0;
    void push(u32 m, u32 t) {
        if (tail[m] - head[m] == capacity) [[unlikely]] {
            std::vector<u32> wider(2 * slots.size());
            for (u32 s = 0; s < servers; ++s)
                for (u32 i = head[s]; i != tail[s]; ++i)
                    wider[s * 2 * capacity + i % (2 * capacity)] = slots[s * capacity + i % capacity];
            slots.swap(wider);
            capacity *= 2;
        }
        slots[m * capacity + (tail[m]++ & (capacity - 1))] = t;
    }
    void push_common(u32 t) {
        if (last - first == of_common.size()) [[unlikely]] {
            std::vector<u32> wider(2 * of_common.size());
            for (u32 i = first; i != last; ++i) wider[i % wider.size()] = of_common[i % of_common.size()];
            of_common.swap(wider);
        }
        of_common[last++ & (of_common.size() - 1)] = t;
    }
};

/// The shortest of three queues and the common one; ties by bytes, and where two are alike by a draw.
[[gnu::always_inline]] inline u32 shortest(const u32* length, u32 common_length, u32 a, u32 b, u32 c, u32 ties,
                                           Words& words) {
    const u32 ka = length[a] << 8 | (ties & 0xFF), kb = length[b] << 8 | (ties >> 8 & 0xFF),
              kc = length[c] << 8 | (ties >> 16 & 0xFF), kd = common_length << 8 | ties >> 24;
    const u32 d1 = ka <= kb ? a : b, k1 = std::min(ka, kb), d2 = kc <= kd ? c : common, k2 = std::min(kc, kd);
    const u32 key = std::min(k1, k2);
    if (int{ka == key} + int{kb == key} + int{kc == key} + int{kd == key} > 1) [[unlikely]] {
        std::array<u32, 4> tied{};
        u32 count = 0;
        for (const auto& [k, q] : {std::pair{ka, a}, {kb, b}, {kc, c}, {kd, common}})
            if (k >> 8 == key >> 8) tied[count++] = q;
        return tied[words.below(count)];
    }
    return k1 <= k2 ? d1 : d2;
}

/// Three different servers with data for each of the tasks.
struct Replicas {
    alignas(64) std::array<u32, 2048> a, b, c, ties;
    void fill(u32 tasks, Words& words) {
        for (u32 i = 0; i < tasks; i += lanes) {
            Eight low{}, w[4];
            for (Eight& one : w) words.eight(one);
            Sixteen x, y, z;
            place(w[0], x, low);
            place(w[1], y, low);
            place(w[2], z, low);
            std::memcpy(&a[i], &x, sizeof x);
            std::memcpy(&b[i], &y, sizeof y);
            std::memcpy(&c[i], &z, sizeof z);
            std::memcpy(&ties[i], &w[3], sizeof w[3]);
            const auto same = reinterpret_cast<Eight>((x == y) | (y == z) | (x == z)) | low;
            u64 wrong = 0;
            for (int k = 0; k < 8; ++k) wrong |= same[k];
            if (wrong != 0) [[unlikely]]
                look_again(i, words);
        }
    }

  private:
    /// Makes servers of sixteen words. A word that is to be passed over becomes `with_data`, and sets a bit of `low`.
    [[gnu::always_inline]] static void place(const Eight& words, Sixteen& to, Eight& low) {
        const Eight first = (words & 0xFFFFFFFFU) * with_data, second = (words >> 32) * with_data;
        const auto over = reinterpret_cast<Eight>((first & 0xFFFFFFFFU) < passed_over),
                   over2 = reinterpret_cast<Eight>((second & 0xFFFFFFFFU) < passed_over);
        low |= over | over2;
        const Eight at_first = (first >> 32 & ~over) | (over & with_data),
                    at_second = (second >> 32 & ~over2) | (over2 & with_data);
        to = reinterpret_cast<Sixteen>(at_first | at_second << 32);
    }
    [[gnu::noinline]] void look_again(u32 from, Words& words) {
        for (u32 i = from; i < from + lanes; ++i)
            while (a[i] == b[i] || b[i] == c[i] || a[i] == c[i] || std::max(a[i], std::max(b[i], c[i])) == with_data) {
                a[i] = words.below(with_data);
                b[i] = words.below(with_data);
                c[i] = words.below(with_data);
            }
    }
};

}  // namespace

LoopResult naive_loop(u64 slots, double rate, u64 seed) {
    std::mt19937_64 words(seed);
    std::poisson_distribution<u32> arrivals(rate);
    std::uniform_int_distribution<u32> anywhere(0, with_data - 1);
    std::bernoulli_distribution local_ends(local), remote_ends(remote);
    std::vector<u32> length(servers + 1, 0), before;
    enum { idle, own, helps };
    std::vector<int> status(servers, idle);
    u64 in_system = 0, sum = 0;
    LoopResult result;
    for (u64 t = 0; t < slots; ++t) {
        before = length;
        const u32 tasks = arrivals(words);
        in_system += tasks;
        for (u32 i = 0; i < tasks; ++i) {
            std::array<u32, 4> at{anywhere(words), 0, 0, common}, best{};
            do at[1] = anywhere(words);
            while (at[1] == at[0]);
            do at[2] = anywhere(words);
            while (at[2] == at[0] || at[2] == at[1]);
            u32 tied = 0;
            for (const u32 q : at) {
                if (tied > 0 && length[q] < length[best[0]]) tied = 0;
                if (tied == 0 || length[q] == length[best[0]]) best[tied++] = q;
            }
            ++length[best[tied == 1 ? 0 : std::uniform_int_distribution<u32>(0, tied - 1)(words)]];
        }
        u32 waiting = length[common];
        for (const int s : status) waiting -= s == helps ? 1 : 0;
        for (u32 m = 0; m < servers; ++m) {
            if (status[m] != idle) continue;
            if (remote_per_local * before[m] >= before[common]) {
                if (length[m] > 0) status[m] = own;
            } else if (waiting > 0) {
                --waiting;
                status[m] = helps;
            }
        }
        for (u32 m = 0; m < servers; ++m) {
            if (status[m] == idle || !(status[m] == own ? local_ends(words) : remote_ends(words))) continue;
            --length[status[m] == own ? m : common];
            status[m] = idle;
            --in_system;
            ++result.tasks;
        }
        sum += in_system;
    }
    result.mean_tasks = static_cast<double>(sum) / static_cast<double>(slots);
    return result;
}

namespace {

/// Long: the state stays in registers.
template <bool delays>
LoopResult calendar(u64 slots, double rate, u64 seed) {
    Words words(seed);
    const Table arrivals = poisson(rate), local_slots = geometric(local), remote_slots = geometric(remote);
    // Static, so that their addresses are known.
    static std::array<u32, servers> length;
    static std::array<u32, servers + lanes> idle, wants_remote;
    static Calendar own, help;
    static Replicas replicas;
    length.fill(0);
    own.clear();
    help.clear();
    std::vector<u32> without;
    u32 idle_count = with_data, common_length = 0, helped = 0;
    for (u32 m = 0; m < with_data; ++m) idle[m] = m;
    for (u32 m = servers; m-- > with_data;) without.push_back(m);
    Stamps stamps;
    u64 in_system = 0, sum = 0, delay_sum = 0, delayed = 0;
    LoopResult result;
    for (u64 t = 0; t < slots; ++t) {
        const u32 tasks = arrivals(words()), common_before = common_length;
        in_system += tasks;
        // Idle servers with data that turn to the common queue.
        u32 keep = 0, wanting = 0;
        for (u32 i = 0; i < idle_count; ++i) {
            const u32 m = idle[i];
            const bool turns = remote_per_local * length[m] < common_before;
            wants_remote[wanting] = idle[keep] = m;
            wanting += turns ? 1 : 0;
            keep += turns ? 0 : 1;
        }
        idle_count = keep;
        replicas.fill(tasks, words);
        for (u32 i = 0; i < tasks; ++i) {
            const u32 q = shortest(length.data(), common_length, replicas.a[i], replicas.b[i], replicas.c[i],
                                   replicas.ties[i], words);
            if (q == common) {
                ++common_length;
                if constexpr (delays) stamps.push_common(static_cast<u32>(t));
            } else {
                ++length[q];
                if constexpr (delays) stamps.push(q, static_cast<u32>(t));
            }
        }
        // Helpers: those with data have the lower indices.
        const u32 waiting = common_length - helped, first = std::min(waiting, wanting),
                  second = common_before > 0 ? std::min(waiting - first, static_cast<u32>(without.size())) : 0;
        if (first < wanting)
            std::nth_element(wants_remote.begin(), wants_remote.begin() + first, wants_remote.begin() + wanting);
        helped += first + second;
        for (u32 i = 0; i < first + second; ++i) {
            const u32 slots_of_service = remote_slots(words());
            u32 m = wants_remote[i];
            if (i >= first) {
                m = without.back();
                without.pop_back();
            }
            help.put(t, slots_of_service, m);
            if constexpr (delays) {
                delay_sum += t + slots_of_service - stamps.of_common[stamps.first++ & (stamps.of_common.size() - 1)];
                ++delayed;
            }
        }
        keep = 0;
        for (u32 i = 0; i < idle_count; ++i) {
            const u32 m = idle[i], slots_of_service = local_slots(words());
            const bool starts = length[m] > 0;
            const u64 b = (t + slots_of_service - 1) % ring;
            if (slots_of_service > ring) [[unlikely]] {
                if (starts) own.put(t, slots_of_service, m);
            } else {
                own.at[b][own.size[b]] = m;
                own.size[b] += starts ? 1 : 0;
            }
            idle[keep] = m;
            keep += starts ? 0 : 1;
            if constexpr (delays) {
                const u32 stamp = stamps.slots[m * stamps.capacity + (stamps.head[m] & (stamps.capacity - 1))];
                delay_sum += starts ? t + slots_of_service - stamp : 0;
                stamps.head[m] += starts ? 1 : 0;
                delayed += starts ? 1 : 0;
            }
        }
        for (u32 i = first; i < wanting; ++i) idle[keep++] = wants_remote[i];
        idle_count = keep;
        for (auto* calendar : {&own, &help}) calendar->settle(t);
        const u64 b = t % ring;
        for (u32 i = 0; i < own.size[b]; ++i) {
            const u32 m = own.at[b][i];
            --length[m];
            idle[idle_count++] = m;
        }
        for (u32 i = 0; i < help.size[b]; ++i) {
            const u32 m = help.at[b][i];
            if (m < with_data)
                idle[idle_count++] = m;
            else
                without.push_back(m);
        }
        common_length -= help.size[b];
        helped -= help.size[b];
        in_system -= own.size[b] + help.size[b];
        result.tasks += own.size[b] + help.size[b];
        own.size[b] = help.size[b] = 0;
        sum += in_system;
    }
    result.mean_tasks = static_cast<double>(sum) / static_cast<double>(slots);
    if (delayed > 0) result.mean_delay = static_cast<double>(delay_sum) / static_cast<double>(delayed);
    return result;
}

}  // namespace

LoopResult calendar_loop(u64 slots, double rate, u64 seed, bool delays) {
    return delays ? calendar<true>(slots, rate, seed) : calendar<false>(slots, rate, seed);
}

#if defined(__AVX512F__) && defined(__AVX512CD__)

bool has_wide_loop() { return true; }

/// Long: the state stays in registers.
LoopResult wide_loop(u64 slots, double rate, u64 seed) {
    Words words(seed);
    const Table arrivals = poisson(rate), local_slots = geometric(local), remote_slots = geometric(remote);
    const auto one_slot = static_cast<u32>(local * 4294967296.0);
    alignas(64) static std::array<u32, servers + 24> length;
    alignas(64) static std::array<u32, servers + 64> idle, wants_remote;
    static Calendar own, help;
    static Replicas replicas;
    length.fill(0);
    own.clear();
    help.clear();
    std::vector<u32> without;
    u32 idle_count = with_data, helped = 0;
    for (u32 m = 0; m < with_data; ++m) idle[m] = m;
    for (u32 m = servers; m-- > with_data;) without.push_back(m);
    u64 in_system = 0, sum = 0;
    LoopResult result;
    const __m512i one = _mm512_set1_epi32(1), byte = _mm512_set1_epi32(0xFF);
    const auto present = [](u32 left) { return static_cast<__mmask16>(left >= lanes ? 0xFFFFU : (1U << left) - 1); };
    const auto count = [](__mmask16 mask) { return static_cast<u32>(std::popcount(static_cast<unsigned>(mask))); };
    for (u64 t = 0; t < slots; ++t) {
        const u32 tasks = arrivals(words()), common_before = length[common];
        in_system += tasks;
        u32 wanting = 0;
        if (common_before > 0) {
            u32 keep = 0;
            for (u32 i = 0; i < idle_count; i += lanes) {
                const __mmask16 in = present(idle_count - i);
                const __m512i m = _mm512_load_si512(&idle[i]);
                const __m512i q = _mm512_mask_i32gather_epi32(one, in, m, length.data(), 4);
                const __mmask16 turns = _mm512_mask_cmplt_epu32_mask(
                    in, _mm512_slli_epi32(q, 2), _mm512_set1_epi32(static_cast<int>(common_before)));
                _mm512_mask_compressstoreu_epi32(&wants_remote[wanting], turns, m);
                wanting += count(turns);
                _mm512_mask_compressstoreu_epi32(&idle[keep], static_cast<__mmask16>(in & ~turns), m);
                keep += count(static_cast<__mmask16>(in & ~turns));
            }
            idle_count = keep;
        }
        replicas.fill(tasks, words);
        for (u32 i = 0; i < tasks; i += lanes) {
            const __mmask16 in = present(tasks - i);
            const __m512i a = _mm512_load_si512(&replicas.a[i]), b = _mm512_load_si512(&replicas.b[i]),
                          c = _mm512_load_si512(&replicas.c[i]), w = _mm512_load_si512(&replicas.ties[i]);
            const auto key = [&](__m512i q, __m512i r) {
                return _mm512_or_si512(_mm512_slli_epi32(q, 8), _mm512_and_si512(r, byte));
            };
            const __m512i ka = key(_mm512_i32gather_epi32(a, length.data(), 4), w),
                          kb = key(_mm512_i32gather_epi32(b, length.data(), 4), _mm512_srli_epi32(w, 8)),
                          kc = key(_mm512_i32gather_epi32(c, length.data(), 4), _mm512_srli_epi32(w, 16)),
                          kd = key(_mm512_set1_epi32(static_cast<int>(length[common])), _mm512_srli_epi32(w, 24));
            const __m512i k1 = _mm512_min_epu32(ka, kb), k2 = _mm512_min_epu32(kc, kd), k = _mm512_min_epu32(k1, k2);
            const __m512i d1 = _mm512_mask_mov_epi32(b, _mm512_cmple_epu32_mask(ka, kb), a),
                          d2 = _mm512_mask_mov_epi32(_mm512_set1_epi32(common), _mm512_cmple_epu32_mask(kc, kd), c),
                          d = _mm512_mask_mov_epi32(d2, _mm512_cmple_epu32_mask(k1, k2), d1);
            const __mmask16 ea = _mm512_cmpeq_epi32_mask(ka, k), eb = _mm512_cmpeq_epi32_mask(kb, k),
                            ec = _mm512_cmpeq_epi32_mask(kc, k), ed = _mm512_cmpeq_epi32_mask(kd, k);
            const auto alike = static_cast<__mmask16>((ea & eb) | ((ea | eb) & ec) | ((ea | eb | ec) & ed));
            const auto again = static_cast<__mmask16>(
                in & (alike | _mm512_test_epi32_mask(_mm512_conflict_epi32(d), _mm512_set1_epi32(-1))));
            alignas(64) std::array<u32, lanes> chosen{};
            _mm512_store_si512(chosen.data(), d);
            // What was chosen holds up to the first task that chooses again.
            const u32 size = count(in),
                      sure = again == 0 ? size : static_cast<u32>(std::countr_zero(static_cast<unsigned>(again)));
            for (u32 j = 0; j < sure; ++j) ++length[chosen[j]];
            for (u32 j = sure; j < size; ++j)
                ++length[shortest(length.data(), length[common], replicas.a[i + j], replicas.b[i + j],
                                  replicas.c[i + j], replicas.ties[i + j], words)];
        }
        const u32 waiting = length[common] - helped, first = std::min(waiting, wanting),
                  second = common_before > 0 ? std::min(waiting - first, static_cast<u32>(without.size())) : 0;
        if (first < wanting)
            std::nth_element(wants_remote.begin(), wants_remote.begin() + first, wants_remote.begin() + wanting);
        helped += first + second;
        for (u32 i = 0; i < first + second; ++i) {
            u32 m = wants_remote[i];
            if (i >= first) {
                m = without.back();
                without.pop_back();
            }
            help.put(t, remote_slots(words()), m);
        }
        u32 keep = 0, ended = 0;
        for (u32 i = 0; i < idle_count; i += lanes) {
            const __mmask16 in = present(idle_count - i);
            const __m512i m = _mm512_load_si512(&idle[i]);
            const __m512i q = _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), in, m, length.data(), 4);
            const __mmask16 starts = _mm512_mask_test_epi32_mask(in, q, q);
            Eight bits;
            words.eight(bits);
            const __mmask16 at_once = _mm512_mask_cmplt_epu32_mask(starts, reinterpret_cast<__m512i>(bits),
                                                                   _mm512_set1_epi32(static_cast<int>(one_slot)));
            _mm512_mask_i32scatter_epi32(length.data(), at_once, m, _mm512_sub_epi32(q, one), 4);
            ended += count(at_once);
            alignas(64) std::array<u32, lanes> server{};
            _mm512_store_si512(server.data(), m);
            auto longer = static_cast<unsigned>(starts & ~at_once);
            const auto stay = static_cast<__mmask16>(in & ~longer);
            for (; longer != 0; longer &= longer - 1)
                own.put(t, 1 + local_slots(words()), server[static_cast<std::size_t>(std::countr_zero(longer))]);
            _mm512_mask_compressstoreu_epi32(&idle[keep], stay, m);
            keep += count(stay);
        }
        for (u32 i = first; i < wanting; ++i) idle[keep++] = wants_remote[i];
        idle_count = keep;
        for (auto* calendar : {&own, &help}) calendar->settle(t);
        const u64 b = t % ring;
        for (u32 i = 0; i < own.size[b]; ++i) {
            const u32 m = own.at[b][i];
            --length[m];
            idle[idle_count++] = m;
        }
        for (u32 i = 0; i < help.size[b]; ++i) {
            const u32 m = help.at[b][i];
            if (m < with_data)
                idle[idle_count++] = m;
            else
                without.push_back(m);
        }
        length[common] -= help.size[b];
        helped -= help.size[b];
        ended += own.size[b] + help.size[b];
        in_system -= ended;
        result.tasks += ended;
        own.size[b] = help.size[b] = 0;
        sum += in_system;
    }
    result.mean_tasks = static_cast<double>(sum) / static_cast<double>(slots);
    return result;
}

#else

bool has_wide_loop() { return false; }
LoopResult wide_loop(u64, double, u64) { return {}; }

#endif

}  // namespace schedproof::bench
