/// The queues of a large cluster one by one, as a policy sees them at one moment of a slot: what queueing::View says of
/// sets, single queues and keys, read from the owner's counts; and sets of a few queues scanned for their best.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "experiments/simulators/slotted/queue_counts.hpp"
#include "experiments/simulators/slotted/system.hpp"
#include "model/queueing/layout.hpp"
#include "model/queueing/rate_weights.hpp"
#include "model/queueing/sets_and_keys.hpp"

namespace schedproof::simulation {

class CountedQueues {
  public:
    using Candidate = queueing::Candidate;

    /// Borrows everything. `counts` are the owner's, by queue.
    CountedQueues(const System& system, const queueing::Layout& layout, const std::vector<QueueCounts>& counts,
                  Moment moment);

    /// With random replicas: the servers that hold the data of the task in question.
    void set_replicas(std::span<const ServerId> replicas) { random_replicas_ = replicas; }
    [[nodiscard]] std::span<const ServerId> random_replicas() const { return random_replicas_; }
    /// Whether lengths, or what may be chosen, depend on tasks in execution.
    [[nodiscard]] bool reads_service() const { return counting_waiting_ || conserved_; }
    /// Level of server m to a task of the type.
    [[nodiscard]] Level level(TaskTypeId type, ServerId m) const;

    // Named candidate sets and single queues: see queueing::View.
    [[nodiscard]] queueing::sets::Local local(TaskTypeId type) const { return {type}; }
    [[nodiscard]] queueing::sets::Servers servers(TaskTypeId type) const { return {type}; }
    [[nodiscard]] queueing::sets::Reachable reachable(ServerId m) const { return {m}; }
    [[nodiscard]] queueing::sets::Common common_queue() const { return {}; }
    template <class A, class B>
    [[nodiscard]] queueing::sets::Union<A, B> either(A a, B b) const {
        return {a, b};
    }
    [[nodiscard]] Candidate own(ServerId m) const { return own(m, Level(0)); }
    [[nodiscard]] Candidate own(ServerId m, Level level) const { return {layout_.queue(m, level), level}; }
    [[nodiscard]] Candidate own(TaskTypeId type) const { return {layout_.queue(type), Level(0)}; }
    [[nodiscard]] Candidate common() const { return {layout_.shared(), Level(levels_ - 1)}; }
    [[nodiscard]] IdRange<Level> levels() const { return IdRange<Level>(levels_); }

    // Named keys.
    [[nodiscard]] CheckedInt length(QueueId q) const {
        return counting_waiting_ ? waiting(q) : CheckedInt(in_system(q));
    }
    [[nodiscard]] CheckedInt weighted_length(const Candidate& c) const {
        return weights_.rate[c.level.index()] * length(c.queue);
    }
    [[nodiscard]] CheckedInt rate(const Candidate& c) const { return weights_.rate[c.level.index()]; }
    [[nodiscard]] CheckedInt weighted_workload(const Candidate& c) const {
        return weights_.slowness[c.level.index()] * workload(layout_.owner(c.queue));
    }
    [[nodiscard]] CheckedInt marginal_cost(const Candidate& c) const {
        return weights_.rate[c.level.index()] * slope(c.queue);
    }
    [[nodiscard]] bool has_work(QueueId q) const { return (conserved_ ? waiting(q) : length(q)) > CheckedInt(0); }
    [[nodiscard]] CheckedInt weight(const Candidate& c) const {
        return conserved_ && !has_work(c.queue) ? CheckedInt(0) : weighted_length(c);
    }

  protected:
    [[nodiscard]] std::uint32_t in_system(QueueId q) const { return counts_[q.index()].length[moment_]; }
    [[nodiscard]] CheckedInt waiting(QueueId q) const {
        return CheckedInt(in_system(q)) - CheckedInt(counts_[q.index()].in_service);
    }
    [[nodiscard]] CheckedInt workload(ServerId m) const;
    [[nodiscard]] CheckedInt slope(QueueId q) const;
    [[nodiscard]] std::span<const ServerId> replicas(TaskTypeId type) const {
        return random_ ? random_replicas_ : std::span<const ServerId>(instance_.type(type).replicas);
    }

    template <class Visit>
    void for_each(const queueing::sets::Local& set, Visit&& visit) const {
        for (const ServerId m : replicas(set.type)) visit(own(m));
    }
    template <class Visit>
    void for_each(const queueing::sets::Servers& set, Visit&& visit) const {
        for (const ServerId m : instance_.servers()) visit(own(m, level(set.type, m)));
    }
    template <class Visit>
    void for_each(const queueing::sets::Reachable& set, Visit&& visit) const {
        for (const QueueId q : IdRange<QueueId>(layout_.queues()))
            visit(Candidate{q, layout_.service_level(instance_, q, set.server)});
    }
    template <class Visit>
    void for_each(const queueing::sets::Common&, Visit&& visit) const {
        visit(common());
    }
    template <class A, class B, class Visit>
    void for_each(const queueing::sets::Union<A, B>& set, Visit&& visit) const {
        for_each(set.first, visit);
        for_each(set.second, visit);
    }

    /// Of a few servers, how many are tied, and whether the i-th is: bit i. The bit after them: the common queue.
    struct FewTied {
        std::uint32_t count, bits;
    };
    /// The shortest of a few servers' queues, and of the common one if its length is given, without branches,
    /// since the winner is unpredictable. The usual numbers of replicas are unrolled.
    [[nodiscard]] FewTied least_of_few(std::span<const ServerId> held, std::optional<std::uint32_t> common) const {
        if (held.size() == 3) return least_of_these(std::span<const ServerId, 3>(held), common);
        if (held.size() == 2) return least_of_these(std::span<const ServerId, 2>(held), common);
        return least_of_these(held, common);
    }
    template <std::size_t count_known>
    [[nodiscard]] FewTied least_of_these(std::span<const ServerId, count_known> held,
                                         std::optional<std::uint32_t> common) const {
        const QueueCounts* const counts = counts_.data();
        const std::size_t moment = moment_;
        std::uint32_t least = common.value_or(std::numeric_limits<std::uint32_t>::max());
        for (const ServerId m : held) least = std::min(least, counts[m.index()].length[moment]);
        std::uint32_t tied = std::uint32_t{common == least}, count = tied;
        for (std::size_t i = held.size(); i-- > 0;) {
            const std::uint32_t here{counts[held[i].index()].length[moment] == least};
            tied = tied << 1 | here;
            count += here;
        }
        return {count, tied};
    }

    // The best of a set by scanning: they become the first elements of the list, and the result is their number.
    /// The candidates of smallest key.
    template <class Set, class Key>
    [[nodiscard]] std::size_t list_least(const Set& set, const Key& key, std::vector<Candidate>& best) const {
        std::size_t count = 0;
        CheckedInt least;
        for_each(set, [&](const Candidate& c) {
            const CheckedInt here = key(*this, c);
            if (count > 0 && here > least) return;
            if (count > 0 && here < least) count = 0;
            least = here;
            put(best, count++, c);
        });
        return count;
    }
    /// Those of largest key among queues that an idle server may choose; none when that key is zero.
    template <class Set, class Key>
    [[nodiscard]] std::size_t list_largest(const Set& set, const Key& key, std::vector<Candidate>& best) const {
        std::size_t count = 0;
        CheckedInt largest(0);
        for_each(set, [&](const Candidate& c) {
            if (conserved_ && !has_work(c.queue)) return;
            const CheckedInt here = key(*this, c);
            if (here < largest || here <= CheckedInt(0)) return;
            if (here > largest) count = 0;
            largest = here;
            put(best, count++, c);
        });
        return count;
    }
    static void put(std::vector<Candidate>& list, std::size_t i, const Candidate& c) {
        if (i == list.size()) list.push_back(c);
        list[i] = c;
    }
    /// The value, or zero where an idle server may not choose the queue.
    [[nodiscard]] std::int64_t eligible(QueueId q, CheckedInt value) const {
        return conserved_ && !has_work(q) ? 0 : value.value();
    }

    const queueing::Instance& instance_;
    const queueing::Layout& layout_;
    const std::vector<QueueCounts>& counts_;
    const std::size_t moment_;
    const bool random_, counting_waiting_, conserved_;
    const std::size_t levels_;
    const queueing::Weights<CheckedInt> weights_;
    std::span<const ServerId> random_replicas_;
};

}  // namespace schedproof::simulation
