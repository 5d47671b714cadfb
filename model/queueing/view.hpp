/// The state as the rules of a policy see it, in the exact modes: queues are read as they are and scanned.
///
/// It answers the primitives of the language (language/evaluate.hpp) and nothing else. Rates enter as integers
/// (rate_weights.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "model/core/number.hpp"
#include "model/queueing/layout.hpp"
#include "model/queueing/rate_weights.hpp"
#include "model/queueing/state.hpp"
#include "model/queueing/ties.hpp"

namespace schedproof::queueing {

/// The state as a policy sees it. Borrows everything; lives for one decision.
template <Number N>
class View {
  public:
    using Value = N;

    /// `plan` may be null for a policy without one.
    View(const Instance& instance, const Layout& layout, const Weights<N>& weights, const Vector<N>& length,
         const Vector<std::uint32_t>& in_service, const std::vector<N>& memory, const PlanData* plan)
        : instance_(instance),
          layout_(layout),
          weights_(weights),
          length_(length),
          in_service_(in_service),
          memory_(memory),
          plan_(plan) {}

    // Single queues and what there is.
    [[nodiscard]] const std::vector<ServerId>& replicas(TaskTypeId type) const { return instance_.type(type).replicas; }
    [[nodiscard]] IdRange<ServerId> servers() const { return instance_.servers(); }
    [[nodiscard]] IdRange<QueueId> queues() const { return IdRange<QueueId>(layout_.queues()); }
    [[nodiscard]] IdRange<Level> levels() const { return instance_.levels(); }
    [[nodiscard]] Level local() const { return instance_.local(); }
    [[nodiscard]] Level remote() const { return instance_.remote(); }
    [[nodiscard]] Level level(TaskTypeId type, ServerId m) const { return instance_.level(type, m); }
    [[nodiscard]] bool can_serve(ServerId m, TaskTypeId type) const { return instance_.can_serve(m, type); }
    /// Place of the candidate in the order of preference of the type; of the common queue beyond all.
    [[nodiscard]] std::size_t place(TaskTypeId type, const Candidate& c) const {
        return layout_.is_shared(c.queue) ? SIZE_MAX : instance_.place_in_order(type, layout_.owner(c.queue));
    }
    [[nodiscard]] std::int64_t class_of(TaskTypeId type) const { return instance_.type(type).class_number; }
    /// Of a queue: whether server m can run its tasks.
    [[nodiscard]] bool serves(ServerId m, QueueId q) const { return layout_.serves(instance_, m, q); }
    /// Rows of the table of rates, and that of a type.
    [[nodiscard]] std::size_t rows() const { return layout_.rows(); }
    [[nodiscard]] std::size_t row(TaskTypeId type) const { return layout_.row(type); }
    /// The queues of server m. Requires: an arrangement per server.
    [[nodiscard]] IdRange<QueueId> queues_of(ServerId m) const { return layout_.queues_of(m); }
    /// Whether these are one per level.
    [[nodiscard]] bool keeps_levels() const { return layout_.arrangement() == Arrangement::per_server_and_level; }
    /// The queue of server m for its local tasks. Requires: an arrangement with one.
    [[nodiscard]] Candidate own(ServerId m) const { return own(m, instance_.local(), 0); }
    /// The queue of server m for tasks of this level to it whose rates are this row.
    [[nodiscard]] Candidate own(ServerId m, Level level, std::size_t row) const {
        return {layout_.queue(m, level, row), level};
    }
    [[nodiscard]] Candidate own(TaskTypeId type) const { return {layout_.queue(type), instance_.local()}; }
    [[nodiscard]] Candidate common() const { return {layout_.shared(), instance_.remote()}; }
    /// A queue, with the level at which server m would run its tasks.
    [[nodiscard]] Candidate reached(QueueId q, ServerId m) const { return {q, layout_.service_level(instance_, q, m)}; }

    // Named keys.
    /// Tasks in the queue: with or without those in execution, as the instance's option `counting` says.
    [[nodiscard]] N length(QueueId q) const {
        return instance_.options().counting == Counting::waiting ? waiting(q) : length_[q.index()];
    }
    /// Tasks in all queues of the server that owns this one.
    [[nodiscard]] N server_length(QueueId q) const {
        if (layout_.arrangement() != Arrangement::per_server_and_level) return length(q);
        N sum(0);
        for (const QueueId own : layout_.queues_of(layout_.owner(q))) sum = sum + length(own);
        return sum;
    }
    /// W_m: sum of Q / mu over the queues of the server m that owns this one.
    [[nodiscard]] N workload(QueueId q) const {
        const ServerId m = layout_.owner(q);
        N sum(0);
        for (const QueueId own : layout_.queues_of(m)) sum = sum + slowness(reached(own, m)) * length(own);
        return sum;
    }
    /// C'(Q) of a type's queue.
    [[nodiscard]] N slope(QueueId q) const {
        const std::size_t type = q.index();
        return weights_.cost[type] * power(length(q), instance_.data().types[type].exponent);
    }
    /// mu of the candidate's tasks, and 1 / mu, each times a common integer.
    [[nodiscard]] const Coefficient<N>& rate(const Candidate& c) const { return weights_.rate[rate_index(c)]; }
    [[nodiscard]] const Coefficient<N>& slowness(const Candidate& c) const { return weights_.slowness[rate_index(c)]; }
    /// A mean time of 1, in the unit of `workload`.
    [[nodiscard]] const Coefficient<N>& unit_of_work() const { return weights_.unit_of_work; }
    /// mu of a level. Requires: no type has rates of its own.
    [[nodiscard]] const Coefficient<N>& rate(Level level) const { return weights_.rate[level.index()]; }

    /// Whether an idle server may choose the queue: it is not empty, or, under empty-target = conserved, has a task
    /// that waits.
    [[nodiscard]] bool has_work(QueueId q) const { return conserved() ? waiting(q) > N(0) : length(q) > N(0); }
    [[nodiscard]] bool conserved() const { return instance_.options().empty_target == EmptyTarget::conserved; }
    /// Tasks of the queue that wait, and those in execution.
    [[nodiscard]] N waiting(QueueId q) const {
        return length_[q.index()] - N(static_cast<std::int64_t>(in_service_[q.index()]));
    }
    [[nodiscard]] std::uint32_t executing(QueueId q) const { return in_service_[q.index()]; }

    // Answers of a plan. Requires: a policy that follows one.
    [[nodiscard]] const Split& planned(TaskTypeId type) const { return plan_->splits[type.index()]; }
    /// Of the server's counters with work in their queue, those that stand highest.
    [[nodiscard]] Ties furthest_behind(ServerId m) const {
        const std::span<const DeficitCounter> counters = plan_->counters;
        Ties ties;
        const N* largest = nullptr;
        for (std::size_t a = first_counter(m, counters); a < counters.size() && counters[a].server == m; ++a) {
            if (!has_work(counters[a].queue.queue)) continue;
            const N& owed = memory_[a];
            if (largest && owed < *largest) continue;
            if (!largest || owed > *largest) ties.clear();
            largest = &owed;
            ties.add(counters[a].queue);
        }
        return ties;
    }

  private:
    [[nodiscard]] std::size_t rate_index(const Candidate& c) const { return layout_.rate_index(c.queue, c.level); }

    const Instance& instance_;
    const Layout& layout_;
    const Weights<N>& weights_;
    const Vector<N>& length_;
    const Vector<std::uint32_t>& in_service_;
    const std::vector<N>& memory_;
    const PlanData* plan_;
};

}  // namespace schedproof::queueing
