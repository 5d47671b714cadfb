/// One run of the simulator in continuous time (event_experiment.hpp): two events, arrive and complete.
///
/// An event costs O(log servers) for the list of the ends of services, a question to the policy, and what the index
/// of the view needs for one changed queue. Both kinds of events are inlined down to the bottom (`flatten`): calls of a
/// few instructions each would cost a tenth of the time.
/// Long: the steps of an event share one state.
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "experiments/simulators/events/event_plan.hpp"
#include "experiments/simulators/events/idle_servers.hpp"
#include "experiments/simulators/events/recorder.hpp"
#include "experiments/simulators/events/run_in_time.hpp"
#include "experiments/simulators/events/task_source.hpp"
#include "experiments/simulators/slotted/delayed_queues.hpp"
#include "experiments/simulators/slotted/indexed_rules.hpp"
#include "experiments/simulators/slotted/task_lists.hpp"
#include "model/core/least_first.hpp"
#include "model/queueing/kernel.hpp"

namespace schedproof::simulation {

class EventLoop : public TimedRun<EventLoop> {
    friend class TimedRun<EventLoop>;

  public:
    EventLoop(const EventPlan& plan, const statistics::Replication& replication)
        : plan_(plan),
          rules_(plan.settings.system, plan.settings.policy),
          instance_(*plan.settings.system.instance),
          layout_(rules_.policy().layout(instance_)),
          source_(plan, replication),
          ties_(replication, "ties"),
          counts_(counts_at_start(plan.settings.system, layout_, plan.settings.start)),
          view_(plan.settings.system, layout_, counts_, Moment::live, rules_.policy().plan()),
          delayed_(plan.settings.system.view_age.sign() > 0
                       ? std::make_unique<DelayedQueues>(plan.settings.system, layout_, counts_, Moment::live,
                                                         rules_.policy().plan())
                       : nullptr),
          waiting_(layout_.queues()),
          ends_(instance_.servers().size()),
          idle_(instance_),
          serving_(instance_.servers().size()),
          serving_from_(instance_.servers().size()),
          random_(plan.settings.system.random.has_value()),
          fcfs_(plan.settings.system.discipline == Discipline::fcfs),
          kept_(random_ ? plan.settings.system.random->replicas : 0),
          recorder_(plan.classes, plan.recorded, instance_.levels().size(), plan.cut(), plan.settings.tick) {
        if (plan.settings.start) place(*plan.settings.start, replication);
    }

    /// Between two events: for those who look at what events do.
    [[nodiscard]] queueing::ExactState state() const {
        return state_between_events(counts_, serving_, [this](std::size_t m) {
            return ends_.has(m) ? std::optional(serving_from_[m]) : std::nullopt;
        });
    }

  private:
    struct Task {
        double arrival, size;
        // With random replicas in queues that list tasks: its place in `kept_`. Under fcfs, which runs on queues that
        // hold counts: a number that grows from task to task, modulo 2^32.
        std::uint32_t type;
        Fate fate = Fate::neither;
    };
    static constexpr std::size_t few_replicas = 16;

    /// Tasks and services of the start. Sizes come from a stream of their own, so that tasks that arrive later are the
    /// same from any start.
    void place(const queueing::State<CheckedInt>& start, const statistics::Replication& replication) {
        workload::Draws size(plan_.settings.size, statistics::Stream(replication, "sizes at start"));
        statistics::Stream types(replication, "types at start");
        std::uint64_t present = 0;
        for (std::size_t q = 0; q < counts_.size(); ++q) {
            present += counts_[q].live();
            for (std::uint32_t i = 0; !fcfs_ && i < counts_[q].waiting(); ++i)
                waiting_.push(q, {before_start, size(), type_at_start(start, q, i, types)});
        }
        recorder_.begin(present);
        for (std::size_t m = 0; m < start.serving.size(); ++m) {
            std::uint32_t place = 0;
            if (fcfs_)
                for (const std::uint32_t q : waiting_in_order(layout_, counts_, ServerId(m), ties_))
                    waiting_.push(q, {before_start, size(), place++});
            const queueing::Service& service = start.serving[m];
            if (service.status == queueing::Service::Status::idle) continue;
            const std::size_t level = service.level.index();
            serving_[m] = {before_start, 0, static_cast<std::uint32_t>(level)};
            serving_from_[m] = service.queue;
            if (helps()) idle_.erase(m);
            ++busy_;
            ends_.set(m, size() / plan_.rate[layout_.rate_index(service.queue, service.level)]);
        }
        ask_all(queueing::nearest_first(instance_, {}), 0, false, 0);
    }
    /// Of the i-th waiting task of a queue, where it matters: as listed, or drawn where it is not yet revealed.
    [[nodiscard]] std::uint32_t type_at_start(const queueing::State<CheckedInt>& start, std::size_t q, std::uint32_t i,
                                              statistics::Stream& types) const {
        switch (layout_.tracking(QueueId(q))) {
            case queueing::Tracking::counted:
                return 0;
            case queueing::Tracking::listed:
                return static_cast<std::uint32_t>(start.waiting[q][i].index());
            case queueing::Tracking::revealed:
                return static_cast<std::uint32_t>(plan_.types[RuleDraws(types).draw(plan_.shares.front())].index());
        }
        throw ContractViolation("unknown tracking of a queue");
    }

    [[nodiscard]] bool helps() const { return rules_.plan().sight != Sight::own; }
    /// Whether it is not known which servers an event concerns.
    [[nodiscard]] bool asks_all() const { return !rules_.plan().only_arrivals_wake; }

    [[gnu::flatten]] void arrive(double now) {
        recorder_.arrived(now);
        const TaskTypeId type = source_.type();
        if (random_) view_.set_replicas(replicas_ = source_.replicas());
        IndexedView& seen = delayed_ ? delayed_->at(now) : view_;
        if (random_ && delayed_) seen.set_replicas(replicas_);
        const TiedSet tied = rules_.route(seen, type, ties_);
        if (tied.empty()) queueing::throw_routes_nowhere(instance_, rules_.policy().info(), type, "");
        const queueing::Candidate chosen = seen.draw(tied, ties_);
        const std::size_t q = chosen.queue.index();
        Task task{now, source_.size(), static_cast<std::uint32_t>(type.index())};
        if (recorder_.records_affinity())
            task.fate = record_sent(recorder_, instance_, view_.random_replicas(), layout_.owner(chosen.queue), type,
                                    source_.label());
        source_.advance();
        if (random_ && layout_.tracking(chosen.queue) != queueing::Tracking::counted) task.type = kept_.keep(replicas_);
        if (fcfs_) task.type = number_++;
        waiting_.push(q, task);
        ++counts_[q].live();
        changed(chosen.queue, now);
        if (busy_ == serving_.size()) return;
        offer(chosen.queue, type, now);
    }

    void changed(QueueId q, double now) {
        view_.changed(q);
        if (delayed_) delayed_->changed(now, q, counts_[q.index()]);
    }

    /// Asks idle servers, the nearest first, until no task waits in the queue that a task has just joined. Servers at
    /// equal distance answer alike, so they are asked one after another until one declines. Of other rules
    /// this is not known: then everyone is asked, in rounds.
    void offer(QueueId q, TaskTypeId type, double now) {
        const bool owned = layout_.arrangement() != queueing::Arrangement::per_type && !layout_.is_shared(q);
        if (owned) owner_ = layout_.owner(q);
        const auto centre = centre_of(owned, type);
        if (asks_all()) return ask_all(queueing::nearest_first(instance_, centre), 0, false, now);
        if (owned) {
            start(owner_.index(), now);
            if (counts_[q.index()].waiting() == 0 || rules_.plan().sight != Sight::any) return;
        }
        if (centre.size() <= few_replicas) {
            for (const ServerId m : centre)
                if (offered(q, now, [&] { return ends_.has(m.index()) ? IdleServers::none : m.index(); })) return;
        } else if (offered(q, now, [&] { return idle_.first_of(centre); })) {
            return;
        }
        for (std::size_t g = 0; g < instance_.groupings(); ++g)
            for (std::size_t i = 0; i < centre.size(); ++i)
                if (i == 0 || instance_.group(centre[i], g) != instance_.group(centre[i - 1], g))
                    if (offered(q, now, [&] { return idle_.near(centre[i], g); })) return;
        offered(q, now, [&] { return idle_.any(); });
    }
    /// Asks the idle server that `next` names, and again, until one declines; whether nothing waits in the queue then.
    template <class Next>
    bool offered(QueueId q, double now, Next&& next) {
        while (counts_[q.index()].waiting() > 0)
            if (const std::size_t m = next(); m == IdleServers::none || !start(m, now)) return false;
        return true;
    }
    /// The servers nearest to the tasks of a queue: its owner, or else the holders of the data of the task that arrived
    /// last.
    [[nodiscard]] std::span<const ServerId> centre_of(bool owned, TaskTypeId type) const {
        if (owned) return {&owner_, 1};
        return replicas_.empty() ? std::span(instance_.type(type).replicas) : std::span(replicas_);
    }
    /// Whether a server that is idle starts a task when it is asked.
    bool start(std::size_t m, double now) {
        if (ends_.has(m) || !ask(m, now)) return false;
        if (helps()) idle_.erase(m);
        ++busy_;
        ends_.set(m, end_);
        return true;
    }

    [[gnu::flatten]] void complete(double now) {
        const std::size_t m = ends_.owner();
        const Serving ended = serving_[m];
        const QueueId q = serving_from_[m];
        --counts_[q.index()].live();
        --counts_[q.index()].in_service;
        changed(q, now);
        const bool started = ask(m, now);
        if (started) {
            ends_.set(m, end_);
        } else {
            ends_.cancel(m);
            --busy_;
            if (helps()) idle_.insert(m);
        }
        // After the list of future events, for which is next is what a processor cannot foresee.
        recorder_.completed(now, m, ended);
        if (asks_all()) {
            const ServerId first(m);
            ask_all(after_end(first), 1, started, now);
        } else if (rules_.plan().reconsiders && instance_.groupings() > 0) {
            reconsider(now);
        }
    }
    /// Server m, then the others.
    [[nodiscard]] std::vector<ServerId> after_end(ServerId m) const {
        std::vector<ServerId> order{m};
        for (const ServerId other : instance_.servers())
            if (other != m) order.push_back(other);
        return order;
    }
    /// Asks the idle servers in this order, round after round, until none starts a task in a round: a start may change
    /// what the others answer. Of the first round `asked` have answered already, and `started` is whether one did.
    void ask_all(const std::vector<ServerId>& order, std::size_t asked, bool started, double now) {
        for (; recorder_.present() > busy_; asked = 0) {
            for (std::size_t i = asked; i < order.size(); ++i) started = start(order[i].index(), now) || started;
            if (!std::exchange(started, false)) return;
        }
    }
    /// Idle servers of a rack answer alike.
    void reconsider(double now) {
        for (std::size_t g = 0; g < idle_.groups(0); ++g)
            for (std::size_t m = idle_.in_group(0, g); m != IdleServers::none; m = idle_.in_group(0, g))
                if (recorder_.present() == busy_ || !start(m, now)) break;
    }

    /// Whether server m starts a task now; then it ends at `end_`.
    bool ask(std::size_t m, double now) {
        const TiedSet choice = rules_.serve(view_, ServerId(m), ties_);
        if (choice.empty()) return false;
        const queueing::Candidate* only = choice.single();
        queueing::Candidate chosen = only != nullptr ? *only : view_.draw(choice, ties_);
        if (fcfs_) chosen = oldest(ServerId(m)).value_or(chosen);
        const std::size_t q = chosen.queue.index();
        if (counts_[q].waiting() == 0) return false;
        const Task task = waiting_.pop(q);
        const Level level = level_of(task, chosen, ServerId(m));
        ++counts_[q].in_service;
        if (view_.reads_service()) changed(chosen.queue, now);
        serving_[m] = {task.arrival, now, static_cast<std::uint32_t>(level.index()), task.fate};
        serving_from_[m] = chosen.queue;
        end_ = now + task.size / plan_.rate[layout_.rate_index(chosen.queue, level)];
        return true;
    }
    /// Under fcfs: the queue of a server's oldest task, if it has one. Requires: it is idle, so its tasks all wait.
    [[nodiscard]] std::optional<queueing::Candidate> oldest(ServerId m) const {
        std::optional<queueing::Candidate> best;
        const auto older = [this](QueueId a, QueueId b) {
            const Task &first = waiting_.first(a.index()), &second = waiting_.first(b.index());
            if (first.arrival != second.arrival) return first.arrival < second.arrival;
            return static_cast<std::int32_t>(first.type - second.type) < 0;
        };
        for (const QueueId q : layout_.queues_of(m))
            if (counts_[q.index()].waiting() > 0 && (!best || older(q, best->queue))) best = view_.reached(q, m);
        return best;
    }
    /// The level follows from the queue where it holds counts only, elsewhere from the task.
    [[nodiscard]] Level level_of(const Task& task, const queueing::Candidate& chosen, ServerId m) {
        if (layout_.tracking(chosen.queue) == queueing::Tracking::counted) return chosen.level;
        if (!random_) return instance_.level(TaskTypeId(task.type), m);
        view_.set_replicas(kept_.take(task.type));
        const Level level = view_.level(TaskTypeId(0), m);
        view_.set_replicas(replicas_);
        return level;
    }
    const EventPlan& plan_;
    const IndexedRules rules_;
    const queueing::Instance& instance_;
    queueing::Layout layout_;
    TaskSource source_;
    statistics::Stream ties_;
    std::vector<QueueCounts> counts_;  // by queue
    IndexedView view_;
    std::unique_ptr<DelayedQueues> delayed_;  // where tasks see these when they are routed
    ListsOf<Task> waiting_;
    LeastFirst<double> ends_;  // by server: of its service
    IdleServers idle_;         // kept where servers are asked about queues of others
    std::size_t busy_ = 0;
    std::vector<Serving> serving_;        // by server, while it is busy
    std::vector<QueueId> serving_from_;   // by server, while it is busy
    const bool random_;                   // whether every task draws its replicas
    std::span<const ServerId> replicas_;  // of the task that arrived last
    const bool fcfs_;
    std::uint32_t number_ = 0;  // under fcfs: of the task that arrives next
    KeptReplicas kept_;         // of waiting tasks
    ServerId owner_;            // of the queue that a task has just joined
    double end_ = 0;
    EventRecorder recorder_;
};

}  // namespace schedproof::simulation
