/// The queues of a large cluster one by one, as a policy sees them at one moment of a slot: what queueing::View answers
/// the rules, read from the owner's counts; and sets of a few queues scanned for their best.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "experiments/simulators/slotted/queue_counts.hpp"
#include "experiments/simulators/slotted/system.hpp"
#include "model/queueing/layout.hpp"
#include "model/queueing/rate_weights.hpp"
#include "model/queueing/ties.hpp"

namespace schedproof::simulation {

class CountedQueues {
  public:
    using Candidate = queueing::Candidate;

    /// Borrows everything. `counts` are the owner's, by queue.
    CountedQueues(const SimulatedSystem& system, const queueing::Layout& layout, const std::vector<QueueCounts>& counts,
                  Moment moment);

    /// With random replicas: the servers that hold the data of the task in question.
    void set_replicas(std::span<const ServerId> replicas) { random_replicas_ = replicas; }
    [[nodiscard]] std::span<const ServerId> random_replicas() const { return random_replicas_; }
    /// Whether lengths, or what may be chosen, depend on tasks in execution.
    [[nodiscard]] bool reads_service() const { return counting_waiting_ || conserved_; }
    /// Level of server m to a task of the type.
    [[nodiscard]] Level level(TaskTypeId type, ServerId m) const;
    [[nodiscard]] bool can_serve(ServerId m, TaskTypeId type) const { return instance_.can_serve(m, type); }
    [[nodiscard]] bool serves(ServerId m, QueueId q) const { return layout_.serves(instance_, m, q); }
    [[nodiscard]] IdRange<QueueId> queues_of(ServerId m) const { return layout_.queues_of(m); }
    [[nodiscard]] bool keeps_levels() const {
        return layout_.arrangement() == queueing::Arrangement::per_server_and_level;
    }

    // What rules are evaluated on: see queueing::View.
    using Value = CheckedInt;
    [[nodiscard]] std::span<const ServerId> replicas(TaskTypeId type) const {
        return random_ ? random_replicas_ : std::span<const ServerId>(instance_.type(type).replicas);
    }
    [[nodiscard]] IdRange<ServerId> servers() const { return instance_.servers(); }
    [[nodiscard]] IdRange<QueueId> queues() const { return IdRange<QueueId>(layout_.queues()); }
    [[nodiscard]] IdRange<Level> levels() const { return IdRange<Level>(levels_); }
    [[nodiscard]] Level local() const { return Level(0); }
    [[nodiscard]] Level remote() const { return Level(levels_ - 1); }
    [[nodiscard]] std::size_t rows() const { return layout_.rows(); }
    [[nodiscard]] std::size_t row(TaskTypeId type) const { return layout_.row(type); }
    [[nodiscard]] Candidate own(ServerId m) const { return own(m, Level(0), 0); }
    [[nodiscard]] Candidate own(ServerId m, Level level, std::size_t row) const {
        return {layout_.queue(m, level, row), level};
    }
    [[nodiscard]] Candidate own(TaskTypeId type) const { return {layout_.queue(type), Level(0)}; }
    [[nodiscard]] Candidate common() const { return {layout_.shared(), remote()}; }
    [[nodiscard]] Candidate reached(QueueId q, ServerId m) const { return {q, layout_.service_level(instance_, q, m)}; }
    [[nodiscard]] CheckedInt length(QueueId q) const {
        return counting_waiting_ ? waiting(q) : CheckedInt(in_system(q));
    }
    [[nodiscard]] CheckedInt server_length(QueueId q) const;
    [[nodiscard]] CheckedInt workload(QueueId q) const { return workload(layout_.owner(q)); }
    [[nodiscard]] CheckedInt slope(QueueId q) const;
    [[nodiscard]] const CheckedInt& rate(const Candidate& c) const {
        return weights_.rate[layout_.rate_index(c.queue, c.level)];
    }
    [[nodiscard]] const CheckedInt& slowness(const Candidate& c) const {
        return weights_.slowness[layout_.rate_index(c.queue, c.level)];
    }
    [[nodiscard]] const CheckedInt& unit_of_work() const { return weights_.unit_of_work; }
    [[nodiscard]] std::size_t place(TaskTypeId type, const Candidate& c) const {
        if (layout_.is_shared(c.queue)) return SIZE_MAX;
        const ServerId m = layout_.owner(c.queue);
        const bool nearest_first = instance_.type(type).preference.empty();
        return nearest_first ? level(type, m).index() : instance_.place_in_order(type, m);
    }
    [[nodiscard]] std::int64_t class_of(TaskTypeId type) const { return instance_.type(type).class_number; }
    [[nodiscard]] const CheckedInt& rate(Level level) const { return weights_.rate[level.index()]; }
    [[nodiscard]] bool has_work(QueueId q) const { return (conserved_ ? waiting(q) : length(q)) > CheckedInt(0); }
    [[nodiscard]] bool conserved() const { return conserved_; }
    [[nodiscard]] CheckedInt waiting(QueueId q) const {
        return CheckedInt(in_system(q)) - CheckedInt(counts_[q.index()].in_service);
    }
    [[nodiscard]] std::uint32_t executing(QueueId q) const { return counts_[q.index()].in_service; }

    /// The length, or zero where an idle server may not choose the queue.
    [[nodiscard]] CheckedInt servable(QueueId q) const {
        return conserved_ && !has_work(q) ? CheckedInt(0) : length(q);
    }

  protected:
    [[nodiscard]] std::uint32_t in_system(QueueId q) const { return counts_[q.index()].length[moment_]; }
    [[nodiscard]] CheckedInt workload(ServerId m) const;
    /// Of a few servers, how many are tied, and whether the i-th is: bit i. The bit after them: the common queue.
    struct FewTied {
        std::uint32_t count, bits;
    };
    /// The length of the common queue where it is no candidate; longer than any queue.
    static constexpr std::uint32_t no_common = std::numeric_limits<std::uint32_t>::max();
    /// The shortest of a few servers' queues, and of the common one by its length, without branches, since the winner
    /// is unpredictable. The usual numbers of replicas are unrolled.
    [[nodiscard]] FewTied least_of_few(std::span<const ServerId> held, std::uint32_t common) const {
        if (held.size() == 3) return least_of_these(std::span<const ServerId, 3>(held), common);
        if (held.size() == 2) return least_of_these(std::span<const ServerId, 2>(held), common);
        return least_of_these(held, common);
    }
    template <std::size_t count_known>
    [[nodiscard]] FewTied least_of_these(std::span<const ServerId, count_known> held, std::uint32_t common) const {
        const QueueCounts* const counts = counts_.data();
        const std::size_t moment = moment_;
        std::uint32_t least = common;
        for (const ServerId m : held) least = std::min(least, counts[m.index()].length[moment]);
        std::uint32_t tied = std::uint32_t{common == least && common != no_common}, count = tied;
        for (std::size_t i = held.size(); i-- > 0;) {
            const std::uint32_t here{counts[held[i].index()].length[moment] == least};
            tied = tied << 1 | here;
            count += here;
        }
        return {count, tied};
    }

    // A few queues by scanning: the best become the first elements of the list, and the result is their number.
    /// Of the type's servers, and the common queue if asked for, the shortest.
    [[nodiscard]] std::size_t list_shortest(TaskTypeId type, bool with_common, std::vector<Candidate>& best) const {
        std::size_t count = 0;
        CheckedInt least;
        const auto consider = [&](const Candidate& c) {
            const CheckedInt here = length(c.queue);
            if (count > 0 && here > least) return;
            if (count > 0 && here < least) count = 0;
            least = here;
            put(best, count++, c);
        };
        for (const ServerId m : replicas(type)) consider(own(m));
        if (with_common) consider(common());
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
