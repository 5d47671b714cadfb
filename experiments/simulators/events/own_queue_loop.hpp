/// One run of the simulator in continuous time where each server has one queue and serves no other.
///
/// Its events, draws and records are those of EventLoop. Queue m is server m's, and nobody needs to be asked: a task
/// that finds its server idle starts at once, and a server takes the first task of its queue.
#pragma once

#include <vector>

#include "experiments/simulators/events/event_plan.hpp"
#include "experiments/simulators/events/recorder.hpp"
#include "experiments/simulators/events/run_in_time.hpp"
#include "experiments/simulators/events/task_source.hpp"
#include "experiments/simulators/slotted/indexed_rules.hpp"
#include "experiments/simulators/slotted/task_lists.hpp"
#include "model/core/least_first.hpp"
#include "model/queueing/kernel.hpp"

namespace schedproof::simulation {

class OwnQueueLoop : public TimedRun<OwnQueueLoop> {
    friend class TimedRun<OwnQueueLoop>;

  public:
    /// Whether the servers of this plan serve their own queues only. Another start than the empty system is left to
    /// EventLoop.
    [[nodiscard]] static bool suits(const EventPlan& plan) {
        const queueing::AnyPolicy& policy = plan.settings.policy;
        return policy.rules().arrangement() == queueing::Arrangement::per_server && !plan.settings.start &&
               plan.settings.system.view_age.sign() == 0 &&
               QuestionPlan(*plan.settings.system.instance, policy).serve.root() == Question::own;
    }

    /// Requires: it suits the plan, which must outlive the run.
    OwnQueueLoop(const EventPlan& plan, const statistics::Replication& replication)
        : plan_(plan),
          rules_(plan.settings.system, plan.settings.policy),
          instance_(*plan.settings.system.instance),
          layout_(rules_.policy().layout(instance_)),
          source_(plan, replication),
          ties_(replication, "ties"),
          counts_(layout_.queues()),
          view_(plan.settings.system, layout_, counts_, Moment::live, rules_.policy().plan()),
          waiting_(layout_.queues()),
          ends_(instance_.servers().size()),
          serving_(instance_.servers().size()),
          random_(plan.settings.system.random.has_value()),
          recorder_(plan.classes, plan.recorded, instance_.levels().size(), plan.cut(), plan.settings.tick) {}

    /// Between two events: for those who look at what events do.
    [[nodiscard]] queueing::ExactState state() const {
        return state_between_events(counts_, serving_, [this](std::size_t m) {
            return ends_.has(m) ? std::optional(QueueId(m)) : std::nullopt;
        });
    }

  private:
    struct Task {
        double arrival, duration;  // of its service
        std::uint32_t level;
        Fate fate = Fate::neither;
    };

    // Which event is next is what a processor cannot foresee, so the ends of services come first and records last.
    [[gnu::flatten]] void arrive(double now) {
        const TaskTypeId type = source_.type();
        if (random_) view_.set_replicas(source_.replicas());
        const TiedSet tied = rules_.route(view_, type, ties_);
        if (tied.empty()) queueing::throw_routes_nowhere(instance_, rules_.policy().info(), type, "");
        const QueueId q = view_.draw(tied, ties_).queue;
        const Level level = level_of(type, q);
        Task task{now, source_.size() / plan_.rate[layout_.rate_index(q, level)],
                  static_cast<std::uint32_t>(level.index())};
        if (recorder_.records_affinity())
            task.fate =
                record_sent(recorder_, instance_, view_.random_replicas(), ServerId(q.index()), type, source_.label());
        source_.advance();
        const bool starts = counts_[q.index()].live()++ == 0;
        if (starts)
            start(q.index(), task, now);
        else
            waiting_.push(q.index(), task);
        changed(q, starts);
        recorder_.arrived(now);
    }
    [[nodiscard]] Level level_of(TaskTypeId type, QueueId q) const {
        const ServerId m(q.index());
        return layout_.tracking(q) == queueing::Tracking::counted ? layout_.service_level(instance_, q, m)
                                                                  : view_.level(type, m);
    }
    void start(std::size_t m, const Task& task, double now) {
        ends_.set(m, now + task.duration);
        serving_[m] = {task.arrival, now, task.level, task.fate};
    }
    /// Tells the view that a task has joined or left a queue, and then that one is in execution.
    void changed(QueueId q, bool starts) {
        view_.changed(q);
        if (!starts) return;
        ++counts_[q.index()].in_service;
        if (view_.reads_service()) view_.changed(q);
    }
    [[gnu::flatten]] void complete(double now) {
        const std::size_t m = ends_.owner();
        const Serving ended = serving_[m];
        --counts_[m].in_service;
        const bool starts = --counts_[m].live() > 0;
        if (starts)
            start(m, waiting_.pop(m), now);
        else
            ends_.cancel(m);
        changed(QueueId(m), starts);
        recorder_.completed(now, m, ended);
    }

    const EventPlan& plan_;
    const IndexedRules rules_;
    const queueing::Instance& instance_;
    queueing::Layout layout_;
    TaskSource source_;
    statistics::Stream ties_;
    std::vector<QueueCounts> counts_;  // by server
    IndexedView view_;
    ListsOf<Task> waiting_;
    LeastFirst<double> ends_;       // by server: of its service
    std::vector<Serving> serving_;  // by server, while it is busy
    const bool random_;             // whether every task draws its replicas
    EventRecorder recorder_;
};

}  // namespace schedproof::simulation
