/// Bal-assign: completes a partial assignment, one task after another, where the virtual load ends least.
///
/// The virtual load prices every remote task pessimistically, as if all tasks that are still unassigned became remote
/// too. So while tasks become remote the price stands still, and it falls only when one finds a local place.
/// Source: [fischer2010].
#pragma once

#include <optional>
#include <utility>

#include "model/core/least_first.hpp"
#include "policies/assignment/total_price.hpp"

namespace schedproof::assignment {

template <Number N>
class BalAssign {
  public:
    /// Begins with the local tasks that are covered, and so many that are not. Cost: O(cores).
    BalAssign(TotalPriceLoads<N> covered, std::size_t uncovered)
        : loads_(std::move(covered)), unassigned_(uncovered), remote_end_(loads_.local_load.size()) {
        if (unassigned_ > 0) price_all();
    }

    /// Places one of them: local if that ends no later than the first remote place, ties by core.
    /// Cost: O(replicas times cores of a server + log cores); O(cores) when the price changes.
    CoreId place(TaskId t) {
        const std::size_t pessimistic = unassigned_ + remote_;
        const auto [local_end, home] = best_local(t, pessimistic - 1);
        require(!remote_end_.empty(), "there is a core");
        const bool local = local_end <= remote_end_.least();
        const CoreId p = local ? home : CoreId(remote_end_.owner());
        --unassigned_;
        if (local) {
            loads_.add_local(p);
        } else {
            ++loads_.remotes[p.index()];
            ++remote_;
        }
        if (local && pessimistic > 1 && loads_.prices_differ(pessimistic, pessimistic - 1))
            price_all();
        else
            remote_end_.set(p.index(), loads_.load(p, pessimistic, 1));
        return p;
    }

    /// The true makespan of what is assigned. Requires a task.
    [[nodiscard]] N makespan() const { return *loads_.makespan(remote_); }

  private:
    void price_all() {
        std::vector<N> ends;
        ends.reserve(loads_.local_load.size());
        for (const CoreId p : loads_.problem.shape->cores()) ends.push_back(loads_.load(p, unassigned_ + remote_, 1));
        remote_end_ = LeastFirst<N>(ends);
    }

    /// The core where t would end first as a local task, with the virtual load that `pessimistic` remote tasks make.
    std::pair<N, CoreId> best_local(TaskId t, std::size_t pessimistic) const {
        const Shape& shape = *loads_.problem.shape;
        std::optional<std::pair<N, CoreId>> best;
        for (const ServerId s : shape.replicas(t))
            for (std::size_t i = 0; i < shape.cores_of(s); ++i) {
                const CoreId p = shape.core(s, i);
                const N end = loads_.load(p, pessimistic) + loads_.problem.local;
                if (!best || end < best->first || (p < best->second && !(best->first < end))) best = std::pair(end, p);
            }
        return *best;
    }

    TotalPriceLoads<N> loads_;
    std::size_t unassigned_;
    std::size_t remote_ = 0;
    LeastFirst<N> remote_end_;  // by core: virtual load with one more remote task
};

}  // namespace schedproof::assignment
