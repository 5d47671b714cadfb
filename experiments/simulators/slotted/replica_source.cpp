/// Replica sets, uniform over ordered choices of different servers, drawn many tasks at a time.
///
/// A 32-bit word w becomes the server floor(w n / 2^32). That is uniform once the words with (w n mod 2^32) < (2^32 mod
/// n) are rejected (Lemire's method, [lemire2019]); a task is also rejected when two of its servers are equal, and is
/// then drawn anew from a second stream. Both are rare, so the words of sixteen tasks are converted and tested at once
/// (lane_loops.hpp); only groups that contain a rejection are looked at again, task by task. Which words a task uses
/// depends on its position alone, so the result does not depend on the instructions used.
#include "experiments/simulators/slotted/replica_source.hpp"

#include <algorithm>

namespace schedproof::simulation {

ReplicaSource::ReplicaSource(const statistics::Replication& replication, const RandomReplicas& law, SimdLevel simd)
    : loops_(lane_loops(simd)),
      servers_(law.data_servers),
      passed_over_((0 - servers_) % servers_),
      bits_(replication, "replicas", tasks_ahead * law.replicas, simd),
      anew_(replication, "replicas drawn anew"),
      task_(law.replicas, ServerId(0)),
      drawn_(tasks_ahead * law.replicas) {}

void ReplicaSource::refill() {
    const auto words = bits_.next();
    for (std::size_t from = 0; from < tasks_ahead; from += lanes)
        if (loops_.place(words.data() + from, tasks_ahead, task_.size(), servers_, passed_over_, drawn_.data() + from))
            look_again(words, from);
    at_ = 0;
}

void ReplicaSource::look_again(std::span<const std::uint32_t> words, std::size_t from) {
    for (std::size_t i = from; i < from + lanes; ++i) {
        bool anew = false;
        for (std::size_t k = 0; k < task_.size(); ++k) {
            const std::size_t at = k * tasks_ahead + i;
            anew = anew || words[at] * servers_ < passed_over_;
            for (std::size_t j = i; j < at; j += tasks_ahead) anew = anew || drawn_[j] == drawn_[at];
        }
        if (anew) draw_anew(i);
    }
}

void ReplicaSource::draw_anew(std::size_t task) {
    for (std::size_t at = task; at < drawn_.size();) {
        drawn_[at] = anew_.below_half(servers_);
        bool twice = false;
        for (std::size_t j = task; j < at; j += tasks_ahead) twice = twice || drawn_[j] == drawn_[at];
        if (!twice) at += tasks_ahead;
    }
}

void ReplicaSource::next(std::size_t tasks, std::span<LaneWords> planes) {
    for (std::size_t i = 0; i < tasks;) {
        if (at_ == tasks_ahead) refill();
        const std::size_t some = std::min(tasks - i, tasks_ahead - at_);
        for (std::size_t k = 0; k < task_.size(); ++k)
            std::copy_n(drawn_.data() + k * tasks_ahead + at_, some, planes[k].data() + i);
        at_ += some;
        i += some;
    }
}

}  // namespace schedproof::simulation
