/// The tasks that no core has taken yet, and which of them a free core is offered.
///
/// A server's shelf holds the tasks whose block it has; one more shelf, the cluster's, holds all. On a shelf, tasks
/// lie in bags by job. A free core is offered to the jobs in their order: first come first served, or the job with the
/// fewest running tasks first. From the first bag that is not empty it gets the task of lowest id, or a uniformly
/// random one.
/// With lowest ids a bag is a list whose front passes over what others took; with random picks a taken task leaves all
/// its bags at once, so that one draw is enough and an enumeration of draws meets every outcome once.
/// Source: [jin2018], Sections 4 and 6.2; docs/models/assignment.md, Interpretations A19, A20.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "model/assignment/shape.hpp"
#include "model/core/randomness.hpp"

namespace schedproof::assignment {

enum class Pick { lowest, random };
/// The order in which jobs are offered a core: by id, or by their number of running tasks and then id.
enum class JobOrder { fifo, fair };

template <Randomness R>
class Unscheduled {
  public:
    /// Keeps references to both. Cost: linear in the replicas.
    Unscheduled(const Shape& shape, Pick pick, JobOrder order, R& randomness)
        : shape_(shape), pick_(pick), order_(order), randomness_(randomness), left_(shape.tasks().size()) {
        fill();
        running_.assign(shape.jobs(), 0);
        if (pick_ == Pick::lowest) {
            taken_.assign(left_, false);
        } else {
            where_.resize(tasks_.size());
            for (std::size_t shelf = 0; shelf < shelves_.size(); ++shelf)
                for (std::uint64_t at = bags_[shelves_[shelf].first].first; at < shelves_[shelf].end; ++at)
                    where(tasks_[at], shelf) = at;
        }
    }

    [[nodiscard]] std::size_t left() const { return left_; }
    /// A task for a free core of server s that is local there; none when there is none.
    [[nodiscard]] std::optional<TaskId> take_local(ServerId s) { return take(s.index()); }
    /// A task for a free core of a server that has no local one; none when no task is left. The number of remote tasks
    /// that the server runs is ignored.
    [[nodiscard]] std::optional<TaskId> take_remote(ServerId, std::size_t) { return take(cluster()); }
    /// Tells that a task ended: the fair order counts.
    void finished(TaskId t) { --running_[shape_.job_of(t).index()]; }

  private:
    struct Bag {
        JobId job;
        std::uint64_t first, end;  // of tasks_
    };
    struct Shelf {
        std::size_t first, last;  // of bags_; those before `first` are empty
        std::uint64_t end;        // of tasks_
    };
    [[nodiscard]] std::size_t cluster() const { return shape_.servers().size(); }

    void fill() {
        std::vector<std::uint64_t> begin(cluster() + 2, 0);
        for (const TaskId t : shape_.tasks())
            for (const ServerId s : shape_.replicas(t)) ++begin[s.index() + 1];
        begin[cluster() + 1] = left_;
        for (std::size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
        tasks_.resize(begin.back());
        std::vector<std::uint64_t> next = begin;
        for (const TaskId t : shape_.tasks()) {
            for (const ServerId s : shape_.replicas(t)) tasks_[next[s.index()]++] = t;
            tasks_[next[cluster()]++] = t;
        }
        for (std::size_t shelf = 0; shelf <= cluster(); ++shelf) {
            shelves_.push_back({bags_.size(), 0, begin[shelf + 1]});
            bags_.push_back({JobId(0), begin[shelf], begin[shelf]});
            for (std::uint64_t at = begin[shelf]; at < begin[shelf + 1]; ++at) {
                const JobId job = shape_.job_of(tasks_[at]);
                if (bags_.back().job != job) bags_.push_back({job, at, at});
                ++bags_.back().end;
            }
            shelves_.back().last = bags_.size();
        }
    }

    std::optional<TaskId> take(std::size_t shelf) {
        Bag* bag = choose(shelves_[shelf]);
        if (bag == nullptr) return std::nullopt;
        const std::size_t i = pick_ == Pick::lowest ? 0 : randomness_.uniform(bag->end - bag->first);
        const TaskId t = tasks_[bag->first + i];
        remove(t);
        ++running_[bag->job.index()];
        --left_;
        return t;
    }

    /// The bag of the first job, in their order, that has something on the shelf.
    Bag* choose(Shelf& shelf) {
        while (shelf.first < shelf.last && empty(bags_[shelf.first])) ++shelf.first;
        if (shelf.first == shelf.last) return nullptr;
        Bag* best = &bags_[shelf.first];
        if (order_ == JobOrder::fifo) return best;
        for (std::size_t b = shelf.first + 1; b < shelf.last; ++b)
            if (running_[bags_[b].job.index()] < running_[best->job.index()] && !empty(bags_[b])) best = &bags_[b];
        return best;
    }
    bool empty(Bag& bag) const {
        if (pick_ == Pick::lowest)
            while (bag.first < bag.end && taken_[tasks_[bag.first].index()]) ++bag.first;
        return bag.first == bag.end;
    }

    void remove(TaskId t) {
        if (pick_ == Pick::lowest) {
            taken_[t.index()] = true;
            return;
        }
        for (const ServerId s : shape_.replicas(t)) remove(t, s.index());
        remove(t, cluster());
    }
    void remove(TaskId t, std::size_t shelf) {
        const auto first = bags_.begin() + static_cast<std::ptrdiff_t>(shelves_[shelf].first);
        const auto last = bags_.begin() + static_cast<std::ptrdiff_t>(shelves_[shelf].last);
        Bag& bag =
            *std::lower_bound(first, last, shape_.job_of(t), [](const Bag& b, JobId job) { return b.job < job; });
        const std::uint64_t at = where(t, shelf);
        const TaskId moved = tasks_[--bag.end];
        tasks_[at] = moved;
        where(moved, shelf) = at;
    }
    /// Where a task lies on a shelf that has it.
    std::uint64_t& where(TaskId t, std::size_t shelf) {
        if (shelf == cluster()) return where_[shape_.replicas().total() + t.index()];
        const auto holders = shape_.replicas(t);
        const auto holder = std::find(holders.begin(), holders.end(), ServerId(shelf));
        return where_[static_cast<std::size_t>(&*holder - shape_.replicas(TaskId(0)).data())];
    }

    const Shape& shape_;
    Pick pick_;
    JobOrder order_;
    R& randomness_;
    std::size_t left_;
    std::vector<TaskId> tasks_;  // by shelf and bag
    std::vector<Bag> bags_;      // by shelf, then job
    std::vector<Shelf> shelves_;
    std::vector<std::size_t> running_;  // by job
    std::vector<bool> taken_;           // by task; lowest picks only
    std::vector<std::uint64_t> where_;  // by replica, then by task on the cluster's shelf; random picks only
};

}  // namespace schedproof::assignment
