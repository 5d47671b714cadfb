/// Where the data of random tasks lie: for each task different servers, each ordered choice equally likely.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "experiments/simulators/slotted/bulk_bits.hpp"
#include "experiments/simulators/slotted/system.hpp"

namespace schedproof::simulation {

/// Draws for many tasks ahead. A word u of 32 random bits gives server floor(u n / 2^32); words whose remainder lies
/// below 2^32 mod n are passed over, which makes every server exactly as likely as any other ([lemire2019]). A task one
/// of whose words is passed over, or one of whose servers comes twice, is drawn anew as a whole.
class ReplicaSource {
  public:
    explicit ReplicaSource(const statistics::Replication& replication, const RandomReplicas& law,
                           Units units = available_units());

    /// Servers of the next task. Valid until the next call.
    [[nodiscard]] std::span<const ServerId> next() {
        if (at_ == drawn_.size()) refill();
        at_ += replicas_;
        return {drawn_.data() + at_ - replicas_, replicas_};
    }
    /// The servers of tasks that `next` gives later, as many as are drawn already: to fetch what belongs to them.
    [[nodiscard]] std::span<const ServerId> ahead() const { return std::span<const ServerId>(drawn_).subspan(at_); }

  private:
    void refill();
    void look_again(std::span<const std::uint32_t> words, std::span<ServerId> drawn);
    void draw_anew(std::span<ServerId> task);

    static constexpr std::size_t tasks_ahead = 256;
    const Units units_;
    const std::uint32_t servers_, passed_over_;  // n, 2^32 mod n
    const std::size_t replicas_;
    BulkBits bits_;
    statistics::Stream anew_;
    std::vector<ServerId> drawn_;
    std::size_t at_;
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
