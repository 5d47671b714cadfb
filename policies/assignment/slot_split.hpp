/// Phase I of DynDLOff by divide and conquer over the slots.
///
/// Take servers whose tasks have replicas, among them, nowhere else that matters. Level them as if every task could go
/// everywhere: that says how many tasks each server should have, and no server's last slot would then be later than
/// another's next. Shift as many tasks as a maximum flow can towards these numbers. If all go, the part is balanced.
/// If not, what the servers still in excess can reach, R, has no server with too few: every free slot in R is at or
/// above the level, every occupied slot outside is at or below it, and no task in R can leave R. So no cost-reducing
/// path will ever connect R with the rest, in either direction, and each is leveled by itself.
/// The levels of the parts are the finish times of the balanced assignment from top to bottom; a part that needs no
/// split costs one flow, whatever its number of levels.
/// Source: own; the decomposition of a submodular base polytope (Fujishige 1980) on the semi-matchings of Harvey et
/// al. 2006, with thresholds in the manner of Fakcharoenphol, Laekhanukit, Nanongkai 2010.
#pragma once

#include <utility>

#include "policies/assignment/task_flow.hpp"

namespace schedproof::assignment {

template <Number N>
class SlotSplit {
  public:
    SlotSplit(const Problem<N>& problem, Counters& counters)
        : problem_(problem), shape_(*problem.shape), counters_(counters), slots_(problem) {}

    [[nodiscard]] BalancedAssignment<N> balance() {
        std::vector<ServerId> server_of = greedy();
        TaskFlow flow(shape_, server_of, counters_);
        std::vector<ServerId> servers;
        for (const ServerId s : shape_.servers()) servers.push_back(s);
        std::vector<std::int64_t> excess(servers.size(), 0);
        std::vector<std::span<ServerId>> parts{servers};
        while (!parts.empty()) {
            const std::span<ServerId> part = parts.back();
            parts.pop_back();
            if (!level(part, excess)) continue;
            const std::size_t reached = flow.settle(part, excess);
            for (const ServerId s : part)
                count_[s.index()] += static_cast<std::size_t>(std::exchange(excess[s.index()], 0));
            if (reached == 0) continue;
            parts.push_back(part.first(reached));
            parts.push_back(part.subspan(reached));
        }
        return expand(problem_, slots_, flow.server_of());
    }

  private:
    /// Each task to the replica of the earliest next slot, the first server among these.
    [[nodiscard]] std::vector<ServerId> greedy() {
        count_.assign(shape_.servers().size(), 0);
        std::vector<N> next;
        for (const ServerId s : shape_.servers()) next.push_back(slots_(s, 1).finish);
        std::vector<ServerId> server_of;
        server_of.reserve(shape_.tasks().size());
        for (const TaskId t : shape_.tasks()) {
            const auto holders = shape_.replicas(t);
            ServerId best = holders[0];
            for (const ServerId s : holders.subspan(1))
                if (next[s.index()] < next[best.index()] || (s < best && !(next[best.index()] < next[s.index()])))
                    best = s;
            server_of.push_back(best);
            next[best.index()] = slots_(best, ++count_[best.index()] + 1).finish;
        }
        return server_of;
    }

    /// Sets the counts of the part to what they should be, and `excess` to what they are more; whether there is any.
    [[nodiscard]] bool level(std::span<const ServerId> part, std::vector<std::int64_t>& excess) {
        struct End {
            N slot;
            ServerId server;
        };
        const auto earlier = [](const End& a, const End& b) { return a.slot < b.slot; };
        const auto later = [](const End& a, const End& b) { return b.slot < a.slot; };
        std::vector<End> last, next;
        for (const ServerId s : part) {
            if (count_[s.index()] > 0) last.push_back({slots_(s, count_[s.index()]).finish, s});
            next.push_back({slots_(s, count_[s.index()] + 1).finish, s});
        }
        std::make_heap(last.begin(), last.end(), earlier);
        std::make_heap(next.begin(), next.end(), later);
        bool any = false;
        for (; !last.empty() && next.front().slot < last.front().slot; any = true) {
            std::pop_heap(last.begin(), last.end(), earlier);
            const ServerId from = last.back().server;
            ++excess[from.index()];
            if (--count_[from.index()] > 0) {
                last.back().slot = slots_(from, count_[from.index()]).finish;
                std::push_heap(last.begin(), last.end(), earlier);
            } else {
                last.pop_back();
            }
            std::pop_heap(next.begin(), next.end(), later);
            const ServerId to = next.back().server;
            --excess[to.index()];
            next.back().slot = slots_(to, ++count_[to.index()] + 1).finish;
            std::push_heap(next.begin(), next.end(), later);
        }
        return any;
    }

    const Problem<N>& problem_;
    const Shape& shape_;
    Counters& counters_;
    Slots<N> slots_;
    std::vector<std::size_t> count_;  // by server: how many tasks it has, or should have
};

}  // namespace schedproof::assignment
