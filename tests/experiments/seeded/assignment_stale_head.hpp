/// stale-head: a free core takes the next task of its server's list, otherwise any task, at once.
///
/// Seeded fault: a server looks at the head of its list alone. When another server has taken that task, it believes
/// that it has none left, and its cores stay idle or help elsewhere beside local work.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "model/assignment/online.hpp"

namespace schedproof::assignment {

struct StaleHead {
    static constexpr PolicyInfo info{"stale-head", "",
                                     "a free core takes the head of its server's list, otherwise any task, at once"};
    static constexpr bool online = true;
    static constexpr std::array hopes{"assignment.local-first"};

    template <Number N>
    [[nodiscard]] ScheduleResult<N> schedule(const Problem<N>& problem) const {
        const auto no_delay = [](std::size_t, const CostFunction<N>&) { return std::optional<N>(N(0)); };
        return run_online(problem, no_delay, Lists(*problem.shape));
    }

  private:
    class Lists {
      public:
        explicit Lists(const Shape& shape) : tasks_(shape.servers().size()), head_(tasks_.size(), 0) {
            for (const TaskId t : shape.tasks()) {
                taken_.push_back(false);
                for (const ServerId s : shape.replicas(t)) tasks_[s.index()].push_back(t);
            }
            left_ = taken_.size();
        }

        [[nodiscard]] std::size_t left() const { return left_; }
        [[nodiscard]] std::optional<TaskId> take_local(ServerId s) {
            std::size_t& head = head_[s.index()];
            if (head == tasks_[s.index()].size() || taken_[tasks_[s.index()][head].index()]) return std::nullopt;
            return take(tasks_[s.index()][head++]);
        }
        [[nodiscard]] std::optional<TaskId> take_remote(ServerId, std::size_t) {
            for (std::size_t t = 0; t < taken_.size(); ++t)
                if (!taken_[t]) return take(TaskId(t));
            return std::nullopt;
        }
        void finished(TaskId) {}

      private:
        TaskId take(TaskId t) {
            taken_[t.index()] = true;
            --left_;
            return t;
        }

        std::vector<std::vector<TaskId>> tasks_;  // by server
        std::vector<std::size_t> head_;           // by server
        std::vector<bool> taken_;
        std::size_t left_ = 0;
    };
};

static_assert(admitted<StaleHead>());

}  // namespace schedproof::assignment
