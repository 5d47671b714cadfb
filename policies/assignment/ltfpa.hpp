/// LTFPA, the local-tasks-first priority algorithm of Pandas, on a batch of tasks.
///
/// The tasks arrive at time 0, by id, and join a queue among those of their replica servers, ties by id: the shortest,
/// or that of the server on which a core would come to them first, which takes its initial loads into account. A free
/// core takes the head of its server's queue. If that is empty, it takes the head of the longest queue, provided that
/// this is longer than a threshold, at once; else it stays idle until something happens on its server. RECONSTRUCTED
/// from the paper and from [xie2015]: costs and order of events are those of the online policies (online.hpp), and the
/// default threshold is ceil(g(r + 1)), about as long as the remote task would take, r being what the server runs
/// remotely at that moment. A task from the longest queue whose block the server happens to hold costs a local task.
/// The paper counts LTFPA among the algorithms that know the initial loads, and speaks of its load-balancing phase,
/// which is the second way to join; it describes the queues in the words of the first.
/// Source: [jin2018], Section 6.1.1; docs/models/assignment.md, Interpretation A23.
#pragma once

#include <optional>
#include <queue>
#include <utility>
#include <vector>

#include "model/assignment/online.hpp"
#include "model/core/least_first.hpp"

namespace schedproof::assignment {

/// Whose queue a task joins.
enum class Join { shortest, first_free };

/// By the shortest queue it knows a load only when the core becomes free; otherwise its result is the map that its
/// event loop ends with, as that of every algorithm that knows all loads.
template <Join join>
struct LtfpaBy {
    static constexpr PolicyInfo info =
        join == Join::shortest
            ? PolicyInfo{"ltfpa", "[jin2018], Section 6.1.1; [xie2015]",
                         "tasks join the shortest local queue; a free core serves its own, else the longest if above a "
                         "threshold"}
            : PolicyInfo{"ltfpa:load-aware", "[jin2018], Sections 6.1.1 and 6.1.2; [xie2015]",
                         "tasks join where a core comes to them first, given the initial loads (Interpretation A23)"};
    static constexpr bool online = join == Join::shortest;
    std::optional<Rational> threshold;  ///< queue length above which the longest queue is helped
    const Join joins = join;            ///< by which the definitions of the two differ
    static constexpr std::tuple parameters{Parameter("threshold", &LtfpaBy::threshold),
                                           Parameter("join", &LtfpaBy::joins)};

    template <Number N>
    [[nodiscard]] ScheduleResult<N> schedule(const Problem<N>& problem) const {
        const auto no_delay = [](std::size_t, const CostFunction<N>&) { return std::optional<N>(N(0)); };
        ScheduleResult<N> result = run_online(problem, no_delay, Queues<N>(problem, threshold));
        if constexpr (!online) return {std::move(result.assignment), {}, {}};
        return result;
    }

  private:
    template <Number N>
    class Queues {
      public:
        Queues(const Problem<N>& problem, const std::optional<Rational>& threshold)
            : problem_(problem), left_(problem.shape->tasks().size()), queues_(problem.shape->servers().size()) {
            if (threshold) limit_ = floor(*threshold);
            if constexpr (join == Join::shortest)
                join_shortest();
            else
                join_first_free();
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
        void join_shortest() {
            for (const TaskId t : problem_.shape->tasks()) {
                ServerId shortest = problem_.shape->replicas(t)[0];
                for (const ServerId s : problem_.shape->replicas(t))
                    if (std::pair(length(s), s) < std::pair(length(shortest), shortest)) shortest = s;
                queues_[shortest.index()].push(t);
            }
        }
        /// As if every task ran where it joins.
        void join_first_free() {
            const Shape& shape = *problem_.shape;
            std::vector<LeastFirst<N>> free;  // by server: when each of its cores has done what joined before
            for (const ServerId s : shape.servers()) {
                free.emplace_back(shape.cores_of(s));
                for (std::size_t i = 0; i < shape.cores_of(s); ++i) free.back().set(i, problem_.load(shape.core(s, i)));
            }
            for (const TaskId t : shape.tasks()) {
                ServerId first = shape.replicas(t)[0];
                for (const ServerId s : shape.replicas(t)) {
                    const N &here = free[s.index()].least(), &there = free[first.index()].least();
                    if (here < there || (s < first && !(there < here))) first = s;
                }
                LeastFirst<N>& cores = free[first.index()];
                const std::size_t core = cores.owner();
                cores.set(core, cores.least() + problem_.local);
                queues_[first.index()].push(t);
            }
        }

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

using Ltfpa = LtfpaBy<Join::shortest>;
using LtfpaLoadAware = LtfpaBy<Join::first_free>;

}  // namespace schedproof::assignment
