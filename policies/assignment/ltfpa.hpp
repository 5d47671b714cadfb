/// LTFPA, the local-tasks-first priority algorithm of Pandas, on a batch of tasks.
///
/// The tasks arrive at time 0, by id, and join the shortest queue among their replica servers, ties by id. A free core
/// takes the head of its server's queue. If that is empty, it takes the head of the longest queue, provided that this
/// is longer than a threshold, at once; else it stays idle until something happens on its server. RECONSTRUCTED from
/// the paper and from [xie2015]: costs and order of events are those of the online policies (online.hpp),
/// and the default threshold is ceil(g(r + 1)), about as long as the remote task would take, r being what the server
/// runs remotely at that moment. A task from the longest queue whose block the server happens to hold costs a local
/// task. The paper counts LTFPA among the offline algorithms; it uses no initial load before the core becomes free.
/// Source: [jin2018], Section 6.1.1; docs/models/assignment.md, Interpretation A23.
#pragma once

#include <optional>
#include <queue>
#include <utility>

#include "model/assignment/online.hpp"

namespace schedproof::assignment {

struct Ltfpa {
    static constexpr PolicyInfo info{
        "ltfpa", "[jin2018], Section 6.1.1; [xie2015]",
        "tasks join the shortest local queue; a free core serves its own, else the longest if above a threshold"};
    static constexpr bool online = true;
    std::optional<Rational> threshold;  ///< queue length above which the longest queue is helped
    static constexpr std::tuple parameters{Parameter("threshold", &Ltfpa::threshold)};

    template <Number N>
    [[nodiscard]] ScheduleResult<N> schedule(const Problem<N>& problem) const {
        const auto no_delay = [](std::size_t, const CostFunction<N>&) { return std::optional<N>(N(0)); };
        return run_online(problem, no_delay, Queues<N>(problem, threshold));
    }

  private:
    template <Number N>
    class Queues {
      public:
        Queues(const Problem<N>& problem, const std::optional<Rational>& threshold)
            : problem_(problem), left_(problem.shape->tasks().size()), queues_(problem.shape->servers().size()) {
            if (threshold) limit_ = floor(*threshold);
            for (const TaskId t : problem.shape->tasks()) {
                ServerId shortest = problem.shape->replicas(t)[0];
                for (const ServerId s : problem.shape->replicas(t))
                    if (std::pair(length(s), s) < std::pair(length(shortest), shortest)) shortest = s;
                queues_[shortest.index()].push(t);
            }
            for (const ServerId s : problem.shape->servers()) longest_.push({length(s), s});
        }

        [[nodiscard]] std::size_t left() const { return left_; }
        [[nodiscard]] std::optional<TaskId> take_local(ServerId s) {
            if (length(s) == 0) return std::nullopt;
            const TaskId head = queues_[s.index()].front();
            queues_[s.index()].pop();
            --left_;
            return head;
        }
        [[nodiscard]] std::optional<TaskId> take_remote(ServerId s, std::size_t running) {
            while (longest_.top().first != length(longest_.top().second)) {  // it has shrunk since
                const ServerId shrunk = longest_.top().second;
                longest_.pop();
                longest_.push({length(shrunk), shrunk});
            }
            const auto [longest, queue] = longest_.top();
            return exceeds_threshold(longest, s, running) ? take_local(queue) : std::nullopt;
        }
        void finished(TaskId) {}

      private:
        using Entry = std::pair<std::size_t, ServerId>;  // length, whose
        struct Shorter {
            bool operator()(const Entry& a, const Entry& b) const {
                return a.first != b.first ? a.first < b.first : b.second < a.second;
            }
        };
        [[nodiscard]] std::size_t length(ServerId s) const { return queues_[s.index()].size(); }
        /// An integer exceeds ceil(g) exactly if, less one, it is at least g.
        [[nodiscard]] bool exceeds_threshold(std::size_t length, ServerId s, std::size_t running) const {
            if (limit_) return Integer(length) > *limit_;
            return times(static_cast<std::int64_t>(length) - 1, problem_.local) >= problem_.cost(s)(running + 1);
        }

        const Problem<N>& problem_;
        std::optional<Integer> limit_;
        std::size_t left_;
        std::vector<std::queue<TaskId>> queues_;  // by server
        std::priority_queue<Entry, std::vector<Entry>, Shorter> longest_;
    };
};

}  // namespace schedproof::assignment
