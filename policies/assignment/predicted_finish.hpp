/// Predicted finish times: when one more task would finish, on every server, as the tasks given so far stand.
///
/// A local task is put on the core of least load. A remote one makes all remote tasks of its server dearer, so it is
/// put on the core whose load is least with its remote tasks, the new one included, at the price for one more. Only
/// the server that got the last task predicts anew; the servers are kept by their prediction for a remote task.
/// Source: LIST of [jin2018], Section 6.1.1, reconstructed: see list.hpp.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "model/assignment/positions.hpp"
#include "model/core/least_first.hpp"

namespace schedproof::assignment {

/// What is predicted: the load of the task's core, or the largest load of an active core of its server.
enum class Predict { core, server_max };

template <Number N>
class PredictedFinish {
  public:
    /// Keeps a reference to the problem. Cost: O(cores).
    PredictedFinish(const Problem<N>& problem, Predict predict)
        : problem_(problem),
          shape_(*problem.shape),
          predict_(predict),
          left_(shape_.tasks().size()),
          servers_(shape_.servers().size()),
          by_remote_finish_(servers_.size()) {
        for (const N& load : problem.initial) cores_.push_back({load, 0, false});
        for (const ServerId s : shape_.servers())
            if (left_ > 0) refresh(s);
    }

    /// Gives the task to the core of earliest predicted finish: local first, then by server, core.
    /// Cost: O(cores of a server + log servers).
    CoreId place(TaskId t) {
        const auto earlier = [&](ServerId a, ServerId b) {
            const N &x = at(a).local.finish, &y = at(b).local.finish;
            return x < y || (a < b && !(y < x));
        };
        const auto holders = shape_.replicas(t);
        const ServerId home = *std::min_element(holders.begin(), holders.end(), earlier);
        const auto away = first_remote(t);
        const bool local = !away || at(home).local.finish <= at(*away).remote.finish;
        const ServerId s = local ? home : *away;
        const CoreId p = local ? at(s).local.core : at(s).remote.core;
        Core& core = cores_[p.index()];
        core.active = true;
        if (local) {
            core.local_load = core.local_load + problem_.local;
        } else {
            ++core.remote;
            ++at(s).total;
        }
        if (--left_ > 0) refresh(s);
        return p;
    }

  private:
    struct Core {
        N local_load;  // without remote tasks
        std::int64_t remote;
        bool active;
    };
    struct Server {
        std::size_t total = 0;      // r_s
        Position<N> local, remote;  // where one more task would finish, and when it is predicted to
    };
    Server& at(ServerId s) { return servers_[s.index()]; }

    /// The server where a remote task finishes first; none when all servers hold the task's block.
    std::optional<ServerId> first_remote(TaskId t) {
        std::vector<ServerId> passed;
        std::optional<ServerId> first;
        while (!first && !by_remote_finish_.empty()) {
            const ServerId s(by_remote_finish_.pop());
            if (!shape_.is_local(t, s)) first = s;
            passed.push_back(s);
        }
        for (const ServerId s : passed) by_remote_finish_.set(s.index(), at(s).remote.finish);
        return first;
    }

    void refresh(ServerId s) {
        const std::size_t r = at(s).total;
        const N price = r == 0 ? N(0) : problem_.cost(s)(r), dearer_price = problem_.cost(s)(r + 1);
        std::optional<Position<N>> local, remote;
        std::optional<N> peak, dearer_peak;  // of the active cores, now and with one more remote task
        for (std::size_t i = 0; i < shape_.cores_of(s); ++i) {
            const CoreId p = shape_.core(s, i);
            const Core& core = cores_[p.index()];
            const N now = core.local_load + times(core.remote, price);
            const N dearer = core.local_load + times(core.remote, dearer_price);
            const Position<N> one_more{now + problem_.local, p}, one_away{dearer + dearer_price, p};
            if (!local || one_more.finish < local->finish) local = one_more;
            if (!remote || one_away.finish < remote->finish) remote = one_away;
            if (core.active && (!peak || *peak < now)) peak = now;
            if (core.active && (!dearer_peak || *dearer_peak < dearer)) dearer_peak = dearer;
        }
        if (predict_ == Predict::server_max && peak) {
            if (local->finish < *peak) local->finish = *peak;
            if (remote->finish < *dearer_peak) remote->finish = *dearer_peak;
        }
        at(s) = {r, *local, *remote};
        by_remote_finish_.set(s.index(), remote->finish);
    }

    const Problem<N>& problem_;
    const Shape& shape_;
    Predict predict_;
    std::size_t left_;  // tasks
    std::vector<Core> cores_;
    std::vector<Server> servers_;
    LeastFirst<N> by_remote_finish_;  // servers
};

}  // namespace schedproof::assignment
