#include "experiments/queueing/replica_source.hpp"

#include <algorithm>

namespace schedproof::simulation {

ReplicaSource::ReplicaSource(const statistics::Replication& replication, const RandomReplicas& law, Units units)
    : servers_(law.data_servers),
      passed_over_((0 - servers_) % servers_),
      replicas_(law.replicas),
      bits_(replication, "replicas", tasks_ahead * replicas_, units),
      anew_(replication, "replicas drawn anew"),
      drawn_(tasks_ahead * replicas_),
      at_(drawn_.size()) {}

/// Few tasks need a second look; which ones may is found a stretch of words at a time, without branches, in loops that
/// a compiler can do many words at once.
void ReplicaSource::refill() {
    constexpr std::size_t stretch = 16;  // tasks
    const auto words = bits_.next();
    for (std::size_t from = 0; from < words.size(); from += stretch * replicas_) {
        const std::span<const std::uint32_t> u = words.subspan(from, stretch * replicas_);
        const std::span<ServerId> drawn = std::span(drawn_).subspan(from, stretch * replicas_);
        std::uint32_t look = 0;
        for (std::size_t i = 0; i < u.size(); ++i) {
            drawn[i] = ServerId(static_cast<std::uint32_t>(std::uint64_t{u[i]} * servers_ >> 32));
            look |= std::uint32_t{u[i] * servers_ < passed_over_};
        }
        for (std::size_t apart = 1; apart < replicas_; ++apart)
            for (std::size_t i = apart; i < drawn.size(); ++i) look |= std::uint32_t{drawn[i - apart] == drawn[i]};
        if (look != 0) look_again(u, drawn);
    }
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
