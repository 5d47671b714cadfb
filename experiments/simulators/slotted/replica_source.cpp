/// Replica sets, uniform over ordered choices of different servers, drawn many tasks at a time.
///
/// A 32-bit word w becomes the server floor(w n / 2^32). That is uniform once the words with (w n mod 2^32) < (2^32 mod
/// n) are rejected (Lemire's method, [lemire2019]); a task is also rejected when two of its servers are equal, and is
/// then drawn anew from a second stream. Both are rare, so the words of many tasks are converted and tested in loops
/// without branches, which the compiler turns into SIMD instructions; only stretches that contain a rejection are
/// looked at again, task by task. Which words a task uses depends on its position alone, so the result does not depend
/// on the instructions used.
#include "experiments/simulators/slotted/replica_source.hpp"

#include <algorithm>

namespace schedproof::simulation {

namespace {

/// Words, what becomes of them, and n, 2^32 mod n, the number of replicas.
struct Stretch {
    const std::uint32_t* words;
    ServerId* drawn;
    std::size_t size;
    std::uint32_t servers, passed_over;
    std::size_t replicas;
};

/// Fills `drawn`; whether some task may have to be drawn anew. No branches, in loops that a compiler does many words at
/// once, whatever SIMD instructions it uses.
[[gnu::always_inline]] inline bool fill(const Stretch& s) {
    std::uint32_t look = 0;
    for (std::size_t i = 0; i < s.size; ++i) {
        s.drawn[i] = ServerId(static_cast<std::uint32_t>(std::uint64_t{s.words[i]} * s.servers >> 32));
        look |= std::uint32_t{s.words[i] * s.servers < s.passed_over};
    }
    for (std::size_t apart = 1; apart < s.replicas; ++apart)
        for (std::size_t i = apart; i < s.size; ++i) look |= std::uint32_t{s.drawn[i - apart] == s.drawn[i]};
    return look != 0;
}
bool fill_plain(const Stretch& s) { return fill(s); }
#if defined(__x86_64__)
[[gnu::target("avx512f")]] bool fill_avx512(const Stretch& s) { return fill(s); }
[[gnu::target("avx2")]] bool fill_avx2(const Stretch& s) { return fill(s); }
#endif

}  // namespace

ReplicaSource::ReplicaSource(const statistics::Replication& replication, const RandomReplicas& law, SimdLevel simd)
    : simd_(simd),
      servers_(law.data_servers),
      passed_over_((0 - servers_) % servers_),
      replicas_(law.replicas),
      bits_(replication, "replicas", tasks_ahead * replicas_, simd),
      anew_(replication, "replicas drawn anew"),
      drawn_(tasks_ahead * replicas_),
      at_(drawn_.size()) {}

/// Few tasks need a second look; which ones may is found a stretch of words at a time.
void ReplicaSource::refill() {
    auto* fill_stretch = fill_plain;
#if defined(__x86_64__)
    if (simd_ == SimdLevel::avx2) fill_stretch = fill_avx2;
    if (simd_ == SimdLevel::avx512) fill_stretch = fill_avx512;
#endif
    const std::size_t stretch = 16 * replicas_;
    const auto words = bits_.next();
    for (std::size_t from = 0; from < words.size(); from += stretch)
        if (fill_stretch({words.data() + from, drawn_.data() + from, stretch, servers_, passed_over_, replicas_}))
            look_again(words.subspan(from, stretch), std::span(drawn_).subspan(from, stretch));
    at_ = 0;
}

void ReplicaSource::look_again(std::span<const std::uint32_t> words, std::span<ServerId> drawn) {
    for (std::size_t i = 0; i < drawn.size(); i += replicas_) {
        const auto task = drawn.subspan(i, replicas_);
        bool anew = false;
        for (std::size_t k = 0; k < replicas_; ++k)
            anew = anew || words[i + k] * servers_ < passed_over_ ||
                   std::find(task.begin(), task.begin() + static_cast<std::ptrdiff_t>(k), task[k]) !=
                       task.begin() + static_cast<std::ptrdiff_t>(k);
        if (anew) draw_anew(task);
    }
}

void ReplicaSource::draw_anew(std::span<ServerId> task) {
    for (std::size_t i = 0; i < task.size();) {
        task[i] = ServerId(anew_.below_half(servers_));
        if (std::find(task.begin(), task.begin() + static_cast<std::ptrdiff_t>(i), task[i]) ==
            task.begin() + static_cast<std::ptrdiff_t>(i))
            ++i;
    }
}

}  // namespace schedproof::simulation
