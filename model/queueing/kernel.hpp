/// One slot of a cluster under a policy, written once.
///
/// The order within a slot is: observe, arrive, route, schedule, match, serve, depart. A task in execution stays
/// counted in its queue until it completes; servers are not interrupted; idle servers decide simultaneously, all on
/// the queues as they stood at the start of the slot.
///
/// Source: [wang2013], Section II; what that leaves unspecified is named in options.hpp.
/// The step is templated on the number type and on the chance, so sampling, exact enumeration and symbolic exploration
/// run the same lines. It stands in one header, longer than others, because it is one thing and is read in one go.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "model/core/randomness.hpp"
#include "model/queueing/policy.hpp"
#include "model/queueing/state.hpp"
#include "model/queueing/view.hpp"

namespace schedproof::queueing {

/// A cluster, a policy and a truncation, prepared for numbers of type N.
template <Number N, QueueingPolicyFor<N> P>
class Kernel {
  public:
    using RouteChoice = decltype(std::declval<const P&>().route(std::declval<const View<N>&>(), TaskTypeId()));

    /// Borrows `instance`, which must outlive the kernel.
    /// Throws InputError when the instance has no arrival law or the policy cannot run on it.
    Kernel(const Instance& instance, P policy, Truncation truncation = {})
        : instance_(instance),
          policy_(std::move(policy)),
          truncation_(truncation),
          layout_(policy_.layout(instance)),
          weights_(instance) {
        (void)instance.arrivals();
        for (const Level level : instance.levels()) completion_.push_back(Lottery::bernoulli(instance.rate(level)));
        const Rational total = instance.total_arrival_rate();
        std::vector<Rational> share;
        for (const TaskTypeId type : instance.types())
            if (instance.arrival_rate(type).sign() > 0) {
                arriving_.push_back(type);
                share.push_back(instance.arrival_rate(type) / total);
            }
        if (!share.empty()) type_of_task_.emplace_back(std::move(share));
        if constexpr (DeficitCountingPolicy<P>)
            for (const DeficitCounter& counter : policy_.deficit_counters()) {
                growth_.push_back(NumberTraits<N>::coefficient(counter.growth) * N(1));
                charge_.push_back(NumberTraits<N>::coefficient(counter.charge) * N(1));
            }
    }

    [[nodiscard]] const Instance& instance() const { return instance_; }
    [[nodiscard]] const Layout& layout() const { return layout_; }
    [[nodiscard]] const P& policy() const { return policy_; }
    [[nodiscard]] const Truncation& truncation() const { return truncation_; }
    /// Whether the policy keeps deficit counters, so that its chain is infinite.
    [[nodiscard]] bool keeps_counters() const { return !growth_.empty(); }

    /// Every queue empty, every server idle.
    [[nodiscard]] State<N> initial() const {
        State<N> state;
        state.length.assign(layout_.queues(), N(0));
        state.serving.assign(instance_.servers().size(), Service{});
        if (layout_.lists_tasks()) state.waiting.resize(layout_.queues());
        state.memory.assign(growth_.size(), N(0));
        return state;
    }

    /// Throws ContractViolation unless the state has this kernel's shape, no queue is shorter than the number of its
    /// tasks in execution, and listed queues list exactly their waiting tasks.
    void require_valid(const State<N>& state) const;

    /// What a policy sees in `state`.
    template <class Use>
    decltype(auto) with_view(const State<N>& state, Use&& use) const {
        const Vector<std::uint32_t> in_service = tasks_in_service(state);
        return use(View<N>(instance_, layout_, weights_, state.length, in_service, state.memory));
    }

    /// What the policy answered at one state. Its answers do not depend on chance, so all runs of the slot from that
    /// state may share them; under sequential routing only those of serve.
    template <class T>
    struct Answer {
        bool given = false;
        T choice{};
    };
    struct Answers {
        std::vector<Answer<RouteChoice>> route;  ///< per type
        std::vector<Answer<Ties>> serve;         ///< per server
    };

    /// One slot from a valid state. Cost: O(servers + queues) and the policy's questions.
    template <Chance C>
    [[nodiscard]] Slot<N> step(const State<N>& now, C& chance) const {
        Answers answers;
        return step(now, answers, chance);
    }
    /// The same, with what the policy answered in earlier runs from the same state, which grows by this one's.
    template <Chance C>
    [[nodiscard]] Slot<N> step(const State<N>& now, Answers& answers, C& chance) const {
        answers.route.resize(instance_.types().size());
        answers.serve.resize(now.serving.size());
        Slot<N> slot{now};
        const Vector<std::uint32_t> in_service = tasks_in_service(now);
        const View<N> view(instance_, layout_, weights_, now.length, in_service, now.memory);

        const Vector<std::uint32_t> arrivals = arrive(now, slot, chance);
        Joined joined = route(now, view, in_service, arrivals, answers, slot, chance);
        Vector<QueueId> target(now.serving.size());
        Vector<Pointing> pointing = schedule(now, view, target, answers, slot, chance);
        for (std::size_t q = 0; q < joined.count.size(); ++q)
            if (joined.count[q] > 0)
                slot.next.length[q] = slot.next.length[q] + N(static_cast<std::int64_t>(joined.count[q]));
        if (!now.waiting.empty()) append_in_random_order(joined, slot.next, chance);
        match(slot.next, in_service, target, pointing, chance);
        serve_and_depart(slot, chance);
        return slot;
    }

  private:
    /// How a server stands towards its target queue before tasks are handed out.
    enum class Pointing : std::uint8_t { nowhere, executing, asking };

    /// Tasks that joined each queue in this slot; `types` per queue only where the state lists tasks.
    struct Joined {
        Vector<std::uint32_t> count;
        std::vector<std::vector<std::uint64_t>> types;
    };

    [[nodiscard]] Vector<std::uint32_t> tasks_in_service(const State<N>& state) const {
        Vector<std::uint32_t> count(layout_.queues(), 0);
        for (const Service& s : state.serving)
            if (s.status == Service::Status::busy) ++count[s.queue.index()];
        return count;
    }

    template <Chance C>
    [[nodiscard]] Candidate pick(const Ties& ties, Slot<N>& slot, C& chance) const {
        slot.tied = slot.tied || ties.size() > 1;
        return ties[chance.uniform(ties.size())];
    }
    template <Chance C>
    [[nodiscard]] Candidate pick(const Mixture& mixture, Slot<N>&, C& chance) const {
        return (*mixture.candidates)[chance.draw(*mixture.lottery)];
    }
    template <Chance C>
    [[nodiscard]] Candidate pick(const AnyChoice& choice, Slot<N>& slot, C& chance) const {
        if (const Ties* ties = std::get_if<Ties>(&choice)) return pick(*ties, slot, chance);
        return pick(std::get<Mixture>(choice), slot, chance);
    }

    template <Chance C>
    [[nodiscard]] Vector<std::uint32_t> arrive(const State<N>& now, Slot<N>& slot, C& chance) const {
        Vector<std::uint32_t> arrivals(instance_.types().size(), 0);
        for (const ArrivalFactor& factor : instance_.arrivals().factors()) {
            const ArrivalOutcome& outcome = factor.outcomes()[chance.draw(factor.lottery())];
            for (std::size_t i = 0; i < outcome.count.size(); ++i) {
                arrivals[factor.types()[i].index()] += outcome.count[i];
                slot.arrived += outcome.count[i];
            }
        }
        if (truncation_.rule == Truncation::Rule::total && slot.arrived > 0) {
            N sum(static_cast<std::int64_t>(slot.arrived));
            for (const N& length : now.length) sum = sum + length;
            if (sum > N(static_cast<std::int64_t>(truncation_.cap))) {
                slot.blocked = slot.arrived;
                arrivals.assign(arrivals.size(), 0);
            }
        }
        return arrivals;
    }

    template <Chance C>
    [[nodiscard]] Joined route(const State<N>& now, const View<N>& view, const Vector<std::uint32_t>& in_service,
                               const Vector<std::uint32_t>& arrivals, Answers& answers, Slot<N>& slot,
                               C& chance) const {
        Joined joined{Vector<std::uint32_t>(layout_.queues(), 0), {}};
        if (!now.waiting.empty()) joined.types.assign(layout_.queues(), std::vector<std::uint64_t>(arrivals.size(), 0));
        const auto join = [&](const Candidate& chosen, TaskTypeId type) {
            const std::size_t q = chosen.queue.index();
            if (truncation_.rule == Truncation::Rule::queue &&
                now.length[q] + N(static_cast<std::int64_t>(joined.count[q])) >=
                    N(static_cast<std::int64_t>(truncation_.cap))) {
                ++slot.blocked;
                return false;
            }
            ++joined.count[q];
            if (!joined.types.empty()) ++joined.types[q][type.index()];
            return true;
        };
        if (instance_.options().routing == Routing::batch) {
            for (const TaskTypeId type : instance_.types()) {
                if (arrivals[type.index()] == 0) continue;
                auto& answer = answers.route[type.index()];
                if (!answer.given) answer = {true, policy_.route(view, type)};
                for (std::uint32_t i = 0; i < arrivals[type.index()]; ++i)
                    join(pick(answer.choice, slot, chance), type);
            }
            return joined;
        }
        Vector<N> length = now.length;
        const View<N> live(instance_, layout_, weights_, length, in_service, now.memory);
        for (const TaskTypeId type : instance_.types())
            for (std::uint32_t i = 0; i < arrivals[type.index()]; ++i) {
                const Candidate chosen = pick(policy_.route(live, type), slot, chance);
                N& grown = length[chosen.queue.index()];
                if (join(chosen, type)) grown = grown + N(1);
            }
        return joined;
    }

    template <Chance C>
    [[nodiscard]] Vector<Pointing> schedule(const State<N>& now, const View<N>& view, Vector<QueueId>& target,
                                            Answers& answers, Slot<N>& slot, C& chance) const {
        Vector<Pointing> pointing(now.serving.size(), Pointing::nowhere);
        for (const ServerId m : instance_.servers()) {
            const Service& status = now.serving[m.index()];
            if (status.status != Service::Status::idle) {
                target[m.index()] = status.queue;
                pointing[m.index()] = status.status == Service::Status::busy ? Pointing::executing : Pointing::asking;
                continue;
            }
            Answer<Ties>& answer = answers.serve[m.index()];
            if (!answer.given) answer = {true, policy_.serve(view, m)};
            if (answer.choice.empty()) continue;
            target[m.index()] = pick(answer.choice, slot, chance).queue;
            pointing[m.index()] = Pointing::asking;
        }
        return pointing;
    }

    /// Tasks of one slot enter a listing queue in an order each equally likely.
    template <Chance C>
    void append_in_random_order(Joined& joined, State<N>& next, C& chance) const {
        for (std::size_t q = 0; q < joined.count.size(); ++q) {
            if (layout_.tracking(QueueId(q)) != Tracking::listed) continue;
            for (std::uint32_t left = joined.count[q]; left > 0; --left) {
                const std::size_t type = chance.proportional(joined.types[q]);
                --joined.types[q][type];
                next.waiting[q].push_back(TaskTypeId(type));
            }
        }
    }

    /// Hands waiting tasks to the servers that ask for them. Before: next.length = Q + A. After: next.serving is the
    /// status during the slot, with `phantom` for a server that asked in vain.
    template <Chance C>
    void match(State<N>& next, const Vector<std::uint32_t>& in_service, const Vector<QueueId>& target,
               const Vector<Pointing>& pointing, C& chance) const {
        const Vector<std::uint32_t> places = tasks_to_hand_out(next, in_service, target, pointing);
        Vector<std::uint32_t> left = places, asking(places.size(), 0);
        for (std::size_t m = 0; m < pointing.size(); ++m)
            if (pointing[m] == Pointing::asking) ++asking[target[m].index()];
        for (const ServerId m : instance_.servers()) {
            if (pointing[m.index()] != Pointing::asking) continue;
            const std::size_t q = target[m.index()].index();
            bool matched = left[q] > 0;
            if (instance_.options().scarcity == Scarcity::uniform_subset && matched) {
                // Of `asking` servers not yet considered, `left` get a task: this one with probability left/asking.
                const std::uint64_t odds[2] = {left[q], asking[q] - left[q]};
                matched = chance.proportional(odds) == 0;
            }
            --asking[q];
            if (matched) --left[q];
            next.serving[m.index()] = matched ? start(next, target[m.index()], m, chance)
                                              : Service{Service::Status::phantom,
                                                        layout_.service_level(instance_, QueueId(q), m), QueueId(q)};
        }
    }

    /// Per queue: the smaller of the number of servers that ask and the number of waiting tasks.
    [[nodiscard]] Vector<std::uint32_t> tasks_to_hand_out(const State<N>& next, const Vector<std::uint32_t>& in_service,
                                                          const Vector<QueueId>& target,
                                                          const Vector<Pointing>& pointing) const {
        Vector<std::uint32_t> places(layout_.queues(), 0);
        for (std::size_t m = 0; m < pointing.size(); ++m) {
            const std::size_t q = target[m].index();
            if (pointing[m] == Pointing::asking &&
                next.length[q] > N(static_cast<std::int64_t>(in_service[q] + places[q])))
                ++places[q];
        }
        return places;
    }

    template <Chance C>
    [[nodiscard]] Service start(State<N>& next, QueueId q, ServerId m, C& chance) const {
        switch (layout_.tracking(q)) {
            case Tracking::counted:
                return {Service::Status::busy, layout_.service_level(instance_, q, m), q};
            case Tracking::revealed:
                return {Service::Status::busy, instance_.level(arriving_[chance.draw(type_of_task_.front())], m), q};
            case Tracking::listed: {
                auto& queue = next.waiting[q.index()];
                const TaskTypeId head = queue.front();
                queue.erase(queue.begin());
                return {Service::Status::busy, instance_.level(head, m), q};
            }
        }
        throw ContractViolation("unknown tracking of a queue");
    }

    void update_deficit_counters(State<N>& next) const {
        if constexpr (DeficitCountingPolicy<P>) {
            const std::span<const DeficitCounter> counters = policy_.deficit_counters();
            for (std::size_t a = 0; a < counters.size(); ++a) {
                next.memory[a] = next.memory[a] + growth_[a];
                const Service& service = next.serving[counters[a].server.index()];
                if (service.status == Service::Status::busy && service.queue == counters[a].queue.queue)
                    next.memory[a] = next.memory[a] - charge_[a];
            }
        }
    }

    template <Chance C>
    void serve_and_depart(Slot<N>& slot, C& chance) const {
        State<N>& next = slot.next;
        update_deficit_counters(next);
        for (Service& service : next.serving) {
            if (service.status == Service::Status::idle) continue;
            const bool executing = service.status == Service::Status::busy;
            if (!executing && instance_.options().unmatched == Unmatched::idle) {
                service = Service{};
                continue;
            }
            if (chance.draw(completion_[service.level.index()]) != 0) continue;
            if (executing) {
                ++slot.completed;
                N& length = next.length[service.queue.index()];
                length = length - N(1);
            }
            service = Service{};
        }
    }

    const Instance& instance_;
    P policy_;
    Truncation truncation_;
    Layout layout_;
    Weights<N> weights_;
    std::vector<Lottery> completion_;    // per level
    std::vector<TaskTypeId> arriving_;   // types of positive rate
    std::vector<Lottery> type_of_task_;  // their shares of the arrivals; empty without arrivals
    std::vector<N> growth_, charge_;     // per deficit counter of the policy
};

template <Number N, QueueingPolicyFor<N> P>
void Kernel<N, P>::require_valid(const State<N>& state) const {
    require(state.length.size() == layout_.queues(), "a state needs one length per queue");
    require(state.serving.size() == instance_.servers().size(), "a state needs one status per server");
    require(state.waiting.size() == (layout_.lists_tasks() ? layout_.queues() : 0),
            "a state lists tasks where its layout does");
    for (const Service& s : state.serving)
        require(s.status == Service::Status::idle || s.queue.index() < layout_.queues(),
                "a server serves an unknown queue");
    const Vector<std::uint32_t> in_service = tasks_in_service(state);
    for (std::size_t q = 0; q < in_service.size(); ++q) {
        require(state.length[q] >= N(static_cast<std::int64_t>(in_service[q])),
                "a queue is shorter than its tasks in execution");
        if (layout_.tracking(QueueId(q)) != Tracking::listed) continue;
        const auto waiting = static_cast<std::int64_t>(state.waiting[q].size());
        require(state.length[q] == N(waiting + static_cast<std::int64_t>(in_service[q])),
                "a listed queue must list its waiting tasks");
    }
}

}  // namespace schedproof::queueing
