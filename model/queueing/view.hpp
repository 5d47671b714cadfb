/// What a policy sees, and the questions it may ask.
///
/// A policy names a set of candidate queues and a key (sets_and_keys.hpp), and gets back the set of tied best
/// candidates. It never loops over servers and never draws. The view here answers by scanning, which is what exactness
/// wants; another view may answer the same question from an index. Rates enter as integers (rate_weights.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "model/core/number.hpp"
#include "model/queueing/layout.hpp"
#include "model/queueing/rate_weights.hpp"
#include "model/queueing/sets_and_keys.hpp"
#include "model/queueing/state.hpp"
#include "model/queueing/ties.hpp"

namespace schedproof::queueing {

/// What a policy sees answers its questions by sets of tied candidates: here `Ties`, elsewhere whatever an index gives.
template <class V>
using Best = typename V::Best;

/// The state as a policy sees it. Borrows everything; lives for one decision.
template <Number N>
class View {
  public:
    using Best = Ties;

    View(const Instance& instance, const Layout& layout, const Weights<N>& weights, const Vector<N>& length,
         const Vector<std::uint32_t>& in_service, const std::vector<N>& memory)
        : instance_(instance),
          layout_(layout),
          weights_(weights),
          length_(length),
          in_service_(in_service),
          memory_(memory) {}

    // Named candidate sets.
    [[nodiscard]] sets::Local local(TaskTypeId type) const { return {type}; }
    [[nodiscard]] sets::Servers servers(TaskTypeId type) const { return {type}; }
    [[nodiscard]] sets::Reachable reachable(ServerId m) const { return {m}; }
    [[nodiscard]] sets::Common common_queue() const { return {}; }
    template <class A, class B>
    [[nodiscard]] sets::Union<A, B> either(A a, B b) const {
        return {a, b};
    }

    // Single queues.
    /// The queue of server m for its local tasks.
    [[nodiscard]] Candidate own(ServerId m) const { return own(m, instance_.local()); }
    /// The queue of server m for tasks of this level to it.
    [[nodiscard]] Candidate own(ServerId m, Level level) const { return {layout_.queue(m, level), level}; }
    [[nodiscard]] Candidate own(TaskTypeId type) const { return {layout_.queue(type), instance_.local()}; }
    [[nodiscard]] Candidate common() const { return {layout_.shared(), instance_.remote()}; }
    [[nodiscard]] IdRange<Level> levels() const { return instance_.levels(); }

    // Named keys.
    /// Tasks in the queue: with or without those in execution, as the instance's option `counting` says.
    [[nodiscard]] N length(QueueId q) const {
        return instance_.options().counting == Counting::waiting ? waiting(q) : length_[q.index()];
    }
    /// mu Q at the candidate's level.
    [[nodiscard]] N weighted_length(const Candidate& c) const {
        return weights_.rate[c.level.index()] * length(c.queue);
    }
    /// mu at the candidate's level: the weight of one task.
    [[nodiscard]] N rate(const Candidate& c) const { return weights_.rate[c.level.index()] * N(1); }
    /// W_m / mu: workload W_m = sum over levels of Q / mu of the server that owns the queue, slowed by the level.
    [[nodiscard]] N weighted_workload(const Candidate& c) const {
        const ServerId m = layout_.owner(c.queue);
        N workload(0);
        for (const Level level : instance_.levels())
            workload = workload + weights_.slowness[level.index()] * length(layout_.queue(m, level));
        return weights_.slowness[c.level.index()] * workload;
    }
    /// C'(Q) mu of a type's queue.
    [[nodiscard]] N marginal_cost(const Candidate& c) const {
        const std::size_t type = c.queue.index();
        const N slope = power(length(c.queue), instance_.data().types[type].exponent);
        return weights_.rate[c.level.index()] * (weights_.cost[type] * slope);
    }

    /// Whether an idle server may choose the queue: it is not empty, or, under empty-target = conserved, has a task
    /// that waits.
    [[nodiscard]] bool has_work(QueueId q) const { return conserved() ? waiting(q) > N(0) : length(q) > N(0); }
    /// weighted_length, or zero where the server may not choose the queue.
    [[nodiscard]] N weight(const Candidate& c) const {
        return conserved() && !has_work(c.queue) ? N(0) : weighted_length(c);
    }

    // Questions.
    /// Every candidate of the set.
    template <class Set>
    [[nodiscard]] Ties all(const Set& set) const {
        Ties ties;
        for_each(set, [&](const Candidate& c) { ties.add(c); });
        return ties;
    }
    /// The candidates of smallest key.
    template <class Set, class Key>
    [[nodiscard]] Ties argmin(const Set& set, const Key& key) const {
        return best(
                   set, key, [](const N& a, const N& b) { return a < b; }, [](const Candidate&) { return true; })
            .second;
    }
    /// The candidates of largest key among queues that an idle server may choose; empty when that key is zero.
    template <class Set, class Key>
    [[nodiscard]] Ties max_weight(const Set& set, const Key& key) const {
        const auto [value, ties] = best(
            set, key, [](const N& a, const N& b) { return a > b; },
            [&](const Candidate& c) { return !conserved() || has_work(c.queue); });
        return value && *value > N(0) ? ties : Ties();
    }
    /// Of the server's counters with work in their queue, those that stand highest. Requires: they ascend by server.
    [[nodiscard]] Ties furthest_behind(ServerId m, std::span<const DeficitCounter> counters) const {
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
    [[nodiscard]] bool conserved() const { return instance_.options().empty_target == EmptyTarget::conserved; }
    [[nodiscard]] N waiting(QueueId q) const {
        return length_[q.index()] - N(static_cast<std::int64_t>(in_service_[q.index()]));
    }

    template <class Visit>
    void for_each(const sets::Local& set, Visit&& visit) const {
        for (const ServerId m : instance_.type(set.type).replicas) visit(own(m));
    }
    template <class Visit>
    void for_each(const sets::Servers& set, Visit&& visit) const {
        for (const ServerId m : instance_.servers()) visit(own(m, instance_.level(set.type, m)));
    }
    template <class Visit>
    void for_each(const sets::Reachable& set, Visit&& visit) const {
        for (const QueueId q : IdRange<QueueId>(layout_.queues()))
            visit(Candidate{q, layout_.service_level(instance_, q, set.server)});
    }
    template <class Visit>
    void for_each(const sets::Common&, Visit&& visit) const {
        visit(common());
    }
    template <class A, class B, class Visit>
    void for_each(const sets::Union<A, B>& set, Visit&& visit) const {
        for_each(set.first, visit);
        for_each(set.second, visit);
    }

    template <class Set, class Key, class Better, class Eligible>
    [[nodiscard]] std::pair<std::optional<N>, Ties> best(const Set& set, const Key& key, Better&& better,
                                                         Eligible&& eligible) const {
        std::optional<N> value;
        Ties ties;
        for_each(set, [&](const Candidate& c) {
            if (!eligible(c)) return;
            N here = key(*this, c);
            if (!value || better(here, *value)) {
                value = std::move(here);
                ties.clear();
                ties.add(c);
            } else if (here == *value) {
                ties.add(c);
            }
        });
        return {std::move(value), std::move(ties)};
    }

    const Instance& instance_;
    const Layout& layout_;
    const Weights<N>& weights_;
    const Vector<N>& length_;
    const Vector<std::uint32_t>& in_service_;
    const std::vector<N>& memory_;
};

}  // namespace schedproof::queueing
