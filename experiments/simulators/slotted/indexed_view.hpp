/// The queues of a large cluster as a policy sees them: the questions of queueing::View, answered from indexes.
///
/// Single queues are read as they are. A set of a few queues is scanned. The best of many comes from an index, which is
/// made when a policy first asks such a question and kept up to date from then on; a question of another form is
/// scanned as the exact view does, so every policy runs, and those of the registry in O(1) or O(log) a question.
/// Answers are decided by the same comparisons on the same integers as in the exact modes; that they are the same sets
/// is tested for every policy.
#pragma once

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "experiments/simulators/slotted/drawn.hpp"
#include "experiments/simulators/slotted/length_order.hpp"
#include "experiments/simulators/slotted/queue_counts.hpp"
#include "experiments/simulators/slotted/system.hpp"
#include "experiments/simulators/slotted/value_index.hpp"
#include "experiments/statistics/stream.hpp"
#include "model/queueing/view.hpp"

namespace schedproof::simulation {

class IndexedView {
  public:
    using Best = Drawn;
    using Candidate = queueing::Candidate;

    /// Borrows everything. `counts` are the owner's, by queue: it says what it changed. The view shows the lengths of
    /// one moment. `counters` are the policy's, empty without.
    IndexedView(const System& system, const queueing::Layout& layout, const std::vector<QueueCounts>& counts,
                Moment moment, std::span<const queueing::DeficitCounter> counters = {});

    // Reports of the owner.
    /// The length of a queue has changed, or its tasks in execution have.
    void changed(QueueId q) {
        if (!seats_.empty()) refresh(q);
        if (indexed_) reindex(q);
    }
    /// Whether there is an index that needs to be told; until then `changed` does nothing.
    [[nodiscard]] bool keeps_index() const { return indexed_ || !seats_.empty(); }
    [[nodiscard]] bool reads_service() const { return counting_waiting_ || conserved_; }
    /// With random replicas: the servers that hold the data of the task in question.
    void set_replicas(std::span<const ServerId> replicas) { random_replicas_ = replicas; }
    [[nodiscard]] std::span<const ServerId> random_replicas() const { return random_replicas_; }
    /// Slots that have passed, and slots that the counter's server has spent on its queue.
    void set_slot(std::uint64_t slot) { slot_ = slot; }
    void spend(std::size_t counter, std::uint64_t slots) { spent_[counter] += slots; }
    /// One of the tied candidates, each equally likely. Requires: not empty, and no question asked since.
    [[nodiscard]] Candidate draw(const Drawn& drawn, statistics::Stream& stream) const {
        if (const Candidate* only = drawn.single()) return *only;
        if (drawn.few_of_ != nullptr) return draw_few(drawn, stream);
        return answer_ == Answer::ordered ? ordered(below(drawn.count_, stream)) : draw_many(drawn.count_, stream);
    }
    /// One of the candidates, by the mixture's own distribution.
    [[nodiscard]] static Candidate draw(const queueing::Mixture& mixture, statistics::Stream& stream) {
        const auto weights = mixture.distribution->cumulative();
        const auto outcome = std::upper_bound(weights.begin(), weights.end(), stream.below(weights.back()));
        return (*mixture.candidates)[static_cast<std::size_t>(outcome - weights.begin())];
    }
    /// Calls `visit` with every tied candidate. Requires: no question asked since. Cost: their number.
    void for_each_tied(const Drawn& drawn, const std::function<void(const Candidate&)>& visit) const;
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

    // Questions.
    [[nodiscard]] Drawn all(const queueing::sets::Local& set) const;
    [[nodiscard]] Drawn all(const queueing::sets::Servers& set) const;
    [[nodiscard]] Drawn argmin(const queueing::sets::Local& set, const queueing::key::Length& key) const {
        const auto held = replicas(set.type);
        if (held.size() > most_scanned) return ordered_least(set.type);
        return reference_ ? least_of(held) : scan_least(set, key);
    }
    [[nodiscard]] Drawn argmin(const queueing::sets::Union<queueing::sets::Local, queueing::sets::Common>& set,
                               const queueing::key::Length& key) const {
        const auto held = replicas(set.first.type);
        if (!reference_ || held.size() > most_scanned) return scan_least(set, key);
        return least_of(held, in_system(layout_.shared()));
    }
    [[nodiscard]] Drawn argmin(const queueing::sets::Servers& set, const queueing::key::WeightedWorkload&) const;
    template <class Set, class Key>
    [[nodiscard]] Drawn argmin(const Set& set, const Key& key) const {
        return scan_least(set, key);
    }
    [[nodiscard]] Drawn max_weight(const queueing::sets::Reachable& set, const queueing::key::Length&) const;
    [[nodiscard]] Drawn max_weight(const queueing::sets::Reachable& set, const queueing::key::WeightedLength&) const;
    [[nodiscard]] Drawn max_weight(const queueing::sets::Reachable& set, const queueing::key::MarginalCost&) const;
    template <class Set, class Key>
    [[nodiscard]] Drawn max_weight(const Set& set, const Key& key) const {
        return scan_largest(set, key);
    }
    [[nodiscard]] Drawn furthest_behind(ServerId m, std::span<const queueing::DeficitCounter> counters) const;

  private:
    friend class Drawn;
    /// Where the answer to the latest question lies, unless the answer says it itself.
    enum class Answer : std::uint8_t {
        listed,
        local_servers,
        all_servers,
        ordered,
        nested_servers,
        nested_types,
        nested_workloads
    };
    static constexpr std::size_t most_scanned = 16;
    /// A type whose data lie on many servers: these, shortest queue first.
    struct ManyReplicas {
        std::span<const ServerId> servers;
        LengthOrder order;
    };
    static constexpr std::uint32_t no_order = static_cast<std::uint32_t>(-1);
    /// A queue stands in an order, at a place; `next` is another seat of the queue, at last one in no order.
    struct OrderSeat {
        std::uint32_t order = no_order, place = 0, next = 0;
    };

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
    /// The shortest of a few servers' queues, and of the common one if its length is given, without branches,
    /// since the winner is unpredictable. The usual numbers of replicas are unrolled.
    [[nodiscard]] Drawn least_of(std::span<const ServerId> held, std::optional<std::uint32_t> common = {}) const {
        if (held.size() == 3) return least_of_these(std::span<const ServerId, 3>(held), common);
        if (held.size() == 2) return least_of_these(std::span<const ServerId, 2>(held), common);
        return least_of_these(held, common);
    }
    template <std::size_t count_known>
    [[nodiscard]] Drawn least_of_these(std::span<const ServerId, count_known> held,
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
        return {this, count, held.data(), static_cast<std::uint32_t>(held.size()), tied};
    }
    [[nodiscard]] Candidate few_candidate(const Drawn& drawn, std::uint32_t i) const {
        return i == drawn.few_size_ ? common() : own(drawn.few_of_[i]);
    }
    template <class Set, class Key>
    [[nodiscard]] Drawn scan_least(const Set& set, const Key& key) const {
        std::size_t count = 0;
        CheckedInt least;
        for_each(set, [&](const Candidate& c) {
            const CheckedInt here = key(*this, c);
            if (count > 0 && here > least) return;
            if (count > 0 && here < least) count = 0;
            least = here;
            list(count++, c);
        });
        return listed(count);
    }
    template <class Set, class Key>
    [[nodiscard]] Drawn scan_largest(const Set& set, const Key& key) const {
        std::size_t count = 0;
        CheckedInt largest(0);
        for_each(set, [&](const Candidate& c) {
            if (conserved_ && !has_work(c.queue)) return;
            const CheckedInt here = key(*this, c);
            if (here < largest || here <= CheckedInt(0)) return;
            if (here > largest) count = 0;
            largest = here;
            list(count++, c);
        });
        return listed(count);
    }
    void list(std::size_t i, const Candidate& c) const {
        if (i == listed_.size()) listed_.push_back(c);
        listed_[i] = c;
    }
    [[nodiscard]] Drawn listed(std::size_t count) const;

    void reindex(QueueId q);
    [[nodiscard]] std::int64_t eligible(QueueId q, CheckedInt value) const {
        return conserved_ && !has_work(q) ? 0 : value.value();
    }
    [[nodiscard]] Drawn ordered_least(TaskTypeId type) const {
        const bool known = !order_of_.empty() && order_of_[type.index()] != no_order;
        asked_order_ = &orders_[known ? order_of_[type.index()] : make_order(type)];
        answer_ = Answer::ordered;
        return {this, asked_order_->order.shortest().size()};
    }
    [[nodiscard]] std::uint32_t make_order(TaskTypeId type) const;
    /// Brings the orders that the queue stands in up to its length.
    void refresh(QueueId q) const {
        const std::uint32_t now = reference_ ? in_system(q) : static_cast<std::uint32_t>(length(q).value());
        for (const OrderSeat* seat = &seats_[q.index()]; seat->order != no_order; seat = &seats_[seat->next])
            orders_[seat->order].order.set(seat->place, now);
    }
    /// Compares the levels around `asker_`; `weight` per level, `sign` 1 for the largest and -1 for the least product.
    [[nodiscard]] Drawn nested(Answer kind, const std::vector<CheckedInt>& weight, int sign) const;
    [[nodiscard]] LevelBest level_best(std::size_t level) const;
    [[nodiscard]] std::size_t level_holder(std::size_t level, std::uint64_t k) const;
    [[nodiscard]] LevelBest replicas_best() const;
    /// Random replicas stand in an order each equally likely, so the first tied one is a fair draw among them.
    [[nodiscard]] Candidate draw_few(const Drawn& drawn, statistics::Stream& stream) const {
        std::uint32_t tied = drawn.tied_;
        const std::uint32_t of_common = 1U << drawn.few_size_;
        if (!random_ || (tied & of_common) != 0) {
            std::uint32_t k = stream.below_half(static_cast<std::uint32_t>(drawn.count_));
            if (random_) {
                tied = k == 0 ? of_common : tied ^ of_common;
            } else {
                for (; k > 0; --k) tied &= tied - 1;
            }
        }
        return few_candidate(drawn, static_cast<std::uint32_t>(std::countr_zero(tied)));
    }
    [[nodiscard]] static std::size_t below(std::uint64_t count, statistics::Stream& stream) {
        return stream.below_half(static_cast<std::uint32_t>(count));
    }
    /// The k-th of the shortest ones of an order.
    [[nodiscard]] Candidate ordered(std::size_t k) const {
        return own(asked_order_->servers[asked_order_->order.shortest()[k]]);
    }
    [[nodiscard]] Candidate draw_many(std::uint64_t count, statistics::Stream& stream) const;
    [[nodiscard]] Candidate candidate_of(std::size_t item) const;
    [[nodiscard]] Candidate draw_nested(statistics::Stream& stream) const;
    [[nodiscard]] Drawn narrowed(const std::function<bool(const Candidate&)>& holds, const Drawn& from) const;
    [[nodiscard]] std::vector<std::uint32_t> groups_of(TaskTypeId type, std::size_t grouping) const;

    const queueing::Instance& instance_;
    const queueing::Layout& layout_;
    const std::vector<QueueCounts>& counts_;
    const std::size_t moment_;
    const bool random_, counting_waiting_, conserved_;
    const bool reference_;  // whether the length of queue m is server m's number of tasks
    const std::size_t levels_;
    const queueing::Weights<CheckedInt> weights_;
    const std::vector<CheckedInt> ones_;
    std::vector<CheckedInt> growth_, charge_;  // by counter
    std::vector<std::uint64_t> spent_;
    std::uint64_t slot_ = 0;
    std::span<const ServerId> random_replicas_;

    // Indexes, each made by the first question that needs it.
    mutable bool indexed_ = false;
    mutable std::optional<ValueIndex<Wanted::largest>> longest_, costliest_;
    mutable std::optional<ValueIndex<Wanted::smallest>> least_loaded_;
    mutable std::vector<ManyReplicas> orders_;
    mutable std::vector<std::uint32_t> order_of_;  // by type; empty until there is an order
    mutable std::vector<OrderSeat> seats_;         // by queue its first one; one in no order; all others

    // The latest answer.
    mutable Answer answer_ = Answer::listed;
    mutable std::vector<Candidate> listed_;
    mutable NestedTies nested_;
    mutable const ValueIndex<Wanted::largest>* largest_ = nullptr;
    mutable ServerId asking_server_;
    mutable TaskTypeId asking_type_;
    mutable const ManyReplicas* asked_order_ = nullptr;
};

template <class Predicate>
Drawn Drawn::where(Predicate&& holds) const {
    if (view_ == nullptr) return count_ == 1 && holds(only_) ? *this : Drawn();
    return view_->narrowed(holds, *this);
}

}  // namespace schedproof::simulation
