/// LIST: the tasks one by one, by id, each to the core of earliest predicted finish.
///
/// A local task on core p ends at L(p) + 1. A remote one makes its server's remote tasks dearer, those of p included:
/// it ends at L(p) with its remote tasks and the new one at g(r_s + 1). Ties: local first, then by server, core.
/// RECONSTRUCTED: the paper says that LIST predicts finish times from the numbers of local and remote tasks assigned so
/// far and heeds the dynamic cost; that the predicted finish is the new load of the chosen *core* is our reading.
/// `server-max` is the other one: the new largest load of an active core of the chosen *server* (on a server, the core
/// of least new load is taken in both).
/// Source: Jin et al. 2018, section 6.1.1; Graham's list scheduling; specification 4.
#pragma once

#include <algorithm>
#include <optional>

#include "model/assignment/least_first.hpp"
#include "model/assignment/scheduler.hpp"
#include "model/assignment/slots.hpp"

namespace schedproof::assignment {

struct List {
    static constexpr SchedulerInfo info{"list", "Jin et al. 2018, section 6.1.1",
                                        "tasks by id, each to the core where it is predicted to finish first"};
    enum class Predict { core, server_max };
    Predict predict = Predict::core;

    /// Cost: O(cores of a server + log servers) a task.
    template <Number N>
    [[nodiscard]] Outcome<N> schedule(const Problem<N>& problem) const {
        Predictions<N> now(problem, predict);
        Outcome<N> outcome;
        for (const TaskId t : problem.shape->tasks()) outcome.assignment.push_back(now.place(t));
        return outcome;
    }

  private:
    /// What every server would do with one more task, local or remote.
    template <Number N>
    class Predictions {
      public:
        Predictions(const Problem<N>& problem, Predict predict)
            : problem_(problem),
              shape_(*problem.shape),
              predict_(predict),
              left_(shape_.tasks().size()),
              local_load_(problem.initial),
              remote_(shape_.cores().size(), 0),
              active_(shape_.cores().size(), false),
              total_(shape_.servers().size(), 0),
              local_finish_(shape_.servers().size()),
              remote_finish_(shape_.servers().size()),
              by_remote_finish_(shape_.servers().size()) {
            for (const ServerId s : shape_.servers())
                if (left_ > 0) refresh(s);
        }

        CoreId place(TaskId t) {
            const auto holders = shape_.replicas(t);
            ServerId home = holders[0];
            for (const ServerId s : holders) {
                const N &at = local_finish_[s.index()].finish, &best = local_finish_[home.index()].finish;
                if (at < best || (s < home && !(best < at))) home = s;
            }
            const auto away = first_remote(t);
            const bool local = !away || local_finish_[home.index()].finish <= remote_finish_[away->index()].finish;
            const ServerId s = local ? home : *away;
            const CoreId p = (local ? local_finish_ : remote_finish_)[s.index()].core;
            active_[p.index()] = true;
            if (local) {
                local_load_[p.index()] = local_load_[p.index()] + problem_.local;
            } else {
                ++remote_[p.index()];
                ++total_[s.index()];
            }
            if (--left_ > 0) refresh(s);
            return p;
        }

      private:
        /// The server where a remote task finishes first; none when all servers hold the task's block.
        std::optional<ServerId> first_remote(TaskId t) {
            std::vector<ServerId> passed;
            std::optional<ServerId> first;
            while (!first && !by_remote_finish_.empty()) {
                const ServerId s(by_remote_finish_.pop());
                if (!shape_.is_local(t, s)) first = s;
                passed.push_back(s);
            }
            for (const ServerId s : passed) by_remote_finish_.set(s.index(), remote_finish_[s.index()].finish);
            return first;
        }

        void refresh(ServerId s) {
            const std::size_t r = total_[s.index()];
            const N price = r == 0 ? N(0) : problem_.cost(s)(r), dearer_price = problem_.cost(s)(r + 1);
            std::optional<Slot<N>> local, remote;
            std::optional<N> peak, dearer_peak;  // of the active cores, now and with one more remote task
            for (std::size_t i = 0; i < shape_.cores_of(s); ++i) {
                const CoreId p = shape_.core(s, i);
                const N now = local_load_[p.index()] + times(remote_[p.index()], price);
                const N dearer = local_load_[p.index()] + times(remote_[p.index()], dearer_price);
                const Slot<N> one_more{now + problem_.local, p}, one_away{dearer + dearer_price, p};
                if (!local || one_more.finish < local->finish) local = one_more;
                if (!remote || one_away.finish < remote->finish) remote = one_away;
                if (active_[p.index()] && (!peak || *peak < now)) peak = now;
                if (active_[p.index()] && (!dearer_peak || *dearer_peak < dearer)) dearer_peak = dearer;
            }
            if (predict_ == Predict::server_max && peak) {
                if (local->finish < *peak) local->finish = *peak;
                if (remote->finish < *dearer_peak) remote->finish = *dearer_peak;
            }
            local_finish_[s.index()] = *local;
            remote_finish_[s.index()] = *remote;
            by_remote_finish_.set(s.index(), remote->finish);
        }

        const Problem<N>& problem_;
        const Shape& shape_;
        Predict predict_;
        std::size_t left_;                                   // tasks
        std::vector<N> local_load_;                          // by core: without remote tasks
        std::vector<std::int64_t> remote_;                   // by core
        std::vector<bool> active_;                           // by core
        std::vector<std::size_t> total_;                     // by server: r_s
        std::vector<Slot<N>> local_finish_, remote_finish_;  // by server
        LeastFirst<N> by_remote_finish_;                     // servers
    };
};

}  // namespace schedproof::assignment
