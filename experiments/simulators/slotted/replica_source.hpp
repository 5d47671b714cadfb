/// Where the data of random tasks lie: for each task different servers, each ordered choice equally likely.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "experiments/simulators/slotted/bulk_bits.hpp"
#include "experiments/simulators/slotted/lane_loops.hpp"
#include "experiments/simulators/slotted/system.hpp"

namespace schedproof::simulation {

/// Draws for many tasks ahead. A word u of 32 random bits gives server floor(u n / 2^32); words whose remainder lies
/// below 2^32 mod n are passed over, which makes every server exactly as likely as any other ([lemire2019]). A task one
/// of whose words is passed over, or one of whose servers comes twice, is drawn anew as a whole.
class ReplicaSource {
  public:
    explicit ReplicaSource(const statistics::Replication& replication, const RandomReplicas& law,
                           SimdLevel simd = available_simd());

    /// Servers of the next task. Valid until the next call.
    [[nodiscard]] std::span<const ServerId> next() {
        if (at_ == tasks_ahead) refill();
        for (std::size_t k = 0; k < task_.size(); ++k) task_[k] = ServerId(drawn_[k * tasks_ahead + at_]);
        ++at_;
        return task_;
    }
    /// Servers of the next tasks, by place in a task's list: the k-th server of task i is planes[k][i].
    void next(std::size_t tasks, std::span<LaneWords> planes);
    /// Calls `visit` with each server of the task that comes after so many others, if it is drawn already: to fetch
    /// what belongs to them.
    template <class Visit>
    void ahead(std::size_t tasks, Visit&& visit) const {
        if (at_ + tasks >= tasks_ahead) return;
        for (std::size_t k = 0; k < task_.size(); ++k) visit(ServerId(drawn_[k * tasks_ahead + at_ + tasks]));
    }

  private:
    void refill();
    void look_again(std::span<const std::uint32_t> words, std::size_t from);
    void draw_anew(std::size_t task);

    static constexpr std::size_t tasks_ahead = 256;
    const LaneLoops& loops_;
    const std::uint32_t servers_, passed_over_;  // n, 2^32 mod n
    BulkBits bits_;
    statistics::Stream anew_;
    std::vector<ServerId> task_;
    LaneWords drawn_;  // the first servers of all tasks, then the second ones, ...
    std::size_t at_ = tasks_ahead;
};

/// Servers of tasks that wait.
class KeptReplicas {
  public:
    explicit KeptReplicas(std::size_t replicas) : replicas_(replicas) {}

    /// A number for these servers until they are taken. Requires as many as said.
    [[nodiscard]] std::uint32_t keep(std::span<const ServerId> servers) {
        if (free_.empty()) {
            free_.push_back(static_cast<std::uint32_t>(kept_.size() / replicas_));
            kept_.resize(kept_.size() + replicas_);
        }
        const std::uint32_t number = free_.back();
        free_.pop_back();
        std::copy(servers.begin(), servers.end(), kept_.begin() + static_cast<std::ptrdiff_t>(number * replicas_));
        return number;
    }
    /// Valid until the next call.
    [[nodiscard]] std::span<const ServerId> take(std::uint32_t number) {
        free_.push_back(number);
        return std::span(kept_).subspan(number * replicas_, replicas_);
    }

  private:
    const std::size_t replicas_;
    std::vector<ServerId> kept_;
    std::vector<std::uint32_t> free_;  // numbers
};

}  // namespace schedproof::simulation
