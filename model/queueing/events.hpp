/// One event of a cluster in continuous time: the rest of the kernel (kernel.hpp, which includes this).
///
/// Tasks of type L arrive in a Poisson stream, at the times of which one task or a batch of them comes: batches at rate
/// b_L, so that lambda_L is b_L times their mean size. A task in execution ends at the rate of its status.
/// The chain of the states between events is made uniform: with mu'_m the largest rate of server m (Instance::fastest),
/// events happen at rate Gamma = sum b_L + sum mu'_m, whatever the state. An event is an arrival of type L with
/// probability b_L / Gamma, or the clock of server m with probability mu'_m / Gamma; then the task of m ends with
/// probability mu(f_m) / mu'_m, and otherwise, or where m is idle, nothing happens. So P = I + G / Gamma for the
/// generator G, and drifts and means per unit of time are Gamma times those per event.
///
///   An arrival  is routed on the queues as they are, and joins; then idle servers are offered what waits: the owner of
///               the queue, or without one the holders of the data, then the groups around these from the innermost
///               outwards, then everyone, each in the order of the ids. A batch is as many arrivals, one after another:
///               its second task is routed when servers have been offered its first.
///   An end      takes the task from its queue; then idle servers are offered what waits, the server itself first.
///   An offer    asks the idle servers in this order, each on the queues as they are by then. A server starts a task if
///               its answer is a queue in which one waits. Rounds are repeated until one starts none.
///
/// So a state between events is settled: each idle server has just declined. With `preemption` a state has no task in
/// execution: before every event all servers are offered what waits, and after it, which may be a whole batch, they are
/// released.
///
/// As in a slot, random choices go through `randomness` alone and comparisons through N, and the order of the draws is
/// part of the contract with recorded explorations. Who needs no more than the law of the next state may have clocks
/// that do the same taken together (Answers::merge_clocks).
///
/// Long: an event, and the parts of the kernel that only events have.
#pragma once

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "model/queueing/kernel.hpp"

namespace schedproof::queueing {

template <Number N>
void Kernel<N>::prepare_events() {
    const std::vector<Rational> table = instance_.rate_table();
    const Rational& all = instance_.event_rate();
    std::vector<Rational> share;
    for (const TaskTypeId type : instance_.types()) {
        share.push_back(instance_.batch_rate(type) / all);
        Batches& batches = batches_.emplace_back();
        std::vector<Rational> probabilities;
        for (const auto& [tasks, probability] : instance_.arriving_together(type)) {
            batches.tasks.push_back(tasks);
            probabilities.push_back(probability);
        }
        if (probabilities.size() > 1) batches.law.emplace_back(std::move(probabilities));
    }
    for (const ServerId m : instance_.servers()) {
        const Rational& fastest = instance_.fastest(m);
        if (fastest.sign() > 0) {
            const auto alike = std::find_if(working_.begin(), working_.end(),
                                            [&](ServerId other) { return instance_.fastest(other) == fastest; });
            rate_class_.push_back(static_cast<std::size_t>(alike - working_.begin()));
            working_.push_back(m);
            share.push_back(fastest / all);
        }
        // A status has no rate above the server's largest, so those entries are never read.
        for (const Rational& rate : table)
            completion_.push_back(DiscreteDistribution::bernoulli(rate < fastest ? rate / fastest : Rational(1)));
    }
    next_event_.emplace_back(std::move(share));
}

template <Number N>
template <Randomness R>
Slot<N> Kernel<N>::event(const State<N>& now, Answers& answers, R& randomness) const {
    Slot<N> slot{answers.offered ? answers.offered->first : now};
    State<N>& next = slot.next;
    Vector<std::uint32_t> in_service = answers.offered ? answers.offered->second : tasks_in_service(now);
    if (instance_.preemptive() && !answers.offered &&
        !offer(after_completion(ServerId(0)), slot, in_service, randomness))
        answers.offered.emplace(next, in_service);
    const bool merged = answers.merge_clocks && answers.offered;
    if (merged && !answers.clocks) answers.clocks = merged_clocks(next);
    const std::size_t happened =
        merged ? answers.clocks->first[randomness.draw(answers.clocks->law)] : randomness.draw(next_event_.front());
    if (happened < arriving_.size())
        arrivals(arriving_[happened], slot, in_service, randomness);
    else
        ring(working_[happened - arriving_.size()], slot, in_service, randomness);
    if (instance_.preemptive()) std::fill(next.serving.begin(), next.serving.end(), Service{});
    return slot;
}

/// A task, or as many as a batch has.
template <Number N>
template <Randomness R>
void Kernel<N>::arrivals(TaskTypeId type, Slot<N>& slot, Vector<std::uint32_t>& in_service, R& randomness) const {
    const Batches& of = batches_[type.index()];
    const std::size_t size = of.law.empty() ? 0 : randomness.draw(of.law.front());
    for (std::uint32_t left = of.tasks[size]; left > 0; --left)
        offer(arrival(type, slot, in_service, randomness), slot, in_service, randomness);
}

/// The clock of server m.
template <Number N>
template <Randomness R>
void Kernel<N>::ring(ServerId m, Slot<N>& slot, Vector<std::uint32_t>& in_service, R& randomness) const {
    State<N>& next = slot.next;
    Service& service = next.serving[m.index()];
    const std::size_t rates = completion_.size() / next.serving.size();
    if (service.status != Service::Status::busy ||
        randomness.draw(completion_[m.index() * rates + layout_.rate_index(service.queue, service.level)]) != 0)
        return;
    slot.completed = 1;
    N& length = next.length[service.queue.index()];
    length = length - N(1);
    --in_service[service.queue.index()];
    service = Service{};
    if (!instance_.preemptive()) offer(after_completion(m), slot, in_service, randomness);
}

/// Under preemption servers are released after an event, so a clock leaves no trace but the task that ended. What
/// it does follows from the rate of the clock and from queue and level of the server's task; that of an idle server
/// does nothing. Alike clocks are counted, so that a cluster of a hundred alike servers costs one multiplication.
template <Number N>
typename Kernel<N>::MergedClocks Kernel<N>::merged_clocks(const State<N>& offered) const {
    const DiscreteDistribution& each = next_event_.front();
    std::vector<std::size_t> first(arriving_.size());
    std::iota(first.begin(), first.end(), std::size_t{0});
    std::vector<std::int64_t> alike(arriving_.size(), 1);
    const auto same = [&](std::size_t a, std::size_t b) {
        return rate_class_[a] == rate_class_[b] &&
               offered.serving[working_[a].index()] == offered.serving[working_[b].index()];
    };
    for (std::size_t i = 0; i < working_.size(); ++i) {
        std::size_t k = arriving_.size();
        while (k < first.size() && !same(i, first[k] - arriving_.size())) ++k;
        if (k == first.size()) {
            first.push_back(arriving_.size() + i);
            alike.push_back(0);
        }
        ++alike[k];
    }
    std::vector<Rational> probability;
    for (std::size_t k = 0; k < first.size(); ++k)
        probability.push_back(each.probability(first[k]) * Rational(alike[k]));
    return {DiscreteDistribution(std::move(probability)), std::move(first)};
}

template <Number N>
template <Randomness R>
std::vector<ServerId> Kernel<N>::arrival(TaskTypeId type, Slot<N>& slot, const Vector<std::uint32_t>& in_service,
                                         R& randomness) const {
    State<N>& next = slot.next;
    const View<N> live(instance_, layout_, weights_, next.length, in_service, next.memory, policy_.plan());
    const N cap(static_cast<std::int64_t>(truncation_.cap));
    ++slot.arrived;
    ++slot.blocked;
    if (truncation_.rule == Truncation::Rule::total) {
        N tasks(1);
        for (const N& length : next.length) tasks = tasks + length;
        if (tasks > cap) return {};
    }
    const QueueId q = pick(route(live, type).draw(randomness), slot, randomness).queue;
    N& length = next.length[q.index()];
    if (truncation_.rule == Truncation::Rule::queue && length >= cap) return {};
    --slot.blocked;
    length = length + N(1);
    if (layout_.tracking(q) == Tracking::listed) next.waiting[q.index()].push_back(type);
    return after_arrival(type, q);
}

template <Number N>
template <Randomness R>
bool Kernel<N>::offer(const std::vector<ServerId>& order, Slot<N>& slot, Vector<std::uint32_t>& in_service,
                      R& randomness) const {
    State<N>& next = slot.next;
    bool drawn = false;
    const View<N> live(instance_, layout_, weights_, next.length, in_service, next.memory, policy_.plan());
    for (bool started = !order.empty(); started;) {
        started = false;
        for (const ServerId m : order) {
            if (next.serving[m.index()].status != Service::Status::idle) continue;
            const Decision answer = serve(live, m);
            const Ties& tied = answer.draw(randomness);
            drawn = drawn || answer.size() > 1 || tied.size() > 1;
            if (tied.empty()) continue;
            const QueueId q = pick(tied, slot, randomness).queue;
            if (!(live.waiting(q) > N(0))) continue;
            next.serving[m.index()] = start(next, q, m, randomness);
            ++in_service[q.index()];
            started = true;
        }
    }
    return drawn;
}

/// The order in which idle servers are offered what waits after a task of the type joined the queue.
template <Number N>
std::vector<ServerId> Kernel<N>::after_arrival(TaskTypeId type, QueueId joined) const {
    if (instance_.preemptive()) return {};  // before the next event everyone is offered what waits
    if (layout_.arrangement() == Arrangement::per_type || layout_.is_shared(joined))
        return nearest_first(instance_, instance_.type(type).replicas);
    const ServerId owner = layout_.owner(joined);
    return nearest_first(instance_, {&owner, 1});
}

/// The same after a task of server m ended.
template <Number N>
std::vector<ServerId> Kernel<N>::after_completion(ServerId m) const {
    std::vector<ServerId> order{m};
    for (const ServerId other : instance_.servers())
        if (other != m) order.push_back(other);
    return order;
}

template <Number N>
bool Kernel<N>::is_settled(const State<N>& state) const {
    if (instance_.preemptive()) return true;
    return with_view(state, [&](const View<N>& now) {
        for (const ServerId m : instance_.servers()) {
            if (state.serving[m.index()].status != Service::Status::idle) continue;
            const Decision answer = serve(now, m);
            bool may_decline = answer.may_be_empty();
            for (std::size_t i = 0; i < answer.size() && !may_decline; ++i)
                for (std::size_t k = 0; k < answer[i].size() && !may_decline; ++k)
                    may_decline = !(now.waiting(answer[i][k].queue) > N(0));
            if (!may_decline) return false;
        }
        return true;
    });
}

template <Number N>
template <Randomness R>
State<N> Kernel<N>::settled(State<N> state, R& randomness) const {
    Vector<std::uint32_t> in_service = tasks_in_service(state);
    Slot<N> slot{std::move(state)};
    offer(after_completion(ServerId(0)), slot, in_service, randomness);
    if (instance_.preemptive()) std::fill(slot.next.serving.begin(), slot.next.serving.end(), Service{});
    return std::move(slot.next);
}

}  // namespace schedproof::queueing
