/// Phase I of DynDLOff by cost-reducing paths, one at a time, as the paper searches them.
///
/// Greedy: each task to the replica server whose next position is earliest. Then, again and again, everything that the
/// server of the latest occupied position can shift work to is searched; if the earliest free position found is
/// earlier, the path to it is flipped. If not, everything searched is settled for good: no work leaves it, and every
/// free position in it is too late for all servers to come (Interpretation A8).
/// The paper settles the one server only, which costs more searches for the same result: `Settle::source`.
/// Source: [jin2018], Algorithm 2.
/// Deviation: MAX of a server is the largest load of its *active* cores, the last occupied position. `all_cores` is the
/// paper's text, which flips paths that no task profits from (docs/models/assignment.md, Interpretation A5).
#pragma once

#include <optional>

#include "policies/assignment/balanced_assignment.hpp"

namespace schedproof::assignment {

enum class Settle { reached, source };

template <Number N>
class CostReducingPaths {
  public:
    CostReducingPaths(const Problem<N>& problem, Settle settle, bool all_cores, Counters& counters)
        : problem_(problem),
          shape_(*problem.shape),
          settle_(settle),
          all_cores_(all_cores),
          counters_(counters),
          positions_(problem),
          on_(shape_.servers().size()),
          server_of_(shape_.tasks().size()),
          settled_(shape_.servers().size(), false),
          seen_(shape_.servers().size(), 0),
          via_(shape_.servers().size()) {}

    /// B_0, where the improvement starts: every task where greedy puts it.
    [[nodiscard]] BalancedAssignment<N> initial() {
        greedy();
        return expand(problem_, positions_, server_of_);
    }

    /// Throws LimitExceeded when the literal interpretation keeps flipping: more than (tasks + servers + 8)^2 times.
    [[nodiscard]] BalancedAssignment<N> balance() {
        greedy();
        const std::size_t size = shape_.tasks().size() + shape_.servers().size() + 8;
        while (const std::optional<ServerId> source = latest()) {
            if (counters_.flips > size * size) throw LimitExceeded("flips", "cost-reducing paths do not end");
            search(*source);
            const ServerId sink = earliest_reached();
            if (sink != *source && next(sink) < peak(*source))
                flip(*source, sink);
            else if (settle_ == Settle::reached)
                for (const ServerId s : reached_) settled_[s.index()] = true;
            else
                settled_[source->index()] = true;
        }
        return expand(problem_, positions_, server_of_);
    }

  private:
    void greedy() {
        for (const TaskId t : shape_.tasks()) {
            const auto holders = shape_.replicas(t);
            ServerId best = holders[0];
            for (const ServerId s : holders)
                if (earlier(s, best)) best = s;
            server_of_[t.index()] = best;
            on_[best.index()].push_back(t);
        }
    }

    [[nodiscard]] N next(ServerId s) { return positions_(s, on_[s.index()].size() + 1).finish; }
    [[nodiscard]] bool earlier(ServerId a, ServerId b) { return next(a) < next(b) || (a < b && !(next(b) < next(a))); }

    /// MAX of a server. Requires a task on it, unless all cores count.
    [[nodiscard]] N peak(ServerId s) {
        const std::size_t n = on_[s.index()].size();
        if (!all_cores_) return positions_(s, n).finish;
        N most = n == 0 ? problem_.load(shape_.core(s, 0)) : positions_(s, n).finish;
        for (std::size_t i = 0; i < shape_.cores_of(s); ++i)
            if (most < problem_.load(shape_.core(s, i))) most = problem_.load(shape_.core(s, i));
        return most;
    }

    /// smax: the first unsettled server of the largest MAX.
    [[nodiscard]] std::optional<ServerId> latest() {
        std::optional<ServerId> best;
        for (const ServerId s : shape_.servers())
            if (!settled_[s.index()] && (all_cores_ || !on_[s.index()].empty()) && (!best || peak(*best) < peak(s)))
                best = s;
        return best;
    }

    /// R: the servers that work of `source` can be shifted to, with the task that led to each. Settled servers are
    /// entered only when the paper's own search is followed, which goes depth first.
    void search(ServerId source) {
        ++counters_.searches;
        ++stamp_;
        reached_.assign(1, source);
        seen_[source.index()] = stamp_;
        std::vector<ServerId> open{source};
        for (std::size_t head = 0; head < open.size();) {
            const bool depth_first = settle_ == Settle::source;
            const ServerId s = depth_first ? open.back() : open[head++];
            if (depth_first) open.pop_back();
            for (const TaskId t : on_[s.index()])
                for (const ServerId other : shape_.replicas(t)) {
                    ++counters_.edge_scans;
                    if (seen_[other.index()] == stamp_ || (!depth_first && settled_[other.index()])) continue;
                    seen_[other.index()] = stamp_;
                    via_[other.index()] = t;
                    reached_.push_back(other);
                    open.push_back(other);
                }
        }
    }

    /// smin.
    [[nodiscard]] ServerId earliest_reached() {
        ServerId best = reached_[0];
        for (const ServerId s : reached_)
            if (earlier(s, best)) best = s;
        return best;
    }

    /// Every task on the path moves one server on.
    void flip(ServerId source, ServerId sink) {
        ++counters_.flips;
        for (ServerId to = sink; to != source;) {
            const TaskId t = via_[to.index()];
            const ServerId from = server_of_[t.index()];
            std::erase(on_[from.index()], t);
            on_[to.index()].push_back(t);
            server_of_[t.index()] = to;
            ++counters_.moves;
            to = from;
        }
    }

    const Problem<N>& problem_;
    const Shape& shape_;
    Settle settle_;
    bool all_cores_;
    Counters& counters_;
    Positions<N> positions_;
    std::vector<std::vector<TaskId>> on_;  // by server
    std::vector<ServerId> server_of_;      // by task
    std::vector<bool> settled_;            // by server: frozen, or the paper's DONE
    std::vector<ServerId> reached_;        // R
    std::vector<std::uint64_t> seen_;      // by server: the search that reached it last
    std::vector<TaskId> via_;              // by server: over which task
    std::uint64_t stamp_ = 0;
};

}  // namespace schedproof::assignment
