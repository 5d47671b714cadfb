/// One run of the simulator in continuous time where tasks may be interrupted (option preemption = resume).
///
/// After every event all servers are idle for no time, and are asked in the order of their ids, round after round until
/// none starts a task: the policy decides anew who executes what. Of a queue its first tasks are executed, the first by
/// the server that named the queue first. What is left of an interrupted task is kept, whatever the law of sizes. An
/// event costs a question to every server. A task's wait is the time in which it is not executed.
///
/// Servers that choose at random choose anew at every event of the kernel, also where its clock of a server rings for
/// nothing (events.hpp). So here too that clock rings, at the rate by which the servers' largest rates exceed those at
/// which they work.
#pragma once

#include <deque>
#include <vector>

#include "experiments/simulators/events/event_plan.hpp"
#include "experiments/simulators/events/recorder.hpp"
#include "experiments/simulators/events/run_in_time.hpp"
#include "experiments/simulators/events/task_source.hpp"
#include "experiments/simulators/slotted/indexed_rules.hpp"
#include "model/core/least_first.hpp"

namespace schedproof::simulation {

class PreemptiveLoop : public TimedRun<PreemptiveLoop> {
    friend class TimedRun<PreemptiveLoop>;

  public:
    /// Requires: tasks may be interrupted, and queues hold counts; the plan must outlive the run.
    PreemptiveLoop(const EventPlan& plan, const statistics::Replication& replication)
        : plan_(plan),
          rules_(plan.settings.system, plan.settings.policy),
          instance_(*plan.settings.system.instance),
          layout_(rules_.policy().layout(instance_)),
          source_(plan, replication),
          ties_(replication, "ties"),
          clock_(workload::Exponential{1}, statistics::Stream(replication, "clock")),
          counts_(counts_at_start(plan.settings.system, layout_, plan.settings.start)),
          view_(plan.settings.system, layout_, counts_, Moment::live, rules_.policy().plan()),
          tasks_(layout_.queues()),
          ends_(instance_.servers().size() + 1),
          serving_(instance_.servers().size()),
          at_(instance_.servers().size()),
          recorder_(plan.classes, plan.recorded, instance_.levels().size(), plan.cut(), plan.settings.tick) {
        for (const ServerId m : instance_.servers()) fastest_ += instance_.fastest(m).approximate();
        workload::Draws size(plan.settings.size, statistics::Stream(replication, "sizes at start"));
        std::uint64_t present = 0;
        for (std::size_t q = 0; q < counts_.size(); ++q)
            for (std::uint32_t i = 0; i < counts_[q].live(); ++i, ++present)
                tasks_[q].push_back({before_start, size()});
        recorder_.begin(present);
        decide(0);
    }

    /// Between two events: for those who look at what events do.
    [[nodiscard]] queueing::ExactState state() const {
        return state_between_events(counts_, serving_, [](std::size_t) { return std::optional<QueueId>(); });
    }

    /// The next arrival or completion alone, and what the clock does before.
    void step() {
        while (ends_.least() <= source_.time() && ends_.owner() == at_.size()) complete(ends_.least());
        TimedRun::step();
    }

  private:
    struct Task {
        double arrival, left;  ///< left: of its size
        double executed = 0;   ///< for so long
    };
    /// What a server executes.
    struct Place {
        std::size_t queue = 0, position = 0;
        double rate = 0;
    };

    void arrive(double now) {
        // The task is routed on the queues as they are, with tasks in execution; so are all of a batch.
        const TaskTypeId type = source_.type();
        const bool last = source_.ends_batch();
        const TiedSet tied = rules_.route(view_, type, ties_);
        if (tied.empty()) queueing::throw_routes_nowhere(instance_, rules_.policy().info(), type, "");
        const QueueId q = view_.draw(tied, ties_).queue;
        if (last) release(now);
        recorder_.arrived(now);
        tasks_[q.index()].push_back({now, source_.size()});
        source_.advance();
        ++counts_[q.index()].live();
        view_.changed(q);
        if (last) decide(now);
    }

    /// A service ends, or the clock rings for nothing.
    void complete(double now) {
        const std::size_t m = ends_.owner();
        if (m == at_.size()) {
            release(now);
            decide(now);
            return;
        }
        const Place ended = at_[m];
        release(now);
        std::deque<Task>& queue = tasks_[ended.queue];
        const auto task = queue.begin() + static_cast<std::ptrdiff_t>(ended.position);
        recorder_.left(now, {task->arrival, now - task->executed, serving_[m].level});
        queue.erase(task);
        --counts_[ended.queue].live();
        view_.changed(QueueId(ended.queue));
        decide(now);
    }

    /// All servers stop, and the clock.
    void release(double now) {
        if (ends_.has(at_.size())) ends_.cancel(at_.size());
        for (std::size_t m = 0; m < at_.size(); ++m) {
            if (!ends_.has(m)) continue;
            const Place& place = at_[m];
            Task& task = tasks_[place.queue][place.position];
            const double worked = now - serving_[m].start;
            task.left -= worked * place.rate;
            task.executed += worked;
            recorder_.worked(m, serving_[m], now);
            ends_.cancel(m);
            --counts_[place.queue].in_service;
            if (view_.reads_service()) view_.changed(QueueId(place.queue));
        }
    }

    /// All servers are asked, until none starts a task.
    void decide(double now) {
        for (bool started = true; started;) {
            started = false;
            for (std::size_t m = 0; m < at_.size(); ++m)
                if (!ends_.has(m)) started = start(m, now) || started;
        }
        double rest = fastest_;
        for (std::size_t m = 0; m < at_.size(); ++m)
            if (ends_.has(m)) rest -= at_[m].rate;
        if (rest > rounding * fastest_) ends_.set(at_.size(), now + clock_() / rest);
    }
    bool start(std::size_t m, double now) {
        const TiedSet choice = rules_.serve(view_, ServerId(m), ties_);
        if (choice.empty()) return false;
        const queueing::Candidate* only = choice.single();
        const queueing::Candidate chosen = only != nullptr ? *only : view_.draw(choice, ties_);
        QueueCounts& counts = counts_[chosen.queue.index()];
        if (counts.waiting() == 0) return false;
        at_[m] = {chosen.queue.index(), counts.in_service, plan_.rate[layout_.rate_index(chosen.queue, chosen.level)]};
        const Task& task = tasks_[at_[m].queue][at_[m].position];
        ++counts.in_service;
        if (view_.reads_service()) view_.changed(chosen.queue);
        serving_[m] = {task.arrival, now, static_cast<std::uint32_t>(chosen.level.index())};
        ends_.set(m, now + std::max(task.left, 0.0) / at_[m].rate);
        return true;
    }

    static constexpr double rounding = 1e-12;  // of sums of rates: below it no rate is left

    const EventPlan& plan_;
    const IndexedRules rules_;
    const queueing::Instance& instance_;
    queueing::Layout layout_;
    TaskSource source_;
    statistics::Stream ties_;
    workload::Draws clock_;            // rings
    double fastest_ = 0;               // sum of the servers' largest rates
    std::vector<QueueCounts> counts_;  // by queue
    IndexedView view_;
    std::vector<std::deque<Task>> tasks_;  // by queue, in order of arrival; the first are in execution
    LeastFirst<double> ends_;              // by server: of its service, if it is not interrupted; then the next ring
    std::vector<Serving> serving_;         // by server, while it is busy: `start` is that of the present stretch
    std::vector<Place> at_;                // by server, while it is busy
    EventRecorder recorder_;
};

}  // namespace schedproof::simulation
