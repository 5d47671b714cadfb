/// The exact kernel: one slot of a cluster under a policy, by the phases of phases.hpp, or, where time is continuous,
/// one event of it (events.hpp).
///
/// The kernel is a map from a state (Q, f, counters) to a random state. Each phase is a function of this class; random
/// choices go through `randomness` alone, and comparisons through the number type N. So the same lines sample a slot
/// (int64 and a Sampler), enumerate its exact law (an Enumerator takes every outcome in turn), and execute it
/// symbolically (Affine numbers, whose comparisons fork). A task in execution stays counted in its queue until it
/// completes; servers are not interrupted; idle servers decide simultaneously, on the queues as they stood at the start
/// of the slot.
///
/// Why so plainly: this code is the definition that simulators are checked against and that certificates replay, so it
/// scans every server and every queue, in the order of their ids, and keeps nothing from slot to slot. Cost:
/// O(servers + queues) a slot, and the policy's questions. The order of the draws is part of the contract with recorded
/// explorations: a certificate's tree lists outcomes in it.
///
/// Source: [wang2013], Section II; what that leaves unspecified is named in options.hpp.
/// Long: the phases of a slot are read together and share one state.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/core/randomness.hpp"
#include "model/queueing/any_policy.hpp"
#include "model/queueing/language/evaluate.hpp"
#include "model/queueing/phases.hpp"
#include "model/queueing/state.hpp"
#include "model/queueing/view.hpp"

namespace schedproof::queueing {

/// Throws InputError: the policy's route leaves an arriving task no queue. `at` names the state, or is empty.
[[noreturn]] void throw_routes_nowhere(const Instance& instance, const PolicyInfo& policy, TaskTypeId type,
                                       const std::string& at);

/// A cluster, a policy and a truncation, prepared for numbers of type N.
template <Number N>
class Kernel {
  public:
    /// Borrows `instance`, which must outlive the kernel.
    /// Throws InputError when the instance has no arrival law or the policy cannot run on it.
    Kernel(const Instance& instance, AnyPolicy policy, Truncation truncation = {})
        : instance_(instance),
          policy_(std::move(policy)),
          truncation_(truncation),
          layout_(policy_.layout(instance)),
          weights_(instance) {
        (void)instance.arrivals();
        if (instance.continuous())
            prepare_events();
        else
            for (const Rational& rate : instance.rate_table())
                completion_.push_back(DiscreteDistribution::bernoulli(rate));
        const Rational total = instance.total_arrival_rate();
        std::vector<Rational> share;
        for (const TaskTypeId type : instance.types())
            if (instance.arrival_rate(type).sign() > 0) {
                arriving_.push_back(type);
                share.push_back(instance.arrival_rate(type) / total);
            }
        if (!share.empty()) type_of_task_.emplace_back(std::move(share));
        for (const DeficitCounter& counter : policy_.deficit_counters()) {
            growth_.push_back(NumberTraits<N>::coefficient(counter.growth) * N(1));
            charge_.push_back(NumberTraits<N>::coefficient(counter.charge) * N(1));
        }
    }

    [[nodiscard]] const Instance& instance() const { return instance_; }
    [[nodiscard]] const Layout& layout() const { return layout_; }
    [[nodiscard]] const AnyPolicy& policy() const { return policy_; }
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
        return use(View<N>(instance_, layout_, weights_, state.length, in_service, state.memory, policy_.plan()));
    }
    /// What the policy answers an arriving task of the type, and an idle server, in `state`.
    [[nodiscard]] Decision route(const State<N>& state, TaskTypeId type) const {
        return with_view(state, [&](const View<N>& now) { return route(now, type); });
    }
    [[nodiscard]] Decision serve(const State<N>& state, ServerId m) const {
        return with_view(state, [&](const View<N>& now) { return serve(now, m); });
    }

    /// Events of a state under preemption, clocks that do the same to it as one.
    struct MergedClocks {
        DiscreteDistribution law;
        std::vector<std::size_t> first;  ///< by outcome, the first of its events in `next_event_`
    };
    /// What the policy answered at one state: laws, which do not depend on the slot's random choices, so all runs of
    /// the slot from that state may share them; under sequential routing only those of serve.
    struct Answers {
        std::vector<std::optional<Decision>> route;  ///< per type
        std::vector<std::optional<Decision>> serve;  ///< per server
        /// Under preemption: the state after servers were offered what waits, if nothing was drawn on the way.
        std::optional<std::pair<State<N>, Vector<std::uint32_t>>> offered;
        /// Whether events that lead to one next state may be taken together, of which an enumeration has fewer: where
        /// `offered` is there, clocks alike. For those who need no more than the law of the next state.
        bool merge_clocks = false;
        std::optional<MergedClocks> clocks;  ///< of `offered`
    };

    /// One slot from a valid state, or one event where time is continuous. Cost: O(servers + queues) and the policy's
    /// questions.
    template <Randomness R>
    [[nodiscard]] Slot<N> step(const State<N>& now, R& randomness) const {
        Answers answers;
        return step(now, answers, randomness);
    }
    /// The same, with what the policy answered in earlier runs from the same state, which grows by this one's.
    template <Randomness R>
    [[nodiscard]] Slot<N> step(const State<N>& now, Answers& answers, R& randomness) const {
        if (instance_.continuous()) return event(now, answers, randomness);
        answers.route.resize(instance_.types().size());
        answers.serve.resize(now.serving.size());
        Slot<N> slot{now};
        Vector<std::uint32_t> in_service, arrivals;
        const View<N> view(instance_, layout_, weights_, now.length, in_service, now.memory, policy_.plan());
        Joined joined;
        Vector<QueueId> target(now.serving.size());
        Vector<Pointing> pointing;
        Vector<std::uint8_t> ended;
        run_phases(phase<Phase::observe>([&] { in_service = tasks_in_service(now); }),
                   phase<Phase::arrive>([&] { arrivals = arrive(now, slot, randomness); }), phase<Phase::route>([&] {
                       joined = route(now, view, in_service, arrivals, answers, slot, randomness);
                   }),
                   phase<Phase::schedule>([&] { pointing = schedule(now, view, target, answers, slot, randomness); }),
                   phase<Phase::match>([&] {
                       join(joined, slot.next, randomness);
                       match(slot.next, in_service, target, pointing, randomness);
                   }),
                   phase<Phase::serve>([&] { ended = serve(slot.next, randomness); }),
                   phase<Phase::depart>([&] { depart(ended, slot); }));
        return slot;
    }

    // In continuous time (events.hpp).
    /// Whether every idle server may decline what waits, by some outcome of its draws: so does every state that an
    /// event leaves. Comparisons go to N.
    [[nodiscard]] bool is_settled(const State<N>& state) const;
    /// The state after idle servers were offered what waits, in the order of their ids.
    template <Randomness R>
    [[nodiscard]] State<N> settled(State<N> state, R& randomness) const;

  private:
    void prepare_events();
    [[nodiscard]] MergedClocks merged_clocks(const State<N>& offered) const;
    template <Randomness R>
    [[nodiscard]] Slot<N> event(const State<N>& now, Answers& answers, R& randomness) const;
    template <Randomness R>
    void arrivals(TaskTypeId type, Slot<N>& slot, Vector<std::uint32_t>& in_service, R& randomness) const;
    template <Randomness R>
    void ring(ServerId m, Slot<N>& slot, Vector<std::uint32_t>& in_service, R& randomness) const;
    /// Routes a task and lets it join. The servers to be offered what waits; none where it is turned away.
    template <Randomness R>
    [[nodiscard]] std::vector<ServerId> arrival(TaskTypeId type, Slot<N>& slot, const Vector<std::uint32_t>& in_service,
                                                R& randomness) const;
    /// Whether something was drawn.
    template <Randomness R>
    bool offer(const std::vector<ServerId>& order, Slot<N>& slot, Vector<std::uint32_t>& in_service,
               R& randomness) const;
    [[nodiscard]] std::vector<ServerId> after_arrival(TaskTypeId type, QueueId joined) const;
    [[nodiscard]] std::vector<ServerId> after_completion(ServerId m) const;

    /// Numbers of tasks of one type that come together.
    struct Batches {
        std::vector<std::uint32_t> tasks;
        std::vector<DiscreteDistribution> law;  ///< of `tasks`; none where there is one number
    };

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

    [[nodiscard]] Decision route(const View<N>& now, TaskTypeId type) const {
        Decision decision = language::decide(policy_.rules().route(), now, language::Asker::task(type));
        if (decision.may_be_empty()) throw_routes_nowhere(instance_, policy_.info(), type, where(now));
        return decision;
    }
    /// The lengths as the policy sees them, where they are integers.
    [[nodiscard]] static std::string where(const View<N>& now) {
        std::string text;
        if constexpr (std::same_as<N, CheckedInt>)
            for (const QueueId q : now.queues())
                text += (text.empty() ? " at Q = (" : ", ") + std::to_string(now.length(q).value());
        return text.empty() ? text : text + ")";
    }
    [[nodiscard]] Decision serve(const View<N>& now, ServerId m) const {
        return language::decide(policy_.rules().serve(), now, language::Asker::idle(m));
    }

    template <Randomness R>
    [[nodiscard]] Candidate pick(const Ties& ties, Slot<N>& slot, R& randomness) const {
        slot.tied = slot.tied || ties.size() > 1;
        return ties[randomness.uniform(ties.size())];
    }

    template <Randomness R>
    [[nodiscard]] Vector<std::uint32_t> arrive(const State<N>& now, Slot<N>& slot, R& randomness) const {
        Vector<std::uint32_t> arrivals(instance_.types().size(), 0);
        for (const ArrivalFactor& factor : instance_.arrivals().factors()) {
            const ArrivalOutcome& outcome = factor.outcomes()[randomness.draw(factor.distribution())];
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

    template <Randomness R>
    [[nodiscard]] Joined route(const State<N>& now, const View<N>& view, const Vector<std::uint32_t>& in_service,
                               const Vector<std::uint32_t>& arrivals, Answers& answers, Slot<N>& slot,
                               R& randomness) const {
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
                std::optional<Decision>& answer = answers.route[type.index()];
                if (!answer) answer = route(view, type);
                for (std::uint32_t i = 0; i < arrivals[type.index()]; ++i)
                    join(pick(answer->draw(randomness), slot, randomness), type);
            }
            return joined;
        }
        Vector<N> length = now.length;
        const View<N> live(instance_, layout_, weights_, length, in_service, now.memory, policy_.plan());
        for (const TaskTypeId type : instance_.types())
            for (std::uint32_t i = 0; i < arrivals[type.index()]; ++i) {
                const Candidate chosen = pick(route(live, type).draw(randomness), slot, randomness);
                N& grown = length[chosen.queue.index()];
                if (join(chosen, type)) grown = grown + N(1);
            }
        return joined;
    }

    template <Randomness R>
    [[nodiscard]] Vector<Pointing> schedule(const State<N>& now, const View<N>& view, Vector<QueueId>& target,
                                            Answers& answers, Slot<N>& slot, R& randomness) const {
        Vector<Pointing> pointing(now.serving.size(), Pointing::nowhere);
        for (const ServerId m : instance_.servers()) {
            const Service& status = now.serving[m.index()];
            if (status.status != Service::Status::idle) {
                target[m.index()] = status.queue;
                pointing[m.index()] = status.status == Service::Status::busy ? Pointing::executing : Pointing::asking;
                continue;
            }
            std::optional<Decision>& answer = answers.serve[m.index()];
            if (!answer) answer = serve(view, m);
            const Ties& tied = answer->draw(randomness);
            if (tied.empty()) continue;
            target[m.index()] = pick(tied, slot, randomness).queue;
            pointing[m.index()] = Pointing::asking;
        }
        return pointing;
    }

    /// Routed tasks join their queues: afterwards next.length = Q + A. In a listing queue every order of the slot's
    /// tasks is equally likely.
    template <Randomness R>
    void join(Joined& joined, State<N>& next, R& randomness) const {
        for (std::size_t q = 0; q < joined.count.size(); ++q)
            if (joined.count[q] > 0) next.length[q] = next.length[q] + N(static_cast<std::int64_t>(joined.count[q]));
        if (next.waiting.empty()) return;
        for (std::size_t q = 0; q < joined.count.size(); ++q) {
            if (layout_.tracking(QueueId(q)) != Tracking::listed) continue;
            for (std::uint32_t left = joined.count[q]; left > 0; --left) {
                const std::size_t type = randomness.proportional(joined.types[q]);
                --joined.types[q][type];
                next.waiting[q].push_back(TaskTypeId(type));
            }
        }
    }

    /// Hands waiting tasks to the servers that chose their queues. Requires next.length = Q + A. Afterwards
    /// next.serving is each server's status during the slot; a server that got no task is as the option `unmatched`
    /// says.
    template <Randomness R>
    void match(State<N>& next, const Vector<std::uint32_t>& in_service, const Vector<QueueId>& target,
               const Vector<Pointing>& pointing, R& randomness) const {
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
                matched = randomness.proportional(odds) == 0;
            }
            --asking[q];
            if (matched) --left[q];
            if (matched)
                next.serving[m.index()] = start(next, target[m.index()], m, randomness);
            else if (instance_.options().unmatched == Unmatched::idle)
                next.serving[m.index()] = Service{};
            else
                next.serving[m.index()] = {Service::Status::phantom, layout_.service_level(instance_, QueueId(q), m),
                                           QueueId(q)};
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

    template <Randomness R>
    [[nodiscard]] Service start(State<N>& next, QueueId q, ServerId m, R& randomness) const {
        switch (layout_.tracking(q)) {
            case Tracking::counted:
                return {Service::Status::busy, layout_.service_level(instance_, q, m), q};
            case Tracking::revealed:
                return {Service::Status::busy, instance_.level(arriving_[randomness.draw(type_of_task_.front())], m),
                        q};
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
        const std::span<const DeficitCounter> counters = policy_.deficit_counters();
        for (std::size_t a = 0; a < counters.size(); ++a) {
            next.memory[a] = next.memory[a] + growth_[a];
            const Service& service = next.serving[counters[a].server.index()];
            if (service.status == Service::Status::busy && service.queue == counters[a].queue.queue)
                next.memory[a] = next.memory[a] - charge_[a];
        }
    }

    /// One slot of work: whether the service of each server ends with it. A phantom's offered service ends alike.
    template <Randomness R>
    [[nodiscard]] Vector<std::uint8_t> serve(State<N>& next, R& randomness) const {
        update_deficit_counters(next);
        Vector<std::uint8_t> ended(next.serving.size(), 0);
        for (std::size_t m = 0; m < ended.size(); ++m) {
            const Service& service = next.serving[m];
            if (service.status != Service::Status::idle)
                ended[m] = randomness.draw(completion_[layout_.rate_index(service.queue, service.level)]) == 0 ? 1 : 0;
        }
        return ended;
    }

    void depart(const Vector<std::uint8_t>& ended, Slot<N>& slot) const {
        for (std::size_t m = 0; m < ended.size(); ++m) {
            if (ended[m] == 0) continue;
            Service& service = slot.next.serving[m];
            if (service.status == Service::Status::busy) {
                ++slot.completed;
                N& length = slot.next.length[service.queue.index()];
                length = length - N(1);
            }
            service = Service{};
        }
    }

    const Instance& instance_;
    AnyPolicy policy_;
    Truncation truncation_;
    Layout layout_;
    Weights<N> weights_;
    // Per entry of the table of rates; in continuous time per server and entry: given that the server's clock rings.
    std::vector<DiscreteDistribution> completion_;
    std::vector<DiscreteDistribution> next_event_;    // in continuous time: of `arriving_`, then of `working_`
    std::vector<ServerId> working_;                   // in continuous time: servers that can serve something
    std::vector<std::size_t> rate_class_;             // by working server, the first one with the same largest rate
    std::vector<Batches> batches_;                    // in continuous time, per type
    std::vector<TaskTypeId> arriving_;                // types of positive rate
    std::vector<DiscreteDistribution> type_of_task_;  // their shares of the arrivals; empty without arrivals
    std::vector<N> growth_, charge_;                  // per deficit counter of the policy
};

template <Number N>
void Kernel<N>::require_valid(const State<N>& state) const {
    require(state.length.size() == layout_.queues(), "a state needs one length per queue");
    require(state.serving.size() == instance_.servers().size(), "a state needs one status per server");
    require(state.waiting.size() == (layout_.lists_tasks() ? layout_.queues() : 0),
            "a state lists tasks where its layout does");
    for (const Service& s : state.serving)
        require(s.status == Service::Status::idle || s.queue.index() < layout_.queues(),
                "a server serves an unknown queue");
    if (instance_.preemptive())
        for (const Service& s : state.serving)
            require(s.status == Service::Status::idle, "no state has a task in execution under preemption");
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

#include "model/queueing/events.hpp"  // IWYU pragma: keep: the rest of the class
