/// The phases of a slot on arrays by server. What needs thought is the order of events of one slot, which the loops of
/// lane_loops.hpp do not show:
///   * Decisions see Q(t), so `schedule` runs before tasks arrive, and the list of longest queues is made there.
///   * Helpers and owners that chose one queue take its tasks in index order. Owners start in `serve`, after helpers;
///     so while helpers are matched, a task is kept back for an owner as soon as the helpers have passed its index.
///   * A task starts and may complete in the same slot. Its stamp goes from the ring to the server when it starts.
/// Long: the phases of a slot share one state.
#include "experiments/simulators/slotted/dense_run.hpp"

#include <algorithm>

#include "experiments/simulators/slotted/start.hpp"
#include "model/core/errors.hpp"
#include "model/queueing/kernel.hpp"
#include "model/queueing/phases.hpp"
#include "model/queueing/rate_weights.hpp"

namespace schedproof::simulation {

namespace {

using queueing::Arrangement;

bool same_replicas(const SimulatedSystem& system) {
    if (system.random) return true;
    for (const TaskTypeId type : system.instance->types())
        if (system.instance->type(type).replicas.size() != most_replicas(system)) return false;
    return true;
}

}  // namespace

namespace {

/// The least length with which a queue of the level passes the threshold. Without one, 0.
std::uint64_t least_length(const LengthTest* test, const queueing::Weights<CheckedInt>& weights, std::size_t level) {
    if (test == nullptr) return 0;
    using queueing::language::Op;
    const auto product = [&](const PlainKey& key, std::int64_t quantity) {
        CheckedInt value(quantity);
        for (std::size_t i = 0; i < key.count; ++i)
            value = value * (key.factors[i] == Op::times_rate    ? weights.rate[level]
                             : key.factors[i] == Op::over_rate   ? weights.slowness[level]
                             : key.factors[i] == Op::times_local ? weights.rate.front()
                                                                 : weights.rate.back());
        return (CheckedInt(key.by) * value).value();
    };
    const std::int64_t least = product(test->first, test->first.constant), each = product(test->second, 1);
    return static_cast<std::uint64_t>(test->is == Op::less ? least / each + 1 : (least + each - 1) / each);
}

}  // namespace

std::optional<DenseRun::Helping> DenseRun::helping(const queueing::Instance& instance, const RulePlan& serve) {
    using namespace queueing::language;
    constexpr queueing::language::Expression shared = queueing::language::common;
    constexpr auto larger = when(least(own, rate * servable) >= least(shared, rate * servable), own, shared);
    if (serve.root() == Question::own) return Helping{};
    if (serve.rule() == larger.tree) return Helping{.help = Help::common};
    Helping made{.help = Help::longest};
    std::size_t at = serve.rule().root();
    if (serve[at] == Question::first_of && serve[serve.child(at, 0)] == Question::nonempty_own) {
        made.own_first = true;
        at = serve.child(at, 1);
    }
    if (serve[at] != Question::first_of || serve[serve.child(at, 1)] != Question::own) return std::nullopt;
    std::size_t best = serve.child(at, 0);
    if (serve[best] == Question::where_by_level) {
        const LengthTest* test = serve.test(serve.child(best, 1));
        if (!is_threshold(test)) return std::nullopt;
        const queueing::Weights<CheckedInt> weights(instance);
        made.least_own = least_length(test, weights, 0);
        made.least_other = least_length(test, weights, instance.levels().size() - 1);
        best = serve.child(best, 0);
    }
    // Of two levels, the longest of the others' queues is the heaviest.
    if (serve[best] == Question::largest_weight || (made.own_first && serve[best] == Question::longest)) return made;
    return std::nullopt;
}

std::optional<DenseRun::DenseRules> DenseRun::rules(const SimulatedSystem& system, const queueing::AnyPolicy& policy) {
    const queueing::Instance& instance = *system.instance;
    const queueing::Options& options = instance.options();
    const queueing::Layout layout = policy.layout(instance);
    const bool counted = layout.tracking(QueueId(layout.queues() - 1)) == queueing::Tracking::counted;
    if (layout.lists_tasks() || !counted || layout.rows() > 1 || layout.rates_at_servers() ||
        instance.rate_table().size() > instance.levels().size() || system.discipline != Discipline::local_first ||
        system.view_age.sign() != 0 || options.unmatched != queueing::Unmatched::idle ||
        options.scarcity != queueing::Scarcity::lowest_index || options.counting != queueing::Counting::in_system ||
        options.empty_target != queueing::EmptyTarget::wasted)
        return std::nullopt;
    const QuestionPlan plan(instance, policy);
    const auto helping = DenseRun::helping(instance, plan.serve);
    const Question route = plan.route.root();
    const bool common = route == Question::shortest_local_or_common;
    if (!helping || layout.arrangement() !=
                        (helping->help == Help::common ? Arrangement::per_server_and_common : Arrangement::per_server))
        return std::nullopt;
    if (!common && route != Question::shortest_local && !(route == Question::local_servers && same_replicas(system)))
        return std::nullopt;
    if ((helping->help == Help::longest && instance.levels().size() != 2) ||
        most_replicas(system) + (common ? 1 : 0) > most_candidates)
        return std::nullopt;
    return DenseRules{*helping, common, route == Question::local_servers ? 0 : all_ones};
}

bool dense_suits(const SimulatedSystem& system, const queueing::AnyPolicy& policy) {
    return DenseRun::rules(system, policy).has_value();
}

DenseRun::DenseRun(const SimulatedSystem& system, const queueing::AnyPolicy& policy, const SlottedSettings& settings,
                   const statistics::Replication& replication, SimdLevel simd)
    : instance_(*system.instance),
      loops_(lane_loops(simd)),
      servers_(static_cast<std::uint32_t>(instance_.servers().size())),
      common_(static_cast<std::uint32_t>(whole_lanes(servers_))),
      nowhere_(common_ + 1),
      rules_(rules(system, policy).value()),
      sequential_(instance_.options().routing == queueing::Routing::sequential),
      delays_(settings.delays),
      truncation_(settings.truncation),
      walk_(servers_ >= 20'000),
      recorder_(system, settings, replication),
      arrivals_(system, replication),
      tasks_(system, nowhere_, replication, simd),
      services_(instance_, replication, simd),
      ties_(replication, "ties"),
      length_(whole_lanes(common_ + 2), 0),
      helped_(length_),
      mark_(length_),
      idle_(whole_lanes(servers_), all_ones),
      own_(idle_.size(), 0),
      help_mask_(own_),
      elsewhere_(own_),
      below_of_(own_),
      done_(own_),
      started_(own_),
      data_(own_),
      level_(servers_, 0),
      serves_(servers_, 0),
      executing_at_(instance_.levels().size(), 0),
      stamps_(delays_ ? idle_.size() : 0),
      executing_(delays_ ? idle_.size() : 0) {
    const queueing::Weights<CheckedInt> weights(instance_);
    local_weight_ = weights.rate.front().value();
    remote_weight_ = weights.rate.back().value();
    length_[nowhere_] = longest_length;
    const std::vector<std::uint8_t> with_data = servers_with_data(system);
    for (std::size_t m = 0; m < servers_; ++m) data_[m] = with_data[m] != 0 ? all_ones : 0;
    if (settings.start) {
        static_cast<void>(counts_at_start(system, policy.layout(instance_), settings.start));
        place(*settings.start);
    }
}

/// Tasks and services of the start. Services have no memory: how long one has lasted makes no difference.
void DenseRun::place(const queueing::State<CheckedInt>& start) {
    for (std::size_t i = 0; i < start.length.size(); ++i) {
        length_[place_of(i)] = static_cast<std::uint32_t>(start.length[i].value());
        in_system_ += length_[place_of(i)];
    }
    for (std::uint32_t m = 0; m < servers_; ++m) {
        const queueing::Service& service = start.serving[m];
        if (service.status != queueing::Service::Status::busy) continue;
        const std::uint32_t q = place_of(service.queue.index());
        idle_[m] = 0;
        below_of_[m] = services_.threshold(service.level);
        ++in_service_;
        if (delays_) executing_[m] = at_start;
        if (q == m) continue;
        elsewhere_[m] = all_ones;
        level_[m] = static_cast<std::uint8_t>(service.level.index());
        serves_[m] = q;
        busy_elsewhere_.push_back(m);
        ++executing_at_[level_[m]];
        ++helped_[q];
    }
    if (!delays_) return;
    for (std::size_t i = 0; i < start.length.size(); ++i)
        for (std::uint32_t left = waiting(place_of(i)); left > 0; --left) push_stamp(place_of(i), at_start);
}

LaneServers DenseRun::view(std::size_t first, std::size_t count) {
    return {.servers = count,
            .length = length_.data() + first,
            .helped = helped_.data() + first,
            .idle = idle_.data() + first,
            .own = own_.data() + first,
            .help = help_mask_.data() + first,
            .elsewhere = elsewhere_.data() + first,
            .below = below_of_.data() + first,
            .done = done_.data() + first,
            .started = started_.data() + first,
            .data = data_.data() + first};
}

/// Nothing is to be observed: before tasks arrive the lengths are Q(t).
void DenseRun::step() {
    using queueing::phase;
    using queueing::Phase;
    const std::vector<std::uint32_t>* arrived = nullptr;
    queueing::run_phases(phase<Phase::observe>([] {}), phase<Phase::schedule>([this] { schedule(); }),
                         phase<Phase::arrive>([&] { arrived = &arrivals_.next(); }),
                         phase<Phase::route>([&] { route(*arrived); }), phase<Phase::match>([this] { match(); }),
                         phase<Phase::serve>([this] { serve(); }), phase<Phase::depart>([this] { depart(); }));
    recorder_.end_of_slot(slot_, in_system_, in_service_, length_[place_of(recorder_.sampled(queues()))]);
}

std::vector<QueueCounts> DenseRun::counts() const {
    std::vector<QueueCounts> counts(queues());
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const std::uint32_t q = place_of(i);
        counts[i].live() = counts[i].settled() = length_[q];
        counts[i].in_service = length_[q] - waiting(q);
    }
    return counts;
}

// ---- idle servers ----

void DenseRun::schedule() {
    std::int64_t threshold = 0;
    bool ties = false;
    std::uint32_t most = 0;
    if (rules_.helping.help == Help::common) {
        const CheckedInt weight = CheckedInt(remote_weight_) * CheckedInt(length_[common_]);
        threshold = (weight.value() + local_weight_ - 1) / local_weight_;
    } else if (rules_.helping.help == Help::longest) {
        most = loops_.largest(length_.data(), idle_.size());
        const CheckedInt weight = CheckedInt(remote_weight_) * CheckedInt(most);
        if (most == 0 || most < rules_.helping.least_other) {
            threshold = 0;
        } else if (rules_.helping.own_first) {
            threshold = 1;
        } else {
            threshold = (weight.value() + local_weight_ - 1) / local_weight_;
            ties = weight.value() % local_weight_ == 0;
            // Where both weigh the same, but the own one is too short.
            if (ties && static_cast<std::uint64_t>(threshold) < rules_.helping.least_own) {
                ties = false;
                ++threshold;
            }
        }
    }
    // Below 2^32, since the remote rate is not above the local one.
    loops_.split(view(0, idle_.size()), static_cast<std::uint32_t>(threshold));
    longest_.clear();
    if (most == 0 || threshold == 0) return;
    longest_.resize(idle_.size());
    longest_.resize(loops_.list_equal(length_.data(), idle_.size(), most, longest_.data()));
    if (ties) draw_ties(static_cast<std::uint32_t>(threshold));
}

/// Servers whose own queue weighs as much as each of the longest.
void DenseRun::draw_ties(std::uint32_t threshold) {
    for (std::size_t m = 0; m < servers_; ++m) {
        if (idle_[m] == 0 || length_[m] != threshold || ties_.below(longest_.size() + 1) == 0) continue;
        own_[m] = 0;
        help_mask_[m] = all_ones;
    }
}

// ---- arriving tasks ----

void DenseRun::route(const std::vector<std::uint32_t>& types) {
    const std::size_t tasks = types.size();
    recorder_.arrived(tasks);
    // Words are used up whether or not the tasks are turned away, so that later tasks have theirs whatever the limit.
    tasks_.next(types);
    if (chosen_.size() < tasks_.room()) {
        chosen_.resize(tasks_.room());
        tied_.resize(tasks_.room());
    }
    if (truncation_.rule == queueing::Truncation::Rule::total && tasks > 0 && in_system_ + tasks > truncation_.cap) {
        recorder_.blocked(tasks);
        return;
    }
    if (in_system_ + tasks >= longest_length)
        throw LimitExceeded("tasks in system", "more than 2^31 - 2 would be there at once");
    if (!sequential_) {
        for (std::size_t from = 0; from < tasks; from += lanes) choose(from);
        for (std::size_t i = 0; i < tasks; ++i)
            if (tied_[i] != 0) chosen_[i] = decide(i);
        for (std::size_t i = 0; i < tasks; ++i) join(i);
    } else {
        for (std::size_t from = 0; from < tasks; from += tasks_side_by_side) {
            const std::size_t end = std::min(from + tasks_side_by_side, tasks);
            for (std::size_t group = from; group < end; group += lanes) choose(group);
            join_in_order(from, end);
        }
    }
    if (delays_) list_joined(tasks);
}

/// What a task of a batch has chosen holds if no task before it in the batch joined that queue.
void DenseRun::join_in_order(std::size_t from, std::size_t end) {
    if (++batch_ == 0) {
        std::fill(mark_.begin(), mark_.end(), 0);
        batch_ = 1;
    }
    // Copies, since whatever is stored in an array might be the members.
    const std::uint32_t batch_number = batch_;
    const bool limited = truncation_.rule == queueing::Truncation::Rule::queue;
    std::uint32_t *const chosen = chosen_.data(), *const mark = mark_.data(), *const length = length_.data();
    const std::uint32_t* const tied = tied_.data();
    for (std::size_t i = from; i < end; ++i) {
        std::uint32_t q = chosen[i];
        if ((tied[i] | std::uint32_t{mark[q] == batch_number}) != 0) [[unlikely]]
            chosen[i] = q = decide(i);
        mark[q] = batch_number;
        if (limited) [[unlikely]]
            join(i);
        else
            ++length[q];
    }
    if (!limited) in_system_ += end - from;
}

LaneChoice DenseRun::choice(std::size_t from) const {
    LaneChoice choice = tasks_.choice(from, length_.data());
    choice.common = common_;
    choice.by_length = rules_.by_length;
    return choice;
}

/// Sixteen tasks; of a group further on, what they will look at is fetched.
void DenseRun::choose(std::size_t from) {
    LaneChoice choice = this->choice(from);
    choice.chosen = chosen_.data() + from;
    choice.tied = tied_.data() + from;
    if (walk_.pays() && from + 4 * lanes <= tasks_.room())
        for (std::size_t k = 0; k < tasks_.replicas(); ++k)
            for (std::size_t i = 3 * lanes; i < 4 * lanes; ++i) fetch(&length_[choice.planes[k][i]]);
    loops_.choose(choice, tasks_.replicas(), rules_.to_common);
}

/// The queue of one task, on the lengths as they are now.
std::uint32_t DenseRun::decide(std::size_t task) { return tasks_.pick(task, choice(0), rules_.to_common, ties_); }

inline void DenseRun::join(std::size_t task) {
    const std::uint32_t q = chosen_[task];
    if (truncation_.rule == queueing::Truncation::Rule::queue && length_[q] >= truncation_.cap) [[unlikely]] {
        recorder_.blocked(1);
        chosen_[task] = nowhere_;
        return;
    }
    ++length_[q];
    ++in_system_;
}

void DenseRun::list_joined(std::size_t tasks) {
    walk_(
        std::span<const std::uint32_t>(chosen_).first(tasks),
        [this](std::uint32_t q) {
            if (q < servers_) stamps_.fetch_tail(q);
        },
        [this](std::uint32_t q) {
            if (q < servers_) stamps_.fetch_ring(q);
        },
        [this](std::uint32_t q) {
            if (q != nowhere_) push_stamp(q, static_cast<std::uint32_t>(slot_));
        });
}

inline void DenseRun::push_stamp(std::uint32_t q, std::uint32_t stamp) {
    if (q == common_)
        common_stamps_.push_back(stamp);
    else
        stamps_.push(q, stamp);
}

std::uint32_t DenseRun::pop_stamp(std::uint32_t q) {
    if (q != common_) return stamps_.pop(q);
    const std::uint32_t stamp = common_stamps_.front();
    common_stamps_.pop_front();
    return stamp;
}

// ---- services ----

void DenseRun::match() {
    if (rules_.helping.help == Help::common)
        help_common();
    else if (!longest_.empty())
        help_longest();
}

void DenseRun::help_common() {
    std::uint32_t left = waiting(common_);
    for (std::uint32_t m = 0; m < servers_ && left > 0; ++m) {
        if (help_mask_[m] == 0) continue;
        start_elsewhere(m, common_);
        --left;
    }
}

void DenseRun::help_longest() {
    left_.clear();
    std::uint64_t places = 0;
    for (const std::uint32_t q : longest_) {
        left_.push_back(waiting(q));
        places += left_.back();
    }
    std::size_t passed = 0;
    for (std::uint32_t m = 0; m < servers_ && places > 0; ++m) {
        for (; passed < longest_.size() && longest_[passed] < m; ++passed)
            if (own_[longest_[passed]] != 0 && left_[passed] > 0) {
                --left_[passed];
                --places;
            }
        if (help_mask_[m] == 0 || places == 0) continue;
        const std::size_t chosen = longest_.size() == 1 ? 0 : static_cast<std::size_t>(ties_.below(longest_.size()));
        if (left_[chosen] == 0) continue;
        --left_[chosen];
        --places;
        start_elsewhere(m, longest_[chosen]);
    }
}

void DenseRun::start_elsewhere(std::uint32_t m, std::uint32_t q) {
    const Level remote(instance_.levels().size() - 1);
    idle_[m] = 0;
    elsewhere_[m] = all_ones;
    below_of_[m] = services_.threshold(remote);
    level_[m] = static_cast<std::uint8_t>(remote.index());
    serves_[m] = q;
    ++helped_[q];
    busy_elsewhere_.push_back(m);
    ++executing_at_[level_[m]];
    recorder_.started_at(remote, 1);
    if (!delays_) return;
    executing_[m] = pop_stamp(q);
    if (executing_[m] != at_start) recorder_.waited(1, slot_ - executing_[m]);
}

void DenseRun::serve() {
    services_.next();
    LaneServed served;
    services_.each_half([&](std::size_t first, std::size_t count, const std::uint32_t* words, unsigned shift) {
        served += loops_.serve(view(first, count), words, shift, services_.threshold(instance_.local()));
    });
    if (served.undecided) decide_services(served);
    recorder_.started_at(instance_.local(), served.started);
    recorder_.served(served.busy, served.busy_with_data);
    if (recorder_.records_drift()) {
        executing_at_[0] = static_cast<std::uint32_t>(served.busy - busy_elsewhere_.size());
        recorder_.executing(in_system_, executing_at_);
    }
    if (delays_) {
        const LaneWaits waits = loops_.take_stamps(started_.data(), started_.size(), stamps_.view(0, executing_.data()),
                                                   static_cast<std::uint32_t>(slot_));
        recorder_.waited(waits.tasks, waits.slots);
    }
    in_service_ = served.busy;
    in_system_ -= served.completed;
    in_service_ -= served.completed;
    recorder_.completed(served.completed);
    ++slot_;
}

/// Of the servers whose bits are their threshold.
void DenseRun::decide_services(LaneServed& served) {
    for (std::uint32_t m = 0; m < servers_; ++m) {
        if (idle_[m] != 0 || services_.bits(m) != below_of_[m]) continue;
        const Level level = elsewhere_[m] == 0 ? instance_.local() : Level(level_[m]);
        if (!services_.ends(level)) continue;
        done_[m] = idle_[m] = all_ones;
        if (elsewhere_[m] != 0) continue;
        --length_[m];
        ++served.completed;
    }
}

/// Own tasks have left their queues in `serve`.
void DenseRun::depart() {
    std::size_t stay = 0;
    for (const std::uint32_t m : busy_elsewhere_) {
        busy_elsewhere_[stay] = m;
        if (done_[m] == 0) {
            ++stay;
            continue;
        }
        elsewhere_[m] = 0;
        --executing_at_[level_[m]];
        --length_[serves_[m]];
        --helped_[serves_[m]];
    }
    const std::size_t ended = busy_elsewhere_.size() - stay;
    busy_elsewhere_.resize(stay);
    in_system_ -= ended;
    in_service_ -= ended;
    recorder_.completed(ended);
    if (delays_) recorder_.completed_by(executing_, done_, slot_);  // the slot has passed already
}

}  // namespace schedproof::simulation
