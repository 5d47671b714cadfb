/// The servers that hold the data of a slot's tasks, and a random word for each task, side by side.
///
/// With random replicas they are drawn; listed types have them in a table, in which shorter lists are filled up.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "experiments/simulators/slotted/replica_source.hpp"

namespace schedproof::simulation {

/// Tasks that choose before any of them joins. With more of them, more have to choose anew.
inline constexpr std::size_t tasks_side_by_side = 2 * lanes;

/// Most servers that may hold the data of a task.
[[nodiscard]] std::size_t most_replicas(const SimulatedSystem& system);

/// Whether going over all servers in every slot pays: tasks of a slot are at least an eighth of the servers, and these
/// fill the lanes.
[[nodiscard]] bool dense_pays(const SimulatedSystem& system);

class CandidateSource {
  public:
    /// `nowhere` fills up the lists of types with fewer replicas than others. Requires: most_replicas <=
    /// most_candidates.
    CandidateSource(const SimulatedSystem& system, std::uint32_t nowhere, const statistics::Replication& replication,
                    SimdLevel simd);

    /// The next tasks, of these types. What is behind them is valid too, up to a whole group of lanes.
    void next(const std::vector<std::uint32_t>& types);
    [[nodiscard]] std::size_t replicas() const { return replicas_; }
    /// By place in a task's list, by task.
    [[nodiscard]] const std::uint32_t* plane(std::size_t k) const { return planes_[k].data(); }
    [[nodiscard]] const std::uint32_t* words() const { return task_words_.data(); }
    /// The queue of one task: what LaneLoops::choose says of it, on lengths as they are now, and where two have the
    /// least byte, one drawn of all that are tied.
    [[nodiscard]] std::uint32_t pick(std::size_t task, const LaneChoice& choice, bool common,
                                     statistics::Stream& ties) const;
    /// Sixteen tasks from `from` on that choose by `length`; the caller adds where the answer goes.
    [[nodiscard]] LaneChoice choice(std::size_t from, const std::uint32_t* length) const;
    /// Tasks that there is room for.
    [[nodiscard]] std::size_t room() const { return task_words_.size(); }

  private:
    std::size_t replicas_;
    std::optional<ReplicaSource> drawn_;
    std::vector<std::uint32_t> listed_;  // of each type, one after another
    BulkBits bits_;
    std::span<const std::uint32_t> left_;  // of the words made last
    std::array<LaneWords, most_candidates> planes_;
    LaneWords task_words_;
};

}  // namespace schedproof::simulation
