/// The simulator in slots: the law of the exact kernel, without a look at every server in every slot.
///
/// It runs the phases of model/queueing/phases.hpp. The policy's `route` and `serve` are the code that the proofs are
/// about, on the same integers, and ties are uniform in both; what differs is which servers a phase goes over:
///   observe    Nothing is copied: the settled lengths are Q(t), and joined tasks are settled in `serve`.
///   schedule   First the *awake* servers, idle ones with work in sight. They decide on Q(t) alone, so they may do so
///              before tasks arrive.
///   arrive, route   Tasks are drawn, and each joins the queue that the policy chooses (task_router.hpp).
///   schedule   Then *dormant* servers: idle, and no queue near them has a task. So a dormant server's answer depends
///              on its rack only (question_plan.hpp; with a queue per type, also on which of the types that many
///              servers hold it holds itself: these wake nobody). It is asked when its own queue got a task, and
///              otherwise, in index order, only until the queues that its rack chose have as many servers as tasks: one
///              question per rack while a task waits.
///   match      Servers that chose one queue take its waiting tasks in index order. A task's slots of service are drawn
///              when it starts (geometric.hpp), so a busy server costs nothing until it ends (calendar.hpp).
///   serve      This slot's tasks become part of Q(t+1); servers near them wake.
///   depart     Servers whose tasks end with this slot become idle.
///
/// Cost: constant per task and event, but for one question per rack and slot while a task waits, with the queues that
/// are tied for it (per rack and set of types, of those that many servers hold, under the generalised c-mu rule), and,
/// under fluid-model-planning:deficit, for the servers with a type among their activities, which wake when it has a
/// task. A policy whose serving rule draws, or depends on how servers are numbered, asks every idle server in every
/// slot: no server speaks for another. With `unmatched = phantom` or `scarcity = uniform-subset` every idle server
/// draws in every slot, which costs O(idle servers) a slot here as well.
///
/// The delay of a task runs from the slot in which it arrives to the end of the slot in which it completes, both
/// included; it is counted in the batch in which the task starts. A run may begin in a given state (start.hpp).
/// Long: the phases of a slot share one state.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "experiments/simulators/core/fetch_ahead.hpp"
#include "experiments/simulators/core/index_set.hpp"
#include "experiments/simulators/slotted/arrival_source.hpp"
#include "experiments/simulators/slotted/calendar.hpp"
#include "experiments/simulators/slotted/indexed_rules.hpp"
#include "experiments/simulators/slotted/slotted_recorder.hpp"
#include "experiments/simulators/slotted/task_lists.hpp"
#include "experiments/simulators/slotted/task_router.hpp"
#include "model/queueing/any_policy.hpp"
#include "model/queueing/phases.hpp"

namespace schedproof::simulation {

/// Thresholds for speed; they change no law.
struct SlottedTuning {
    std::size_t beyond_caches = 20'000;  ///< from so many servers on memory is fetched ahead
    std::size_t watched = 16;            ///< a type with at most so many replicas wakes its servers
};

/// `Rules` are asked as IndexedRules are.
template <class Rules = IndexedRules>
class SlottedRun {
  public:
    /// Borrows system and policy. Throws InputError when the policy cannot run on the system.
    SlottedRun(const SimulatedSystem& system, const queueing::AnyPolicy& policy, const SlottedSettings& settings,
               const statistics::Replication& replication, const SlottedTuning& tuning = {})
        : system_(system),
          instance_(*system.instance),
          rules_(system, policy),
          layout_(policy.layout(instance_)),
          recorder_(system, settings, replication),
          fcfs_(system.discipline == Discipline::fcfs),
          keeps_counters_(policy.rules().keeps_counters()),
          stamped_(settings.delays || layout_.lists_tasks() || fcfs_),
          everyone_(!rules_.plan().alike || instance_.options().unmatched == queueing::Unmatched::phantom ||
                    instance_.options().scarcity == queueing::Scarcity::uniform_subset),
          walk_(instance_.servers().size() >= tuning.beyond_caches),
          owned_(layout_.arrangement() != queueing::Arrangement::per_type &&
                 layout_.arrangement() != queueing::Arrangement::single),
          own_is_local_(owned_ && !layout_.rates_at_servers() &&
                        layout_.arrangement() != queueing::Arrangement::per_server_and_level),
          arrivals_(system, replication),
          ties_(replication, "ties"),
          services_(replication, "services"),
          counts_(counts_at_start(system_, layout_, settings.start)),
          now_(system_, layout_, counts_, Moment::start_of_slot, policy.plan()),
          live_(system_, layout_, counts_, Moment::live, policy.plan()),
          delayed_(system_.view_age.sign() > 0 ? std::make_unique<DelayedQueues>(system_, layout_, counts_,
                                                                                 Moment::start_of_slot, policy.plan())
                                               : nullptr),
          router_(system_, layout_, settings.truncation, replication, now_, live_, delayed_.get(), walk_),
          servers_(instance_.servers().size()),
          lists_(stamped_ ? layout_.queues() : 0) {
        if (recorder_.records_drift()) {
            rate_.resize(servers_.size());
            executing_.resize(instance_.rate_table().size());
        }
        if (system_.random && layout_.arrangement() == queueing::Arrangement::per_type)
            throw InputError::at_key("--policy", "expected listed task types for a policy with a queue per type");
        if (system_.random && policy.rules().planned())
            throw InputError::at_key("--policy", "expected listed task types for a policy with a plan");
        require_discipline(system_, policy);
        require_view_age(system_, false);
        if (settings.costs) {
            if (layout_.arrangement() != queueing::Arrangement::per_type)
                throw InputError::at_key("--holding-cost",
                                         "expected policies with a queue per type, such as generalized-cmu: a holding "
                                         "cost is one of the tasks of a type");
            for (const TaskTypeId type : instance_.types()) cost_.push_back(instance_.type(type).cost.approximate());
        }
        for (const Rational& rate : instance_.rate_table()) slots_of_service_.emplace_back(rate);
        make_watchers(tuning.watched);
        make_groups(tuning.watched);
        if (settings.start) place(*settings.start);
        for (std::size_t m = 0; m < servers_.size(); ++m)
            if (servers_[m].status == Status::dormant) rest(static_cast<std::uint32_t>(m));
        prepare_reveal();
    }

    [[nodiscard]] Observation run(const Done& done) {
        return recorder_.run(done, [this] { step(); });
    }

    /// One slot.
    void step() {
        using queueing::phase;
        using queueing::Phase;
        queueing::run_phases(
            phase<Phase::observe>([this] { observe(); }), phase<Phase::schedule>([this] { schedule_awake(); }),
            phase<Phase::arrive>([this] { arrive(); }), phase<Phase::route>([this] { route(); }),
            phase<Phase::schedule>([this] { schedule_dormant(); }), phase<Phase::match>([this] { match(); }),
            phase<Phase::serve>([this] { serve(); }), phase<Phase::depart>([this] { depart(); }));
        if (recorder_.records_costs()) recorder_.held(holding_cost());
        recorder_.end_of_slot(slot_, in_system_, busy_, counts_[recorder_.sampled(counts_.size())].length[0]);
    }
    /// By queue, between slots.
    [[nodiscard]] const std::vector<QueueCounts>& counts() const { return counts_; }

  private:
    enum class Status : std::uint8_t { dormant, awake, busy, phantom };
    struct Server {
        Status status = Status::dormant;
        bool with_data = false;
        std::uint32_t next_choice = 0;  ///< the first slot in which it has not been asked for a queue
        std::uint32_t watch = 0;        ///< queues of types with a task that it watches
        std::uint32_t group = 0, place = 0;
        std::uint32_t queue = 0, slots = 0;  ///< of the task that it executes
    };
    struct Pair {
        std::uint32_t server, queue;
    };

    // ---- preparation ----

    /// Whether a type's servers are asked by groups: it has many replicas, on a large part of the cluster.
    [[nodiscard]] bool widespread(TaskTypeId type, std::size_t watched) const {
        const std::size_t replicas = instance_.type(type).replicas.size();
        return !keeps_counters_ && layout_.arrangement() == queueing::Arrangement::per_type && replicas > watched &&
               8 * replicas >= instance_.servers().size();
    }

    void make_groups(std::size_t watched) {
        const std::size_t servers = instance_.servers().size();
        // A single or common queue is as near to every server.
        const bool racks_matter = instance_.groupings() > 0 && layout_.arrangement() != queueing::Arrangement::single &&
                                  rules_.plan().sight == Sight::any;
        const std::vector<std::uint8_t> with_data = servers_with_data(system_);
        std::vector<std::vector<TaskTypeId>> held(servers);
        for (const TaskTypeId type : instance_.types())
            if (widespread(type, watched))
                for (const ServerId m : instance_.type(type).replicas) held[m.index()].push_back(type);
        std::map<std::pair<std::size_t, std::vector<TaskTypeId>>, std::size_t> groups;
        for (std::size_t m = 0; m < servers; ++m) {
            const std::size_t rack = racks_matter ? instance_.group(ServerId(m), 0) : 0;
            const std::size_t g = groups.try_emplace({rack, std::move(held[m])}, groups.size()).first->second;
            if (g == members_.size()) members_.emplace_back();
            servers_[m].with_data = with_data[m] != 0;
            servers_[m].group = static_cast<std::uint32_t>(g);
            servers_[m].place = static_cast<std::uint32_t>(members_[g].size());
            members_[g].push_back(static_cast<std::uint32_t>(m));
        }
        for (const auto& group : members_) dormant_.emplace_back(group.size());
    }

    /// Tasks and services of the start. Services have no memory: how long one has lasted makes no difference.
    void place(const queueing::State<CheckedInt>& start) {
        now_.set_counters(start.memory);
        for (std::size_t q = 0; q < counts_.size(); ++q) {
            in_system_ += counts_[q].settled();
            if (!watchers_.empty() && counts_[q].settled() > 0)
                for (const std::uint32_t m : watchers_[q]) ++servers_[m].watch;
            const bool listed = layout_.tracking(QueueId(q)) == queueing::Tracking::listed;
            for (std::uint32_t i = 0; stamped_ && !fcfs_ && i < counts_[q].waiting(); ++i)
                lists_.push(q, {at_start, listed ? static_cast<std::uint32_t>(start.waiting[q][i].index()) : 0});
        }
        for (std::size_t m = 0; m < servers_.size(); ++m) {
            std::uint32_t place = 0;
            if (fcfs_)
                for (const std::uint32_t q : waiting_in_order(layout_, counts_, ServerId(m), ties_))
                    lists_.push(q, {at_start, place++});
            const queueing::Service& service = start.serving[m];
            const auto server = static_cast<std::uint32_t>(m), q = static_cast<std::uint32_t>(service.queue.index());
            if (service.status == queueing::Service::Status::busy) {
                execute_at(server, layout_.rate_index(QueueId(q), service.level));
                occupy(server, q, slots_of_service(q, service.level));
            }
            if (service.status == queueing::Service::Status::phantom) {
                servers_[m].status = Status::phantom;
                phantoms_.push_back({server, q});
            }
        }
    }

    /// With a queue per type: the servers whose answer may depend on a queue in another way than their group's does.
    void make_watchers(std::size_t watched) {
        if (layout_.arrangement() != queueing::Arrangement::per_type) return;
        watchers_.resize(layout_.queues());
        if (keeps_counters_) {
            for (const queueing::DeficitCounter& counter : rules_.policy().deficit_counters())
                watchers_[counter.queue.queue.index()].push_back(static_cast<std::uint32_t>(counter.server.index()));
        } else {
            for (const TaskTypeId type : instance_.types()) {
                if (widespread(type, watched)) continue;
                for (const ServerId m : instance_.type(type).replicas)
                    watchers_[type.index()].push_back(static_cast<std::uint32_t>(m.index()));
            }
        }
    }

    /// Where types are revealed when service starts: the arriving types by their rates.
    void prepare_reveal() {
        if (system_.random) return;
        std::vector<Rational> share;
        const Rational total = instance_.total_arrival_rate();
        for (const TaskTypeId type : instance_.types())
            if (instance_.arrival_rate(type).sign() > 0) {
                arriving_.push_back(type);
                share.push_back(instance_.arrival_rate(type) / total);
            }
        if (layout_.tracking(QueueId(layout_.queues() - 1)) == queueing::Tracking::revealed && !share.empty())
            type_of_task_.emplace(std::move(share));
    }

    // ---- idle servers ----

    /// Whether a queue of the server itself has a task, so that its answer may differ from its group's.
    [[nodiscard]] bool in_sight(std::uint32_t m) const {
        switch (layout_.arrangement()) {
            case queueing::Arrangement::per_server:
            case queueing::Arrangement::per_server_and_common:
                return counts_[m].length[0] > 0;
            case queueing::Arrangement::per_server_and_level:
                for (const QueueId q : layout_.queues_of(ServerId(m)))
                    if (counts_[q.index()].length[0] > 0) return true;
                return false;
            case queueing::Arrangement::per_type:
                return servers_[m].watch > 0;
            case queueing::Arrangement::single:
                return false;
        }
        return true;
    }
    /// Makes an idle server awake or, without work in sight, dormant.
    void rest(std::uint32_t m) {
        Server& server = servers_[m];
        if (everyone_ || in_sight(m)) {
            server.status = Status::awake;
            awake_.push_back(m);
        } else {
            server.status = Status::dormant;
            dormant_[server.group].insert(server.place);
        }
    }
    void wake(std::uint32_t m) {
        if (servers_[m].status != Status::dormant) return;
        take_from_dormant(m);
        awake_.push_back(m);
    }
    void take_from_dormant(std::uint32_t m) {
        Server& server = servers_[m];
        dormant_[server.group].erase(server.place);
        server.status = Status::awake;
    }

    // ---- memory that is needed soon ----

    void fetch_server(std::uint32_t m) const { fetch(&servers_[m]); }
    void fetch_queue(std::uint32_t q) const { fetch(&counts_[q]); }
    void fetch_own_queue(std::uint32_t m) const {
        if (owned_) fetch_queue(static_cast<std::uint32_t>((*layout_.queues_of(ServerId(m)).begin()).index()));
    }
    void fetch_owner(std::uint32_t q) const {
        if (!layout_.is_shared(QueueId(q))) fetch_server(static_cast<std::uint32_t>(layout_.owner(QueueId(q)).index()));
    }

    // ---- the phases of a slot ----

    /// The sum over types of c_L Q_L^(e_L + 1), those in execution counted.
    [[nodiscard]] double holding_cost() const {
        double cost = 0;
        for (const TaskTypeId type : instance_.types()) {
            const double length = counts_[type.index()].length[0];
            if (length > 0) cost += cost_[type.index()] * std::pow(length, instance_.type(type).exponent + 1);
        }
        return cost;
    }

    void observe() { now_.set_slot(slot_); }

    [[gnu::flatten]] void schedule_awake() {
        asking_.swap(awake_);
        awake_.clear();
        walk_(
            std::span<const std::uint32_t>(asking_),
            [this](std::uint32_t m) {
                fetch_server(m);
                fetch_own_queue(m);
            },
            [this](std::uint32_t m) { choose_queue(m); });
        for (const Pair& committed : phantoms_) pair(committed.server, committed.queue);
    }
    /// Asks the policy which queue an idle server serves; false when none.
    bool choose_queue(std::uint32_t m) {
        servers_[m].next_choice = static_cast<std::uint32_t>(slot_ + 1);
        const TiedSet answer = rules_.serve(now_, ServerId(m), ties_);
        if (answer.empty()) {
            idle_.push_back(m);
            return false;
        }
        const auto chosen = static_cast<std::uint32_t>(now_.draw(answer, ties_).queue.index());
        pair(m, fcfs_ ? oldest_or(chosen, ServerId(m)) : chosen);
        return true;
    }
    /// Under fcfs: the queue of a server's oldest task, if it had one when the slot began, else `chosen`. Requires: it
    /// is idle, so its tasks all wait. Stays a call, as most runs never make it.
    [[nodiscard, gnu::noinline]] std::uint32_t oldest_or(std::uint32_t chosen, ServerId m) const {
        std::optional<std::uint32_t> best;
        // One more than the slot: what was there at the start comes first.
        const auto age = [this](std::uint32_t q) {
            const WaitingTask& task = lists_.first(q);
            return std::pair(task.arrived + 1, task.type);
        };
        for (const QueueId own : layout_.queues_of(m)) {
            const auto q = static_cast<std::uint32_t>(own.index());
            if (waiting(q) == 0 || lists_.first(q).arrived == slot_) continue;
            if (!best || age(q) < age(*best)) best = q;
        }
        return best.value_or(chosen);
    }
    void pair(std::uint32_t m, std::uint32_t q) {
        pairs_.push_back({m, q});
        ++counts_[q].pointing;
    }

    void arrive() { arrived_ = &arrivals_.next(); }

    void route() {
        in_system_ += router_.route(rules_, *arrived_, counts_, in_system_, ties_, recorder_);
        if (stamped_) list_joined();
        if (owned_) find_touched();
    }
    [[gnu::flatten]] void list_joined() {
        walk_(
            router_.joined(),
            [this](const TaskRouter::Joined& task) {
                lists_.fetch_ends(task.queue);
                lists_.fetch_free(16);
                if (owned_) fetch_owner(task.queue);
            },
            [this](const TaskRouter::Joined& task) { lists_.fetch_last(task.queue); },
            [this](const TaskRouter::Joined& task) {
                lists_.push(task.queue, {static_cast<std::uint32_t>(slot_), task.type});
            });
    }
    /// Finds the dormant servers whose own queues got a task. Whether a server is dormant is unpredictable, so the loop
    /// does not branch on it.
    void find_touched() {
        touched_.resize(router_.joined().size());
        std::size_t count = 0;
        walk_(
            router_.joined(), [this](const TaskRouter::Joined& task) { fetch_owner(task.queue); },
            [&](const TaskRouter::Joined& task) {
                const bool shared = layout_.is_shared(QueueId(task.queue));
                const std::size_t owner = shared ? 0 : layout_.owner(QueueId(task.queue)).index();
                touched_[count] = static_cast<std::uint32_t>(owner);
                count += static_cast<std::size_t>(!shared && servers_[owner].status == Status::dormant);
            });
        touched_.resize(count);
    }
    [[nodiscard]] std::uint32_t waiting(std::uint32_t q) const { return counts_[q].waiting(); }

    void schedule_dormant() {
        walk_(
            std::span<const std::uint32_t>(touched_),
            [this](std::uint32_t m) {
                fetch_server(m);
                fetch_own_queue(m);
            },
            [this](std::uint32_t m) {
                if (servers_[m].next_choice > slot_) return;
                take_from_dormant(m);
                choose_queue(m);
            });
        // Servers that chose a queue already do not let the others stay dormant: one of lower index would be matched
        // before them. That no task waits anywhere does.
        if (everyone_ || in_system_ == busy_ || rules_.plan().sight == Sight::own) return;
        for (std::size_t g = 0; g < members_.size(); ++g) schedule_group(g);
    }
    /// Dormant servers of a group choose as their group does, the lowest index first, until the queues chosen have as
    /// many servers as waiting tasks: a later server would get none.
    void schedule_group(std::size_t g) {
        IndexSet& sleepers = dormant_[g];
        std::size_t at = sleepers.next(0);
        if (at == IndexSet::none) return;
        const TiedSet answer = rules_.serve(now_, ServerId(members_[g][at]), ties_);
        std::uint64_t places = 0;
        now_.for_each_tied(answer, [&](const queueing::Candidate& c) {
            const auto q = static_cast<std::uint32_t>(c.queue.index());
            if (owned_ && !layout_.is_shared(c.queue) && layout_.owner(c.queue).index() == members_[g][at]) return;
            places += waiting(q);
        });
        for (; places > 0 && at != IndexSet::none; at = sleepers.next(at + 1)) {
            const std::uint32_t m = members_[g][at];
            take_from_dormant(m);
            if (!choose_queue(m)) continue;
            const std::uint32_t q = pairs_.back().queue;
            if (group_pairs(q)++ < waiting(q)) --places;
        }
        for (const std::uint32_t q : grouped_) in_group_[q] = 0;
        grouped_.clear();
    }
    [[nodiscard]] std::uint32_t& group_pairs(std::uint32_t q) {
        if (in_group_[q] == 0) grouped_.push_back(q);
        return in_group_[q];
    }

    [[gnu::flatten]] void match() {
        walk_(
            std::span<const Pair>(pairs_),
            [this](const Pair& p) {
                fetch_queue(p.queue);
                fetch_server(p.server);
                if (stamped_) lists_.fetch_ends(p.queue);
            },
            [this](const Pair& p) {
                if (stamped_) lists_.fetch_first(p.queue);
            },
            [this](const Pair& p) {
                QueueCounts& queue = counts_[p.queue];
                if (queue.pointing > 1) {
                    contested_.push_back(p);
                    return;
                }
                queue.pointing = 0;
                if (queue.waiting() > 0)
                    start(p.server, p.queue);
                else
                    unmatched(p);
            });
        std::sort(contested_.begin(), contested_.end(),
                  [](const Pair& a, const Pair& b) { return a.server < b.server; });
        const bool uniform = instance_.options().scarcity == queueing::Scarcity::uniform_subset;
        for (const Pair& p : contested_) {
            // Of the servers that chose this queue and are not yet considered, as many get a task as tasks wait.
            const std::uint32_t tasks = waiting(p.queue), servers = counts_[p.queue].pointing--;
            if (tasks > 0 && (!uniform || tasks >= servers || ties_.below(servers) < tasks))
                start(p.server, p.queue);
            else
                unmatched(p);
        }
        pairs_.clear();
        contested_.clear();
    }

    [[nodiscard]] Level level_of(std::uint32_t m, std::uint32_t q, const WaitingTask& task) {
        switch (layout_.tracking(QueueId(q))) {
            case queueing::Tracking::counted:
                if (q == m && own_is_local_) return instance_.local();
                return layout_.service_level(instance_, QueueId(q), ServerId(m));
            case queueing::Tracking::revealed: {
                const auto weights = type_of_task_->cumulative();
                const std::uint64_t u = services_.below(weights.back());
                const auto i = std::upper_bound(weights.begin(), weights.end(), u) - weights.begin();
                return instance_.level(arriving_[static_cast<std::size_t>(i)], ServerId(m));
            }
            case queueing::Tracking::listed:
                if (!system_.random) return instance_.level(TaskTypeId(task.type), ServerId(m));
                return router_.take_replicas(task.type, ServerId(m));
        }
        throw ContractViolation("unknown tracking of a queue");
    }

    /// Of a task of the queue at a level: a draw.
    [[nodiscard]] std::uint64_t slots_of_service(std::uint32_t q, Level level) {
        return slots_of_service_[layout_.rate_index(QueueId(q), level)](services_);
    }
    void start(std::uint32_t m, std::uint32_t q) {
        const WaitingTask task = stamped_ ? lists_.pop(q) : WaitingTask{};
        const Level level = level_of(m, q, task);
        const std::uint64_t slots = slots_of_service(q, level);
        ++counts_[q].in_service;
        started_.push_back(q);
        execute_at(m, layout_.rate_index(QueueId(q), level));
        occupy(m, q, slots);
        recorder_.started(level, task.arrived, slot_, slots);
    }
    /// Where drift is recorded.
    void execute_at(std::uint32_t m, std::size_t rate) {
        if (rate_.empty()) return;
        rate_[m] = static_cast<std::uint32_t>(rate);
        ++executing_[rate];
    }
    /// Server m executes a task of the queue in so many slots, this one included.
    void occupy(std::uint32_t m, std::uint32_t q, std::uint64_t slots) {
        ++busy_;
        Server& server = servers_[m];
        busy_with_data_ += server.with_data;
        server.status = Status::busy;
        server.queue = q;
        server.slots = static_cast<std::uint32_t>(std::min<std::uint64_t>(slots, 0xFFFFFFFFU));  // of at most 2^32
        calendar_.put(m, slot_, slot_ + slots);
    }
    void unmatched(const Pair& p) {
        if (instance_.options().unmatched == queueing::Unmatched::idle) return idle_.push_back(p.server);
        const Level level = layout_.service_level(instance_, QueueId(p.queue), ServerId(p.server));
        if (slots_of_service(p.queue, level) == 1) return idle_.push_back(p.server);
        servers_[p.server].status = Status::phantom;
        next_phantoms_.push_back(p);
    }

    /// Nothing is drawn: when a task ends was drawn at its start.
    void serve() {
        settle();
        recorder_.served(busy_, busy_with_data_);
        if (!rate_.empty()) recorder_.executing(in_system_, executing_);
        ++slot_;
    }
    /// The tasks that joined become part of Q(t+1), and servers that see them wake.
    [[gnu::flatten]] void settle() {
        const auto first = [this](const TaskRouter::Joined& task) {
            fetch_queue(task.queue);
            if (owned_) fetch_owner(task.queue);
        };
        walk_(router_.joined(), first, [this](const TaskRouter::Joined& task) {
            if (!watchers_.empty()) {
                // Settled lengths do not count this slot's tasks yet, so each of its watchers wakes once.
                if (std::exchange(newly_[task.queue], std::uint8_t{1}) != 0 || counts_[task.queue].settled() > 0)
                    return;
                for (const std::uint32_t m : watchers_[task.queue]) {
                    ++servers_[m].watch;
                    wake(m);
                }
            } else if (owned_ && !layout_.is_shared(QueueId(task.queue))) {
                wake(static_cast<std::uint32_t>(layout_.owner(QueueId(task.queue)).index()));
            }
        });
        if (!watchers_.empty())
            for (const TaskRouter::Joined& task : router_.joined()) newly_[task.queue] = 0;
        router_.settle(counts_);
        if (now_.reads_service())
            for (const std::uint32_t q : started_) router_.changed(q);
        for (const std::uint32_t m : idle_) rest(m);
        phantoms_.swap(next_phantoms_);
        next_phantoms_.clear();
        idle_.clear();
        started_.clear();
        touched_.clear();
    }

    [[gnu::flatten]] void depart() {
        walk_(
            calendar_.take(slot_),
            [this](std::uint32_t m) {
                fetch_server(m);
                fetch_own_queue(m);
            },
            [this](std::uint32_t m) { fetch_queue(servers_[m].queue); },
            [this](std::uint32_t m) {
                const std::uint32_t q = servers_[m].queue;
                QueueCounts& counts = counts_[q];
                --counts.live();
                --counts.settled();
                --counts.in_service;
                router_.changed(q);
                if (!watchers_.empty() && counts.settled() == 0)
                    for (const std::uint32_t watcher : watchers_[q]) --servers_[watcher].watch;
                spend(m, q, servers_[m].slots);
                --in_system_;
                recorder_.completed(1);
                --busy_;
                if (!rate_.empty()) --executing_[rate_[m]];
                busy_with_data_ -= servers_[m].with_data;
                rest(m);
            });
    }
    /// Charges the deficit counters of a server for the slots of the task that it completed.
    void spend(std::uint32_t m, std::uint32_t q, std::uint32_t slots) {
        if (!keeps_counters_) return;
        const auto all = rules_.policy().deficit_counters();
        for (std::size_t a = queueing::first_counter(ServerId(m), all); a < all.size() && all[a].server == ServerId(m);
             ++a)
            if (all[a].queue.queue == QueueId(q)) now_.spend(a, slots);
    }

    const SimulatedSystem& system_;
    const queueing::Instance& instance_;
    const Rules rules_;
    queueing::Layout layout_;
    SlottedRecorder recorder_;
    const bool fcfs_;
    const bool keeps_counters_;
    const bool stamped_;   // whether waiting tasks are listed
    const bool everyone_;  // whether every idle server acts in every slot
    const FetchingWalk walk_;
    const bool owned_;         // whether queues belong to servers
    const bool own_is_local_;  // whether a server's only queue holds its local tasks
    ArrivalSource arrivals_;
    const std::vector<std::uint32_t>* arrived_ = nullptr;  // types of this slot's tasks
    statistics::Stream ties_, services_;

    // By queue.
    std::vector<QueueCounts> counts_;
    std::vector<std::uint32_t> in_group_ = std::vector<std::uint32_t>(layout_.queues(), 0);
    IndexedView now_, live_;                  // on Q(t), and on what a task sees that is routed one after another
    std::unique_ptr<DelayedQueues> delayed_;  // where tasks see these
    TaskRouter router_;

    std::vector<Server> servers_;

    std::vector<std::vector<std::uint32_t>> members_, watchers_;  // by group; by queue of a type
    std::vector<IndexSet> dormant_;                               // by group: places
    std::vector<std::uint32_t> rate_;       // by server: entry of the table of rates; empty unless drift is recorded
    std::vector<std::uint32_t> executing_;  // by that entry: tasks
    Calendar calendar_;
    TaskLists lists_;
    std::vector<Geometric> slots_of_service_;  // as the table of rates
    std::vector<double> cost_;                 // by type; where costs are recorded
    std::vector<TaskTypeId> arriving_;
    std::optional<DiscreteDistribution> type_of_task_;

    std::uint64_t slot_ = 0, in_system_ = 0, busy_ = 0, busy_with_data_ = 0;
    // Of this slot.
    std::vector<std::uint32_t> awake_, asking_, idle_, touched_, started_, grouped_;
    std::vector<Pair> pairs_, contested_, phantoms_, next_phantoms_;
    std::vector<std::uint8_t> newly_ = std::vector<std::uint8_t>(layout_.queues(), 0);  // by queue of a type
};

}  // namespace schedproof::simulation
