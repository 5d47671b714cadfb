/// The queueing simulator in continuous time as an experiment: what is checked before a run, and which quantities it
/// has.
///
/// Settings are checked when the experiment is made, so that a wrong one is reported once and not by each replication.
/// The plan holds what all replications share: the classes of servers, the types with arrivals and their exact shares,
/// the rates as doubles, the tick of the histogram. An instance whose policy lets servers serve queues of others is run
/// with empty-target = conserved, whatever the file says: without slots there is no slot to waste.
#include "experiments/simulators/events/event_experiment.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "experiments/simulators/events/event_loop.hpp"
#include "experiments/simulators/events/event_plan.hpp"
#include "experiments/simulators/events/own_queue_loop.hpp"
#include "experiments/simulators/events/preemptive_loop.hpp"
#include "model/core/errors.hpp"

namespace schedproof::simulation {

namespace {

using queueing::Instance;

void expect(bool holds, const char* field, const std::string& what) {
    if (!holds) throw InputError::at_key(field, "expected " + what);
}

double mean_size(const EventSettings& s) {
    if (!s.trace) return workload::mean(s.size);
    double tasks = 0, work = 0;
    for (const input::TracedJob& job : s.trace->jobs) {
        tasks += job.tasks;
        work += job.work();
    }
    return work / tasks;
}

/// Every task is sent to a server.
void require_recipients(const EventSettings& s, const queueing::Layout& layout) {
    const auto own = [&](QueueId q) {
        return layout.arrangement() != queueing::Arrangement::per_type && !layout.is_shared(q);
    };
    bool all = true;
    for (const QueueId q : IdRange<QueueId>(layout.queues())) all = all && own(q);
    expect(all, "affinity",
           fmt::format("queues that belong to servers, so that a task is sent to one; those of {} do not",
                       s.policy.info().id));
    expect(!s.system.instance->preemptive(), "affinity", "tasks that are not interrupted");
}

void require_sound(const EventSettings& s) {
    constexpr double most = 1e15;
    expect(s.system.instance != nullptr, "system", "an instance");
    expect(s.duration > 0 && s.duration <= most, "duration", "a time above 0 and at most 10^15");
    expect(s.batches >= 1 && s.batches <= 1'000'000, "batches", "1 to 1,000,000 batches");
    expect(s.tick >= 0 && std::isfinite(s.tick), "tick", "a time of at least 0");
    expect(!s.trace || !s.trace->jobs.empty(), "trace", "a trace of at least one job");
    if (!s.trace) {
        expect(workload::mean(s.gap) > 0, "gap", "gaps of a mean above 0");
        expect(workload::mean(s.size) > 0, "size", "sizes of a mean above 0");
    }
    if (s.start) {
        expect(!s.trace, "start", "none beside a trace, which gives the sizes of its own tasks only");
        for (const queueing::Service& service : s.start->serving)
            expect(service.status != queueing::Service::Status::phantom, "start",
                   "no phantom: in continuous time a server that finds no task stays idle");
    }
    const std::string_view id = s.policy.info().id;
    expect(runs_in_continuous_time(s.policy), "policy",
           fmt::format("a policy without deficit counters, which count slots; {} has some", id));
    const queueing::Layout layout = s.policy.layout(*s.system.instance);
    expect(!s.system.instance->preemptive() || !layout.lists_tasks(), "policy",
           fmt::format("queues that hold counts under preemption; those of {} list the types of their tasks", id));
    expect(!s.system.random || layout.arrangement() != queueing::Arrangement::per_type, "policy",
           fmt::format("listed task types, of which {} keeps a queue each, not random replicas", id));
    expect(!s.system.random || !s.policy.rules().planned(), "policy",
           fmt::format("listed task types, for which {} has a plan, not random replicas", id));
    require_discipline(s.system, s.policy);
    require_view_age(s.system, true);
    expect(!s.labels || (s.trace && s.labels->size() == s.trace->jobs.size()), "labels", "one for each job of a trace");
    if (s.affinity) require_recipients(s, layout);
    static_cast<void>(counts_at_start(s.system, layout, s.start));
}

/// Nobody chooses a queue without a waiting task: there are no slots to waste.
void conserve(EventSettings& s) {
    if (QuestionPlan(*s.system.instance, s.policy).sight == Sight::own ||
        s.system.instance->options().empty_target == queueing::EmptyTarget::conserved)
        return;
    queueing::InstanceData data = s.system.instance->data();
    data.options.empty_target = queueing::EmptyTarget::conserved;
    s.system.instance = std::make_shared<const Instance>(std::move(data));
}

ServerClasses classes_of(const SimulatedSystem& system) {
    const std::size_t servers = system.instance->servers().size();
    const std::vector<std::uint8_t> holds = servers_with_data(system);
    const auto with = static_cast<std::uint32_t>(std::count(holds.begin(), holds.end(), 1));
    if (with == 0 || with == servers)
        return {{""}, std::vector<std::uint32_t>(servers, 0), {static_cast<std::uint32_t>(servers)}};
    ServerClasses classes{
        {"servers with data", "servers without data"}, {}, {with, static_cast<std::uint32_t>(servers) - with}};
    for (const std::uint8_t held : holds) classes.of.push_back(held != 0 ? 0 : 1);
    return classes;
}

BatchLaw batch_law(const Instance& instance, TaskTypeId type) {
    std::vector<std::uint32_t> tasks;
    std::vector<Rational> probabilities;
    for (const queueing::BatchSize& size : instance.arriving_together(type)) {
        tasks.push_back(size.tasks);
        probabilities.push_back(size.probability);
    }
    return {std::move(tasks), DiscreteDistribution(std::move(probabilities))};
}

class EventExperiment final : public Experiment {
  public:
    explicit EventExperiment(EventSettings settings) : plan_(make_event_plan(std::move(settings))) {
        for (const EventQuantity& one : plan_.recorded) quantities_.push_back(one.quantity);
    }

    [[nodiscard]] const std::vector<Quantity>& quantities() const override { return quantities_; }
    [[nodiscard]] std::string time_unit() const override { return plan_.settings.unit; }
    [[nodiscard]] std::string engine() const override {
        if (plan_.settings.system.instance->preemptive()) return "events, every server asked after each";
        return (OwnQueueLoop::suits(plan_) ? "events, each server its own queue: " : "events, indexed: ") +
               QuestionPlan(*plan_.settings.system.instance, plan_.settings.policy).text();
    }
    [[nodiscard]] std::vector<std::pair<std::string, std::string>> questions() const override {
        return QuestionPlan(*plan_.settings.system.instance, plan_.settings.policy).questions();
    }
    [[nodiscard]] Observation run(const statistics::Replication& replication, const Done& done) const override {
        if (plan_.settings.system.instance->preemptive()) return PreemptiveLoop(plan_, replication).run(done);
        if (OwnQueueLoop::suits(plan_)) return OwnQueueLoop(plan_, replication).run(done);
        return EventLoop(plan_, replication).run(done);
    }

  private:
    EventPlan plan_;
    std::vector<Quantity> quantities_;
};

}  // namespace

EventPlan make_event_plan(EventSettings settings) {
    require_sound(settings);
    conserve(settings);
    if (settings.tick == 0) settings.tick = mean_size(settings) / 1000;
    EventPlan plan{std::move(settings), {}, {}, {}, {}, {}, {}};
    const Instance& instance = *plan.settings.system.instance;
    plan.classes = classes_of(plan.settings.system);
    std::vector<std::string> levels;
    for (const queueing::LevelInfo& level : instance.data().levels) levels.push_back(level.name);
    plan.recorded = event_quantities(plan.classes, levels, plan.settings.unit, plan.settings.tick);
    if (plan.settings.affinity) {
        const auto& labels = plan.settings.labels;
        const bool tokens = labels && std::any_of(labels->begin(), labels->end(),
                                                  [](const TaskLabel& label) { return label.tokens > 0; });
        for (EventQuantity& one : affinity_quantities(plan.settings.unit, plan.settings.tick, tokens))
            plan.recorded.push_back(std::move(one));
    }
    std::vector<Rational> shares;
    // A trace says how many tasks come together.
    const bool batches = instance.batches() && !plan.settings.trace;
    const Rational total = batches ? instance.total_batch_rate() : instance.total_arrival_rate();
    expect(total.sign() > 0, "system", "a task type with arrivals");
    for (const TaskTypeId type : instance.types())
        if (instance.arrival_rate(type).sign() > 0) {
            plan.types.push_back(type);
            shares.push_back((batches ? instance.batch_rate(type) : instance.arrival_rate(type)) / total);
            if (batches) plan.batches.push_back(batch_law(instance, type));
        }
    plan.shares.emplace_back(std::move(shares));
    for (const Rational& rate : instance.rate_table()) plan.rate.push_back(rate.approximate());
    return plan;
}

bool runs_in_continuous_time(const queueing::AnyPolicy& policy) { return !policy.rules().keeps_counters(); }

std::unique_ptr<Experiment> make_event_experiment(EventSettings settings) {
    return std::make_unique<EventExperiment>(std::move(settings));
}

}  // namespace schedproof::simulation
