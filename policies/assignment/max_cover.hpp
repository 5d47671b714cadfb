/// Maximum covers: as many tasks as possible local and finished by a time tau, for tau growing position by position.
///
/// A maximum flow, kept up incrementally. When tau passes a position of server s, at most one more task can be covered,
/// and it can exactly if an augmenting path ends at s: a task not covered yet takes a place on a server, a task of that
/// server moves on to the next one, ... to s. If none does, the servers searched are closed: every task with a replica
/// among them is covered by them already. They are never searched again.
/// Source: [fischer2010] (max-cover); Berge's theorem.
#pragma once

#include <optional>
#include <vector>

#include "model/assignment/positions.hpp"
#include "model/core/least_first.hpp"

namespace schedproof::assignment {

template <Number N>
class MaxCover {
  public:
    explicit MaxCover(const Problem<N>& problem)
        : shape_(*problem.shape),
          positions_(problem),
          first_(shape_.servers().size() + 1, 0),
          tasks_(shape_.replicas().total()),
          server_of_(shape_.tasks().size()),
          covered_(shape_.servers().size(), 0),
          seen_(shape_.servers().size(), 0),
          via_(shape_.servers().size()),
          next_position_(shape_.servers().size()) {
        for (const TaskId t : shape_.tasks())
            for (const ServerId s : shape_.replicas(t)) ++first_[s.index() + 1];
        for (std::size_t s = 1; s < first_.size(); ++s) first_[s] += first_[s - 1];
        uncovered_.assign(first_.begin(), first_.end() - 1);
        for (const TaskId t : shape_.tasks())
            for (const ServerId s : shape_.replicas(t)) tasks_[uncovered_[s.index()]++] = t;
        uncovered_.assign(first_.begin(), first_.end() - 1);
        for (const ServerId s : shape_.servers()) next_position_.set(s.index(), positions_(s, 1).finish);
    }

    /// Moves tau on until more tasks are covered, and calls `occupied(core)` for every position newly occupied. False
    /// when tau can grow for ever without that. Cost: a failed search is paid for once; the others stop at the first
    /// task that is not covered yet.
    template <class Occupied>
    bool grow(Occupied&& occupied) {
        for (bool grown = false; !next_position_.empty();) {
            const N tau = next_position_.least();
            while (!next_position_.empty() && !(tau < next_position_.least())) {
                const ServerId s(next_position_.pop());
                if (!augment(s)) continue;
                occupied(positions_(s, ++covered_[s.index()]).core);
                next_position_.set(s.index(), positions_(s, covered_[s.index()] + 1).finish);
                grown = true;
            }
            if (grown) return true;
        }
        return false;
    }

    /// Where each task is covered; none for those that are not.
    [[nodiscard]] const std::vector<std::optional<ServerId>>& server_of() const { return server_of_; }
    /// Position k of a server.
    [[nodiscard]] const Position<N>& position(ServerId s, std::size_t k) { return positions_(s, k); }

  private:
    bool augment(ServerId sink) {
        ++stamp_;
        reached_.assign(1, sink);
        seen_[sink.index()] = stamp_;
        for (std::size_t head = 0; head < reached_.size(); ++head) {
            const ServerId s = reached_[head];
            if (const auto t = first_uncovered(s)) {
                shift(*t, s, sink);
                return true;
            }
            for (std::size_t i = first_[s.index()]; i < first_[s.index() + 1]; ++i) {
                const ServerId other = *server_of_[tasks_[i].index()];
                if (seen_[other.index()] == stamp_ || closed(other)) continue;
                seen_[other.index()] = stamp_;
                via_[other.index()] = {tasks_[i], s};
                reached_.push_back(other);
            }
        }
        for (const ServerId s : reached_) close(s);
        return false;
    }
    std::optional<TaskId> first_uncovered(ServerId s) {
        std::size_t& i = uncovered_[s.index()];
        while (i < first_[s.index() + 1] && server_of_[tasks_[i].index()]) ++i;
        return i < first_[s.index() + 1] ? std::optional(tasks_[i]) : std::nullopt;
    }
    void shift(TaskId t, ServerId s, ServerId sink) {
        server_of_[t.index()] = s;
        while (s != sink) {
            const Move& on = via_[s.index()];
            server_of_[on.task.index()] = on.to;
            s = on.to;
        }
    }
    [[nodiscard]] bool closed(ServerId s) const { return seen_[s.index()] == never; }
    void close(ServerId s) {
        seen_[s.index()] = never;
        next_position_.cancel(s.index());
    }

    struct Move {
        TaskId task;
        ServerId to;
    };
    static constexpr std::uint64_t never = static_cast<std::uint64_t>(-1);

    const Shape& shape_;
    Positions<N> positions_;
    std::vector<std::size_t> first_;      // by server: its tasks in `tasks_`
    std::vector<TaskId> tasks_;           // by server: the tasks that have a replica there
    std::vector<std::size_t> uncovered_;  // by server: those before are covered, and remain so
    std::vector<std::optional<ServerId>> server_of_;
    std::vector<std::size_t> covered_;  // by server: how many tasks it covers, in its first positions
    std::vector<std::uint64_t> seen_;   // by server: the search that reached it last, or `never` again
    std::vector<Move> via_;             // by server reached: what would move from it, and where to
    std::vector<ServerId> reached_;
    LeastFirst<N> next_position_;  // of the servers that are not closed
    std::uint64_t stamp_ = 0;
};

}  // namespace schedproof::assignment
