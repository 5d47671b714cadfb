/// Jobs that share a cluster, simulated.
///
/// Time is whole ticks. The events are those of model/sharing/trajectory.hpp, at a tick in this order: `complete`, for
/// each task that ends; `submit`, for each job that arrives; `reclaim`; then `offer`:
///   * With heartbeats (heartbeats.hpp), node by node as they beat: each free slot of the node once, the longest free
///   first.
///     A slot that is declined is offered again at the node's next beat. Beats of nodes without a free slot, and those
///     at which no task waits, change nothing and cost nothing.
///   * Slotted, every node with a free slot at every tick, in order of number or in a random one.
/// A task that is launched at t and runs k >= 1 ticks ends at t + k. Where remote tasks contend, a launch on a node
/// that then runs r of them makes each at least as long as g(r), counted from its own start; it never becomes shorter.
/// With a network of fluids a remote task first reads its block from one of the nodes that hold it, drawn uniformly;
/// when that transfer has ended, which is the first thing in a tick, it runs as a local one. With initial loads every
/// slot is busy at the start, with what is no task, for a time of its own. A job's reservations are drawn from a stream
/// of its own when a policy asks about them. The policy's code is that of the claims,
/// here on a view that answers from indexes. Source: docs/models/sharing.md, Model and Wang's Section V;
/// docs/models/assignment.md, Online policies.
/// Long: the steps of a tick share one state.
#pragma once

#include <algorithm>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiments/simulators/sharing/completions.hpp"
#include "experiments/simulators/sharing/fair_shares.hpp"
#include "experiments/simulators/sharing/heartbeats.hpp"
#include "experiments/simulators/sharing/job_recorder.hpp"
#include "experiments/simulators/sharing/job_source.hpp"
#include "experiments/simulators/sharing/sharing_run.hpp"
#include "experiments/simulators/sharing/task_pool.hpp"
#include "experiments/simulators/sharing/task_queues.hpp"
#include "experiments/simulators/sharing/task_slots.hpp"

namespace schedproof::simulation {

template <sharing::SharingPolicy P>
class Simulator {
    using NodeId = sharing::NodeId;
    using SlotId = sharing::SlotId;
    using Ticks = sharing::Ticks;
    using Store = std::conditional_t<sharing::RoutingPolicy<P>, TaskQueues, TaskPool>;
    /// While nothing else can happen. A policy that waits declines as often as its parameters say; this many take
    /// seconds.
    static constexpr std::uint64_t most_declined = 20'000'000;

  public:
    Simulator(const SharingWorld& world, const P& policy, JobSource& source, SharingRecorder& recorder,
              const statistics::Replication& replication, SharingWatcher* watcher, bool keeps_launches)
        : world_(world),
          policy_(policy),
          source_(source),
          recorder_(recorder),
          watcher_(watcher),
          store_(make_store(world, replication, keeps_launches)),
          slots_(world.cluster, world.wait_from),
          beats_(world.cluster.nodes(), std::max(world.heartbeat, Ticks{1})),
          services_(replication, "services"),
          ties_(replication, "ties"),
          order_(replication, "order"),
          initial_(replication, "initial loads"),
          sources_(replication, "sources"),
          links_(world.network ? world.network->open() : nullptr) {}

    /// Until the world's end, or until every job is done. False where launches have to be kept, and were not: the run
    /// is to begin again.
    [[nodiscard]] bool run(const Done& done) {
        std::uint64_t events = 0;
        more_ = source_.next(pending_);
        load_slots();
        for (Ticks t = next_event(); t != Completions::never && (!world_.end || t < *world_.end); t = next_event()) {
            advance(t);
            end_transfers(t);
            completions_.take(t, [&](SlotId s) { complete(s); });
            while (more_ && pending_.job.submit <= t) submit();
            reclaim();
            if (waiting()) offer_at(t);
            if (was_misled()) return false;
            if (++events % 4096 == 0 && done) done(part_done());
        }
        if (world_.end) advance(*world_.end);
        return true;
    }

  private:
    [[nodiscard]] static Store make_store(const SharingWorld& world, const statistics::Replication& replication,
                                          bool keeps_launches) {
        if constexpr (sharing::RoutingPolicy<P>)
            return Store(world.cluster);
        else
            return Store(
                world.cluster,
                [&world, replication](const JobRecord& job) {
                    statistics::Stream random(replication, "probes", job.number);
                    return draw_probes(world.laws.probes * job.tasks, world.cluster.nodes(), random);
                },
                keeps_launches);
    }
    /// Whether the policy got a wrong answer, for want of launches that were not kept.
    [[nodiscard]] bool was_misled() const {
        if constexpr (sharing::RoutingPolicy<P>)
            return false;
        else
            return store_.lacks_launches();
    }
    [[nodiscard]] bool waiting() const { return store_.jobs().unlaunched() > 0; }
    [[nodiscard]] double part_done() const {
        return world_.end ? static_cast<double>(now_) / static_cast<double>(*world_.end)
                          : std::min(1.0, static_cast<double>(recorder_.work()) / source_.tasks());
    }
    [[nodiscard]] Ticks next_event() {
        if (!more_ && store_.jobs().present() == 0) return Completions::never;
        Ticks next = completions_.next();
        if (links_) next = std::min(next, links_->next());
        if (more_) next = std::min(next, pending_.job.submit);
        if (!waiting() || slots_.free() == 0) return next;
        if (world_.heartbeat == 0) return std::min(next, offered_at_ + 1);
        if (next > now_) next = std::min(next, beats_.next(now_, slots_.nodes_with_free())->time);
        return next;
    }
    void advance(Ticks t) {
        const auto record = [&](Ticks to) {
            recorder_.advance(to, slots_.busy(), store_.jobs().present(), store_.jobs().unlaunched());
        };
        for (Ticks look = recorder_.next_look(); look <= t; look = recorder_.next_look()) {
            record(look);
            recorder_.looked(shares_.missing(store_.jobs(), slots_.size()));
        }
        record(t);
        now_ = t;
    }

    void load_slots() {
        if (!world_.initial_loads) return;
        for (std::size_t s = 0; s < slots_.size(); ++s) {
            Slot load;
            load.background = true;
            load.finish = world_.initial_loads->alone(0, initial_);
            slots_.occupy(SlotId(s), load);
            completions_.add(load.finish, SlotId(s));
        }
    }

    void submit() {
        const JobId j = store_.submit(pending_.job, pending_.times, policy_,
                                      [&](std::size_t n) { return static_cast<std::size_t>(ties_.below(n)); });
        if (watcher_ != nullptr) watcher_->submitted(now_, store_.jobs()[j].number, pending_.job);
        more_ = source_.next(pending_);
    }

    void complete(SlotId s) {
        const Slot slot = slots_[s];
        if (!slot.busy || slot.finish != now_) return;  // killed, or slowed down since
        if (slot.background) return slots_.release(s, now_, 0);
        const JobRecord job = store_.jobs()[slot.job];
        recorder_.task_done(now_ - job.submit);
        if (watcher_ != nullptr) watcher_->completed(now_, s, job.number);
        slots_.release(s, now_, job.number);
        if (!store_.finish(slot.job, slot.task, world_.cluster.node_of(s))) return;
        recorder_.job_done(job.tasks, now_ - job.submit);
        store_.close(slot.job);
    }

    /// Offers slots: of the node whose beat is due, or slotted of every node.
    void offer_at(Ticks t) {
        const IndexSet& nodes = slots_.nodes_with_free();
        if (world_.heartbeat > 0) {
            const auto beat = beats_.next(t, nodes);
            if (!beat || beat->time > t) return;
            beats_.served(*beat);
            offer_node(beat->node);
            return reclaim();
        }
        if (offered_at_ >= t) return;
        offered_at_ = t;
        order_of_nodes_.clear();
        for (std::size_t n = nodes.next(0); n < world_.cluster.nodes(); n = nodes.next(n + 1))
            order_of_nodes_.push_back(n);
        if (world_.order == OfferOrder::random)
            for (std::size_t left = order_of_nodes_.size(); left > 1; --left)
                std::swap(order_of_nodes_[left - 1], order_of_nodes_[order_.below(left)]);
        for (std::size_t i = 0; i < order_of_nodes_.size() && waiting(); ++i) offer_node(order_of_nodes_[i]);
        reclaim();
    }
    void offer_node(std::size_t n) {
        const auto free = slots_.free_of(NodeId(n));
        free_.assign(free.begin(), free.end());
        for (const SlotId s : free_)
            if (waiting()) recorder_.offered(offer(s));
    }
    bool offer(SlotId s) {
        const NodeId n = world_.cluster.node_of(s);
        auto now = store_.view(slots_, now_, s);
        std::optional<sharing::JobLaunch> chosen;
        try {
            chosen = sharing::ask_offer(policy_, now, n);
        } catch (const std::exception&) {
            if (!was_misled()) throw;
        }
        if (was_misled()) return false;
        if (chosen) launch(s, n, *chosen);
        declined_ = chosen || more_ || slots_.busy() > 0 ? 0 : declined_ + 1;
        if (declined_ > most_declined)
            throw LimitExceeded("offers", std::to_string(most_declined) +
                                              " in a row were declined while tasks wait, no task runs and no job "
                                              "comes: the policy may never launch any");
        return chosen.has_value();
    }
    void launch(SlotId s, NodeId n, const sharing::JobLaunch& chosen) {
        const auto [task, time] = store_.launch(chosen, n);
        const JobRecord& job = store_.jobs()[chosen.job];
        recorder_.launched(chosen.level, job.tasks, now_ - job.submit, slots_[s].left_by == job.number);
        if (watcher_ != nullptr) watcher_->launched(now_, s, job.number, task, chosen.level);
        const RunTimes& times = world_.laws.times;
        const Ticks alone = time > 0 ? time : times.alone(0, services_);
        if (links_ && chosen.level == sharing::Locality::remote) return read_and_run(s, n, chosen.job, task, alone);
        const std::size_t remote = slots_.remote_tasks(n) + 1;
        const Ticks run = times.at(chosen.level, alone, remote, services_);
        if (run > latest_tick - now_) throw LimitExceeded("time", "a task ends later than at 2^62 ticks");
        slots_.occupy(s, {true, chosen.level, task, chosen.job, now_, now_ + run, alone, 0});
        completions_.add(now_ + run, s);
        if (chosen.level == sharing::Locality::remote && remote > 1 && times.contended()) reprice(n);
    }
    /// Occupies a slot with a remote task that first reads its block; when it ends is not known until that is done.
    void read_and_run(SlotId s, NodeId n, JobId j, std::uint32_t task, Ticks alone) {
        if constexpr (!sharing::RoutingPolicy<P>) {
            const std::vector<NodeId> holders = store_.holders(j, task);
            links_->start(now_, s, holders[sources_.below(holders.size())], n);
            slots_.occupy(s, {true, sharing::Locality::remote, task, j, now_, Completions::never, alone, 0});
        }
    }
    void end_transfers(Ticks t) {
        if (!links_ || links_->next() > t) return;
        for (const SlotId s : links_->take(t)) {
            if (slots_[s].alone > latest_tick - t) throw LimitExceeded("time", "a task ends later than at 2^62 ticks");
            slots_.set_finish(s, t + slots_[s].alone);
            completions_.add(t + slots_[s].alone, s);
        }
    }
    /// Extends every remote task of a node to its run time among so many, counted from its own start.
    void reprice(NodeId n) {
        const std::size_t remote = slots_.remote_tasks(n);
        slots_.each_remote(n, [&](SlotId s, const Slot& slot) {
            const Ticks finish = slot.since + world_.laws.times.at(slot.level, slot.alone, remote, services_);
            if (finish <= slot.finish) return;
            slots_.set_finish(s, finish);
            completions_.add(finish, s);
        });
    }

    void reclaim() {
        if constexpr (sharing::ReclaimingPolicy<P>) {
            for (std::size_t kills = 0; const auto poorer = sharing::ask_reclaim(policy_, store_.view(slots_, now_));
                 ++kills) {
                require(kills < slots_.size(), sharing::kills_without_end);
                const SlotId s = slots_.launched_last(*poorer);
                const Slot slot = slots_[s];
                const std::uint64_t number = store_.jobs()[*poorer].number;
                recorder_.task_killed(now_ - slot.since);
                if (slot.finish == Completions::never) links_->cancel(now_, s);
                if (watcher_ != nullptr) watcher_->killed(now_, s, number, slot.task);
                slots_.release(s, now_, number);
                store_.put_back(*poorer, slot.task);
                recorder_.offered(true);
                const bool used = offer(s);
                if (was_misled()) return;
                require(used, "a slot that was taken back is used");
            }
        }
    }

    const SharingWorld& world_;
    const P& policy_;
    JobSource& source_;
    SharingRecorder& recorder_;
    SharingWatcher* watcher_;
    Store store_;
    Slots slots_;
    Completions completions_;
    Heartbeats beats_;
    ArrivingJob pending_;
    bool more_ = false;
    Ticks now_ = 0, offered_at_ = -1;
    std::uint64_t declined_ = 0;  // in a row, while nothing else can happen
    FairShares shares_;
    std::vector<SlotId> free_;
    std::vector<std::size_t> order_of_nodes_;
    statistics::Stream services_, ties_, order_, initial_, sources_;
    std::unique_ptr<FluidLinks> links_;  // none without a network
};

}  // namespace schedproof::simulation
