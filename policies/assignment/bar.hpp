/// BAR: balance all tasks locally, then reduce the makespan by making tasks remote, one by one.
///
/// Balance: as Phase I of DynDLOff with every core a server of its own. A server's tasks spread over its cores in order
/// of positions is just that, so Phase I itself is used.
/// Reduce: a task of the core with the largest load moves to the core where it ends first as a remote task, all remote
/// tasks priced by their total; until that core would not be less loaded than the one that the task leaves. The best
/// assignment met on the way is returned.
/// RECONSTRUCTED: after [jin2011], with initial loads and prices as total_price.hpp says. Since these grow with the
/// total, BAR overestimates costs as the DynDL paper remarks, and keeps more tasks local, with either form of them.
/// Source: [jin2018], Section 6.1; docs/models/assignment.md, Interpretation A25.
#pragma once

#include "model/core/least_first.hpp"
#include "policies/assignment/dyndloff.hpp"
#include "policies/assignment/total_price.hpp"

namespace schedproof::assignment {

struct Bar {
    static constexpr PolicyInfo info{"bar", "[jin2011]; [jin2018], Section 6.1.1",
                                     "balance all tasks locally, then move tasks of the largest load to the least"};
    Price price = Price::capped;
    static constexpr std::tuple parameters{Parameter("price", &Bar::price)};

    /// Cost: of balancing; then O(log cores) a move, O(cores log cores) for one that changes the price of others.
    template <Number N>
    [[nodiscard]] ScheduleResult<N> schedule(const Problem<N>& problem) const {
        const BalancedAssignment<N> balanced = DynDlOff{}.balance(problem);
        ScheduleResult<N> outcome{balanced.assignment(), {}, {}};
        if (outcome.assignment.empty()) return outcome;
        Reduction<N> now(problem, price, balanced);
        std::vector<Move> moves;
        std::size_t kept = 0;
        for (N least = now.makespan(); const auto move = now.step();) {
            moves.push_back(*move);
            if (!(now.makespan() < least)) continue;
            least = now.makespan();
            kept = moves.size();
        }
        for (std::size_t i = 0; i < kept; ++i) outcome.assignment[moves[i].task.index()] = moves[i].to;
        return outcome;
    }

  private:
    struct Move {
        TaskId task;
        CoreId to;
    };

    template <Number N>
    class Reduction {
      public:
        Reduction(const Problem<N>& problem, Price price, const BalancedAssignment<N>& balanced)
            : loads_(problem, price),
              tasks_(problem.shape->cores().size()),
              local_(balanced.tasks.size()),
              heaviest_(tasks_.size()),
              lightest_(tasks_.size()) {
            for (std::size_t i = 0; i < balanced.tasks.size(); ++i) {
                tasks_[balanced.core[i].index()].push_back(balanced.tasks[i]);
                loads_.add_local(balanced.core[i]);
            }
            order_heaviest();
            order_lightest();
        }

        [[nodiscard]] N makespan() {
            require(!heaviest_.empty(), "some core has a task");
            return N(0) - heaviest_.least();
        }

        /// One more remote task, unless it would not end before the core that it leaves.
        std::optional<Move> step() {
            const N largest = makespan();
            const CoreId from(heaviest_.owner());
            std::vector<TaskId>& tasks = tasks_[from.index()];
            if (tasks.empty()) return std::nullopt;
            if (lightest_.empty() || !(lightest_.least() < largest)) return std::nullopt;
            const CoreId to(lightest_.owner());
            const Move move{tasks.back(), to};
            tasks.pop_back();
            loads_.remove_local(from);
            ++loads_.remotes[to.index()];
            ++remote_;
            if (remote_ > 1 && loads_.prices_differ(remote_ - 1, remote_))
                order_heaviest();
            else
                for (const CoreId p : {from, to}) set_heaviest(p);
            if (--local_ == 0) return move;
            if (loads_.prices_differ(remote_, remote_ + 1))
                order_lightest();
            else
                for (const CoreId p : {from, to}) set_lightest(p);
            return move;
        }

      private:
        void order_heaviest() {
            heaviest_.clear();
            for (const CoreId p : loads_.problem.shape->cores()) set_heaviest(p);
        }
        void order_lightest() {
            lightest_.clear();
            for (const CoreId p : loads_.problem.shape->cores()) set_lightest(p);
        }
        void set_heaviest(CoreId p) {
            if (loads_.active(p))
                heaviest_.set(p.index(), N(0) - loads_.load(p, remote_));
            else
                heaviest_.cancel(p.index());
        }
        void set_lightest(CoreId p) { lightest_.set(p.index(), loads_.load(p, remote_ + 1, 1)); }

        TotalPriceLoads<N> loads_;
        std::vector<std::vector<TaskId>> tasks_;  // by core: its local ones, in order of positions
        std::size_t local_, remote_ = 0;
        LeastFirst<N> heaviest_;  // active cores by load, negated
        LeastFirst<N> lightest_;  // cores by load with one more remote task
    };
};

}  // namespace schedproof::assignment
