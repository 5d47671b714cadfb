/// The queues of a large cluster as a policy sees them: the questions that have an index (question_plan.hpp).
///
/// Single queues are read as they are, and a few are scanned (counted_queues.hpp). The best of many comes from an
/// index, which is made by the first question that needs it and kept up to date from then on, in O(1) or O(log) a
/// question. Any other part of a rule is evaluated as in the exact modes (indexed_rules.hpp). Answers are decided by
/// the same comparisons on the same integers as there; that they are the same sets is tested for every question.
/// Long: a member for each question that has an index.
#pragma once

#include <algorithm>
#include <bit>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "experiments/simulators/slotted/counted_queues.hpp"
#include "experiments/simulators/slotted/question_plan.hpp"
#include "experiments/simulators/slotted/replica_orders.hpp"
#include "experiments/simulators/slotted/tied_set.hpp"
#include "experiments/simulators/slotted/value_index.hpp"
#include "experiments/statistics/stream.hpp"

namespace schedproof::simulation {

class IndexedView : public CountedQueues {
  public:
    using Best = TiedSet;

    /// Borrows everything. `counts` are the owner's, by queue: it says what it changed. `plan` is the policy's,
    /// null without.
    IndexedView(const SimulatedSystem& system, const queueing::Layout& layout, const std::vector<QueueCounts>& counts,
                Moment moment, const queueing::PlanData* plan = nullptr);

    // Reports of the owner.
    /// The length of a queue has changed, or its tasks in execution have.
    void changed(QueueId q) {
        if (!orders_.empty()) orders_.set(q, order_length(q));
        if (indexed_) reindex(q);
    }
    /// Whether there is an index that needs to be told; until then `changed` does nothing.
    [[nodiscard]] bool keeps_index() const { return indexed_ || !orders_.empty(); }
    /// Slots that have passed, and slots that the counter's server has spent on its queue.
    void set_slot(std::uint64_t slot) { slot_ = slot; }
    void spend(std::size_t counter, std::uint64_t slots) { spent_[counter] += slots; }
    /// What the counters show before the first slot; 0 unless said. Requires as many as the plan has.
    void set_counters(std::span<const CheckedInt> counters) { begun_.assign(counters.begin(), counters.end()); }

    // Answers.
    /// One of the tied candidates, each equally likely. Requires: not empty, and no question asked since.
    [[nodiscard]] Candidate draw(const TiedSet& drawn, statistics::Stream& stream) const {
        if (const Candidate* only = drawn.single()) return *only;
        if (drawn.few_of_ != nullptr) return draw_few(drawn, stream);
        return answer_ == Answer::ordered ? ordered(below(drawn.count_, stream)) : draw_many(drawn.count_, stream);
    }
    /// Any of the tied candidates. Requires: as `draw`. Cost: few steps.
    [[nodiscard]] Candidate some(const TiedSet& drawn) const;
    /// Calls `visit` with every tied candidate. Requires: no question asked since. Cost: their number.
    void for_each_tied(const TiedSet& drawn, const std::function<void(const Candidate&)>& visit) const;

    // Sets: Question says what each is. Requires: an arrangement of queues under which the plan names it.
    [[nodiscard]] TiedSet any_local(TaskTypeId type) const;
    [[nodiscard]] TiedSet any_server(TaskTypeId type) const;
    [[nodiscard]] TiedSet shortest_local(TaskTypeId type) const {
        const auto held = replicas(type);
        if (held.size() > most_scanned) return ordered_least(type);
        return reference_ ? least_of(held) : listed(list_shortest(type, false, listed_));
    }
    [[nodiscard]] TiedSet shortest_local_server(TaskTypeId type) const;
    [[nodiscard]] TiedSet shortest_local_or_common(TaskTypeId type) const {
        const auto held = replicas(type);
        if (!reference_ || held.size() > most_scanned) return listed(list_shortest(type, true, listed_));
        return least_of(held, in_system(layout_.shared()));
    }
    /// Of the queues of all servers, each as the asker reaches it, the shortest or the longest; of several queues a
    /// server has, their sum counts.
    [[nodiscard]] TiedSet extreme_server(TaskTypeId type, bool greatest) const {
        asking_type_ = type;
        return extreme_of_all(true, greatest);
    }
    [[nodiscard]] TiedSet extreme_server(ServerId m, bool greatest) const {
        asking_server_ = m;
        return extreme_of_all(false, greatest);
    }
    /// `count` of the servers with the task's data, or of all.
    [[nodiscard]] TiedSet sampled(TaskTypeId type, bool of_all, std::size_t count, statistics::Stream& stream) const;
    [[nodiscard]] TiedSet least_weighted_workload(TaskTypeId type) const;
    [[nodiscard]] TiedSet longest(ServerId m) const;
    [[nodiscard]] TiedSet largest_weight(ServerId m) const;
    [[nodiscard]] TiedSet largest_marginal_cost(ServerId m) const;
    [[nodiscard]] TiedSet most_local(ServerId m) const {
        if (rows() > 1) return most_local_of_rows(m);
        for (const Level level : levels())
            if (const Candidate c = own(m, level, 0); has_work(c.queue)) return c;
        return {};
    }
    /// The queues of server m for its local tasks.
    [[nodiscard]] TiedSet own_local(ServerId m) const { return rows() > 1 ? own_of_rows(m) : TiedSet(own(m)); }
    [[nodiscard]] TiedSet most_behind(ServerId m) const;
    /// The planned candidates of a type and their probabilities.
    [[nodiscard]] const queueing::Split& planned(TaskTypeId type) const { return plan_->splits[type.index()]; }
    [[nodiscard]] queueing::Ties furthest_behind(ServerId m) const;
    // Values over the queues of all servers, as `extreme_server` compares them.
    [[nodiscard]] std::uint32_t least_length() const { return all_servers().lengths.least(); }
    [[nodiscard]] std::uint32_t greatest_length() const { return all_servers().lengths.greatest(); }
    [[nodiscard]] std::uint64_t total_length() const { return all_servers().total; }
    /// Those for which `holds`. If `by_level`, it holds of all candidates of one length and level or of none, and the
    /// set is of `longest` or `largest_weight`.
    template <class Predicate>
    [[nodiscard]] TiedSet narrowed(const TiedSet& from, bool by_level, Predicate&& holds) const {
        if (const Candidate* only = from.single()) return holds(*only) ? from : TiedSet();
        if (from.empty()) return from;
        return by_level ? narrowed_by_level(holds) : narrowed_each(holds, from);
    }
    /// A tied set that was found otherwise.
    [[nodiscard]] TiedSet among(const queueing::Ties& tied) const {
        for (std::size_t i = 0; i < tied.size(); ++i) put(listed_, i, tied[i]);
        return tied.empty() ? TiedSet() : listed(tied.size());
    }

  private:
    /// Where the answer to the latest question lies, unless the answer says it itself.
    enum class Answer : std::uint8_t {
        listed,
        local_servers,
        all_servers,
        ordered,
        server_lengths,
        nested_servers,
        nested_types,
        nested_workloads
    };

    [[nodiscard]] TiedSet least_of(std::span<const ServerId> held, std::uint32_t common = no_common) const {
        const FewTied tied = least_of_few(held, common);
        return {this, tied.count, held.data(), static_cast<std::uint32_t>(held.size()), tied.bits};
    }
    [[nodiscard]] Candidate few_candidate(const TiedSet& drawn, std::uint32_t i) const {
        return i == drawn.few_size_ ? common() : own(drawn.few_of_[i]);
    }
    [[nodiscard]] TiedSet listed(std::size_t count) const;

    void reindex(QueueId q);
    [[nodiscard]] TiedSet ordered_least(TaskTypeId type) const {
        const ReplicaOrders::Order* known = orders_.of(type);
        asked_order_ = known != nullptr ? known : &make_order(type);
        answer_ = Answer::ordered;
        return {this, asked_order_->shortest().size()};
    }
    [[nodiscard]] const ReplicaOrders::Order& make_order(TaskTypeId type) const;
    /// All servers by length.
    struct ServerLengths {
        LengthOrder lengths;
        std::uint64_t total = 0;
        void set(std::size_t server, std::uint32_t length) {
            total += length;
            total -= lengths.length(server);
            lengths.set(server, length);
        }
    };
    [[nodiscard]] const ServerLengths& all_servers() const;
    [[nodiscard]] TiedSet extreme_of_all(bool by_task, bool greatest) const;
    [[nodiscard]] std::uint32_t length_of(ServerId m) const {
        return static_cast<std::uint32_t>(server_length(own(m).queue).value());
    }
    /// The queue of the k-th server that is tied by length, as the asker reaches it.
    [[nodiscard]] Candidate by_length(std::size_t k) const {
        const ServerId m(tied_servers_[k]);
        return asked_by_task_ ? joined(m) : reached(own(m).queue, asking_server_);
    }
    /// The length that orders go by.
    [[nodiscard]] std::uint32_t order_length(QueueId q) const {
        return reference_ ? in_system(q) : static_cast<std::uint32_t>(length(q).value());
    }
    [[nodiscard]] TiedSet most_local_of_rows(ServerId m) const;
    [[nodiscard]] TiedSet own_of_rows(ServerId m) const;
    /// The queue that a task of the asking type joins at server m.
    [[nodiscard]] Candidate joined(ServerId m) const { return own(m, level(asking_type_, m), row(asking_type_)); }
    /// Compares the levels around the asking server or type; `weight` per level, `sign` 1 for the largest and -1 for
    /// the least product.
    [[nodiscard]] TiedSet nested(Answer kind, std::span<const CheckedInt> weight, int sign) const;
    /// The same answer as from the index, by a look at every type.
    [[nodiscard]] TiedSet scanned_marginal_cost(ServerId m) const;
    [[nodiscard]] LevelBest level_best(std::size_t level) const;
    [[nodiscard]] std::size_t level_holder(std::size_t level, std::uint64_t k) const;
    [[nodiscard]] LevelBest replicas_best() const;
    /// Random replicas stand in an order each equally likely, so the first tied one is a fair draw among them.
    [[nodiscard]] Candidate draw_few(const TiedSet& drawn, statistics::Stream& stream) const {
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
        return own(asked_order_->servers[asked_order_->shortest()[k]]);
    }
    [[nodiscard]] Candidate draw_many(std::uint64_t count, statistics::Stream& stream) const;
    [[nodiscard]] Candidate candidate_of(std::size_t item) const;
    [[nodiscard]] Candidate draw_nested(statistics::Stream& stream) const;
    [[nodiscard]] TiedSet narrowed_by_level(const std::function<bool(const Candidate&)>& holds) const;
    [[nodiscard]] TiedSet narrowed_each(const std::function<bool(const Candidate&)>& holds, const TiedSet& from) const;
    [[nodiscard]] std::vector<std::uint32_t> groups_of(TaskTypeId type, std::size_t grouping) const;

    const bool reference_;  // whether the length of queue m is server m's number of tasks
    const std::vector<CheckedInt> ones_;
    const queueing::PlanData* const plan_;
    std::vector<CheckedInt> begun_, growth_, charge_;  // by counter
    std::vector<std::uint64_t> spent_;
    std::uint64_t slot_ = 0;

    // Indexes, each made by the first question that needs it.
    mutable bool indexed_ = false;
    mutable std::optional<ValueIndex<Wanted::largest>> longest_, costliest_;
    mutable std::optional<ValueIndex<Wanted::smallest>> least_loaded_;
    mutable std::optional<ServerLengths> server_lengths_;
    mutable ReplicaOrders orders_;

    // The latest answer.
    mutable Answer answer_ = Answer::listed;
    mutable std::vector<Candidate> listed_;
    mutable NestedTies nested_;
    mutable const ValueIndex<Wanted::largest>* largest_ = nullptr;
    mutable ServerId asking_server_;
    mutable TaskTypeId asking_type_;
    mutable bool asked_by_task_ = false;
    mutable std::span<const std::uint32_t> tied_servers_;
    mutable const ReplicaOrders::Order* asked_order_ = nullptr;
};

}  // namespace schedproof::simulation
