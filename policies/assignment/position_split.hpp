/// Phase I of DynDLOff by divide and conquer over the positions.
///
/// Take servers whose tasks have replicas, among them, nowhere else that matters. Level them as if every task could go
/// everywhere: that says how many tasks each server should have, and no server's last position would then be later than
/// another's next. Shift as many tasks as a maximum flow can towards these numbers. If all go, the part is balanced.
/// If not, what the servers still in excess can reach, R, has no server with too few: every free position in R is at or
/// above the level, every occupied position outside is at or below it, and no task in R can leave R. So no
/// cost-reducing path will ever connect R with the rest, in either direction, and each is leveled by itself.
/// The levels of the parts are the finish times of the balanced assignment from top to bottom; a part that needs no
/// split costs one flow, whatever its number of levels.
/// Source: own; the decomposition of a submodular base polytope ([fujishige1980]) on the semi-matchings of
/// [harvey2006], with thresholds in the manner of [fakcharoenphol2010].
#pragma once

#include <utility>

#include "policies/assignment/task_flow.hpp"

namespace schedproof::assignment {

template <Number N>
class PositionSplit {
  public:
    PositionSplit(const Problem<N>& problem, Counters& counters)
        : problem_(problem), shape_(*problem.shape), counters_(counters), positions_(problem) {}

    [[nodiscard]] BalancedAssignment<N> balance() {
        std::vector<ServerId> server_of = greedy();
        TaskFlow flow(shape_, server_of, counters_);
        excess_.assign(shape_.servers().size(), 0);
        std::vector<ServerId> servers = settle_from_top(flow);
        if (servers.empty()) return expand(problem_, positions_, flow.server_of());
        std::vector<std::span<ServerId>> parts{servers};
        while (!parts.empty()) {
            const std::span<ServerId> part = parts.back();
            parts.pop_back();
            if (!level(part)) continue;
            const std::size_t reached = flow.settle(part, excess_);
            if (reached == 0) continue;
            for (const ServerId s : part) {
                if (excess_[s.index()] == 0) continue;
                count_[s.index()] += static_cast<std::size_t>(std::exchange(excess_[s.index()], 0));
                refresh(s);
            }
            parts.push_back(part.first(reached));
            parts.push_back(part.subspan(reached));
        }
        return expand(problem_, positions_, flow.server_of());
    }

  private:
    /// A server's last or next position.
    struct End {
        N position;
        ServerId server;
    };

    /// Each task to the replica of the earliest next position, the first server among these.
    [[nodiscard]] std::vector<ServerId> greedy() {
        const std::size_t servers = shape_.servers().size();
        count_.assign(servers, 0);
        last_.assign(servers, N(0));
        for (const ServerId s : shape_.servers()) next_.push_back(positions_(s, 1).finish);
        std::vector<ServerId> server_of;
        server_of.reserve(shape_.tasks().size());
        for (const TaskId t : shape_.tasks()) {
            const auto holders = shape_.replicas(t);
            ServerId best = holders[0];
            for (const ServerId s : holders.subspan(1)) {
                const N &here = next_[s.index()], &there = next_[best.index()];
                if (here < there || (s < best && !(there < here))) best = s;
            }
            server_of.push_back(best);
            next_[best.index()] = positions_(best, ++count_[best.index()] + 1).finish;
        }
        return server_of;
    }

    void refresh(ServerId s) {
        const std::size_t n = count_[s.index()];
        next_[s.index()] = positions_(s, n + 1).finish;
        if (n > 0) last_[s.index()] = positions_(s, n).finish;
    }

    /// Settles servers by the latest last position first, path by path, while that costs no more than a few looks at
    /// each replica; where tasks are few and loads uneven it is all that is needed. What cannot shift anything to an
    /// earlier position is settled with all it reaches. Returns the servers that are left.
    [[nodiscard]] std::vector<ServerId> settle_from_top(TaskFlow& flow) {
        struct Top : End {
            std::size_t count;
        };
        const auto earlier = [](const Top& a, const Top& b) { return a.position < b.position; };
        std::vector<Top> tops;
        const auto add = [&](ServerId s) {
            refresh(s);
            if (count_[s.index()] == 0) return;
            tops.push_back({{last_[s.index()], s}, count_[s.index()]});
            std::push_heap(tops.begin(), tops.end(), earlier);
        };
        for (const ServerId s : shape_.servers()) add(s);
        std::vector<bool> settled(shape_.servers().size(), false);
        std::vector<ServerId> reached;
        const std::uint64_t most_scans = counters_.edge_scans + 2 * shape_.replicas().total();
        while (!tops.empty() && counters_.edge_scans < most_scans) {
            std::pop_heap(tops.begin(), tops.end(), earlier);
            const Top top = tops.back();
            tops.pop_back();
            const ServerId s = top.server;
            if (settled[s.index()] || count_[s.index()] != top.count) continue;
            const auto sink = flow.shift_one(
                s, [&](ServerId o) { return next_[o.index()] < top.position; }, reached);
            for (const ServerId r : reached) settled[r.index()] = true;
            if (!sink) continue;
            for (const auto& [server, by] : {std::pair{s, -1}, std::pair{*sink, 1}}) {
                count_[server.index()] += static_cast<std::size_t>(by);
                add(server);
            }
        }
        std::vector<ServerId> left;
        for (const ServerId s : shape_.servers())
            if (!settled[s.index()] && !tops.empty()) left.push_back(s);
        return left;
    }

    /// Sets the counts of the part to what they should be, and `excess_` to what they are more; whether there is any.
    /// Only servers with a position on the wrong side of some other's matter. A server that gives a task away takes
    /// none afterwards, nor the other way round, so what the heaps hold of it need not follow.
    [[nodiscard]] bool level(std::span<const ServerId> part) {
        const auto earlier = [](const End& a, const End& b) { return a.position < b.position; };
        const auto later = [](const End& a, const End& b) { return b.position < a.position; };
        ServerId first = part[0];
        for (const ServerId s : part)
            if (next_[s.index()] < next_[first.index()]) first = s;
        const N free = next_[first.index()];
        from_.clear();
        for (const ServerId s : part)
            if (count_[s.index()] > 0 && free < last_[s.index()]) from_.push_back({last_[s.index()], s});
        if (from_.empty()) return false;
        std::make_heap(from_.begin(), from_.end(), earlier);
        to_.clear();
        for (const ServerId s : part)
            if (next_[s.index()] < from_.front().position) to_.push_back({next_[s.index()], s});
        std::make_heap(to_.begin(), to_.end(), later);
        while (!from_.empty() && !to_.empty() && to_.front().position < from_.front().position) {
            std::pop_heap(from_.begin(), from_.end(), earlier);
            const ServerId giver = from_.back().server;
            shift(giver, -1);
            from_.back().position = last_[giver.index()];
            if (count_[giver.index()] > 0)
                std::push_heap(from_.begin(), from_.end(), earlier);
            else
                from_.pop_back();
            std::pop_heap(to_.begin(), to_.end(), later);
            const ServerId taker = to_.back().server;
            shift(taker, 1);
            to_.back().position = next_[taker.index()];
            std::push_heap(to_.begin(), to_.end(), later);
        }
        return true;
    }

    void shift(ServerId s, std::int64_t by) {
        excess_[s.index()] -= by;
        count_[s.index()] += static_cast<std::size_t>(by);
        refresh(s);
    }

    const Problem<N>& problem_;
    const Shape& shape_;
    Counters& counters_;
    Positions<N> positions_;
    // By server: how many tasks it has, or should have; then its last occupied position, and the next after that.
    std::vector<std::size_t> count_;
    std::vector<N> last_, next_;
    std::vector<std::int64_t> excess_;  // by server: how many tasks it has more than it should
    std::vector<End> from_, to_;        // heaps: latest last position first, earliest next position first
};

}  // namespace schedproof::assignment
